"""What this installation is called and where it is reached: the two origins and their host names."""

from dataclasses import dataclass
from enum import Flag, auto
from urllib.parse import quote, urlsplit

from jiqi.config import Settings


class Origin(Flag):
    """Which of the two origins a host name belongs to; both, when only one name is configured."""

    NEITHER = 0
    PORTAL = auto()
    NOTEBOOK = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """The public face of the settings."""

    name: str
    version: str
    portal_url: str
    notebook_url: str
    registration: bool

    @property
    def secure(self) -> bool:
        """Whether cookies may be limited to HTTPS."""
        return self.portal_url.startswith("https:") and self.notebook_url.startswith("https:")

    def origin_of(self, host: str) -> Origin:
        """Return the origins that a Host header names."""
        found = Origin.NEITHER
        if host.lower() == _netloc(self.portal_url):
            found |= Origin.PORTAL
        if host.lower() == _netloc(self.notebook_url):
            found |= Origin.NOTEBOOK
        return found

    def open_url(self, lesson: str) -> str:
        """Return the link that opens a lesson."""
        return f"{self.portal_url}/open/{quote(lesson, safe='')}"

    def badge_url(self, lesson: str) -> str:
        """Return the address of a lesson's badge picture."""
        return f"{self.portal_url}/badge/{quote(lesson, safe='')}.svg"

    def link_url(self, secret: str) -> str:
        """Return an administrator's link: the secret stands in the fragment, which browsers never send."""
        return f"{self.portal_url}/link#{secret}"


def site(settings: Settings, *, version: str) -> Site:
    """Return the installation's face."""
    return Site(
        name="即启 Jiqi",
        version=version,
        portal_url=settings.portal_url,
        notebook_url=settings.notebook_url,
        registration=settings.registration,
    )


def studio_path(project: str, path: str) -> str:
    """Return the address of a file's page on either origin; `path` is below the home."""
    return f"/p/{project}/{quote(path)}"


def _netloc(url: str) -> str:
    parts = urlsplit(url)
    default = {"http": 80, "https": 443}.get(parts.scheme)
    host = parts.hostname or ""
    shown = f"[{host}]" if ":" in host else host
    return shown if parts.port in {None, default} else f"{shown}:{parts.port}"
