"""What a handler knows of its attempt, and what it can do for it besides the work."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import Future, wait
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Protocol, Sequence

from baton import _payload, _traces
from baton._clock import now

if TYPE_CHECKING:
    from baton._generated import models
    from baton.worker.attempt import Attempt

current_job: ContextVar[dict[str, Any] | None] = ContextVar("baton_job", default=None)
"""The job that is being worked on here, for whoever writes logs."""
_handler_log = logging.getLogger("baton.handler")


class Desk(Protocol):
    """Who takes a context's wishes to the server."""

    def save(self, attempt: Attempt, body: dict[str, Any]) -> Future[list[dict[str, Any]]]:
        """Moves the cursor."""
        ...

    def tell_progress(self, attempt: Attempt) -> None:
        """Tells people how far it is."""
        ...


class _Context:
    """What both faces of a context have."""

    def __init__(self, attempt: Attempt, desk: Desk) -> None:
        self._attempt = attempt
        self._desk = desk
        self._fenced = False
        """Whether a checkpoint of this attempt is durable, and with it the claim."""
        self._saving: Future[list[dict[str, Any]]] | None = None
        """The last one, which may be under way."""

    @property
    def job_id(self) -> str:
        """The job's id."""
        return str(self._attempt.job["id"])

    @property
    def kind(self) -> str:
        """The job's kind."""
        return str(self._attempt.job["kind"])

    @property
    def queue(self) -> str:
        """The queue it stood in."""
        return self._attempt.lease.queue

    @property
    def trace(self) -> dict[str, Any] | None:
        """The trace of whoever asked for the job, as W3C writes it: `traceparent` and `tracestate`; None if it has none."""
        return self._attempt.job.get("trace")

    @property
    def job(self) -> dict[str, Any]:
        """All that the server told of this attempt. It holds the token: log parts of it, never the whole."""
        return self._attempt.job

    @property
    def attempt(self) -> int:
        """Which claim of the job this is."""
        return int(self._attempt.job["attempt"])

    @property
    def idempotency_key(self) -> str:
        """The same for every attempt of this run, and for no other: for calls that must not be made twice."""
        return str(self._attempt.job["idempotency_key"])

    def key(self, part: object) -> str:
        """The same for this part of the job in every attempt and run that goes on from its checkpoint."""
        era = (self._attempt.job.get("checkpoint") or {}).get("era", 1)
        return f"{self.job_id}.{era}.{part}"

    @property
    def cursor(self) -> Any:
        """Where the job is, by its own word; None before the first checkpoint."""
        return self._attempt.cursor

    @property
    def done(self) -> int:
        """How much was done, as it was told last."""
        return int(self._attempt.progress.get("done") or 0)

    @property
    def canceled(self) -> bool:
        """Whether somebody asked for the end of this job."""
        return self._attempt.asked_to_cancel

    @property
    def stopping(self) -> bool:
        """Whether the worker takes nothing new: save where you are, and end."""
        return self._attempt.stopping

    @property
    def lost(self) -> bool:
        """Whether the lease has ended: what is done from here on, somebody else may be doing, too."""
        return self._attempt.why == "lost"

    @property
    def deadline(self) -> float:
        """How many seconds are left until the time-out, from the start or the last checkpoint."""
        return self._attempt.times_out_at - now()

    @property
    def log(self) -> logging.LoggerAdapter[logging.Logger]:
        """A log whose records have `job_id`, `kind` and `attempt`."""
        extra = {"job_id": self.job_id, "kind": self.kind, "attempt": self.attempt}
        return logging.LoggerAdapter(_handler_log, extra)

    def progress(self, done: int, total: int | None = None, note: str | None = None) -> None:
        """Tells people how far it is, at most once a second; decides nothing."""
        self._attempt.progress = _progress(self._attempt.progress, done, total, note)
        self._desk.tell_progress(self._attempt)

    def _save(
        self, cursor: Any, done: int | None, total: int | None, note: str | None, jobs: Sequence[models.EnqueueJob]
    ) -> Future[list[dict[str, Any]]]:
        attempt = self._attempt
        body: dict[str, Any] = {"token": attempt.job["token"], "cursor": _payload.dump(cursor)}
        if done is not None or total is not None or note is not None:
            attempt.progress = _progress(attempt.progress, done, total, note)
            body["progress"] = attempt.progress
        if jobs:
            body["jobs"] = [_traces.of_here(job) for job in jobs]
        self._saving = self._desk.save(attempt, body)
        return self._saving


class Context(_Context):
    """The context of a handler on the loop."""

    async def checkpoint(
        self,
        cursor: Any,
        *,
        done: int | None = None,
        total: int | None = None,
        note: str | None = None,
        jobs: Sequence[models.EnqueueJob] = (),
    ) -> list[dict[str, Any]]:
        """Moves the cursor, with up to 1,000 jobs in the same transaction: durable when it returns.

        Gives the ids of those jobs. Raises `Stopped` where this attempt is to end.
        """
        children = await asyncio.wrap_future(self._save(cursor, done, total, note, jobs))
        self._fenced = True
        return children

    async def fence(self) -> int:
        """A number that rises with each attempt, for conditions in a database of your own: `WHERE fence <= :n`.

        Its first use saves a checkpoint, because a claim that was forgotten would hand the number out twice.
        """
        if self._saving is not None:
            # It may move the cursor, which is not to fall back.
            await asyncio.wait([asyncio.wrap_future(self._saving)])
        if not self._fenced:
            await self.checkpoint(self.cursor)
        return self.attempt


class SyncContext(_Context):
    """The context of a plain function, which runs on a thread."""

    def checkpoint(
        self,
        cursor: Any,
        *,
        done: int | None = None,
        total: int | None = None,
        note: str | None = None,
        jobs: Sequence[models.EnqueueJob] = (),
    ) -> list[dict[str, Any]]:
        """Moves the cursor, with up to 1,000 jobs in the same transaction: durable when it returns.

        Gives the ids of those jobs. Raises `Stopped` where this attempt is to end.
        """
        children = self._save(cursor, done, total, note, jobs).result()
        self._fenced = True
        return children

    def fence(self) -> int:
        """A number that rises with each attempt, for conditions in a database of your own: `WHERE fence <= :n`.

        Its first use saves a checkpoint, because a claim that was forgotten would hand the number out twice.
        """
        if self._saving is not None:
            # It may move the cursor, which is not to fall back.
            wait([self._saving])
        if not self._fenced:
            self.checkpoint(self.cursor)
        return self.attempt


def _progress(before: dict[str, Any], done: int | None, total: int | None, note: str | None) -> dict[str, Any]:
    told: dict[str, Any] = {"done": int(done if done is not None else before.get("done") or 0)}
    if total is not None or before.get("total") is not None:
        told["total"] = int(total if total is not None else before["total"])
    if note is not None:
        told["note"] = str(note)[:200]
    return told
