"""Pages: the portal, opening a lesson, entering the notebook's origin, the studio, badges."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final
from urllib.parse import quote

from tornado import web

from jiqi import __version__
from jiqi.domain.accounts import SessionKind
from jiqi.domain.ids import LessonId, ProjectId, is_id
from jiqi.services.authentication import Principal
from jiqi.web import auth
from jiqi.web.badge import badge_svg
from jiqi.web.built_pages import inline_json
from jiqi.web.handlers import Handler
from jiqi.web.site import Origin, studio_path
from jiqi.web.small_pages import entering_page, lesson_page

StudioBoot = Callable[[Handler, Principal, ProjectId, str], Awaitable[str]]
"""Returns the boot data of a file's page: `(handler, principal, project_id, path below the home)`."""

PORTAL_PAGES: Final = (
    r"/(?:login|register|lessons(?:/[^/]+)?|projects|running|tokens|sessions|account|link|admin(?:/.*)?)?/?"
)


_PICTURE: Final = (Path(__file__).parent / "templates" / "share.png").read_bytes()


class Page(Handler):
    """A page of the portal's origin; the notebook's origin sends people there."""

    def prepare(self) -> None:
        """Send who asks on the notebook's origin to the portal."""
        super().prepare()
        self.remember_language()
        if Origin.PORTAL not in self.origin:
            self.redirect(self.state.services.site.portal_url + (self.request.uri or "/"))

    def html(self, text: str) -> None:
        """Finish with a page of the portal."""
        self.ensure_xsrf()
        self.set_header("Content-Security-Policy", portal_policy(self))
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.finish(text)


class PortalPage(Page):
    """Every page of the portal's single-page application."""

    def get(self) -> None:
        """Answer with the application; its own requests fill it."""
        site = self.state.services.site
        boot = {
            "lang": self.language,
            "portal_url": site.portal_url,
            "notebook_url": site.notebook_url,
            "version": __version__,
        }
        self.html(
            self.state.pages.render(
                "portal", boot=inline_json(boot), nonce=self.nonce, language=self.language
            )
        )

    head = get


class OpenPage(Page):
    """`/open/<lesson>`: creates nothing; its script opens the lesson."""

    async def get(self, lesson: str) -> None:
        """Answer with the small page. Raises LessonUnknownError."""
        services = self.state.services
        found = await self.state.pool.run(services.lessons.get, LessonId(lesson))
        site = services.site
        self.html(
            lesson_page(
                found,
                language=self.language,
                nonce=self.nonce,
                url=site.open_url(found.id),
                image=f"{site.portal_url}/share.png",
            )
        )

    head = get


class BadgeHandler(Handler):
    """`/badge/<lesson>.svg`, for other sites."""

    async def get(self, lesson: str) -> None:
        """Answer with the picture. Raises LessonUnknownError."""
        found = await self.state.pool.run(self.state.services.lessons.get, LessonId(lesson))
        title = found.text(found.title, language=self.language)
        self.set_header("Content-Type", "image/svg+xml; charset=utf-8")
        self.set_header("Cache-Control", "public, max-age=3600")
        self.set_header("Cross-Origin-Resource-Policy", "cross-origin")
        self.set_header("Vary", "Accept-Language")
        self.finish(badge_svg(title, language=self.language))

    head = get


class SharePicture(Handler):
    """`/share.png`: the picture of link previews."""

    def get(self) -> None:
        """Answer with the picture."""
        self.set_header("Content-Type", "image/png")
        self.set_header("Cache-Control", "public, max-age=86400")
        self.set_header("Cross-Origin-Resource-Policy", "cross-origin")
        self.finish(_PICTURE)

    head = get


class EnterHandler(Handler):
    """`POST /enter` on the notebook's origin: a ticket becomes the cookie of this origin."""

    async def post(self) -> None:
        """Redeem the ticket and go on. Raises OriginError, TicketError."""
        services = self.state.services
        if Origin.NOTEBOOK not in self.origin:
            raise web.HTTPError(404)
        auth.check_origin(self.request, site=services.site, own=(services.site.portal_url,))
        entered = await self.state.pool.run(
            services.entering.redeem,
            self.get_body_argument("ticket", "")[:200],
            cookie=auth.cookie(self.request, auth.NOTEBOOK_COOKIE),
            agent=self.request.headers.get("User-Agent", ""),
        )
        if entered.secret is not None:
            self.put_cookie(auth.NOTEBOOK_COOKIE, entered.secret, expires=entered.session.expires)
        self.ensure_xsrf()
        self.redirect(auth.safe_next(self.get_body_argument("next", "/")), status=303)


