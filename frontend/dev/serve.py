"""Serves the built studio page with boot data from a stock jupyter_server: a bench for the page without the platform."""

from __future__ import annotations

import json
import os
import secrets
import sys
import urllib.request
from pathlib import Path

import tornado.httpclient
import tornado.ioloop
import tornado.web
import tornado.websocket

DIST = Path(os.environ.get("JIQI_DIST", Path(__file__).resolve().parent.parent / "dist"))
TOKEN = "dev"  # noqa: S105, a bench on loopback


def ask(base: str, path: str, body: dict | None = None) -> dict | list:
    """One request to the stock server; ``body`` makes it a POST."""
    request = urllib.request.Request(f"{base}{path}", headers={"Authorization": f"token {TOKEN}"})
    if body is not None:
        request.data = json.dumps(body).encode()
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read() or "null")


class Page(tornado.web.RequestHandler):
    """``/p/demo/<path>``: starts the document's session as the platform would, then fills the template."""

    def get(self, path: str) -> None:
        base, state = self.settings["base"], self.settings["state"]
        quoted = urllib.request.pathname2url(path)
        notebook = ask(base, f"api/contents/{quoted}?content=1&hash=1") if path.endswith(".ipynb") else None
        session = kernel = None
        if notebook and self.get_argument("kernel", "ready") != "none":
            session = ask(base, "api/sessions", {"path": path, "name": path, "type": "notebook", "kernel": {"name": "python3"}})
            status = "ready" if self.get_argument("kernel", "ready") == "ready" else "starting"
            kernel = {"id": session["kernel"]["id"], "status": status, "reason": None, "generation": 1, "network": "none",
                      "environment": "python3"}
            state[kernel["id"]] = {**kernel, "status": "ready"}
        boot = {
            "lang": self.get_argument("lang", "zh-CN"), "user": {"id": "u1", "name": "小林", "role": self.get_argument("role", "guest")},
            "base_url": "/user/u1/", "portal_url": "", "project": {"id": "demo", "name": "我的实验", "folder": "", "environment": "python3"},
            "path": path, "notebook": notebook, "problem": None, "session": session, "kernel": kernel,
            "kernelspecs": ask(base, "api/kernelspecs"), "lesson": None,
            "xsrf": {"jupyter": "", "portal": ""}, "isolated": self.get_argument("isolated", "1") == "1", "version": "dev",
        }
        if code := self.get_argument("problem", ""):
            boot["problem"] = {"title": "", "status": int(self.get_argument("status", "404")), "code": code}
        nonce = secrets.token_urlsafe(16)
        html = (DIST / "notebook.html").read_text()
        script = f'<script type="application/json" id="jiqi-boot" nonce="{nonce}">{json.dumps(boot).replace("<", chr(92) + "u003c")}</script>'
        self.set_header("Cache-Control", "no-store")
        self.set_header(
            "Content-Security-Policy",
            f"default-src 'self'; script-src 'self' 'nonce-{nonce}'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob: https:; "
            "font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; "
            "frame-ancestors 'self'; form-action 'self'",
        )
        self.write(html.replace("__JIQI_NONCE__", nonce).replace("<!--jiqi:boot-->", script, 1))


class Api(tornado.web.RequestHandler):
    """The little of ``/api/v1`` that the page calls."""

    async def get(self, path: str) -> None:
        self.write(self.settings["state"].get(path.split("/")[-1], {}))

    async def post(self, path: str) -> None:
        state = self.settings["state"]
        if path == "kernels":
            name = json.loads(self.request.body)["path"]
            session = ask(self.settings["base"], "api/sessions", {"path": name, "name": name, "type": "notebook", "kernel": {"name": "python3"}})
            state[session["kernel"]["id"]] = {"id": session["kernel"]["id"], "status": "ready", "reason": None, "generation": 1,
                                              "network": "none", "environment": "python3"}
            self.write(state[session["kernel"]["id"]])
            return
        _, kernel, action = path.split("/")
        if action == "stop":
            request = urllib.request.Request(f"{self.settings['base']}api/kernels/{kernel}", method="DELETE",
                                             headers={"Authorization": f"token {TOKEN}"})
            urllib.request.urlopen(request)
            state[kernel] = {**state[kernel], "status": "stopped", "reason": "user"}
        self.write(state[kernel])

    async def put(self, path: str) -> None:
        name = path.split("/files/", 1)[1]
        (self.settings["root"] / urllib.request.url2pathname(name)).write_bytes(self.request.body)
        self.set_status(204)


