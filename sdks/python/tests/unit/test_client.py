"""Enqueuing, waiting and repeating, against a scripted server."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

import baton
from conftest import working
from scripted import ScriptedServer


def test_the_same_key_is_the_same_job(server: ScriptedServer, app: baton.App) -> None:
    first = app.sync.enqueue("resize", {"image": 7}, key="order-4711")
    second = app.sync.enqueue("resize", {"image": 7}, key="order-4711")

    assert (first.created, second.created) == (True, False)
    assert first.id == second.id


def test_options_of_the_definition_are_sent_and_those_of_the_call_win(server: ScriptedServer, app: baton.App) -> None:
    @app.job("resize", timeout="2m", max_attempts=6, queue="images")
    async def resize(image: int) -> None: ...

    asyncio.run(resize_one(resize))

    body = server.calls("enqueue")[0].body
    assert body == {
        "kind": "resize", "payload": 7, "key": "k", "timeout": "2m", "max_attempts": 2, "queue": "images", "delay": "1h",
    }  # fmt: skip


async def resize_one(resize: Any) -> None:
    await resize.enqueue(7, key="k", max_attempts=2, delay=3600)


def test_an_enqueue_with_a_key_is_made_again_and_one_without_is_not(server: ScriptedServer, app: baton.App) -> None:
    server.fail_next("enqueue", "drop", "503")
    assert not app.sync.enqueue("resize", 1, key="k").created

    server.fail_next("enqueue", "drop")
    with pytest.raises(baton.Unreachable):
        app.sync.enqueue("resize", 1)
    assert len(server.calls("enqueue")) == 4


def test_a_server_that_is_not_there_is_unreachable(server: ScriptedServer) -> None:
    app = baton.App("http://127.0.0.1:1", retry_for="100ms")

    with pytest.raises(baton.Unreachable, match="no answer from http://127.0.0.1:1: .*; does `baton serve` run there"):
        app.sync.enqueue("resize", 1, key="k")


def test_a_server_that_is_shown_no_key_is_one_whose_answer_says_where_it_is_looked_for(
    server: ScriptedServer, app: baton.App
) -> None:
    server.fail_next("enqueue", "401")

    with pytest.raises(baton.Problem, match="^unauthenticated: .* BATON_KEY, or"):
        app.sync.enqueue("resize", 1)


def test_what_is_no_baton_server_is_told_as_that_with_how_its_answer_begins() -> None:
    app = baton.App("http://127.0.0.1:1")
    page = httpx.MockTransport(lambda _: httpx.Response(501, text="<!DOCTYPE html>\n<p>a page</p>"))
    app.sync.client._transport.client = httpx.Client(transport=page)

    with pytest.raises(baton.Problem, match="^http-501: this is no answer of a Baton server: .* It begins with '<!DOCTYPE html>'$"):
        app.sync.enqueue("resize", 1)


def test_a_result_is_waited_for_from_a_loop_and_from_a_thread(server: ScriptedServer, app: baton.App) -> None:
    @app.job("double")
    async def double(n: int) -> int:
        if n < 0:
            raise baton.Permanent("negative", "only what is above zero")
        return 2 * n

    async def scenario() -> None:
        async with working(app, slots=2):
            assert await (await double.enqueue(21)).result("5s") == 42
            handle = await asyncio.to_thread(app.sync.enqueue, double, 4)
            assert await asyncio.to_thread(handle.result, "5s") == 8
            with pytest.raises(baton.Failed, match="negative: only what is above zero") as failed:
                await (await double.enqueue(-1)).result("5s")
            assert failed.value.error_class == "permanent"
            assert await asyncio.gather(*[one.result("5s") for one in await app.enqueue_many([double.new(1)] * 3)]) == [2] * 3

    asyncio.run(scenario())


def test_who_waits_too_long_hears_of_it(server: ScriptedServer, app: baton.App) -> None:
    handle = app.sync.enqueue("nobody-does-it", None)

    with pytest.raises(TimeoutError, match="it is queued; does a worker run that has the kind 'nobody-does-it'"):
        handle.result("50ms")


def test_a_batch_is_one_call_for_many_with_a_verdict_for_each(server: ScriptedServer, app: baton.App) -> None:
    sizes: list[int] = []

    @app.batch("index", size=50, linger="200ms")
    async def index(items: list[baton.Item[int]]) -> dict[str, Any]:
        sizes.append(len(items))
        return {i.id: baton.Skip("odd") if i.args % 2 else i.args for i in items if i.args != 40}

    async def scenario() -> list[Any]:
        jobs = [server.add("index", n) for n in range(50)]
        async with working(app):
            for job in jobs:
                await asyncio.to_thread(server.ended, job)
        return jobs

    jobs = asyncio.run(scenario())

    assert sizes == [50]
    assert [job.state for job in jobs[:2]] == ["succeeded", "skipped"]
    assert jobs[40].verdict["code"] == "no_answer"


def test_a_checkpoint_is_durable_when_it_returns_and_repeated_when_nobody_heard_it(
    server: ScriptedServer, app: baton.App
) -> None:
    @app.job("walk")
    async def walk(_: Any, ctx: baton.Context) -> list[str]:
        made = await ctx.checkpoint({"after": 1}, done=1, jobs=[walk.new(0), walk.new(1)])
        return [child["id"] for child in made]

    async def scenario() -> Any:
        server.fail_next("checkpoints", "drop", "503")
        job = server.add("walk")
        async with working(app, slots=1):
            await asyncio.to_thread(server.ended, job)
        return job

    job = asyncio.run(scenario())

    assert job.verdict["result"] == [child["id"] for child in job.children[1]]
    assert job.cursor == {"after": 1}
    assert len({call.raw for call in server.calls("checkpoints")}) == 1


def test_progress_rides_on_a_beat(server: ScriptedServer, app: baton.App) -> None:
    @app.job("long")
    async def long(_: Any, ctx: baton.Context) -> None:
        ctx.progress(5, 10, "half")
        while not any(call.body["progress"] for call in server.calls("beat")):
            await asyncio.sleep(0.01)

    async def scenario() -> None:
        async with working(app, slots=1):
            await asyncio.to_thread(server.ended, server.add("long"))

    asyncio.run(scenario())

    told = next(call.body["progress"] for call in server.calls("beat") if call.body["progress"])
    assert [{k: v for k, v in one.items() if k != "token"} for one in told] == [{"done": 5, "total": 10, "note": "half"}]


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="only Linux tells which timers a connection has")
def test_a_connection_on_which_nothing_is_said_is_asked_about(server: ScriptedServer, app: baton.App) -> None:
    app.sync.enqueue("resize", 1)

    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]

    port = f":{urlsplit(server.url).port:04X}"
    timers = [row[5].split(":") for row in rows if row[2].endswith(port) and row[3] == "01"]
    assert timers, rows
    assert all(kind == "02" and int(when, 16) <= 1_000 for kind, when in timers), timers
