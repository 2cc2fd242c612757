"""Cookies, tokens and their ends, on requests and on websockets."""

import asyncio
import logging
from pathlib import Path

import httpx
import pytest
from tests.api.jupyter_ground import channels, hosting, on_loop, serving


@on_loop
async def test_a_token_in_the_address_is_answered_with_a_cookie_and_leaves_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with serving(tmp_path) as ground:
        me = ground.person()
        async with httpx.AsyncClient(base_url=ground.origin) as client:
            first = await client.get(f"{me.base}/api/status?token={me.token}&x=1")
            assert first.status_code == 200
            cookie = first.headers["set-cookie"]
            assert cookie.startswith("jiqi_token=")
            assert f"Path={me.base}/" in cookie
            assert "HttpOnly" in cookie
            assert "SameSite=Lax" in cookie
            assert (await client.get(f"{me.base}/api/me")).json()["identity"]["name"] == "小明"
            assert (
                await client.post(f"{me.base}/api/contents", content='{"type":"directory"}')
            ).status_code == 403
            redirected = await client.get(f"{me.base}/?token={me.token}")
            assert me.token not in redirected.headers["location"]
            assert (await client.get(f"{me.base}/nothing?token={me.token}")).status_code == 404
            assert (await client.get(f"{me.base}/api/kernels/x-x-x-x-x?token={me.token}")).status_code == 404
        logged = "\n".join(r.getMessage() for r in caplog.records if not r.name.startswith("http"))
        assert me.token not in logged


@on_loop
async def test_a_link_with_another_persons_token_opens_nothing_where_somebody_is_logged_in(
    tmp_path: Path,
) -> None:
    """All pages share the notebook's origin: the page of whoever sent the link would reach this person's files."""
    async with serving(tmp_path) as ground:
        me, sender = ground.person(), ground.person()
        for path in ("/lab", "/api/me", "/files/x.html"):
            answer = await me.http.get(f"{sender.base}{path}?token={sender.token}")
            assert answer.status_code == 403, path
            assert "set-cookie" not in answer.headers
            assert sender.token not in answer.text
        refused = await me.http.get(f"{sender.base}/api/me?token={sender.token}")
        assert refused.json()["code"] == "token.other_person"
        kept = {"Cookie": f"jiqi_nb={me.cookie}; jiqi_token={sender.token}"}
        async with httpx.AsyncClient(base_url=ground.origin, headers=kept) as later:
            assert (await later.get(f"{sender.base}/api/me")).status_code == 404
            assert (await later.get(f"{me.base}/api/me")).status_code == 200
        mine = await me.http.get(f"{me.base}/api/me?token={me.token}")
        assert mine.status_code == 200, "one's own token beside one's own login"
        program = {"Authorization": f"token {sender.token}"}
        assert (await me.http.get(f"{sender.base}/api/me", headers=program)).status_code == 200


@on_loop
async def test_a_file_never_becomes_a_service_worker(tmp_path: Path) -> None:
    async with serving(tmp_path) as ground:
        me = ground.person()
        body = {"type": "file", "format": "text", "content": "self.onfetch = null"}
        assert (await me.call("PUT", "/api/contents/sw.js", body=body)).status_code == 201
        assert (await me.call("GET", "/files/sw.js")).status_code == 200
        assert (await me.call("GET", "/files/sw.js", Service_Worker="script")).status_code == 404


@on_loop
async def test_a_token_in_a_header_may_write_without_a_page(tmp_path: Path) -> None:
    async with serving(tmp_path) as ground:
        me = ground.person()
        async with httpx.AsyncClient(base_url=ground.origin) as client:
            for word in ("token", "Bearer"):
                headers = {"Authorization": f"{word} {me.token}"}
                done = await client.post(
                    f"{me.base}/api/contents", content='{"type":"directory"}', headers=headers
                )
                assert done.status_code == 201
                assert "set-cookie" not in done.headers


@on_loop
async def test_a_websocket_is_closed_within_five_seconds_after_logout_or_ban(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (ground, _):
        me, banned = ground.person(), ground.person()
        kernel = (await me.session_of("proj/a.ipynb"))["kernel"]["id"]
        other_browser = ground.again(me.user)
        url = f"ws{ground.origin[4:]}{me.base}/api/kernels/{kernel}/channels?session_id="
        by_cookie = await me.socket(kernel)
        kept = await other_browser.socket(kernel)
        by_token = await channels(f"{url}t&token={me.token}", session="t", v1=True, headers={})
        by_header = await channels(
            f"{url}h", session="h", v1=True, headers={"Authorization": f"token {me.token}"}
        )
        theirs = await banned.socket((await banned.session_of("p/b.ipynb"))["kernel"]["id"])
        assert await by_token.text("print('t')") == "t\n"

        def end(tx) -> None:
            from dataclasses import replace

            tx.sessions.revoke(me.session)
            tx.tokens.revoke(me.user.id, me.token_id)
            tx.users.save(replace(banned.user, disabled=True))

        ground.database.write(end)
        started = asyncio.get_running_loop().time()
        ends = await asyncio.gather(*(s.closed(seconds=5) for s in (by_cookie, by_token, by_header, theirs)))
        assert ends == [4401] * 4
        assert asyncio.get_running_loop().time() - started < 5
        assert await kept.text("print('still')") == "still\n"
        assert (await me.call("GET", "/api/me")).status_code == 403
        assert (await banned.call("GET", "/api/me")).status_code == 403


@on_loop
async def test_a_page_of_another_origin_gets_no_websocket(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (ground, _):
        me = ground.person()
        kernel = (await me.session_of("proj/a.ipynb"))["kernel"]["id"]
        for origin in ("http://localhost:9", ground.settings.portal_url, "null"):
            with pytest.raises(Exception, match="403"):
                await me.socket(kernel, Origin=origin)
        assert await (await me.socket(kernel, Origin=ground.origin)).text("print(1)") == "1\n"


@on_loop
async def test_events_are_accepted_and_silent_and_end_with_the_login(tmp_path: Path) -> None:
    async with serving(tmp_path) as ground:
        me, other = ground.person(), ground.person()
        url = f"ws{ground.origin[4:]}{me.base}/api/events/subscribe"
        events = await channels(url, session="e", v1=False, headers={"Cookie": f"jiqi_nb={me.cookie}"})
        await other.ok("POST", "/api/contents", body={"type": "directory"})
        await me.ok("POST", "/api/contents", body={"type": "directory"})
        reading = asyncio.ensure_future(events.next(seconds=6))
        done, _ = await asyncio.wait([reading], timeout=0.3)
        assert not done
        ground.database.write(lambda tx: tx.sessions.revoke(me.session))
        assert await reading is None
        assert events.connection.close_code == 4401
