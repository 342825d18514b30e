"""One attempt of one job, from its claim to the answer to its result."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, Callable

from baton import _spans
from baton.verdicts import Stopped, Verdict, failed
from baton._clock import now

if TYPE_CHECKING:
    from baton.definitions import AnyJob


class Stage(enum.Enum):
    """Where an attempt is on this side."""

    STANDING = "standing"
    RUNNING = "running"
    ENDED = "ended"


class Lease:
    """The right to the attempts of one claim."""

    __slots__ = ("id", "queue", "deadline", "attempts", "lost")

    def __init__(self, id: str, queue: str, deadline: float) -> None:
        self.id = id
        self.queue = queue
        self.deadline = deadline
        """When handlers under it are cancelled, whatever the server thinks."""
        self.attempts: set[Attempt] = set()
        self.lost = False
        """Whether the server has said that it is not ours any more."""


class Attempt:
    """One attempt."""

    __slots__ = (
        "job", "lease", "definition", "stage", "claimed_at", "started_at", "ended_at", "timeout", "times_out_at",
        "why", "told", "interrupt", "seq", "cursor", "progress", "progress_told", "stopping", "asked_to_cancel",
        "let_go",
    )  # fmt: skip

    def __init__(self, job: dict[str, Any], lease: Lease, definition: AnyJob | None, claimed_at: float) -> None:
        checkpoint = job.get("checkpoint") or {}
        self.job = job
        self.lease = lease
        self.definition = definition
        self.stage = Stage.STANDING
        self.claimed_at = claimed_at
        self.started_at: float | None = None
        self.ended_at: float | None = None
        self.timeout = _spans.seconds(job["timeout"])
        self.times_out_at = float("inf")
        self.why: str | None = None
        """Why its handler was cancelled: canceled, timeout, lost, shutdown, or beside a job of its batch that took too long."""
        self.told = False
        """Whether its result is on its way."""
        self.interrupt: Callable[[], None] | None = None
        """Cancels its handler; callable from every thread, once it runs."""
        self.seq: int = checkpoint.get("seq") or 0
        self.cursor: Any = checkpoint.get("cursor")
        self.progress: dict[str, Any] = checkpoint.get("progress") or {}
        self.progress_told = True
        self.stopping = False
        self.asked_to_cancel = False
        self.let_go: set[Callable[[BaseException], None]] = set()
        """Who waits for the server on its behalf, and is told when it is to end: no silence holds a handler."""

    def start(self, moment: float) -> None:
        """Its handler begins."""
        self.stage = Stage.RUNNING
        self.started_at = moment
        self.times_out_at = moment + self.timeout

    def moved(self) -> None:
        """A checkpoint was recorded: the time-out counts from here."""
        self.times_out_at = now() + self.timeout

    def cancel(self, why: str) -> None:
        """Has its handler end; the first reason counts."""
        if self.why is None:
            self.why = why
            if self.interrupt is not None:
                self.interrupt()
            for fail in list(self.let_go):
                fail(Stopped(why))

    def verdict_of_cancellation(self) -> Verdict:
        """What a handler says that ended because it was cancelled."""
        if self.why == "canceled":
            return Verdict("canceled")
        if self.why == "timeout":
            return failed("unknown", "timeout", f"it took longer than {self.job['timeout']}")
        if self.why == "beside":
            return failed("unknown", "timeout", "a job of its batch took longer than it may")
        if self.why == "shutdown":
            return failed("unknown", "shutdown", "its worker stopped before it had ended")
        if self.why == "lost":
            return failed("unknown", "lease_lost", "the lease of this attempt has ended")
        return failed("retry", "cancelled", "the handler was cancelled from within")
