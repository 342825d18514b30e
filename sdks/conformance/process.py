"""What payloads say, in a process for each job: for `baton worker --kind conformance -- python3 process.py`.

It speaks as a script does: by `baton tell` (`BATON` names the program), by its exit code, and by what it prints.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from typing import Any

from orders import obey

RETRY, PERMANENT, STOP, SKIP = 1, 65, 75, 99


def tell(*words: str) -> int:
    """What `baton tell` ends with."""
    return subprocess.run([os.environ["BATON"], "tell", *words], stdout=sys.stderr).returncode


def save(move: dict[str, Any]) -> dict[str, Any]:
    progress = move["progress"]
    with tempfile.NamedTemporaryFile("w", suffix=".ndjson") as jobs:
        jobs.writelines(json.dumps(job) + "\n" for job in move["jobs"])
        jobs.flush()
        share = f"{progress['done']}/{progress['total']}"
        code = tell("checkpoint", json.dumps(move["cursor"]), "--jobs", jobs.name, "--progress", share)
    if code not in (0, STOP):
        return {"saved": "refused", "stop": None}
    return {"saved": "recorded", "stop": "told" if code == STOP else None}


def end(verdict: dict[str, Any]) -> int:
    """Says how the job ended; gives the code to exit with."""
    word = verdict["verdict"]
    if word == "accepted":
        print(json.dumps(verdict["result"]))
        return 0
    if word == "skipped":
        tell("skip", verdict["why"])
        return SKIP
    if word in ("snoozed", "canceled"):
        return STOP
    if verdict["class"] == "throttled":
        tell("retry-after", verdict["retry_after"])
        return STOP
    if verdict["class"] == "permanent":
        tell("fail", verdict["code"], verdict["message"] or verdict["code"])
        return PERMANENT
    print(verdict["code"], file=sys.stderr)
    return RETRY


if __name__ == "__main__":
    env = os.environ
    job = {
        "id": env["BATON_JOB_ID"],
        "idempotency_key": env["BATON_IDEMPOTENCY_KEY"],
        "payload": json.load(sys.stdin),
        "cursor": json.loads(env.get("BATON_CURSOR", "null")),
    }
    sys.exit(end(obey(job, save)))
