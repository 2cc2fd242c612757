"""The command line: jiqi up | web | scheduler | agent | migrate | openapi | doctor | stop | admin …

Every import stands in its command, so that the web process never sees docker and `jiqi --help` is instant.
"""

import resource
import sys
from pathlib import Path

import click

from jiqi import __version__, config, console, logs
from jiqi.config import Settings
from jiqi.domain.errors import BadInputError
from jiqi.supervisor.tether import tether_to_supervisor

_HELP = {"help_option_names": ["-h", "--help"]}


def load() -> Settings:
    """Return the settings; a wrong one ends the command with its name and a code."""
    try:
        return config.load()
    except BadInputError as error:
        console.refuse("settings.invalid", detail=error.params.get("detail", error.code))
        sys.exit(2)


def begin(process: str) -> Settings:
    """Prepare a process of the platform: settings, logs, descriptors, and an end with its supervisor's."""
    tether_to_supervisor()
    settings = load()
    logs.configure(form=settings.log_format, level=settings.log_level, process=process)
    # A kernel's websocket takes ten descriptors; the soft limit of 1024 ends near a hundred people.
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return settings


@click.group(context_settings=_HELP)
@click.version_option(__version__, prog_name="jiqi")
def main() -> None:
    """即启：点开链接，立即写代码 · Jiqi: open a link, start coding."""


@main.command()
def up() -> None:
    """启动本机的全部进程 · Start every process of this machine."""
    from jiqi import cli_up

    sys.exit(cli_up.run(load()))


@main.command()
def web() -> None:
    """网页与接口 · The web process."""
    settings = begin("web")
    from jiqi.wiring_web import run_web

    run_web(settings)


@main.command()
def scheduler() -> None:
    """调度进程 · The scheduler: periodic work."""
    settings = begin("scheduler")
    from jiqi.wiring_workers import run_scheduler

    run_scheduler(settings)


@main.command()
def agent() -> None:
    """本机的内核代理 · The agent: this host's kernels."""
    settings = begin("agent")
    from jiqi.wiring_workers import run_agent

    run_agent(settings)


@main.command()
def migrate() -> None:
    """升级数据库结构 · Bring the database to the current schema."""
    settings = begin("migrate")
    from jiqi import cli_admin

    cli_admin.migrate(settings)


@main.command(hidden=True)
def prepare() -> None:
    """Migrate, and print what `jiqi up` shows as one JSON line."""
    settings = begin("prepare")
    from jiqi import cli_admin

    click.echo(cli_admin.prepare(settings))


@main.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--check", is_flag=True, help="与文件不一致时以 1 退出 · exit 1 when FILE differs")
def openapi(file: Path | None, check: bool) -> None:
    """输出接口描述 · Print the portal API as OpenAPI 3.1, or write it to FILE."""
    from jiqi import cli_admin

    sys.exit(cli_admin.openapi(file, check=check))


@main.command()
@click.option("--json", "as_json", is_flag=True, help="输出 JSON · machine-readable")
def doctor(as_json: bool) -> None:
    """检查本机缺什么、怎么补 · Say what is missing here and how to mend it."""
    from jiqi import doctor as examination

    sys.exit(examination.run(load(), as_json=as_json))


@main.command()
def stop() -> None:
    """停止全部进程和内核 · Stop everything, kernels too."""
    from jiqi import cli_stop

    sys.exit(cli_stop.stop(load()))


@main.group()
def admin() -> None:
    """管理员命令 · Commands for the administrator."""


@admin.command()
def link() -> None:
    """生成一次性的管理员链接 · Make a one-time administrator's link."""
    settings = load()
    from jiqi import cli_admin

    console.say("admin.link", url=cli_admin.admin_link(settings))
