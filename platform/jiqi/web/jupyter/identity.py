"""Who the user of an application is, for jupyter_server: the person whom `arrival` recognised, and nobody else."""

from dataclasses import dataclass
from typing import Any

from jupyter_server.auth.authorizer import Authorizer
from jupyter_server.auth.identity import IdentityProvider, User

from jiqi.services.authentication import Principal
from jiqi.web.jupyter.arrival import TOKEN_COOKIE
from jiqi.web.jupyter.kernels import FollowedKernels

# What an owner may do in his own application; everything else is denied, also what a later version adds.
ALLOWED = frozenset(
    {
        ("read", "api"),
        ("read", "config"),
        ("read", "contents"),
        ("write", "contents"),
        ("read", "kernels"),
        ("write", "kernels"),
        ("execute", "kernels"),
        ("read", "kernelspecs"),
        ("read", "sessions"),
        ("write", "sessions"),
    }
)
# These answer from the list of kernels, which other web processes and the agent change.
_NEED_KERNELS = ("/api/kernels", "/api/sessions", "/api/status")


@dataclass
class Owner(User):  # type: ignore[misc]
    """The owner of an application, with the key that proved it."""

    principal: Principal | None = None


class OwnerIdentity(IdentityProvider):
    """Takes the identity that was proved before the request reached the application, and adopts his kernels."""

    kernels: FollowedKernels
    owner_id: str = ""

    def get_user(self, handler: Any) -> Any:
        """Return the owner. A coroutine: the kernels are read from SQL here."""
        return self._owner(handler)

    async def _owner(self, handler: Any) -> Owner | None:
        arrival = getattr(handler.request, "arrival", None)
        if arrival is None or arrival.principal.user.id != self.owner_id:
            return None
        person = arrival.principal.user
        if arrival.remember is not None:
            handler.set_cookie(
                TOKEN_COOKIE,
                arrival.remember,
                path=handler.base_url,
                httponly=True,
                samesite="Lax",
                secure=handler.shared.notebook_url.startswith("https:"),
            )
        handler._token_authenticated = arrival.explicit  # noqa: SLF001  (where jupyter_server looks for it)
        if any(part in handler.request.path for part in _NEED_KERNELS):
            await self.kernels.refresh()
        return Owner(
            username=person.id, name=person.name, display_name=person.name, principal=arrival.principal
        )

    def identity_model(self, user: User) -> dict[str, Any]:
        """Return what the person may read of himself."""
        return {
            "username": user.username,
            "name": user.name,
            "display_name": user.display_name,
            "initials": user.name[:1],
            "avatar_url": None,
            "color": None,
        }

    def is_token_authenticated(self, handler: Any) -> bool:
        """Say whether this very request carried a token."""
        return bool(getattr(handler, "_token_authenticated", False))

    @property
    def login_available(self) -> bool:
        """People log in on the portal."""
        return False

    @property
    def logout_available(self) -> bool:
        """People log out on the portal."""
        return False

    def get_handlers(self) -> list[Any]:
        """No routes come from here."""
        return []


class OwnerAuthorizer(Authorizer):
    """Denies what is not listed."""

    def is_authorized(self, handler: Any, user: User, action: str, resource: str) -> bool:
        """Say whether the owner may do `action` on `resource`."""
        del handler
        return isinstance(user, Owner) and (action, resource) in ALLOWED
