"""Beats: they renew the leases, and wait for news."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from baton import _spans
from baton.errors import Problem
from baton._clock import now
from baton.worker.wire import Backoff, NoAnswer

if TYPE_CHECKING:
    from baton.worker.keeper import Keeper

log = logging.getLogger("baton.worker")
_QUICK = 0.1
"""An answer that comes sooner than this says something; if it says the same again, the next beat takes its time."""


class Beats:
    """Keeps the leases alive."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._again = asyncio.Event()
        self.renewed_at = now()
        """When the last call was sent that the server has answered as a renewal; or until when a claim had waited that it answered."""
        self._is_told_idle = False
        """Whether the last beat has said that there is nothing to do."""
        self._told_at = 0.0
        """When that one was sent."""

    def soon(self) -> None:
        """Has a beat sent now, beside the one that waits."""
        self._again.set()

    async def run(self) -> None:
        """Beats that wait, one after the other."""
        backoff = Backoff()
        before: dict[str, Any] = {}
        while True:
            while self._is_needless():
                await self._keeper.cover.ended()
            began = now()
            try:
                news = await self.beat(self._keeper.wire.terms.beat_wait)
            except (NoAnswer, Problem) as error:
                log.warning("a beat was not answered: %s", error)
                await backoff.wait()
                continue
            backoff.reset()
            said = {"stop": news.get("stop"), "drain": news.get("drain")}
            if said == before and now() - began < _QUICK:
                await asyncio.sleep(min(0.5, self._keeper.wire.terms.beat_wait))
            before = said

    def _is_needless(self) -> bool:
        """Whether a claim that waits says all that a beat would: there is nothing to do, and the last beat has said so."""
        keeper = self._keeper
        may_work = not keeper.draining and not keeper.resting
        is_idle = self._is_told_idle and keeper.running_count == 0 and not keeper.leases.heard()
        return may_work and is_idle and keeper.cover.is_there()

    async def run_extra(self) -> None:
        """Beats that do not wait, for those who cannot: at most one a second."""
        while True:
            await self._again.wait()
            self._again.clear()
            try:
                await self.beat(0.0)
            except (NoAnswer, Problem) as error:
                log.debug("an extra beat was not answered: %s", error)
            await asyncio.sleep(min(1.0, self._keeper.wire.terms.beat_wait / 4))

    async def beat(self, wait: float) -> dict[str, Any]:
        """One beat, and what follows from its answer."""
        keeper = self._keeper
        sent = now()
        known, heard = set(keeper.leases.known), keeper.leases.heard()
        body = {
            "wait": _spans.text(wait),
            "running": keeper.running_count,
            "free": keeper.free_slots,
            "asked_ago": self._asked_ago(sent),
            "draining": keeper.draining,
            "heard": heard,
            "progress": keeper.progress_to_tell(),
        }
        news: dict[str, Any] = await keeper.wire.call("beat", body, wait + keeper.wire.terms.lease / 4)
        self.renewed_at = max(self.renewed_at, sent)
        # A beat that has waited tells of before a later one that did not.
        if sent >= self._told_at:
            self._told_at = sent
            self._is_told_idle = body["running"] == 0 and not heard and not keeper.draining
        lost = keeper.leases.renew(news, known, sent + keeper.wire.terms.deadline)
        keeper.take_news(news, lost)
        unknown = keeper.leases.unknown(news.get("held", []), set(heard))
        if unknown:
            await self._release(unknown)
        keeper.leases.forget_abandoned(sent - keeper.wire.terms.lease)
        return news

    def _asked_ago(self, moment: float) -> str | None:
        """How long ago jobs were asked for; whoever waits for some asks this moment."""
        if self._keeper.cover.is_there():
            return "0s"
        asked_at = self._keeper.asked_at
        return None if asked_at is None else _spans.text(moment - asked_at)

    async def _release(self, leases: list[str]) -> None:
        log.warning("%d leases are ours without our knowing: they are given back", len(leases))
        await self._keeper.wire.call("release", {"leases": leases}, self._keeper.wire.terms.lease / 2)
        for lease in leases:
            self._keeper.leases.abandoned.pop(lease, None)
