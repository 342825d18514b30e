"""What payloads say, by lines: for `baton worker --kind conformance --lines -- python3 lines.py`."""

from __future__ import annotations

import json
import sys
import time
from typing import Any


def say(line: dict[str, Any]) -> None:
    print(json.dumps(line), flush=True)


def hear() -> dict[str, Any]:
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    heard: dict[str, Any] = json.loads(line)
    return heard


def walk(job: dict[str, Any], payload: dict[str, Any]) -> dict[str, Any]:
    at = ((job.get("checkpoint") or {}).get("cursor") or {"after": 0})["after"]
    while at < payload["items"]:
        chunk = range(at, min(at + payload["every"], payload["items"]))
        at = chunk.stop
        jobs = [{"kind": "conformance.child", "payload": {"item": i}, "key": f"{job['id']}.{i}"} for i in chunk]
        progress = {"done": at, "total": payload["items"]}
        say({"checkpoint": {"cursor": {"after": at}, "progress": progress, "jobs": jobs}})
        saved = hear()
        if saved.get("stop") == "canceled":
            return {"verdict": "canceled"}
        if saved.get("saved") not in ("recorded", "repeated") or saved.get("stop"):
            return {"verdict": "snoozed", "after": "1s"}
    return {"verdict": "accepted", "result": {"walked": at}}


def verdict(job: dict[str, Any]) -> dict[str, Any]:
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
        return walk(job, payload)
    if do == "key":
        return {"verdict": "accepted", "result": job["idempotency_key"]}
    if do == "big":
        return {"verdict": "accepted", "result": "x" * payload["bytes"]}
    return {"verdict": "failed", "class": "permanent", "code": "unknown_order", "message": do}


if __name__ == "__main__":
    while True:
        say(verdict(hear()["job"]))
