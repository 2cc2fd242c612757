"""Write docs/errors.md and docs/limits.md from the code: python infra/dev/reference.py [--check]."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from datetime import timedelta
from pathlib import Path

import jiqi
from jiqi.console_words import PROBLEMS
from jiqi.doctor.words import DOCTOR_WORDS
from jiqi.domain import limits
from jiqi.domain.errors import JiqiError
from jiqi.web.messages import MESSAGES

ROOT = Path(__file__).resolve().parents[2]
ERRORS = ROOT / "docs" / "errors.md"
LIMITS = ROOT / "docs" / "limits.md"
_INTERNAL = {"zh": "内部状态，只见于日志", "en": "internal, in logs only"}
_ROLES = {"guest": ("游客", "guest"), "member": ("成员", "member"), "admin": ("管理员", "administrator")}


def statuses() -> dict[str, int]:
    """Return the HTTP status of every error class's code, after importing every module that may define one."""
    for module in pkgutil.walk_packages(jiqi.__path__, "jiqi."):
        if not module.name.endswith("__main__") and ".migrations." not in module.name:
            importlib.import_module(module.name)
    found: dict[str, int] = {}
    waiting: list[type[JiqiError]] = [JiqiError]
    while waiting:
        kind = waiting.pop()
        found[kind.code] = kind.status
        waiting.extend(kind.__subclasses__())
    return found


def errors() -> str:
    """Return docs/errors.md."""
    status = statuses()
    lines = [
        "# 错误代码 · Error codes",
        "",
        "界面和命令行的每个问题都带一个稳定的代码（小字显示）。代码不会改变含义，可以据此搜索和反馈。",
        "接口按 RFC 9457 返回：`{type, title, status, detail, code, params, request_id}`。",
        "",
        "Every problem carries a stable code, in the pages and on the console. The API answers with RFC 9457 documents.",
        "This file is written by `make reference`.",
        "",
        "## 网页与接口 · Pages and API",
        "",
        "| code | HTTP | 中文 | English |",
        "|---|---|---|---|",
    ]
    for code in sorted({*MESSAGES, *status}):
        words = MESSAGES.get(code, _INTERNAL)
        lines.append(_row(f"`{code}`", status.get(code, "–"), words["zh"], words["en"]))
    lines += ["", "## 命令行 · Console", "", "| code | 中文 | English |", "|---|---|---|"]
    lines += [_row(f"`{code}`", *words) for code, words in sorted(PROBLEMS.items())]
    lines += ["", "## jiqi doctor", "", "| code | 中文 | English |", "|---|---|---|"]
    lines += [_row(f"`{code}`", *words) for code, words in sorted(DOCTOR_WORDS.items())]
    return "\n".join(lines) + "\n"


def limits_table() -> str:
    """Return docs/limits.md."""
    lines = [
        "# 默认数值 · Default limits",
        "",
        "产品自带的数值只有这一张表（`platform/jiqi/domain/limits.py`）。This file is written by `make reference`.",
        "",
        "| | " + " | ".join(f"{zh} {en}" for zh, en in _ROLES.values()) + " |",
        "|---|---|---|---|",
    ]
    every = {role.value: values for role, values in limits.LIMITS.items()}
    rows = {
        "登录有效期 login": lambda one: _time(one.login),
        "内核单次上限 one kernel session": lambda one: _time(one.kernel_session),
        "内核空闲（尚未执行）kernel idle (not enforced yet)": lambda one: _time(one.kernel_idle),
        "同时运行的内核 kernels at a time": lambda one: str(one.kernels),
        "空间 disk": lambda one: f"{one.disk // limits.GIB} GiB",
        "文件保留 files kept": lambda one: _time(one.files_kept),
        "内核可访问外网 kernels reach the internet": lambda one: "是 yes" if one.egress else "否 no",
    }
    lines += [_row(name, *(show(every[role]) for role in _ROLES)) for name, show in rows.items()]
    lines += ["", "| | |", "|---|---|"]
    lines += [
        _row("从账号页面进入笔记的票据 ticket between the two origins", _time(limits.TICKET_LIFE)),
        _row("管理员一次性链接 administrator's one-time link", _time(limits.ADMIN_LINK_LIFE)),
        _row(
            "管理员写操作前的密码时效 password freshness for administrators' writes",
            _time(limits.FRESH_PASSWORD),
        ),
    ]
    return "\n".join(lines) + "\n"


def _time(value: timedelta | None) -> str:
    if value is None:
        return "不限 none"
    seconds = int(value.total_seconds())
    for size, zh, en in ((86400, "天", "d"), (3600, "小时", "h"), (60, "分钟", "min"), (1, "秒", "s")):
        if seconds % size == 0:
            return f"{seconds // size} {zh} {en}"
    return str(value)


def _row(*cells: object) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def main() -> int:
    """Write the files, or with --check say whether they are current."""
    wanted = {ERRORS: errors(), LIMITS: limits_table()}
    if "--check" in sys.argv:
        stale = [path for path, text in wanted.items() if not path.exists() or path.read_text() != text]
        for path in stale:
            print(f"{path.relative_to(ROOT)}: make reference", file=sys.stderr)
        return 1 if stale else 0
    for path, text in wanted.items():
        path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
