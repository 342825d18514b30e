"""The leases that a worker has, and those it may have without knowing."""

from __future__ import annotations

from typing import Any, Iterable

from baton.worker.attempt import Attempt, Lease


class Leases:
    """Which leases are ours, and until when."""

    def __init__(self) -> None:
        self.known: dict[str, Lease] = {}
        self.open: dict[str, float] = {}
        """Asked for by a claim that may still be answered."""
        self.unheard: set[str] = set()
        """Those of them whose claim had to be asked again: the server may have written down what nobody heard."""
        self.abandoned: dict[str, float] = {}
        """Asked for by claims whose answer nobody waits for any more, and when they were given up."""

    def asked(self, ids: Iterable[str], moment: float) -> None:
        """A claim asks for these."""
        for id in ids:
            self.open[id] = moment

    def answered(self, ids: Iterable[str]) -> None:
        """The claim for these was answered: what it did not name does not exist."""
        for id in ids:
            self.open.pop(id, None)
            self.unheard.discard(id)

    def asked_again(self, ids: Iterable[str]) -> None:
        """The claim for these met with silence."""
        self.unheard.update(id for id in ids if id in self.open)

    def abandon(self, ids: Iterable[str], moment: float) -> None:
        """Nobody waits for the answer to these any more."""
        for id in ids:
            self.unheard.discard(id)
            if self.open.pop(id, None) is not None:
                self.abandoned[id] = moment

    def take(self, id: str, queue: str, deadline: float) -> Lease:
        """This one is ours, with jobs."""
        lease = self.known.get(id)
        if lease is None:
            lease = self.known[id] = Lease(id, queue, deadline)
        return lease

    def drop(self, attempt: Attempt) -> None:
        """An attempt needs its lease no more."""
        lease = attempt.lease
        lease.attempts.discard(attempt)
        if not lease.attempts:
            self.known.pop(lease.id, None)

    def heard(self) -> list[str]:
        """What a beat names: leases we work under, and those of claims that met with silence.

        Claims that merely wait are not among them: a lease that is not there yet would be told as lost at once.
        """
        return [*self.known, *self.unheard, *self.abandoned]

    def renew(self, news: dict[str, Any], before: set[str], deadline: float) -> list[Lease]:
        """Takes in a beat's answer; `before` are those known when it was sent. Returns what is lost."""
        for id in news.get("held", []):
            lease = self.known.get(id)
            if lease is not None:
                lease.deadline = max(lease.deadline, deadline)
        lost = [self.known[id] for id in news.get("lost", []) if id in before and id in self.known]
        for lease in lost:
            lease.lost = True
        return [lease for lease in lost if lease.attempts]

    def unknown(self, held: Iterable[str], named: set[str]) -> list[str]:
        """What the server holds for us although we do not know of it."""
        strange = [id for id in held if id not in self.known and id not in self.open]
        return [id for id in strange if id in self.abandoned or id not in named]

    def forget_abandoned(self, before: float) -> None:
        """Claims so old cannot be written down any more."""
        for id in [id for id, moment in self.abandoned.items() if moment < before]:
            del self.abandoned[id]
