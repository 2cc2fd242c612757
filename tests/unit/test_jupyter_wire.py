"""Websocket messages of Jupyter: what goes in comes out, and nothing that a client sends does more than be refused."""

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiqi.web.jupyter import wire
from jiqi.web.jupyter.endings import Endings
from jiqi.web.jupyter.outgoing import Outgoing

buffers = st.lists(st.binary(max_size=50), max_size=3)
channel = st.sampled_from(sorted(wire.CHANNELS))


def parts_of(
    kind: str = "stream", content: object = None, *, size: int = 0, parent: str = "p"
) -> list[bytes]:
    header = {"msg_id": "1", "msg_type": kind}
    values = (header, {"msg_id": parent}, {}, content or {"text": "x" * size})
    return [json.dumps(value).encode() for value in values]


@given(channel, st.text(max_size=30), buffers, st.booleans())
def test_what_is_written_is_read(name: str, text: str, extra: list[bytes], v1: bool) -> None:
    parts = [*parts_of(content={"text": text}), *extra]
    found, back = wire.read(wire.write(name, parts, v1=v1), v1=v1)
    assert found == name
    assert [json.loads(part) for part in back[:4]] == [json.loads(part) for part in parts[:4]]
    assert back[4:] == extra


@given(st.one_of(st.binary(max_size=200), st.text(max_size=100)), st.booleans())
def test_noise_is_refused_and_nothing_else_happens(data: bytes | str, v1: bool) -> None:
    try:
        wire.read(data, v1=v1)
    except wire.MalformedError:
        return
    assert not v1


@pytest.mark.parametrize("count", [2**63, 2**20, 1025, 0])
def test_a_count_that_asks_for_memory_is_refused(count: int) -> None:
    with pytest.raises(wire.MalformedError):
        wire.read(count.to_bytes(8, "little") + b"\0" * 100, v1=True)
    with pytest.raises(wire.MalformedError):
        wire.read((count % 2**32).to_bytes(4, "big") + b"\0" * 100, v1=False)


class Browser:
    """Takes what is sent when it pleases."""

    def __init__(self) -> None:
        self.got: list[dict] = []
        self._futures: list[asyncio.Future[None]] = []

    def write(self, data: bytes | str) -> "asyncio.Future[None]":
        self.got.append(json.loads(data))
        self._futures.append(asyncio.get_running_loop().create_future())
        return self._futures[-1]

    async def take(self) -> None:
        futures, self._futures = self._futures, []
        for future in futures:
            future.set_result(None)
        await asyncio.sleep(0)


def test_too_much_output_is_left_out_with_a_mark_and_states_are_kept() -> None:
    async def work() -> None:
        browser = Browser()
        marks: list[tuple[int, int, bytes]] = []

        def mark(messages: int, size: int, parent: bytes) -> list[bytes]:
            marks.append((messages, size, parent))
            return parts_of("stream", {"text": "mark"})

        outgoing = Outgoing(write=browser.write, mark=mark, v1=False, limit=1000)
        for _ in range(5):
            outgoing.send("iopub", parts_of(size=400))
        outgoing.send("iopub", parts_of("status", {"execution_state": "idle"}))
        outgoing.send("shell", parts_of("execute_reply", size=400))
        kinds = [message["msg_type"] for message in browser.got]
        assert kinds == ["stream", "stream", "status", "execute_reply"]
        assert not marks
        await browser.take()
        assert outgoing.waiting > 0, "the mark is on its way"
        assert browser.got[-1]["content"] == {"text": "mark"}
        assert marks[0][0] == 3
        assert json.loads(marks[0][2]) == {"msg_id": "p"}
        await browser.take()
        assert outgoing.waiting == 0

    asyncio.run(work())


def test_a_single_large_message_goes_when_nothing_waits() -> None:
    async def work() -> None:
        browser = Browser()
        outgoing = Outgoing(write=browser.write, mark=lambda *_: parts_of(), v1=False, limit=1000)
        outgoing.send("iopub", parts_of(size=5000))
        assert len(browser.got) == 1

    asyncio.run(work())


def test_only_an_answered_request_whose_end_is_lost_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jiqi.web.jupyter.endings.SECONDS", 0.01)

    async def work() -> None:
        lost = asyncio.Queue[bytes]()
        endings = Endings(missing=lost.put_nowait)
        idle = {"execution_state": "idle"}
        endings.iopub(parts_of("status", idle, parent="before"))
        endings.shell(parts_of("execute_reply", parent="before"))
        endings.shell(parts_of("execute_reply", parent="after"))
        endings.iopub(parts_of("status", idle, parent="after"))
        endings.iopub(parts_of("status", {"execution_state": "busy"}, parent="lost"))
        endings.shell(parts_of("execute_reply", parent="lost"))
        assert json.loads(await lost.get()) == {"msg_id": "lost"}
        assert lost.empty()
        endings.shell(parts_of("execute_reply", parent="closing"))
        endings.close()

    asyncio.run(work())
