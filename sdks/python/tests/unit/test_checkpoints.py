"""Cursors on their way: several at once, given up, refused, and let go."""

from __future__ import annotations

import asyncio
from typing import Any

import baton
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
