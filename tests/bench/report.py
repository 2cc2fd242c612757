"""The one line that every bench ends with, and the machine's state beside it."""

import json
import os
import platform
import statistics
import sys


def say(text: str) -> None:
    """Print progress to standard error; standard output's last line is the result."""
    print(text, file=sys.stderr, flush=True)


def machine() -> str:
    """Return cores, load and kernel in a few words."""
    one, five, _ = os.getloadavg()
    return f"{os.cpu_count()} cores, load {one:.1f}/{five:.1f}, Python {platform.python_version()}"


def report(
    *,
    bench: str,
    value: float,
    unit: str,
    target: float,
    ok: bool,
    n: int,
    ratio: float | None = None,
    note: str = "",
) -> None:
    """Print the result; `ok` false means short of the target."""
    line = {
        "bench": bench,
        "value": round(value, 4),
        "unit": unit,
        "ratio": None if ratio is None else round(ratio, 3),
        "target": target,
        "ok": ok,
        "n": n,
        "note": f"{note}; {machine()}" if note else machine(),
    }
    print(json.dumps(line, ensure_ascii=False), flush=True)


def percentile(values: list[float], share: float) -> float:
    """Return the `share` quantile (0…1) by the nearest rank."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))]


def spread(values: list[float]) -> str:
    """Return minimum, median and maximum in a few words."""
    return f"min {min(values):.3f} median {statistics.median(values):.3f} max {max(values):.3f}"
