"""The order in which a worker stops."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Callable

from baton.errors import Problem, WorkerEnded
from baton.verdicts import failed
from baton._clock import now
from baton.worker.settings import OPEN_CLAIM_AT_STOP
from baton.worker.wire import NoAnswer

if TYPE_CHECKING:
    from baton.worker.keeper import Keeper

log = logging.getLogger("baton.worker")
_AFTER_CANCEL = 1.0


async def stop_in_order(keeper: Keeper, claims: asyncio.Task[None]) -> None:
    """Says so, gives back what has not begun, lets handlers end, records what they say, and leaves."""
    keeper.draining = True
    keeper.cover.end()
    claims.cancel()
    if keeper.fatal is not None:
        await _end_at_once(keeper)
        return
    await asyncio.gather(_say_so(keeper), keeper.claimer.finish())
    keeper.give_back_all()
    await _release_unheard(keeper)
    keeper.tell_stopping()
    if not await _until(lambda: not _unended(keeper), keeper.worker.grace):
        await _end_handlers(keeper)
    await _record(keeper)
    await _leave(keeper)


async def _say_so(keeper: Keeper) -> None:
    try:
        await asyncio.wait_for(keeper.beats.beat(0.0), OPEN_CLAIM_AT_STOP)
    except (asyncio.TimeoutError, NoAnswer, Problem, WorkerEnded) as error:
        log.debug("no server heard that this worker stops: %r", error)


async def _release_unheard(keeper: Keeper) -> None:
    leases = list(keeper.leases.abandoned)
    if not leases:
        return
    try:
        await keeper.wire.call("release", {"leases": leases}, OPEN_CLAIM_AT_STOP)
    except (NoAnswer, Problem, WorkerEnded) as error:
        log.debug("claims without an answer are not released: %r", error)


async def _end_handlers(keeper: Keeper) -> None:
    log.warning("%d handlers have not ended within grace: they are cancelled", len(_unended(keeper)))
    for attempt in list(keeper.running):
        attempt.cancel("shutdown")
    await _until(lambda: not _unended(keeper), _AFTER_CANCEL)
    for attempt in list(keeper.running):
        keeper.tell_instead(attempt, failed("unknown", "shutdown", "its worker stopped before it had ended"))


async def _end_at_once(keeper: Keeper) -> None:
    for attempt in list(keeper.running):
        attempt.cancel("lost")
    await _until(lambda: not keeper.running, _AFTER_CANCEL)


async def _record(keeper: Keeper) -> None:
    """Waits for the last result; what nobody hears for a lease, the lease frees."""
    try:
        await asyncio.wait_for(keeper.results.flushed(), keeper.wire.terms.lease)
    except asyncio.TimeoutError:
        log.error("%d results were not taken by any server", len(keeper.results))


async def _leave(keeper: Keeper) -> None:
    try:
        await keeper.wire.leave()
    except (NoAnswer, Problem, WorkerEnded) as error:
        log.warning("no server heard the goodbye: %s", error)


def _unended(keeper: Keeper) -> list[object]:
    """What still runs and may still say something."""
    return [attempt for attempt in keeper.running if not attempt.told]


async def _until(is_so: Callable[[], bool], longest: float) -> bool:
    end = now() + longest
    while not is_so() and now() < end:
        await asyncio.sleep(0.01)
    return is_so()
