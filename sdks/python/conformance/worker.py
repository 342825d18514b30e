"""The worker that the conformance suite asks for (`sdks/conformance/README.md`): it does what its payloads say."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from typing import Any

import baton

app = baton.App()


@app.job("conformance")
async def conformance(payload: dict[str, Any], ctx: baton.Context) -> Any:
    """Does one thing by its name."""
    return await DOES[payload["do"]](payload, ctx)


async def answer(payload: dict[str, Any], ctx: baton.Context) -> Any:
    return payload.get("with")


async def sleep(payload: dict[str, Any], ctx: baton.Context) -> Any:
    await asyncio.sleep(payload["ms"] / 1000)
    return {"slept": payload["ms"]}


async def linger(payload: dict[str, Any], ctx: baton.Context) -> Any:
    end = time.monotonic() + payload["ms"] / 1000
    while time.monotonic() < end:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(end - time.monotonic())
    return {"lingered": payload["ms"]}


async def block(payload: dict[str, Any], ctx: baton.Context) -> Any:
    time.sleep(payload["ms"] / 1000)
    return {"blocked": payload["ms"]}


async def hang(payload: dict[str, Any], ctx: baton.Context) -> Any:
    while not ctx.stopping:
        await asyncio.sleep(0.01)
    raise baton.Stopped("stopping")


async def fail(payload: dict[str, Any], ctx: baton.Context) -> Any:
    classes: dict[str, type[baton.Failure]] = {
        "retry": baton.Failure,
        "permanent": baton.Permanent,
        "misconfigured": baton.Misconfigured,
        "gone": baton.Gone,
    }
    code, message, after = payload["code"], payload.get("message", ""), payload.get("retry_after")
    if payload["class"] == "throttled":
        raise baton.Throttled(after or "10s", message, code=code)
    raise classes[payload["class"]](code, message, after)


async def skip(payload: dict[str, Any], ctx: baton.Context) -> Any:
    raise baton.Skip(payload.get("why", "nothing to do"))


async def snooze(payload: dict[str, Any], ctx: baton.Context) -> Any:
    raise baton.Snooze(payload["after"])


async def walk(payload: dict[str, Any], ctx: baton.Context) -> Any:
    at, items, every = (ctx.cursor or {"after": 0})["after"], payload["items"], payload["every"]
    while at < items:
        chunk = range(at, min(at + every, items))
        at = chunk.stop
        children = [child.new({"item": item}, key=f"{ctx.job_id}.{item}") for item in chunk]
        await ctx.checkpoint({"after": at}, done=at, total=items, jobs=children)
    return {"walked": at}


async def key(payload: dict[str, Any], ctx: baton.Context) -> Any:
    return ctx.idempotency_key


async def big(payload: dict[str, Any], ctx: baton.Context) -> Any:
    return "x" * int(payload["bytes"])


@app.job("conformance.child")
async def child(payload: dict[str, Any]) -> None:
    """What a walk makes."""


DOES = {one.__name__: one for one in (answer, sleep, linger, block, hang, fail, skip, snooze, walk, key, big)}

if __name__ == "__main__":
    app.run(slots=int(os.environ.get("BATON_SLOTS", "4")), jobs=[conformance], grace=os.environ.get("BATON_GRACE", "5s"))
