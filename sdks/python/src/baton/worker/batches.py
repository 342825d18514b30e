"""Gathers jobs of a kind that are worked on by one call."""

from __future__ import annotations

import asyncio
from typing import Callable, Iterable

from baton.worker.attempt import Attempt
from baton.worker.runner import Runner, definition_of


class Batches:
    """What has a slot and waits for others of its kind."""

    def __init__(self, runner: Runner, mark_started: Callable[[list[Attempt]], None]) -> None:
        self._runner = runner
        self._mark_started = mark_started
        self._gathered: dict[str, list[Attempt]] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def add(self, attempt: Attempt) -> None:
        """One more: the call is made when there are enough, or the first has waited long enough."""
        definition = definition_of(attempt)
        gathered = self._gathered.setdefault(definition.kind, [])
        gathered.append(attempt)
        if len(gathered) >= definition.batch_size:
            self._flush(definition.kind)
        elif len(gathered) == 1:
            loop = asyncio.get_running_loop()
            self._timers[definition.kind] = loop.call_later(definition.linger, self._flush, definition.kind)

    def take(self, attempts: Iterable[Attempt]) -> list[Attempt]:
        """Takes these out again, those of them that are here."""
        wanted = set(attempts)
        taken = []
        for kind, gathered in self._gathered.items():
            taken += [attempt for attempt in gathered if attempt in wanted]
            self._gathered[kind] = [attempt for attempt in gathered if attempt not in wanted]
        return taken

    def take_all(self) -> list[Attempt]:
        """Takes all of them out again."""
        return self.take([attempt for gathered in self._gathered.values() for attempt in gathered])

    def _flush(self, kind: str) -> None:
        timer = self._timers.pop(kind, None)
        if timer is not None:
            timer.cancel()
        gathered = self._gathered.pop(kind, [])
        if gathered:
            self._mark_started(gathered)
            self._runner.start_batch(gathered)
