"""What a worker is told when it is made, and by the server when it registers."""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass, field
from typing import Any, Callable

from baton import _spans

PROTOCOL = 1
CLAIMS_AT_ONCE = 4
MOST_RESULTS_WAITING = 10_000
LONGEST_STANDING = 2.0
"""What was claimed ahead and has not begun by then is given back."""
AFTER_TIMEOUT = 1.0
"""So long after its time-out a handler may still say something itself."""
LAST_LOOK = 0.05
"""How long handlers are still heard after the whole process was frozen: what was done meanwhile may yet be adopted."""
OPEN_CLAIM_AT_STOP = 1.0


def _leave(code: int) -> None:
    os._exit(code)


@dataclass
class WorkerSettings:
    """What its program says of a worker."""

    slots: int = 16
    grace: float = 25.0
    queues: tuple[str, ...] = ()
    name: str = field(default_factory=lambda: f"{socket.gethostname()}:{os.getpid()}")
    version: str | None = None
    labels: dict[str, str] = field(default_factory=dict)
    leave: Callable[[int], None] = _leave
    """Ends the process where handlers cannot be stopped any more."""

    def __post_init__(self) -> None:
        if not 1 <= self.slots <= 10_000:
            raise ValueError("a worker has 1 to 10,000 slots")


@dataclass
class Terms:
    """What the server says as a worker registers."""

    lease: float = 30.0
    beat: float = 10.0
    most_results: int = 1_000
    most_checkpoints: int = 100
    most_children: int = 1_000
    most_claimed: int = 1_000
    longest_wait: float = 25.0
    most_bytes: int = 8 * 1024 * 1024

    @classmethod
    def read(cls, body: dict[str, Any]) -> Terms:
        """Out of the answer to a registration."""
        limits = body.get("limits", {})
        return cls(
            lease=_spans.seconds(body["lease"]),
            beat=_spans.seconds(body["beat"]),
            most_results=limits.get("results", 1_000),
            most_checkpoints=limits.get("checkpoints", 100),
            most_children=limits.get("jobs", 1_000),
            most_claimed=limits.get("claim", 1_000),
            longest_wait=_spans.seconds(limits.get("wait", "25s")),
            most_bytes=limits.get("body", 8 * 1024 * 1024),
        )

    @property
    def deadline(self) -> float:
        """The worker's own end of a lease, from when it counts."""
        return self.lease * 0.9

    def claim_wait(self, waits_are_told: bool) -> float:
        """As long as the server allows where it says how long a claim had waited; or else a job that comes at the end of the wait
        has two thirds of a lease: enough to begin."""
        return self.longest_wait if waits_are_told else min(self.longest_wait, self.lease / 3)

    @property
    def beat_wait(self) -> float:
        """What was heard last is then never older than half a lease, so that there is always enough left to begin."""
        return min(self.beat, self.lease / 4)

    def needed(self, timeout: float) -> float:
        """How much of a lease has to be left for an attempt to begin."""
        return min(timeout, self.lease / 3) + self.lease / 15
