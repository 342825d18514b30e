"""Watches the clock: ends of leases, time-outs, what stands too long, and whether handlers still get anywhere."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from baton.worker.attempt import Attempt
from baton._clock import now
from baton.worker.settings import AFTER_TIMEOUT, LAST_LOOK, LONGEST_STANDING

if TYPE_CHECKING:
    from baton.worker.keeper import Keeper

log = logging.getLogger("baton.worker")
STUCK = 70
"""How the process ends when handlers cannot be stopped: a supervisor starts it anew, the leases free the jobs."""


class Watch:
    """Looks at every attempt, some ten times a second."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._pinged_at: float | None = None

    async def run(self) -> None:
        """Looks again and again."""
        lease = self._keeper.wire.terms.lease
        while True:
            self.look()
            looked_at = now()
            await asyncio.sleep(min(0.1, lease / 60))
            if now() - looked_at > lease / 2:
                await asyncio.sleep(LAST_LOOK)

    def look(self) -> None:
        """Does what is due."""
        moment = now()
        for attempt in list(self._keeper.running):
            self._look_at(attempt, moment)
        self._give_back_standing(moment)
        self._count_stuck()
        self._ping(moment)

    def _look_at(self, attempt: Attempt, moment: float) -> None:
        if attempt.started_at is None:
            return
        if attempt.lease.lost or moment >= attempt.lease.deadline:
            attempt.cancel("lost")
        if moment >= attempt.times_out_at:
            attempt.cancel("timeout")
        if moment >= attempt.times_out_at + AFTER_TIMEOUT:
            self._keeper.timed_out(attempt)

    def _give_back_standing(self, moment: float) -> None:
        keeper = self._keeper
        old = [
            attempt
            for attempt in keeper.standing
            if moment - attempt.claimed_at > LONGEST_STANDING or moment >= attempt.lease.deadline
        ]
        if old:
            for attempt in old:
                keeper.standing.remove(attempt)
            keeper.give_back(old)
            keeper.claimer.stood_too_long()
            keeper.pump()

    def _count_stuck(self) -> None:
        keeper = self._keeper
        keeper.stuck = sum(attempt.told for attempt in keeper.running)
        if keeper.stuck * 2 >= keeper.worker.slots and not keeper.draining and keeper.stuck:
            log.error("%d of %d slots are stuck: this worker stops", keeper.stuck, keeper.worker.slots)
            keeper.exit_code = STUCK
            keeper.stop_asked.set()

    def _ping(self, moment: float) -> None:
        """A loop of handlers that has not moved for a lease, beyond all time-outs on it, will not move any more."""
        pinged_at = self._pinged_at
        if pinged_at is None:
            pinged_at = self._pinged_at = moment
            try:
                self._keeper.runner.loop.call_soon_threadsafe(self._pong)
            except RuntimeError:
                return
        on_loop = [a.times_out_at for a in self._keeper.running if a.definition is not None and a.definition.is_async]
        last = max([pinged_at, *on_loop])
        # What is over time is told before the process ends.
        if on_loop and moment > last + AFTER_TIMEOUT + self._keeper.wire.terms.lease:
            log.critical("the loop of the handlers has not moved for a lease: this process ends with %d", STUCK)
            self._keeper.worker.leave(STUCK)

    def _pong(self) -> None:
        self._pinged_at = None
