"""Who comes to `/user/<id>/` and with which key, before any handler runs; tokens leave the address here."""

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from tornado import httputil

from jiqi.domain.accounts import SessionKind
from jiqi.domain.errors import JiqiError
from jiqi.services.authentication import Authentication, Principal

NOTEBOOK_COOKIE = "jiqi_nb"
TOKEN_COOKIE = "jiqi_token"  # noqa: S105  (a name)
_HEADER = re.compile(r"(?:token|bearer)\s+(\S+)\s*\Z", re.IGNORECASE)


class TokenOfAnotherError(JiqiError):
    """A link with another person's token, in a browser where somebody is logged in."""

    code = "token.other_person"
    status = 403


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """The person; `explicit` when this very request carried a token, which no foreign page can make it do.

    `remember` is a token from the address, to be answered with a cookie so that a browser goes on without it.
    """

    principal: Principal
    explicit: bool
    remember: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """The secrets of one request."""

    header: str | None
    address: str | None
    token_cookie: str | None
    session_cookie: str | None


def take_keys(request: httputil.HTTPServerRequest) -> Keys:
    """Return the secrets and take the one in the address out of it, so that no log or redirect repeats it."""
    header = _HEADER.match(request.headers.get("Authorization", ""))
    return Keys(
        header=header.group(1) if header is not None else None,
        address=_take_address_token(request),
        token_cookie=_cookie(request, TOKEN_COOKIE),
        session_cookie=_cookie(request, NOTEBOOK_COOKIE),
    )


def recognise(authentication: Authentication, keys: Keys) -> Arrival | None:
    """Return who came, or None. A token in the header beats every cookie. Blocks.

    All people's pages share this origin, so that a page of one reaches whatever the browser may open. A browser with
    a login inside is therefore never let into another person's pages by a token that a link brought: the link could
    have come from that person. Raises TokenOfAnotherError.
    """
    if keys.header:
        principal = authentication.by_token(keys.header)
        return Arrival(principal=principal, explicit=True) if principal is not None else None
    inside = (
        authentication.by_session(SessionKind.NOTEBOOK, keys.session_cookie) if keys.session_cookie else None
    )
    if keys.address:
        principal = authentication.by_token(keys.address)
        if principal is not None and inside is not None and inside.user.id != principal.user.id:
            raise TokenOfAnotherError
        return (
            Arrival(principal=principal, explicit=True, remember=keys.address)
            if principal is not None
            else None
        )
    principal = inside
    if principal is None and keys.token_cookie:
        principal = authentication.by_token(keys.token_cookie)
    return Arrival(principal=principal, explicit=False) if principal is not None else None


def _cookie(request: httputil.HTTPServerRequest, name: str) -> str | None:
    morsel: Any = request.cookies.get(name)
    return str(morsel.value) if morsel is not None and morsel.value else None


def _take_address_token(request: httputil.HTTPServerRequest) -> str | None:
    if "token" not in request.query_arguments:
        return None
    values = request.query_arguments.pop("token")
    request.arguments.pop("token", None)
    rest = [(key, value) for key, value in parse_qsl(request.query, keep_blank_values=True) if key != "token"]
    request.query = urlencode(rest, quote_via=quote)
    request.uri = request.path + (f"?{request.query}" if request.query else "")
    return values[-1].decode("utf-8", "replace") or None
