"""A worker that is killed, frozen and cut off: nothing is lost, and nothing stale is recorded."""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Callable, Iterator
from urllib.parse import urlsplit

import pytest

import baton.testing
from baton.client import SyncClient

JOBS = 5_000
KILLS = 5
FREEZES = 2
CUTS = 50
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


class Lines:
    """Passes on what is said between workers and a server, until it is cut."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._to = (parts.hostname or "", parts.port or 0)
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self, times: int) -> None:
        """Resets all that are open, so often, with a moment between."""
        while times > 0:
            time.sleep(0.02)
            with self._lock:
                cut, self._open = self._open, set()
            for line in cut:
                _reset(line)
            times -= len(cut) > 0

    def close(self) -> None:
        _reset(self._listening)

    def _accept(self) -> None:
        while True:
            try:
                line, _ = self._listening.accept()
            except OSError:
                return
            try:
                onward = socket.create_connection(self._to)
            except OSError:
                _reset(line)
                continue
            with self._lock:
                self._open |= {line, onward}
            for one, other in ((line, onward), (onward, line)):
                threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        try:
            while said := one.recv(65_536):
                other.sendall(said)
        except OSError:
            pass
        with self._lock:
            self._open -= {one, other}
        for line in (one, other):
            _reset(line)


def _reset(line: socket.socket) -> None:
    """Ends a connection at once, and whoever waits for it."""
    try:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        line.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    line.close()


def test_five_thousand_jobs_survive_five_kills_two_freezes_and_fifty_cut_lines(
    rough_house: baton.testing.Server, tmp_path: Path
) -> None:
    done = tmp_path / "done"
    client = rough_house.client
    lines = Lines(rough_house.url)
    environment = {**os.environ, "BATON_URL": lines.url, "DONE": str(done)}
    jobs = [{"kind": "rough", "payload": n, "max_attempts": 20, "key": f"rough-{n}"} for n in range(JOBS)]
    client.jobs.create_batch({"jobs": jobs})  # type: ignore[typeddict-item]
    started: list[subprocess.Popen[bytes]] = []

    def start() -> subprocess.Popen[bytes]:
        started.append(subprocess.Popen([sys.executable, "-c", WORKER], env=environment, stderr=subprocess.DEVNULL))
        return started[-1]

    try:
        worker = start()
        part, some = JOBS // (KILLS + FREEZES + 2), CUTS // (KILLS + FREEZES)
        for kill in range(1, KILLS + 1):
            wait_for_lines(done, kill * part)
            lines.cut(some)
            worker.kill()
            worker.wait()
            worker = start()
        for freeze in range(1, FREEZES + 1):
            wait_for_lines(done, (KILLS + freeze) * part)
            lines.cut(some)
            worker.send_signal(signal.SIGSTOP)
            frozen, worker = worker, start()
            # Its jobs run elsewhere before it goes on: its lease has ended.
            wait_until(lambda: not runs_at(client, frozen.pid), "that nothing runs at a frozen worker")
            frozen.send_signal(signal.SIGCONT)
        lines.cut(CUTS - some * (KILLS + FREEZES))
        wait_until(lambda: succeeded(client) == JOBS, "that all have succeeded")
        alive = [one for one in started if one.poll() is None]
        # One that has only just been started does not hear signals yet.
        wait_until(lambda: all(of_process(client, one.pid) for one in alive), "that the fleet knows them")
        for one in alive:
            one.terminate()
        assert [one.wait(15) for one in alive] == [0] * (FREEZES + 1)
    finally:
        for one in started:
            one.kill()
            one.wait()
        lines.close()

    ended = list(client.jobs.all(kind="rough", limit=500))
    assert len(ended) == JOBS
    assert {job["state"] for job in ended} == {"succeeded"}
    for job in ended:
        result: Any = job.get("result") or {}
        # What stands is what the attempt said that the job itself counts as its last: nothing stale.
        assert (result["n"], result["attempt"]) == (job["payload"], job["attempt"])


def lines_in(file: Path) -> int:
    return len(set(file.read_text().split())) if file.exists() else 0


def wait_for_lines(file: Path, count: int) -> None:
    wait_until(lambda: lines_in(file) >= count, f"{count} lines")


def succeeded(client: SyncClient) -> int:
    return next((queue["succeeded"] for queue in client.queues.all() if queue["name"] == "rough"), 0)


def of_process(client: SyncClient, pid: int) -> Any:
    """The worker of a process, once it has registered."""
    return next((worker for worker in client.workers.list()["items"] if worker["name"].endswith(f":{pid}")), None)


def runs_at(client: SyncClient, pid: int) -> bool:
    """Whether a job stands with the worker of this process."""
    frozen = of_process(client, pid)
    assert frozen is not None, "the fleet does not know the worker that is frozen"
    running = client.jobs.list(kind="rough", state="running", limit=500)["items"]
    return any(job.get("worker") == frozen["id"] for job in running)


def wait_until(is_so: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end, f"{what} did not come true"
        time.sleep(0.02)
