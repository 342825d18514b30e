"""Claims: what there is room for, asked for under leases that the worker has drawn."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from baton import _ids, _spans
from baton.errors import Problem
from baton.worker.attempt import Attempt
from baton._clock import now
from baton.worker.cover import BETWEEN, UNANSWERED
from baton.worker.settings import CLAIMS_AT_ONCE, MOST_RESULTS_WAITING, OPEN_CLAIM_AT_STOP
from baton.worker.wire import Backoff, NoAnswer

if TYPE_CHECKING:
    from baton.worker.keeper import Keeper

log = logging.getLogger("baton.worker")
_MOST_BYTES = 4 * 1024 * 1024
_SHORTEST_WAIT = 5.0
_GAIN = 1.0
"""By how much the next claim waits longer once one was answered that had waited as long as it was to."""


class Claimer:
    """Asks for jobs."""

    def __init__(self, keeper: Keeper, queues: list[str]) -> None:
        self._keeper = keeper
        self._queues = queues
        self._open: dict[asyncio.Task[None], int] = {}
        self._longest_wait = float("inf")
        self._waits_are_told = False
        """Whether the server that answered last says how long a claim had waited."""
        self._wake = asyncio.Event()
        self.ahead = 0
        """How many jobs are claimed beyond the free slots."""

    def look(self) -> None:
        """There may be room, or it may be allowed again."""
        self._wake.set()

    async def run(self) -> None:
        """Claims whenever there is room."""
        while True:
            self._wake.clear()
            room = self._room()
            if room > 0:
                task = asyncio.ensure_future(self._claim(room))
                self._open[task] = room
                task.add_done_callback(self._ended)
            else:
                await self._wake_or_tick()

    async def finish(self) -> None:
        """Waits a moment for claims that are under way; what they might still bring is given back."""
        if self._open:
            await asyncio.wait(list(self._open), timeout=OPEN_CLAIM_AT_STOP)
        for task in list(self._open):
            task.cancel()

    async def _wake_or_tick(self) -> None:
        try:
            await asyncio.wait_for(self._wake.wait(), self._keeper.wire.terms.lease / 20)
        except asyncio.TimeoutError:
            pass

    def _room(self) -> int:
        keeper = self._keeper
        if keeper.draining or keeper.resting or not self._may_claim() or len(self._open) >= CLAIMS_AT_ONCE:
            return 0
        whole = keeper.worker.slots + self.ahead
        room = whole - keeper.running_count - keeper.standing_count - sum(self._open.values())
        # A second claim beside an open one is worth its call only for many.
        if self._open and room < max(1, whole // 2):
            return 0
        return max(0, min(room, keeper.wire.terms.most_claimed))

    def _may_claim(self) -> bool:
        """Whoever cannot say how jobs ended, or was not heard of for two thirds of a lease, takes no more."""
        keeper = self._keeper
        if keeper.results.refused_by_line or len(keeper.results) > MOST_RESULTS_WAITING:
            return False
        return now() - keeper.beats.renewed_at < keeper.wire.terms.lease * 2 / 3

    async def _claim(self, room: int) -> None:
        wants = [{"queue": queue, "limit": room, "lease": _ids.lease_id()} for queue in self._queues]
        self._queues = [*self._queues[1:], *self._queues[:1]]
        leases = [str(want["lease"]) for want in wants]
        sent = now()
        self._keeper.leases.asked(leases, sent)
        try:
            answered = await self._ask(wants, room, sent)
            if answered is not None:
                self._keeper.leases.answered(leases)
                self._take(*answered, room)
        finally:
            self._keeper.leases.abandon(leases, now())

    async def _ask(self, wants: list[dict[str, Any]], room: int, began: float) -> tuple[Any, float] | None:
        """The answer, however often it takes to hear one, and from when its leases count; None once these are too old to be asked for."""
        terms = self._keeper.wire.terms
        backoff = Backoff()
        repeat = 0
        given_up_at = None if self._waits_are_told else began + terms.deadline
        while True:
            sent, wait = now(), self._wait(repeat)
            body = {"wants": wants, "limit": room, "wait": _spans.text(wait), "max_bytes": _MOST_BYTES, "repeat": repeat}
            self._keeper.asked_at = now()
            try:
                answer = await self._keeper.wire.call("claim", body, wait + min(5.0, terms.lease / 4))
                # Servers end waits a little early, several together.
                if now() - sent + _GAIN > wait:
                    self._longest_wait += _GAIN
                return answer, self._heard(answer, began, sent)
            except NoAnswer as error:
                log.debug("a claim was not answered: %s", error)
                self._keeper.cover.end()
                if given_up_at is None:
                    given_up_at = now() + terms.deadline
                # What is refused at once, as while a server starts again, says nothing of waits.
                if error.gateway and now() - sent >= _SHORTEST_WAIT:
                    self._longest_wait = max(_SHORTEST_WAIT, min(self._longest_wait, wait) / 2)
            except Problem as problem:
                log.error("the server refuses a claim: %s", problem)
                self._keeper.cover.end()
                await asyncio.sleep(1.0)
                return None
            repeat += 1
            self._keeper.leases.asked_again(str(want["lease"]) for want in wants)
            await backoff.wait()
            if now() > given_up_at:
                return None

    def _wait(self, repeat: int) -> float:
        """How long a claim is to wait; one that waits long enough stands for beats. One that is asked again waits shortly: what it
        may have got before stands under its leases meanwhile."""
        if self._keeper.draining:
            return 0.0
        terms = self._keeper.wire.terms
        wait = min(terms.claim_wait(self._waits_are_told), self._longest_wait)
        if repeat > 0:
            wait = min(wait, terms.lease / 3)
        if self._waits_are_told and wait >= terms.lease / 2:
            self._keeper.cover.lasts(wait + UNANSWERED)
        return wait

    def _heard(self, answer: dict[str, Any], began: float, sent: float) -> float:
        """Takes in what an answer says beside its jobs. Its leases count from so long after it was sent as the server says, and
        never from later than now."""
        keeper, waited = self._keeper, answer.get("waited")
        self._waits_are_told = waited is not None
        is_empty = not any(batch["jobs"] for batch in answer["batches"])
        if waited is not None and is_empty and not answer.get("drain") and keeper.cover.is_there():
            keeper.cover.lasts(BETWEEN)
        else:
            keeper.cover.end()
        if waited is None:
            return began
        since = min(now(), sent + _spans.seconds(waited))
        keeper.beats.renewed_at = max(keeper.beats.renewed_at, since)
        if answer.get("drain"):
            keeper.rest()
        return since

    def _take(self, answer: dict[str, Any], since: float, room: int) -> None:
        keeper = self._keeper
        deadline = since + keeper.wire.terms.deadline
        count, idle = 0, keeper.standing_count == 0
        for batch in answer["batches"]:
            if not batch["jobs"]:
                continue
            lease = keeper.leases.take(batch["lease"], batch["queue"], deadline)
            for job in batch["jobs"]:
                count += 1
                keeper.claimed(Attempt(job, lease, keeper.jobs.get(job["kind"]), now()))
        if count >= room and idle:
            # The line is longer than the room, and handlers have caught up before the claim did.
            self.ahead = min(keeper.worker.slots, max(1, self.ahead * 2))
        keeper.pump()

    def stood_too_long(self) -> None:
        """What was claimed ahead was not needed."""
        self.ahead //= 2

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._open.pop(task, None)
        self._wake.set()
        if not task.cancelled() and task.exception() is not None:
            self._keeper.broke(task.exception())
