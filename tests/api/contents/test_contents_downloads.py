"""Downloads: headers that no browser misreads, ranges, and nothing outside the home."""

import json
from urllib.parse import quote, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.api.contents.contents_server import running, services_for

from jiqi.web.jupyter.contents_files import byte_range, content_disposition, content_type
from jiqi.web.jupyter.contents_worker import ParsingPool
from jiqi.web.pool import Pool

AWKWARD = "文件 名 <'&\">.ipynb"


@pytest.fixture
async def app(tmp_path):
    pool = Pool(threads=4)
    parsing = ParsingPool(run_in_pool=pool.run)
    async with running(services_for(tmp_path / "u1", parsing=parsing, pool=pool)) as app:
        yield app
    parsing.close()
    pool.close()


@pytest.mark.anyio
async def test_an_awkward_name_downloads_under_its_name(app):
    (app.home / AWKWARD).write_bytes(b"{}")
    got = await app.client("GET", f"/files/{quote(AWKWARD)}?download=1")
    assert (got.status, got.body) == (200, b"{}")
    header = got.headers["Content-Disposition"]
    assert header == (
        "attachment; filename=\"__ _ _____.ipynb\"; filename*=UTF-8''"
        "%E6%96%87%E4%BB%B6%20%E5%90%8D%20%3C%27%26%22%3E.ipynb"
    )
    assert unquote(header.partition("UTF-8''")[2]) == AWKWARD
    assert got.headers["Content-Type"] == "application/x-ipynb+json"


@pytest.mark.anyio
async def test_a_page_that_a_person_made_is_confined(app):
    (app.home / "evil.html").write_text("<script>fetch('/user/u1/api/contents')</script>")
    got = await app.client("GET", "/files/evil.html", Accept="text/html")
    assert got.headers["Content-Security-Policy"].endswith("; sandbox allow-scripts")
    assert "allow-same-origin" not in got.headers["Content-Security-Policy"]
    assert got.headers["X-Content-Type-Options"] == "nosniff"
    assert got.headers["Content-Disposition"].startswith("inline;")
    assert got.headers["Content-Type"] == "text/html; charset=UTF-8"


@pytest.mark.anyio
async def test_ranges_head_and_revalidation(app):
    (app.home / "a.bin").write_bytes(bytes(range(100)))
    part = await app.client("GET", "/files/a.bin", Range="bytes=10-19")
    assert (part.status, part.body) == (206, bytes(range(10, 20)))
    assert part.headers["Content-Range"] == "bytes 10-19/100"
    assert (await app.client("GET", "/files/a.bin", Range="bytes=-5")).body == bytes(range(95, 100))
    assert (await app.client("GET", "/files/a.bin", Range="bytes=90-")).body == bytes(range(90, 100))
    outside = await app.client("GET", "/files/a.bin", Range="bytes=100-")
    assert (outside.status, outside.headers["Content-Range"]) == (416, "bytes */100")
    head = await app.client("HEAD", "/files/a.bin")
    assert (head.status, head.headers["Content-Length"], head.body) == (200, "100", b"")
    tag = head.headers["Etag"]
    assert (await app.client("GET", "/files/a.bin", If_None_Match=tag)).status == 304
    (app.home / "a.bin").write_bytes(b"new")
    whole = await app.client("GET", "/files/a.bin", Range="bytes=10-19", If_Range=tag)
    assert (whole.status, whole.body) == (200, b"new")
    (app.home / "empty").write_bytes(b"")
    empty = await app.client("GET", "/files/empty")
    assert (empty.status, empty.body) == (200, b"")


@pytest.mark.anyio
async def test_what_cannot_be_downloaded_says_why_to_programs_and_people(app, tmp_path):
    (tmp_path / "secret").write_text("SECRET")
    (app.home / "link").symlink_to(tmp_path / "secret")
    (app.home / "folder").mkdir()
    (app.home / ".hidden").write_text("x")
    for path, status, code in (
        ("link", 400, "file.symlink"),
        ("folder", 400, "file.is_folder"),
        (".hidden", 404, "file.not_found"),
        ("none", 404, "file.not_found"),
        ("..%2Fsecret", 400, "file.outside"),
        ("a%00", 400, "file.bad_name"),
    ):
        got = await app.client("GET", f"/files/{path}")
        assert (got.status, json.loads(got.body)["code"]) == (status, code)
        page = await app.client("GET", f"/files/{path}?lang=zh", Accept="text/html")
        assert page.headers["Content-Type"] == "text/html; charset=utf-8"
        assert code in page.body.decode()
    got = await app.client("GET", "/files/%3Cscript%3E", Accept="text/html")
    assert b"<script>" not in got.body


@given(st.text(min_size=1, max_size=80).filter(lambda name: not any("\ud800" <= c <= "\udfff" for c in name)))
def test_any_name_gives_a_header_of_one_line_that_reads_back(name):
    header = content_disposition(name, kind="attachment")
    assert header.isascii()
    assert header.isprintable()
    plain, _, extended = header.partition("; filename*=UTF-8''")
    assert unquote(extended) == name
    assert plain.count('"') == 2
    assert plain.endswith('"')


def test_types_are_guessed_by_name_only():
    assert content_type("a.png") == "image/png"
    assert content_type("a.tar.gz") == "application/gzip"
    assert content_type("a") == "application/octet-stream"
    assert content_type("A.IPYNB") == "application/x-ipynb+json"


@given(st.text(max_size=20), st.integers(0, 1000))
def test_no_range_header_leads_outside_the_file(text, size):
    try:
        part = byte_range(f"bytes={text}", size)
    except ValueError:
        return
    if part is not None:
        assert 0 <= part[0] < part[1] <= size
