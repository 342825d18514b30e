"""What payloads ask for, for `baton worker`: the same whether it speaks by lines, to a service, or to a process for each job."""

from __future__ import annotations

import time
from typing import Any, Callable

Save = Callable[[dict[str, Any]], dict[str, Any]]
"""Moves the cursor of the job; gives what the worker says of it."""


def obey(job: dict[str, Any], save: Save) -> dict[str, Any]:
    """Does what a job's payload says; gives its verdict. A job is its id, its idempotency key, its payload and its cursor."""
    payload = job["payload"]
    do = payload["do"]
    if do == "answer":
        return {"verdict": "accepted", "result": payload.get("with")}
    if do == "sleep":
        time.sleep(payload["ms"] / 1000)
        return {"verdict": "accepted", "result": {"slept": payload["ms"]}}
    if do == "fail":
        told = {name: payload[name] for name in ("class", "code", "message", "retry_after") if name in payload}
        return {"verdict": "failed", "message": "", **told}
    if do == "skip":
        return {"verdict": "skipped", "why": payload["why"]}
    if do == "snooze":
        return {"verdict": "snoozed", "after": payload["after"]}
    if do == "walk":
        return walk(job, payload, save)
    if do == "key":
        return {"verdict": "accepted", "result": job["idempotency_key"]}
    if do == "big":
        return {"verdict": "accepted", "result": "x" * payload["bytes"]}
    return {"verdict": "failed", "class": "permanent", "code": "unknown_order", "message": do}


def walk(job: dict[str, Any], payload: dict[str, Any], save: Save) -> dict[str, Any]:
    at = (job["cursor"] or {"after": 0})["after"]
    while at < payload["items"]:
        chunk = range(at, min(at + payload["every"], payload["items"]))
        at = chunk.stop
        jobs = [{"kind": "conformance.child", "payload": {"item": i}, "key": f"{job['id']}.{i}"} for i in chunk]
        saved = save({"cursor": {"after": at}, "progress": {"done": at, "total": payload["items"]}, "jobs": jobs})
        if saved.get("stop") == "canceled":
            return {"verdict": "canceled"}
        if saved.get("saved") not in ("recorded", "repeated") or saved.get("stop"):
            return {"verdict": "snoozed", "after": "1s"}
    return {"verdict": "accepted", "result": {"walked": at}}
