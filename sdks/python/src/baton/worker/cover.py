"""Cover: a claim that waits says that its worker lives, and meanwhile an idle one need not beat."""

from __future__ import annotations

import asyncio

from baton._clock import now

UNANSWERED = 10.0
"""How long the answer to a claim may take beyond its wait."""
BETWEEN = 1.0
"""How long the claim after one that was answered may take to begin."""


class Cover:
    """Until when a claim that waits says that the worker lives. Claims that are open at once share it: whichever ends cuts it short, so that
    what lasts longer is that of one that is open."""

    def __init__(self) -> None:
        self._until = 0.0
        self._changed = asyncio.Event()

    def lasts(self, span: float) -> None:
        """It lasts for so long at the most."""
        self._until = now() + span
        self._changed.set()

    def end(self) -> None:
        """There is none any more."""
        self._until = 0.0
        self._changed.set()

    def is_there(self) -> bool:
        """Whether there is one."""
        return now() < self._until

    async def ended(self) -> None:
        """Waits until it ends, or may have: what has changed may last shorter."""
        self._changed.clear()
        try:
            await asyncio.wait_for(self._changed.wait(), max(0.0, self._until - now()))
        except asyncio.TimeoutError:
            pass
