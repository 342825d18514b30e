"""What each rule is tried on: a scripted server, and the worker as a process that knows its address."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import time
from contextlib import contextmanager
from typing import Any, Callable, Iterator

from scripted import ScriptedServer, StoredJob, seconds

KIND = "conformance"
SOON = 15.0


class Worker:
    """The worker's process."""

    def __init__(self, command: list[str], url: str, slots: int, grace: str) -> None:
        self._said = tempfile.TemporaryFile()
        environment = {name: value for name, value in os.environ.items() if not name.startswith("BATON_")}
        environment |= {"BATON_URL": url, "BATON_SLOTS": str(slots), "BATON_GRACE": grace}
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=self._said, stderr=subprocess.STDOUT
        )

    def said(self) -> str:
        """All that it has printed."""
        self._said.seek(0)
        return self._said.read().decode(errors="replace")

    def terminate(self) -> None:
        self.process.send_signal(signal.SIGTERM)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """As a machine that is short of memory or processors holds it; what it has started goes on."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def ended(self, within: float = SOON) -> int:
        """Its code, once it has ended."""
        try:
            return self.process.wait(within)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"the worker has not ended after {within:.0f} s; it said:\n{self.said()[-2000:]}") from None

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self._said.close()


class Stage:
    """A scripted server, and how its worker is started."""

    def __init__(self, command: list[str], lease: float) -> None:
        self.command = command
        self.server = ScriptedServer(lease=lease)

    @contextmanager
    def worker(self, *, slots: int = 4, grace: str = "2s", before: str = "") -> Iterator[Worker]:
        """A worker; `before` names an address that it tries first."""
        worker = Worker(self.command, before + self.server.url, slots, grace)
        try:
            yield worker
        finally:
            worker.kill()

    def add(self, do: str, timeout: str = "30s", **more: Any) -> StoredJob:
        """A job that does what its payload says."""
        payload = {name.rstrip("_"): value for name, value in more.items()}
        return self.server.add(KIND, {"do": do, **payload}, timeout=timeout)

    def ended(self, job: StoredJob) -> dict[str, Any]:
        """The verdict, once there is one."""
        return self.server.ended(job, SOON)

    def until(self, is_so: Callable[[], Any], what: str) -> Any:
        """Waits until something is so."""
        return self.server.wait_for(is_so, what, SOON)

    def runs(self, job: StoredJob) -> None:
        """Waits until a job's claim was answered, and its handler has had time to begin."""
        self.until(lambda: job.state == "running", "a claim")
        beats = len(self.server.calls("beat"))
        self.until(lambda: len(self.server.calls("beat")) > beats + 1, "two beats")

    def stood(self, job: StoredJob) -> float:
        """For how long it was claimed before it began or was given back."""
        assert job.verdict is not None and job.claimed_at is not None
        told: float = next(call.at for call in self.calls("results") if job.verdict in call.body["results"])
        began = told if job.verdict["verdict"] == "given_back" else told - seconds(job.verdict["started_ago"])
        return began - job.claimed_at

    def calls(self, name: str) -> list[Any]:
        return self.server.calls(name)

    def names(self) -> list[str]:
        """The calls that came, in their order."""
        return [call.name for call in list(self.server.asked)]


def words(item: dict[str, Any]) -> str:
    """What a result says, but for how long ago it was."""
    return json.dumps({name: value for name, value in item.items() if name not in ("started_ago", "ran")}, sort_keys=True)


def wait(span: float) -> None:
    """For what must not happen meanwhile."""
    time.sleep(span)
