"""A worker that is killed and frozen: nothing is lost, and nothing stale is recorded."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Iterator

import pytest

import baton.testing
from baton.client import SyncClient

JOBS = 2_000
LEASE = 2.0
WORKER = '''
import asyncio, os, baton
app = baton.App()
done = open(os.environ["DONE"], "a", buffering=1)

@app.job("rough", max_attempts=20)
async def rough(n: int, ctx: baton.Context) -> dict[str, int]:
    await asyncio.sleep(0.005)
    done.write(f"{n}\\n")
    return {"n": n, "attempt": ctx.attempt}

app.run(slots=32)
'''


@pytest.fixture
def rough_house(binary: str) -> Iterator[baton.testing.Server]:
    with baton.testing.server(lease=LEASE) as running:
        yield running


def test_two_thousand_jobs_survive_three_kills_and_a_freeze(rough_house: baton.testing.Server, tmp_path: Path) -> None:
    done = tmp_path / "done"
    environment = {**os.environ, "BATON_URL": rough_house.url, "DONE": str(done)}
    client = rough_house.client
    jobs = [{"kind": "rough", "payload": n, "max_attempts": 20, "key": f"rough-{n}"} for n in range(JOBS)]
    client.jobs.create_batch({"jobs": jobs})  # type: ignore[typeddict-item]

    def start() -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-c", WORKER], env=environment)

    worker = start()
    try:
        for part in (1, 2, 3):
            wait_for_lines(done, part * JOBS // 6)
            worker.kill()
            worker.wait()
            worker = start()
        wait_for_lines(done, 4 * JOBS // 6)
        os.kill(worker.pid, signal.SIGSTOP)
        beside = start()
        wait_until_succeeded(client, JOBS)
        os.kill(worker.pid, signal.SIGCONT)
        for one in (worker, beside):
            one.terminate()
            assert one.wait(15) == 0
    finally:
        worker.kill()

    ended = list(client.jobs.all(kind="rough", limit=500))
    assert {job["state"] for job in ended} == {"succeeded"}
    for job in ended:
        result = job.get("result") or {}
        # What stands is what the attempt said that the job itself counts as its last: nothing stale.
        assert (result["n"], result["attempt"]) == (job["payload"], job["attempt"])


def lines_in(file: Path) -> int:
    return len(set(file.read_text().split())) if file.exists() else 0


def wait_for_lines(file: Path, count: int) -> None:
    end = time.monotonic() + 60
    while lines_in(file) < count:
        assert time.monotonic() < end, f"{lines_in(file)} of {count}"
        time.sleep(0.02)


def wait_until_succeeded(client: SyncClient, count: int) -> None:
    end = time.monotonic() + 60
    while True:
        queue = next(queue for queue in client.queues.all() if queue["name"] == "rough")
        if queue["succeeded"] == count:
            return
        assert time.monotonic() < end, queue
        time.sleep(0.1)
