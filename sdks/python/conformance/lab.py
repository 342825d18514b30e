"""The worker that the fault lab asks for (`docs/operations/faults.md`): it walks, and writes down what it saw."""

from __future__ import annotations

import asyncio
import json
import os
import time
from typing import Any

import baton

NAME = os.environ["LAB_WORKER"]
SIGHTS = os.open(os.environ["LAB_SIGHTS"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)

app = baton.App()


@app.job("lab.item")
async def item(payload: dict[str, Any], ctx: baton.Context) -> None:
    """One of a hundred items of a walk fails when it is tried first."""
    saw(ctx, "began", 0)
    await asyncio.sleep(0.002)
    if payload.get("item", 0) % 100 == 99 and ctx.job["tries"] == 1:
        raise baton.Failure("first_try", "an item that is tried first", "1s")


@app.job("lab.walk")
async def walk(payload: dict[str, Any], ctx: baton.Context) -> None:
    """Makes a job for each item, and moves the cursor with them."""
    at, items = ctx.cursor or 0, payload["items"]
    saw(ctx, "began", at)
    while at < items:
        await asyncio.sleep(0.03)
        chunk = range(at, min(at + payload["chunk"], items))
        at = chunk.stop
        saw(ctx, "asked", at)
        await ctx.checkpoint(at, jobs=[item.new({"item": one}, key=f"{payload['key']}-{one}") for one in chunk])
        saw(ctx, "saved", at)
        if ctx.stopping and at < items:
            raise baton.Stopped("stopping")


def saw(ctx: baton.Context, did: str, at: int) -> None:
    """One write for each line, so that whoever is killed leaves no half of one."""
    sight = {"worker": NAME, "job": ctx.job_id, "attempt": ctx.attempt, "did": {did: at}}
    os.write(SIGHTS, (json.dumps({"at_us": time.time_ns() // 1_000, **sight}) + "\n").encode())


if __name__ == "__main__":
    app.run(slots=8, name=NAME, jobs=[item, walk], grace="5s")
