"""What payloads say, by lines: for `baton worker --kind conformance --lines -- python3 lines.py`."""

from __future__ import annotations

import json
import sys
from typing import Any

from orders import obey


def say(line: dict[str, Any]) -> None:
    print(json.dumps(line), flush=True)


def hear() -> dict[str, Any]:
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    heard: dict[str, Any] = json.loads(line)
    return heard


def save(move: dict[str, Any]) -> dict[str, Any]:
    say({"checkpoint": move})
    return hear()


if __name__ == "__main__":
    while True:
        job = hear()["job"]
        say(obey({**job, "cursor": (job["checkpoint"] or {}).get("cursor")}, save))
