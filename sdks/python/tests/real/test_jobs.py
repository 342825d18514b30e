"""Jobs of custom kinds, from their enqueue to their result, through a real server."""

from __future__ import annotations

import asyncio
import time
from typing import Any, Optional

import pytest

import baton
from baton.testing import Server


def test_a_job_goes_to_its_handler_and_its_result_back(house: Server) -> None:
    app = baton.App(house.url)

    @app.job("double")
    async def double(n: int) -> int:
        return 2 * n

    @app.job("shout")
    def shout(text: str) -> str:
        return text.upper()

    async def scenario() -> None:
        async with app.worker(slots=4):
            assert await (await double.enqueue(21, key="d-21")).result("10s") == 42
            assert (await double.enqueue(21, key="d-21")).created is False
            assert await (await shout.enqueue("käse")).result("10s") == "KÄSE"

    asyncio.run(scenario())

    assert app.sync.enqueue(double, 21, key="d-21").result("1s") == 42


def test_each_verdict_is_recorded_as_it_was_said(house: Server) -> None:
    app = baton.App(house.url)

    @app.job("say", max_attempts=1)
    async def say(what: str) -> None:
        raise {
            "skip": baton.Skip("image is gone"),
            "permanent": baton.Permanent("bad_image", "not an image"),
            "misconfigured": baton.Misconfigured("no_key"),
            "bug": ZeroDivisionError("division by zero"),
            "snooze": baton.Snooze("1h"),
            "throttled": baton.Throttled("1h"),
        }[what]

    async def scenario() -> dict[str, Any]:
        async with app.worker(slots=4):
            waits = {what: await say.enqueue(what) for what in ("snooze", "throttled")}
            ends = {what: await say.enqueue(what) for what in ("skip", "permanent", "misconfigured", "bug")}
            jobs: dict[str, Any] = {what: await app.client.wait(one.id, "10s") for what, one in ends.items()}
            for what, one in waits.items():
                jobs[what] = await until(one, "pending")
            return jobs

    jobs = asyncio.run(scenario())

    told = {what: (job["state"], job.get("reason")) for what, job in jobs.items()}
    assert told["skip"] == ("skipped", "image is gone")
    assert told["permanent"] == ("failed", "permanent")
    assert told["misconfigured"] == ("failed", "misconfigured")
    assert told["bug"] == ("failed", "exhausted")
    assert jobs["bug"]["last_error"]["code"] == "ZeroDivisionError"
    assert (told["snooze"][0], told["throttled"][0]) == ("pending", "pending")


async def until(handle: baton.Handle[Any], state: str) -> Any:
    end = time.monotonic() + 10
    while True:
        job = await handle.show()
        if job["state"] == state:
            return job
        assert time.monotonic() < end, f"{handle} is {job['state']}, not {state}"
        await asyncio.sleep(0.02)


def test_a_cancel_reaches_the_handler_within_a_second(house: Server) -> None:
    app = baton.App(house.url)
    began, ended_at = asyncio.Event(), []

    @app.job("hang", timeout="5m")
    async def hang(_: None) -> None:
        began.set()
        try:
            await asyncio.sleep(60)
        finally:
            ended_at.append(time.monotonic())

    async def scenario() -> tuple[float, str]:
        async with app.worker(slots=1):
            handle = await hang.enqueue(None)
            await began.wait()
            asked_at = time.monotonic()
            await handle.cancel("wrong file")
            job = await app.client.wait(handle.id, "10s")
            return ended_at[0] - asked_at, job["state"]

    taken, state = asyncio.run(scenario())

    assert state == "canceled"
    assert taken < 1.0


def test_a_walk_goes_on_behind_its_cursor_and_its_children_exist_once(house: Server) -> None:
    app = baton.App(house.url)
    began_at: list[int] = []

    @app.job("walk", backoff={"strategy": "fixed", "base": "10ms", "cap": "10ms", "jitter": "none"})
    async def walk(count: int, ctx: baton.Context) -> int:
        at = ctx.cursor or 0
        began_at.append(at)
        while at < count:
            chunk = range(at, min(at + 10, count))
            at = chunk.stop
            children = [seen.new(n, key=f"{ctx.job_id}.{n}") for n in chunk]
            await ctx.checkpoint(at, done=at, total=count, jobs=children)
            if at == 50 and ctx.attempt == 1:
                raise RuntimeError("half way")
        return at

    children: list[int] = []

    @app.job("walk.seen")
    async def seen(n: int) -> None:
        children.append(n)

    async def scenario() -> Any:
        async with app.worker(slots=8):
            handle = await walk.enqueue(100)
            assert await handle.result("20s") == 100
            await asyncio.to_thread(house.quiet)
            return await handle.show()

    job = asyncio.run(scenario())

    assert began_at == [0, 50]
    assert sorted(children) == list(range(100))
    assert job["progress"]["done"] == 100


@pytest.mark.parametrize(("afresh", "goes_on_at"), [(False, 3), (True, None)])
def test_a_walk_that_was_stopped_is_resumed_or_begins_afresh(
    house: Server, afresh: bool, goes_on_at: Optional[int]
) -> None:
    app = baton.App(house.url)
    cursors: list[Any] = []
    began = asyncio.Event()

    @app.job("stroll", timeout="5m")
    async def stroll(_: None, ctx: baton.Context) -> str:
        cursors.append(ctx.cursor)
        if ctx.job["run"] == 1:
            await ctx.checkpoint(3)
            began.set()
            await asyncio.sleep(60)
        return "home"

    async def scenario() -> str:
        async with app.worker(slots=1):
            handle = await stroll.enqueue(None)
            await began.wait()
            await handle.cancel("stop")
            await app.client.wait(handle.id, "10s")
            await handle.run_again(afresh=afresh)
            return await handle.result("10s")

    assert asyncio.run(scenario()) == "home"
    assert cursors == [None, goes_on_at]


def test_many_jobs_are_worked_on_by_one_call(house: Server) -> None:
    app = baton.App(house.url)
    sizes: list[int] = []

    @app.batch("index", size=100, linger="50ms")
    async def index(items: list[baton.Item[int]]) -> dict[str, int]:
        sizes.append(len(items))
        return {item.id: item.args + 1 for item in items}

    async def scenario() -> list[int]:
        handles = await app.enqueue_many([index.new(n) for n in range(300)])
        async with app.worker():
            return [await handle.result("20s") for handle in handles]

    results = asyncio.run(scenario())

    assert results == [n + 1 for n in range(300)]
    assert max(sizes) > 10


def test_events_tell_what_happened_from_where_a_reader_was(house: Server) -> None:
    app = baton.App(house.url)
    position = app.sync.client.events.list(limit=500)["position"]
    handle = app.sync.enqueue("nobody", {})

    told = next(app.sync.client.follow(types="job.", subject=handle.id, after=position))

    assert (told["type"], told["subject"]) == ("job.queued", handle.id)


def test_the_rest_of_the_api_is_there(house: Server) -> None:
    client = baton.SyncClient(house.url)

    client.recipients.put("user-1", {"platform": "ios", "topics": ["daily"]})
    schedule = client.schedules.create(
        {"name": "hourly", "cron": "0 * * * *", "time_zone": "UTC", "job": {"kind": "report", "payload": {}}}
    )

    assert [one["id"] for one in client.recipients.all()] == ["user-1"]
    assert client.schedules.show(schedule["id"])["name"] == "hourly"
    with pytest.raises(baton.Problem) as problem:
        client.jobs.show("job_00000000-0000-7000-8000-000000000000")
    assert (problem.value.status, problem.value.code) == (404, "job-not-found")
    client.close()