class NotebookOriginPage(Handler):
    """A page of the notebook's origin; the same address on the portal's fetches a ticket and goes there."""

    async def principal(self) -> Principal | None:
        """Return who is inside by this origin's cookie."""
        secret = auth.cookie(self.request, auth.NOTEBOOK_COOKIE)
        if Origin.NOTEBOOK not in self.origin or secret is None:
            return None
        found = self.state.services.authentication
        return await self.state.pool.run(found.by_session, SessionKind.NOTEBOOK, secret)

    def way_in(self, body: dict[str, str], here: str) -> None:
        """Answer with the page that fetches a ticket, on the portal; elsewhere go to the portal first."""
        site = self.state.services.site
        if Origin.PORTAL not in self.origin:
            self.redirect(site.portal_url + here)
            return
        self.ensure_xsrf()
        self.set_header("Content-Security-Policy", portal_policy(self))
        self.set_header("Content-Type", "text/html; charset=utf-8")
        login = f"/login?next={quote(here, safe='')}"
        self.finish(entering_page(language=self.language, nonce=self.nonce, body=body, login=login))


class StudioPage(NotebookOriginPage):
    """`/p/<project>/<path>`: the studio."""

    def initialize(self, *, boot: StudioBoot) -> None:  # type: ignore[override]
        """Take who writes the boot data."""
        super().initialize()
        self._boot = boot

    async def get(self, project: str, path: str) -> None:
        """Answer with the studio page, or go and fetch a ticket first."""
        self.remember_language()
        if not is_id(project):
            raise web.HTTPError(404)
        principal = await self.principal()
        if principal is None:
            self.way_in({"project": project, "path": path}, studio_path(project, path))
        else:
            await self._studio(principal, ProjectId(project), path)

    head = get

    async def _studio(self, principal: Principal, project: ProjectId, path: str) -> None:
        self.ensure_xsrf()
        boot = await self._boot(self, principal, project, path)
        name = path.rpartition("/")[2]
        text = self.state.pages.render(
            "notebook", boot=boot, nonce=self.nonce, language=self.language, title=f"{name} · 即启"
        )
        self.set_header("Content-Security-Policy", notebook_policy(self))
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.finish(text)


class LabPage(NotebookOriginPage):
    """`/lab`: JupyterLab of whoever asks."""

    async def get(self) -> None:
        """Go to the person's own JupyterLab, fetching a ticket first where needed."""
        principal = await self.principal()
        if principal is None:
            self.way_in({}, "/lab")
        else:
            self.redirect(f"/user/{principal.user.id}/lab")

    head = get


def portal_policy(handler: Handler) -> str:
    """Return the portal's policy: its own scripts, a form to the notebook's origin, and its files fetched ahead."""
    notebook = handler.state.services.site.notebook_url
    return (
        f"default-src 'self' {notebook}/static/app/; script-src 'self' 'nonce-{handler.nonce}'; style-src 'self' 'unsafe-inline';"
        " img-src 'self' data:; font-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none';"
        f" frame-ancestors 'none'; form-action 'self' {notebook}"
    )


def notebook_policy(handler: Handler) -> str:
    """Return the studio's policy: no inline script of anybody's outputs, while pictures may come from anywhere."""
    site = handler.state.services.site
    sockets = site.notebook_url.replace("http", "ws", 1)
    return (
        # Not 'self': people's own files lie on this origin too, and none of them may run as this page's script.
        f"default-src 'self'; script-src {site.notebook_url}/static/app/ 'nonce-{handler.nonce}' 'unsafe-eval' blob:;"
        " style-src 'self' 'unsafe-inline'; img-src * data: blob:; media-src * data: blob:; font-src 'self' data:;"
        f" connect-src 'self' {sockets} data: blob:; worker-src 'self' blob:; frame-src 'self' https: data: blob:;"
        f" object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self' {site.portal_url}"
    )
