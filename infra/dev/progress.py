"""The page that stands at the portal's address while `make run` prepares: 准备中 3/5, in both languages."""

from __future__ import annotations

import html
import json
import threading
import time
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from jiqi import console

PROGRESS = "/jiqi-progress.json"


@dataclass(frozen=True, kw_only=True)
class State:
    """What the page shows: step `n` of `total`, `names` in both languages."""

    n: int
    total: int
    names: tuple[tuple[str, str], ...]
    since: float
    problem: tuple[str, str] | None = None


class Progress:
    """A server in a thread on the portal's port; `close` frees the port for the real one."""

    def __init__(self, address: str, port: int, *, keys: list[str]) -> None:
        names = tuple((console.words(key, lang="zh"), console.words(key, lang="en")) for key in keys)
        self.state = State(n=1, total=len(names), names=names, since=time.monotonic())
        self._server = _Server((address, port), self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.1,), daemon=True)
        self._thread.start()

    def step(self, n: int) -> None:
        """Show step `n`, counted from one."""
        self.state = State(n=n, total=self.state.total, names=self.state.names, since=time.monotonic())

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # A page kept open by a browser must not hold up the end.
    block_on_close = False

    def __init__(self, address: tuple[str, int], progress: Progress) -> None:
        self.progress = progress
        super().__init__(address, _Handler)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = 10

    def do_GET(self) -> None:
        state = self.server.progress.state
        if self.path == PROGRESS:
            facts = {"n": state.n, "total": state.total, "seconds": int(time.monotonic() - state.since)}
            self._answer(HTTPStatus.OK, "application/json", json.dumps(facts))
        else:
            # 503, so that no program takes this page for the product.
            self._answer(HTTPStatus.SERVICE_UNAVAILABLE, "text/html; charset=utf-8", page(state))

    do_HEAD = do_GET  # noqa: N815  (the name that http.server calls)

    def do_POST(self) -> None:
        self._answer(HTTPStatus.SERVICE_UNAVAILABLE, "text/plain; charset=utf-8", "准备中 · preparing\n")

    def _answer(self, status: HTTPStatus, kind: str, text: str) -> None:
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Connection", "close")
        if status is HTTPStatus.SERVICE_UNAVAILABLE:
            self.send_header("Retry-After", "2")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Keep the console for the steps."""


def page(state: State) -> str:
    """Return the page's HTML; it asks again every second and reloads when the product answers instead."""
    rows = []
    for number, (chinese, english) in enumerate(state.names, start=1):
        kind = "done" if number < state.n else "now" if number == state.n else "todo"
        mark = "✓" if kind == "done" else str(number)
        text = f"{html.escape(chinese)}<small lang=en>{html.escape(english)}</small>"
        rows.append(f'<li class="{kind}"><b aria-hidden=true>{mark}</b><span>{text}</span></li>')
    return _PAGE.format(n=state.n, total=state.total, rows="".join(rows), progress=PROGRESS)


_PAGE = """<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8"><title>准备中 {n}/{total} · 即启</title>
<meta name="viewport" content="width=device-width,initial-scale=1">
<noscript><meta http-equiv="refresh" content="3"></noscript>
<style>
body{{font:16px/1.6 system-ui,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif;margin:0;
min-height:100vh;display:grid;place-items:center;background:#f6f8fa;color:#1f2328}}
main{{background:#fff;border:1px solid #d8dee4;border-radius:12px;padding:32px 40px;min-width:min(26rem,80vw)}}
h1{{font-size:1.35rem;margin:0 0 .2rem}}p{{margin:.2rem 0 1.2rem;color:#57606a}}
ol{{list-style:none;margin:0;padding:0}}li{{display:flex;gap:12px;align-items:center;padding:6px 0;color:#6e7781}}
li b{{width:26px;height:26px;border-radius:50%;display:grid;place-items:center;font-size:.8rem;background:#eaeef2}}
li small{{display:block;font-size:.8rem;line-height:1.3;color:#6e7781}}
.done b{{background:#1a7f37;color:#fff}}.now{{color:#1f2328;font-weight:600}}.now b{{background:#0969da;color:#fff}}
.now small{{font-weight:400}}
@media(prefers-color-scheme:dark){{body{{background:#0d1117;color:#e6edf3}}main{{background:#161b22;border-color:#30363d}}
p,li,li small{{color:#8d96a0}}.now{{color:#e6edf3}}li b{{background:#30363d}}}}
</style></head>
<body><main><h1>即启 准备中 <span id="n">{n}</span>/{total}</h1>
<p>第一次启动需要几分钟，准备好后本页自动打开。<br><span lang="en">The first start takes a few minutes;
this page opens by itself.</span></p><ol>{rows}</ol></main>
<script>
var shown={n};
setInterval(function(){{
  fetch("{progress}",{{cache:"no-store"}}).then(function(r){{
    if(!r.ok||(r.headers.get("Content-Type")||"").indexOf("application/json")<0)throw 0;
    return r.json().then(function(s){{if(s.n!==shown)location.reload();}});
  }}).catch(function(e){{
    // Nothing listens for a moment while the product takes the port over; any other answer is the product.
    if(e===0)location.reload();
  }});
}},1000);
</script></body></html>
"""