class Relay(tornado.web.RequestHandler):
    """Passes ``/user/u1/`` on to the stock server."""

    async def prepare(self) -> None:
        url = self.settings["origin"] + self.request.uri
        headers = {"Authorization": f"token {TOKEN}", "Content-Type": "application/json"}
        answer = await tornado.httpclient.AsyncHTTPClient().fetch(
            url, method=self.request.method, headers=headers, raise_error=False, allow_nonstandard_methods=True,
            body=self.request.body or None,
        )
        self.set_status(answer.code)
        for name in ("Content-Type", "Content-Disposition", "Location"):
            if name in answer.headers:
                self.set_header(name, answer.headers[name])
        self.finish(answer.body or b"")


class Channels(tornado.websocket.WebSocketHandler):
    """Relays a kernel's websocket."""

    def select_subprotocol(self, subprotocols: list[str]) -> str | None:
        return subprotocols[0] if subprotocols else None

    async def open(self, *_: str) -> None:
        url = self.settings["origin"].replace("http", "ws") + self.request.uri + f"&token={TOKEN}"
        self.far = await tornado.websocket.websocket_connect(url, subprotocols=["v1.kernel.websocket.jupyter.org"], max_message_size=1 << 28)
        tornado.ioloop.IOLoop.current().spawn_callback(self.pump)

    async def pump(self) -> None:
        while (message := await self.far.read_message()) is not None:
            await self.write_message(message, binary=isinstance(message, bytes))
        self.close()

    async def on_message(self, message: str | bytes) -> None:
        while not hasattr(self, "far"):
            await tornado.gen.sleep(0.01)
        await self.far.write_message(message, binary=isinstance(message, bytes))

    def on_close(self) -> None:
        if hasattr(self, "far"):
            self.far.close()


class Assets(tornado.web.StaticFileHandler):
    """Built files, the precompressed ones where the browser takes them."""

    def set_extra_headers(self, path: str) -> None:
        self.set_header("Cache-Control", "public, max-age=31536000, immutable")

    async def get(self, path: str, include_body: bool = True) -> None:
        kind = self.get_content_type_of(path)
        for suffix, encoding in ((".br", "br"), (".gz", "gzip")):
            if encoding in self.request.headers.get("Accept-Encoding", "") and (DIST / (path + suffix)).is_file():
                self.set_header("Content-Encoding", encoding)
                self.set_header("Content-Type", kind)
                self.set_extra_headers(path)
                self.finish((DIST / (path + suffix)).read_bytes())
                return
        await super().get(path, include_body)

    @staticmethod
    def get_content_type_of(path: str) -> str:
        return {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}.get(path.rsplit(".", 1)[-1], "application/octet-stream")


def main(port: int, origin: str, root: Path) -> None:
    """Listens on loopback until interrupted."""
    app = tornado.web.Application(
        [
            (r"/p/demo/(.+)", Page), (r"/api/v1/(.+)", Api), (r"/static/app/(.+)", Assets, {"path": str(DIST)}),
            (r"/user/u1/api/kernels/[^/]+/channels", Channels), (r"/user/u1/.*", Relay),
        ],
        origin=origin, base=f"{origin}/user/u1/", root=root, state={}, websocket_max_message_size=1 << 28,
    )
    app.listen(port, "127.0.0.1", max_body_size=1 << 31)
    tornado.ioloop.IOLoop.current().start()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
