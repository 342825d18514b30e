"""One attempt by its handler, without a server."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, TypeVar

from baton import _payload, _spans
from baton._generated import models
from baton.definitions import BatchJob, Job
from baton.middleware import Middleware
from baton.verdicts import Stopped, Verdict
from baton.worker.attempt import Attempt, Lease
from baton.worker.runner import Runner

A = TypeVar("A")
R = TypeVar("R")
_JOB = "job_00000000-0000-7000-8000-000000000001"


@dataclass
class Checkpoint:
    """One move of the cursor."""

    cursor: Any
    progress: dict[str, Any] | None
    jobs: list[models.EnqueueJob]


@dataclass
class Run:
    """What became of an attempt."""

    verdict: Verdict = field(default_factory=lambda: Verdict("accepted"))
    checkpoints: list[Checkpoint] = field(default_factory=list)
    progress: list[dict[str, Any]] = field(default_factory=list)

    @property
    def result(self) -> Any:
        """What the handler answered, as JSON."""
        return self.verdict.result

    @property
    def error(self) -> BaseException | None:
        """What it raised."""
        return self.verdict.error

    @property
    def cursor(self) -> Any:
        """Where the next attempt would begin."""
        return self.checkpoints[-1].cursor if self.checkpoints else None

    @property
    def jobs(self) -> list[models.EnqueueJob]:
        """All jobs that its checkpoints made."""
        return [job for checkpoint in self.checkpoints for job in checkpoint.jobs]


def run(job: Job[A, R], args: A, **settings: Any) -> Run:
    """Has the handler do one attempt; takes what `arun` takes. To be called where no loop runs, or from a test."""
    outcome: Future[Run] = Future()

    def work() -> None:
        try:
            outcome.set_result(asyncio.run(arun(job, args, **settings)))
        except BaseException as error:
            outcome.set_exception(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return outcome.result()


async def arun(
    job: Job[A, R],
    args: A,
    *,
    cursor: Any = None,
    attempt: int = 1,
    timeout: _spans.Span = "30s",
    stop_after: int | None = None,
    stop: str = "canceled",
    middleware: tuple[Middleware, ...] = (),
    trace: dict[str, Any] | None = None,
) -> Run:
    """The same where a loop runs.

    `cursor` is where an earlier attempt left off. After `stop_after` checkpoints the attempt is asked to end, because
    it was `"canceled"`, its worker is `"stopping"`, or its lease is `"lost"`.
    """
    payload = _payload.checked(job.args_type, args)
    one = Attempt(_claimed(job, payload, cursor, attempt, timeout, trace), Lease("lse_test", job.queue, float("inf")), job, 0.0)
    desk = _Desk(stop_after, stop)
    done: asyncio.Future[Verdict] = asyncio.get_running_loop().create_future()
    loop = asyncio.get_running_loop()

    def ended(attempt: Attempt, verdict: Verdict | None) -> None:
        loop.call_soon_threadsafe(done.set_result, verdict or attempt.verdict_of_cancellation())

    runner = Runner(loop, middleware, 1, desk, ended)
    one.start(0.0)
    one.moved()
    (runner.start_batch if isinstance(job, BatchJob) else runner.start)([one])
    try:
        verdict = await asyncio.wait_for(asyncio.shield(done), _spans.seconds(timeout))
    except asyncio.TimeoutError:
        one.cancel("timeout")
        verdict = one.verdict_of_cancellation()
    runner.close()
    desk.told.verdict = verdict
    return desk.told


class _Desk:
    """Takes checkpoints where no server does."""

    def __init__(self, stop_after: int | None, stop: str) -> None:
        self.told = Run()
        self._stop_after = stop_after
        self._stop = stop

    def save(self, attempt: Attempt, body: dict[str, Any]) -> Future[list[dict[str, Any]]]:
        """Takes one in at once."""
        future: Future[list[dict[str, Any]]] = Future()
        jobs = body.get("jobs", [])
        self.told.checkpoints.append(Checkpoint(body["cursor"], body.get("progress"), jobs))
        attempt.seq, attempt.cursor = attempt.seq + 1, body["cursor"]
        if self._stop_after is not None and len(self.told.checkpoints) >= self._stop_after:
            future.set_exception(Stopped(self._stop))
        else:
            future.set_result([{"id": f"{_JOB}-{attempt.seq}-{place}", "created": True} for place, _ in enumerate(jobs)])
        return future

    def tell_progress(self, attempt: Attempt) -> None:
        """Notes it."""
        self.told.progress.append(dict(attempt.progress))


def _claimed(job: Job[Any, Any], payload: Any, cursor: Any, attempt: int, timeout: _spans.Span, trace: dict[str, Any] | None) -> dict[str, Any]:
    checkpoint = None if cursor is None else {"seq": 1, "era": 1, "cursor": cursor, "progress": None, "ago": "1s"}
    return {
        "id": _JOB,
        "kind": job.kind,
        "payload": payload,
        "token": "no token",
        "attempt": attempt,
        "tries": attempt,
        "max_attempts": 4,
        "run": 1,
        "losses": 0,
        "timeout": _spans.text(timeout),
        "delivery": "at_least_once",
        "idempotency_key": f"{_JOB}.1",
        "queued_ago": "1ms",
        "created_ago": "1ms",
        "expires_in": None,
        "key": None,
        "tags": [],
        "trace": trace,
        "checkpoint": checkpoint,
    }
