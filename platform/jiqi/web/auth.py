"""Who asks, from where, and whether the request may write: keys by origin, the XSRF header, the Origin header."""

import hmac
from typing import Final
from urllib.parse import urlsplit

from tornado import httputil

from jiqi.domain.accounts import PasswordStaleError, Role, SessionKind
from jiqi.domain.errors import ForbiddenError, JiqiError, LoginRequiredError
from jiqi.domain.ids import is_id
from jiqi.domain.limits import FRESH_PASSWORD
from jiqi.services.authentication import Principal
from jiqi.services.ports import Clock
from jiqi.web.call import Auth, Operation, Services
from jiqi.web.site import Origin, Site

PORTAL_COOKIE: Final = "jiqi_session"
NOTEBOOK_COOKIE: Final = "jiqi_nb"
XSRF_COOKIE: Final = "jiqi_xsrf"
XSRF_HEADER: Final = "X-Jiqi-XSRF"
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_SECRET_MOST = 200


class XsrfError(JiqiError):
    """An unsafe request by cookie without the header that only our own page can set."""

    code = "xsrf.refused"
    status = 403


class OriginError(JiqiError):
    """The request was sent by a page of another site."""

    code = "origin.refused"
    status = 403


class PortalOnlyError(JiqiError):
    """An account operation asked for on the notebook's origin, where user code can run in the page."""

    code = "origin.portal_only"
    status = 403


class TokenRefusedError(JiqiError):
    """An API token where only a person at a browser may act."""

    code = "token.not_here"
    status = 403


class HostUnknownError(JiqiError):
    """A Host header that is neither the portal's nor the notebook's."""

    code = "host.unknown"
    status = 421


def cookie(request: httputil.HTTPServerRequest, name: str) -> str | None:
    """Return a cookie's value, None when it is missing or cannot be one of ours."""
    morsel = request.cookies.get(name)
    if morsel is None or not morsel.value or len(morsel.value) > _SECRET_MOST:
        return None
    return str(morsel.value)


def bearer(request: httputil.HTTPServerRequest) -> str | None:
    """Return the API token of the Authorization header (`token …`, as Jupyter's clients say it, or `Bearer …`)."""
    scheme, _, value = request.headers.get("Authorization", "").partition(" ")
    return value.strip()[:_SECRET_MOST] if scheme.lower() in {"token", "bearer"} and value.strip() else None


def check_origin(request: httputil.HTTPServerRequest, *, site: Site, own: tuple[str, ...]) -> None:
    """Refuse what a page of another site sent: browsers name the sender of every unsafe request."""
    sender = request.headers.get("Origin")
    if sender is not None and sender.lower().rstrip("/") not in {url.lower() for url in own}:
        raise OriginError(portal_url=site.portal_url)


def check_xsrf(request: httputil.HTTPServerRequest) -> None:
    """Refuse an unsafe request whose header is not the cookie's value."""
    expected, given = cookie(request, XSRF_COOKIE), request.headers.get(XSRF_HEADER)
    if not expected or not given or not hmac.compare_digest(expected.encode(), given.encode()):
        raise XsrfError


def check_place(request: httputil.HTTPServerRequest, operation: Operation, *, site: Site) -> None:
    """Refuse an operation on the wrong origin, from another site, or without the XSRF header."""
    origin = site.origin_of(request.host)
    unsafe = request.method not in SAFE
    work = operation.auth is Auth.WORK
    if bearer(request) is not None:
        if not work and (unsafe or operation.auth is not Auth.PUBLIC):
            raise TokenRefusedError
        return
    if not work and (unsafe or operation.auth is not Auth.PUBLIC) and Origin.PORTAL not in origin:
        raise PortalOnlyError(portal_url=site.portal_url)
    if unsafe:
        own = site.portal_url if Origin.PORTAL in origin else site.notebook_url
        check_origin(request, site=site, own=(own,))
        check_xsrf(request)


def principal_of(
    request: httputil.HTTPServerRequest, *, services: Services, portal_only: bool
) -> Principal | None:
    """Return the person that a request's key belongs to; each cookie counts on its own origin only. Blocks."""
    token = bearer(request)
    if token is not None:
        found = services.authentication.by_token(token)
        if found is None:
            # A wrong token is an error, not a visitor without one: the program's author must see it.
            raise LoginRequiredError
        return found
    origin = services.site.origin_of(request.host)
    secret = cookie(request, PORTAL_COOKIE)
    if Origin.PORTAL in origin and secret is not None:
        found = services.authentication.by_session(SessionKind.PORTAL, secret)
        if found is not None:
            return found
    secret = cookie(request, NOTEBOOK_COOKIE)
    if Origin.NOTEBOOK in origin and secret is not None and not portal_only:
        return services.authentication.by_session(SessionKind.NOTEBOOK, secret)
    return None


def admit(operation: Operation, principal: Principal | None, *, services: Services, clock: Clock) -> None:
    """Raise unless `principal` may call `operation`: LoginRequiredError, ForbiddenError, PasswordStaleError."""
    if operation.auth is Auth.PUBLIC:
        return
    if principal is None:
        raise LoginRequiredError
    if operation.auth in {Auth.ADMIN, Auth.ADMIN_FRESH} and principal.user.role is not Role.ADMIN:
        raise ForbiddenError
    if operation.auth is Auth.ADMIN_FRESH:
        session = services.accounts.session(principal)
        proved = session.password_at if session is not None else None
        if proved is None or clock() - proved > FRESH_PASSWORD:
            raise PasswordStaleError


def safe_next(target: str) -> str:
    """Return a path on this origin to go to, "/" when `target` is anything else."""
    parts = urlsplit(target)
    plain = target.startswith("/") and not target.startswith(("//", "/\\")) and not parts.netloc
    return target if plain and target.isprintable() else "/"


def is_user_path(path: str) -> str | None:
    """Return the user's id in `/user/<id>/…`, None for another path."""
    pieces = path.split("/", 3)
    has = len(pieces) > 3 and pieces[1] == "user" and is_id(pieces[2])  # noqa: PLR2004  ("", "user", id, rest)
    return pieces[2] if has else None
