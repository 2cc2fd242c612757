"""What the operator does by command: migrate, the administrator's link, the portal API's description."""

import json
from pathlib import Path

from jiqi import __version__, console, wiring
from jiqi.adapters.db.migrating import migrate as migrate_database
from jiqi.adapters.passwords import Argon2Passwords
from jiqi.config import Settings
from jiqi.services.admin_links import AdminLinks
from jiqi.web.site import site


def migrate(settings: Settings) -> None:
    """Bring the database to the current schema; an SQLite file can be read by its owner only."""
    settings.state.mkdir(parents=True, exist_ok=True, mode=0o711)
    migrate_database(settings)
    database = settings.state / "jiqi.db"
    if database.exists():
        database.chmod(0o600)


def prepare(settings: Settings) -> str:
    """Migrate; return what `jiqi up` shows, as JSON: a link while there is no administrator yet."""
    migrate(settings)
    base = wiring.base(settings)
    try:
        links = _links(base)
        link = None if links.has_admin() else _url(settings, links.create())
        return json.dumps({"admin_link": link})
    finally:
        base.database.close()


def admin_link(settings: Settings) -> str:
    """Return a new one-time link for the administrator."""
    base = wiring.base(settings)
    try:
        return _url(settings, _links(base).create())
    finally:
        base.database.close()


def openapi(file: Path | None, *, check: bool) -> int:
    """Print or write the portal API's description; with `check` only compare it with the file."""
    from jiqi.web.openapi import rendered

    text = rendered()
    if file is None:
        console.write(text)
        return 0
    if check:
        current = file.read_text() if file.exists() else ""
        if current != text:
            console.refuse("openapi.stale", file=file)
            return 1
        return 0
    file.write_text(text)
    return 0


def _links(base: wiring.Base) -> AdminLinks:
    return AdminLinks(database=base.database, passwords=Argon2Passwords(), clock=wiring.utc_now)


def _url(settings: Settings, secret: str) -> str:
    return site(settings, version=__version__).link_url(secret)
