"""Cursors on their way: several at once, given up, refused, and let go."""

from __future__ import annotations

import asyncio
import json
from typing import Any, cast

import baton
from baton.worker.attempt import Attempt, Lease
from baton.worker.checkpoints import CheckpointRefused, Checkpoints, Saving, saving_of
from baton.worker.settings import Terms
from conftest import working
from scripted import ScriptedServer, StoredJob


async def _ended(server: ScriptedServer, job: StoredJob) -> Any:
    return await asyncio.to_thread(server.ended, job)


def _child(item: int) -> Any:
    return {"kind": "child", "payload": item, "key": f"child-{item}"}


def _asked(server: ScriptedServer) -> list[tuple[int, Any, int]]:
    """The numbers that checkpoints came under, with their cursors, and how many jobs they had."""
    items = [item for call in server.calls("checkpoints") for item in call.body["checkpoints"]]
    return [(item["seq"], item["cursor"], len(item.get("jobs", []))) for item in items]


def test_checkpoints_that_overlap_are_saved_one_after_the_other(server: ScriptedServer, app: baton.App) -> None:
    @app.job("walk")
    async def walk(_: Any, ctx: baton.Context) -> list[Any]:
        made = await asyncio.gather(*[ctx.checkpoint(at, jobs=[_child(at)] * at) for at in (1, 2, 3)])
        return [len(children) for children in made]

    async def scenario() -> StoredJob:
        async with working(app, slots=1):
            job = server.add("walk")
            await _ended(server, job)
        return job

    job = asyncio.run(scenario())

    assert job.verdict and job.verdict["result"] == [1, 2, 3]
    assert (job.seq, job.cursor) == (3, 3)
    assert _asked(server) == [(1, 1, 1), (2, 2, 2), (3, 3, 3)]


def test_one_that_its_handler_has_given_up_does_not_stand_for_the_next(server: ScriptedServer, app: baton.App) -> None:
    @app.job("walk")
    async def walk(_: Any, ctx: baton.Context) -> int:
        try:
            await asyncio.wait_for(ctx.checkpoint(1, jobs=[_child(1)]), 0.1)
        except asyncio.TimeoutError:
            pass
        return len(await ctx.checkpoint(2, jobs=[_child(2), _child(3)]))

    async def scenario() -> StoredJob:
        async with working(app, slots=1):
            server.fail_next("checkpoints", "503", "drop", "503")
            job = server.add("walk")
            await _ended(server, job)
        return job

    job = asyncio.run(scenario())

    assert job.verdict and job.verdict["result"] == 2
    assert (job.seq, job.cursor) == (2, 2)
    assert [len(children) for children in job.children.values()] == [1, 2]


def test_a_plain_function_is_let_go_that_waits_for_a_server_that_is_away(server: ScriptedServer, app: baton.App) -> None:
    ended: list[BaseException] = []

    @app.job("walk")
    def walk(_: Any, ctx: baton.SyncContext) -> None:
        for at in (1, 2):
            try:
                ctx.checkpoint(at)
            except baton.Stopped as stopped:
                ended.append(stopped)
        raise ended[0]

    async def scenario() -> tuple[StoredJob, int]:
        async with working(app, slots=2) as worker:
            server.faults["checkpoints"].extend(["503"] * 1000)
            job = server.add("walk", timeout="300ms")
            await _ended(server, job)
            await asyncio.sleep(1.2)
            server.faults["checkpoints"].clear()
            return job, worker.stuck

    job, stuck = asyncio.run(scenario())

    assert [str(one) for one in ended] == ["timeout", "timeout"]
    assert job.verdict and (job.verdict["class"], job.verdict["code"]) == ("unknown", "timeout")
    assert stuck == 0


class _Wire:
    """Takes calls, and refuses as a whole those with what it cannot read."""

    def __init__(self, most_bytes: int = 1 << 20) -> None:
        self.terms = Terms(most_bytes=most_bytes)
        self.calls: list[bytes] = []

    async def call(self, name: str, content: bytes, timeout: float) -> Any:
        self.calls.append(content)
        checkpoints = json.loads(content)["checkpoints"]
        if any(one["cursor"] == "bad" for one in checkpoints):
            raise baton.Problem(422, {"code": "invalid", "detail": "bad"})
        return {"items": [{"saved": "recorded", "jobs": []} for _ in checkpoints]}


async def _saved(wire: _Wire, cursors: list[Any]) -> list[Saving]:
    checkpoints = Checkpoints(cast(Any, wire), lambda _: None)
    savings = []
    for place, cursor in enumerate(cursors):
        job = {"id": f"job_{place}", "timeout": "30s", "token": f"t{place}"}
        attempt = Attempt(job, Lease("lse_test", "walk", float("inf")), None, 0.0)
        savings.append(saving_of(attempt, {"token": job["token"], "cursor": cursor}))
        checkpoints.save(savings[-1])
    running = asyncio.ensure_future(checkpoints.run())
    await asyncio.wait([asyncio.wrap_future(saving.future) for saving in savings], timeout=5)
    running.cancel()
    return savings


def test_one_that_the_server_cannot_read_fails_none_of_those_beside_it() -> None:
    savings = asyncio.run(_saved(_Wire(), [1, 2, "bad", 4, 5]))

    told = [saving.future.exception(timeout=0) for saving in savings]
    assert [type(error) for error in told] == [type(None)] * 2 + [CheckpointRefused] + [type(None)] * 2


def test_calls_have_no_more_bytes_than_the_server_takes() -> None:
    wire = _Wire(most_bytes=10_000)

    savings = asyncio.run(_saved(wire, ["x" * 4_000] * 5))

    assert all(saving.future.exception(timeout=0) is None for saving in savings)
    assert [len(call) <= 10_000 for call in wire.calls] == [True] * 3


def test_a_fence_is_handed_out_once_a_checkpoint_stands(server: ScriptedServer, app: baton.App) -> None:
    @app.job("walk")
    async def walk(_: Any, ctx: baton.Context) -> list[Any]:
        refused = "nothing"
        try:
            await ctx.checkpoint("x", jobs=[_child(1)])
        except Exception as error:
            refused = type(error).__name__
        fences = await asyncio.gather(ctx.checkpoint(7), ctx.fence(), ctx.fence())
        return [refused, *fences[1:]]

    @app.job("plain")
    def plain(_: Any, ctx: baton.SyncContext) -> int:
        return ctx.fence() + ctx.fence()

    async def scenario() -> list[StoredJob]:
        async with working(app, slots=1):
            server.fail_next("checkpoints", "422")
            jobs = [server.add("walk"), server.add("plain")]
            for job in jobs:
                await _ended(server, job)
        return jobs

    walked, plainly = asyncio.run(scenario())

    assert walked.verdict and walked.verdict["result"] == ["CheckpointRefused", 1, 1]
    assert (walked.seq, walked.cursor) == (1, 7)
    assert plainly.verdict and (plainly.verdict["result"], plainly.seq, plainly.cursor) == (2, 1, None)
