"""python -m jiqi: the same as the command `jiqi`."""

from jiqi.cli import main

if __name__ == "__main__":
    main(prog_name="jiqi")
