"""What a test can do to a real server: have time pass at once, take leases away, cut connections, wait for quiet."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta, timezone
from typing import Iterator

import pytest

import baton
import baton.testing
from baton.testing import Server


@pytest.fixture
def own(binary: str) -> Iterator[Server]:
    """A server of its own: what is done to it is done to nobody else."""
    with baton.testing.server(lease="3s") as running:
        yield running


def test_a_job_of_tomorrow_runs_once_a_day_has_passed(own: Server) -> None:
    app = baton.App(own.url)

    @app.job("remind")
    async def remind(text: str) -> str:
        return text

    async def scenario() -> tuple[datetime, str]:
        async with app.worker(slots=1):
            handle = await remind.enqueue("tea", delay="24h")
            await asyncio.to_thread(own.quiet)
            shown = await asyncio.to_thread(own.advance, "24h")
            return shown, await handle.result("10s")

    shown, result = asyncio.run(scenario())

    assert shown - datetime.now(timezone.utc) > timedelta(hours=23)
    assert result == "tea"


def test_a_handler_runs_through_days_that_pass_and_its_result_counts(own: Server) -> None:
    app = baton.App(own.url)
    attempts: list[int] = []
    began, may_end = asyncio.Event(), asyncio.Event()

    @app.job("long", timeout="5m")
    async def long(_: None, ctx: baton.Context) -> str:
        attempts.append(ctx.attempt)
        began.set()
        await may_end.wait()
        return "done"

    async def scenario() -> str:
        async with app.worker(slots=1):
            handle = await long.enqueue(None)
            await began.wait()
            for _ in range(3):
                await asyncio.to_thread(own.advance, timedelta(days=2))
            may_end.set()
            return await handle.result("10s")

    assert asyncio.run(scenario()) == "done"
    assert attempts == [1]


def test_a_handler_that_has_lost_its_lease_is_told_and_its_job_runs_again(own: Server) -> None:
    app = baton.App(own.url)
    attempts: list[int] = []
    stopped: list[int] = []
    began = asyncio.Event()

    @app.job("fragile", timeout="5m")
    async def fragile(_: None, ctx: baton.Context) -> str:
        attempts.append(ctx.attempt)
        began.set()
        if ctx.attempt > 1:
            return "second"
        try:
            await asyncio.sleep(60)
        finally:
            stopped.append(ctx.attempt)
        return "first"

    async def scenario() -> tuple[int, str]:
        async with app.worker(slots=2):
            handle = await fragile.enqueue(None)
            await began.wait()
            lost = await asyncio.to_thread(own.lose_leases)
            result = await handle.result("20s")
            while not stopped:
                await asyncio.sleep(0.02)
            return lost, result

    assert asyncio.run(asyncio.wait_for(scenario(), 60)) == (1, "second")
    assert (attempts, stopped) == ([1, 2], [1])


def test_a_worker_whose_connections_are_cut_goes_on(own: Server) -> None:
    app = baton.App(own.url)

    @app.job("double")
    async def double(n: int) -> int:
        return 2 * n

    async def scenario() -> tuple[int, list[int]]:
        async with app.worker(slots=2):
            before = await (await double.enqueue(1)).result("10s")
            cut = await asyncio.to_thread(own.cut)
            after = await (await double.enqueue(2, key="two")).result("20s")
            return cut, [before, after]

    cut, results = asyncio.run(scenario())

    assert cut >= 1
    assert results == [2, 4]


def test_a_server_that_is_killed_and_started_again_keeps_its_time_of_day(own: Server) -> None:
    before = own.advance("48h")

    own.kill()
    own.start()

    assert own.advance(0) >= before


def test_a_server_that_is_not_quiet_in_time_says_what_is_left(own: Server) -> None:
    own.client.jobs.create({"kind": "nobody", "payload": {}})

    with pytest.raises(TimeoutError, match=r"after 10ms: .*job_\S+ \(nobody\) is queued"):
        own.quiet("10ms")


def test_a_clock_is_not_put_back(own: Server) -> None:
    with pytest.raises(ValueError, match="is no span"):
        own.advance("-1h")
    with pytest.raises(baton.Problem) as problem:
        own.advance("3660d")
        own.advance("1h")

    assert problem.value.status == 422
