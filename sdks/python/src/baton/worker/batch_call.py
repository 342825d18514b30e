"""One call for many attempts, each of which comes to it through middleware of its own."""

from __future__ import annotations

import asyncio
from typing import Iterable

from baton.context import Context, SyncContext
from baton.verdicts import Verdict
from baton.worker.attempt import Attempt


class BatchCall:
    """Waits until each attempt has come, or middleware has ended it before that; then hands out what the call says of each."""

    def __init__(self, attempts: Iterable[Attempt]) -> None:
        self.contexts: dict[Attempt, Context | SyncContext] = {}
        """Who has come, with its context."""
        self.begun = False
        self._missing = set(attempts)
        self._complete = asyncio.Event()
        self._answers: dict[Attempt, asyncio.Future[Verdict]] = {}

    async def answer_of(self, attempt: Attempt, context: Context | SyncContext) -> Verdict:
        """Comes, and hears what the call says."""
        answer = self._answers.get(attempt)
        if answer is None:
            answer = self._answers[attempt] = asyncio.get_running_loop().create_future()
            self.contexts[attempt] = context
        self.comes_no_more(attempt)
        return await asyncio.shield(answer)

    def comes_no_more(self, attempt: Attempt) -> None:
        """Nobody waits for this one."""
        self._missing.discard(attempt)
        if not self._missing:
            self._complete.set()

    async def complete(self) -> None:
        """Waits until nobody is missing."""
        await self._complete.wait()
        self.begun = True

    def answer(self, verdicts: dict[Attempt, Verdict]) -> None:
        """Hands out what was said."""
        for attempt, verdict in verdicts.items():
            if not self._answers[attempt].done():
                self._answers[attempt].set_result(verdict)
