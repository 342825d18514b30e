"""Cursors on their way to the server: durable when the handler hears of it."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import deque
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass
from typing import Any, Callable

from baton.errors import BatonError, Problem
from baton.verdicts import Stopped
from baton.worker.attempt import Attempt
from baton.worker.wire import Wire, until_answered

log = logging.getLogger("baton.worker")
_CALL_TIMEOUT = 10.0
_NUMBER = 32
"""How many bytes a number takes at the most, with its name."""


class CheckpointRefused(BatonError):
    """The server refused a checkpoint, and has written nothing of it."""

    def __init__(self, errors: list[dict[str, str]]) -> None:
        super().__init__("; ".join(f"{error.get('field')}: {error.get('message')}" for error in errors) or "refused")
        self.errors = errors


@dataclass
class Saving:
    """One checkpoint that somebody waits for."""

    attempt: Attempt
    body: dict[str, Any]
    words: bytes
    """All that is said but for its number, which it has when its turn comes."""
    future: Future[list[dict[str, Any]]]
    seq: int = 0

    def numbered(self) -> bytes:
        """What is sent, now and ever after."""
        return b'{"seq":%d,' % self.seq + self.words[1:]

    def finish(self, children: list[dict[str, Any]]) -> None:
        """It is durable."""
        try:
            self.future.set_result(children)
        except InvalidStateError:
            pass

    def fail(self, error: BaseException) -> None:
        """The handler is told."""
        try:
            self.future.set_exception(error)
        except InvalidStateError:
            pass


def saving_of(attempt: Attempt, body: dict[str, Any]) -> Saving:
    """A checkpoint in its words; raises where it cannot be written as JSON."""
    words = json.dumps(body, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()
    return Saving(attempt, body, words, Future())


class Checkpoints:
    """Gathers what handlers save at the same time into one call."""

    def __init__(self, wire: Wire, on_lost: Callable[[Attempt], None]) -> None:
        self._wire = wire
        self._on_lost = on_lost
        self._waiting: deque[Saving] = deque()
        self._more = asyncio.Event()

    def save(self, saving: Saving) -> None:
        """Takes one in, unless its attempt is to end."""
        why = "lost" if saving.attempt.lease.lost else saving.attempt.why
        if why is not None:
            saving.fail(Stopped(why))
            return
        saving.attempt.let_go.add(saving.fail)
        saving.future.add_done_callback(lambda _: saving.attempt.let_go.discard(saving.fail))
        self._waiting.append(saving)
        self._more.set()

    async def run(self) -> None:
        """Sends them, one call after the other."""
        while True:
            await self._more.wait()
            self._more.clear()
            while self._waiting:
                batch = self._next_batch()
                if batch:
                    await self._send(batch)

    def _next_batch(self) -> list[Saving]:
        """One of each attempt at the most: the next has the number after the last one that stands."""
        batch: list[Saving] = []
        later: list[Saving] = []
        attempts: set[Attempt] = set()
        children, room = 0, self._wire.terms.most_bytes - 64
        while self._waiting and len(batch) < self._wire.terms.most_checkpoints:
            saving = self._waiting[0]
            if saving.attempt in attempts:
                later.append(self._waiting.popleft())
                continue
            children += len(saving.body.get("jobs", []))
            room -= len(saving.words) + _NUMBER
            if batch and (children > self._wire.terms.most_children or room < 0):
                break
            self._waiting.popleft()
            # Nobody waits for one that was given up before its turn.
            if saving.future.done():
                continue
            saving.seq = saving.attempt.seq + 1
            attempts.add(saving.attempt)
            batch.append(saving)
        self._waiting.extendleft(reversed(later))
        return batch

    async def _send(self, batch: list[Saving]) -> None:
        content = b'{"checkpoints":[' + b",".join(saving.numbered() for saving in batch) + b"]}"
        try:
            answer = await until_answered(
                lambda: self._wire.call("checkpoints", content, min(_CALL_TIMEOUT, self._wire.terms.lease / 2)), _quietly
            )
        except Problem as problem:
            await self._refused(batch, problem)
            return
        for saving, item in zip(batch, answer["items"]):
            self._take(saving, item)

    async def _refused(self, batch: list[Saving], problem: Problem) -> None:
        """A call that is refused as a whole is sent in halves, until what is in the way stands alone."""
        if len(batch) > 1:
            middle = len(batch) // 2
            await self._send(batch[:middle])
            await self._send(batch[middle:])
            return
        batch[0].fail(CheckpointRefused(problem.errors or [{"field": "checkpoints", "message": str(problem)}]))

    def _take(self, saving: Saving, item: dict[str, Any]) -> None:
        attempt = saving.attempt
        saved = item["saved"]
        if saved in ("recorded", "repeated"):
            attempt.seq = saving.seq
            attempt.cursor = saving.body["cursor"]
            attempt.moved()
            self._answer(saving, item)
        elif saved == "refused":
            saving.fail(CheckpointRefused(item.get("errors", [])))
        else:
            log.warning("%s is not ours any more: its checkpoint is %s", attempt.job["id"], saved)
            saving.fail(Stopped("lost"))
            self._on_lost(attempt)

    @staticmethod
    def _answer(saving: Saving, item: dict[str, Any]) -> None:
        attempt = saving.attempt
        if item.get("stop") or attempt.asked_to_cancel:
            attempt.asked_to_cancel = True
            saving.fail(Stopped("canceled"))
        elif attempt.stopping:
            saving.fail(Stopped("stopping"))
        else:
            saving.finish(item.get("jobs", []))


def _quietly() -> None:
    pass
