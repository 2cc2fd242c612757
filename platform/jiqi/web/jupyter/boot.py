"""What the studio page is born with: notebook, session, kernelspecs and XSRF token, in one answer and without waiting.

Nothing is created here: the kernel was asked for before, or is asked for by the page.
"""

import time
from binascii import hexlify
from dataclasses import dataclass
from http.cookies import Morsel
from typing import Any

from jiqi.domain.errors import JiqiError
from jiqi.domain.kernels import Kernel
from jiqi.services.authentication import Principal
from jiqi.web.jupyter.contents_problems import ContentsError
from jiqi.web.jupyter.handlers import xsrf_secret
from jiqi.web.jupyter.kernelspecs import specs_answer
from jiqi.web.jupyter.user_app import UserApp


@dataclass(frozen=True, slots=True, kw_only=True)
class Boot:
    """`notebook` is a contents model as JSON text (None for a problem or a file of another kind).

    `xsrf_cookie` is a Set-Cookie value to send with the page; `xsrf` goes into the page.
    """

    base_url: str
    notebook: bytes | None
    problem: JiqiError | ContentsError | None
    session: dict[str, Any] | None
    kernel: Kernel | None
    kernelspecs: dict[str, Any]
    xsrf: str
    xsrf_cookie: str


async def boot(app: UserApp, principal: Principal, *, path: str) -> Boot:
    """Return the page's data for a file below the person's home."""
    notebook, problem = await _notebook(app, path)
    await app.kernels.refresh()
    kernel = next((row for row in app.kernels.records.values() if row.document == path), None)
    token = xsrf_token(app, principal)
    return Boot(
        base_url=app.base_url,
        notebook=notebook,
        problem=problem,
        session=app.sessions.model(kernel) if kernel is not None else None,
        kernel=kernel,
        kernelspecs=specs_answer(await app.shared.environments.read(), language=principal.user.language),
        xsrf=token,
        xsrf_cookie=_cookie(app, token),
    )


def xsrf_token(app: UserApp, principal: Principal) -> str:
    """Return the login's token in tornado's second form; the mask is not needed, for the page is never compressed."""
    secret = xsrf_secret(app.shared.cookie_secret, principal)
    return "|".join(("2", "00000000", hexlify(secret).decode(), str(int(time.time()))))


async def _notebook(app: UserApp, path: str) -> tuple[bytes | None, JiqiError | ContentsError | None]:
    if not path.endswith(".ipynb"):
        return None, None
    try:
        async with app.contents.get_json(path, type="notebook", require_hash=True) as (_, body):
            return body if isinstance(body, bytes) else await app.shared.pool.run(body.read_bytes), None
    except (JiqiError, ContentsError) as error:
        return None, error


def _cookie(app: UserApp, token: str) -> str:
    morsel: Morsel[str] = Morsel()
    morsel.set("_xsrf", token, token)
    morsel["path"] = app.base_url
    morsel["samesite"] = "Lax"
    if app.shared.notebook_url.startswith("https:"):
        morsel["secure"] = True
    return morsel.OutputString()
