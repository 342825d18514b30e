"""How attempts ended: gathered, sent, and sent again in the same words until the server has answered."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import deque
from typing import Any, Callable

from baton import _spans
from baton.errors import Problem
from baton.verdicts import Verdict, failed
from baton.worker.attempt import Attempt
from baton._clock import now
from baton.worker.wire import Wire, until_answered

log = logging.getLogger("baton.worker")
_RESULT_TIMEOUT = 10.0


class Results:
    """The results that the server has not answered yet."""

    def __init__(self, wire: Wire, on_settled: Callable[[Attempt], None]) -> None:
        self._wire = wire
        self._on_settled = on_settled
        self._waiting: deque[tuple[Attempt, bytes]] = deque()
        self._on_the_way: list[tuple[Attempt, bytes]] = []
        self._more = asyncio.Event()
        self._empty = asyncio.Event()
        self._empty.set()
        self.refused_by_line = False
        """Whether the last call was not answered: nothing is claimed until one is."""

    def __len__(self) -> int:
        return len(self._waiting) + len(self._on_the_way)

    def tell(self, attempt: Attempt, verdict: Verdict) -> None:
        """A result is kept from here on."""
        attempt.told = True
        self._waiting.append((attempt, words(attempt, verdict)))
        self._empty.clear()
        self._more.set()

    async def flushed(self) -> None:
        """Waits until the server has answered all of them."""
        await self._empty.wait()

    async def run(self) -> None:
        """Sends them, one batch after the other."""
        while True:
            await self._more.wait()
            self._more.clear()
            while self._waiting:
                self._on_the_way = self._next_batch()
                await self._send(self._on_the_way)
                self._on_the_way = []
            self._empty.set()

    def _next_batch(self) -> list[tuple[Attempt, bytes]]:
        batch: list[tuple[Attempt, bytes]] = []
        room = self._wire.terms.most_bytes - 64
        while self._waiting and len(batch) < self._wire.terms.most_results:
            room -= len(self._waiting[0][1]) + 1
            if batch and room < 0:
                break
            batch.append(self._waiting.popleft())
        return batch

    async def _send(self, batch: list[tuple[Attempt, bytes]]) -> None:
        body = b'{"results":[' + b",".join(item for _, item in batch) + b"]}"
        try:
            answer = await until_answered(
                lambda: self._wire.call("results", body, min(_RESULT_TIMEOUT, self._wire.terms.lease / 2)), self._unheard
            )
        except Problem as problem:
            await self._refused(batch, problem)
            return
        self.refused_by_line = False
        for (attempt, _), item in zip(batch, answer["items"]):
            self._settle(attempt, item)

    def _unheard(self) -> None:
        self.refused_by_line = True

    async def _refused(self, batch: list[tuple[Attempt, bytes]], problem: Problem) -> None:
        """A call that is refused as a whole is sent in halves, until what is in the way stands alone."""
        self.refused_by_line = False
        if len(batch) > 1:
            middle = len(batch) // 2
            await self._send(batch[:middle])
            await self._send(batch[middle:])
            return
        log.error("the server refuses the result of %s: %s", batch[0][0].job["id"], problem)
        self._settle(batch[0][0], {"settled": "refused", "errors": problem.errors})

    def _settle(self, attempt: Attempt, item: dict[str, Any]) -> None:
        settled = item["settled"]
        if settled == "refused" and attempt.why != "refused":
            log.error("the result of %s was refused: %s", attempt.job["id"], item.get("errors"))
            attempt.why = "refused"
            self.tell(attempt, failed("unknown", "result_refused", "the server refused the result of its handler"))
            return
        if settled == "stale":
            log.warning("the result of %s came too late: it is history only", attempt.job["id"])
        self._on_settled(attempt)


def words(attempt: Attempt, verdict: Verdict) -> bytes:
    """A result as it is sent, now and ever after."""
    item: dict[str, Any] = {"token": attempt.job["token"], "verdict": verdict.word, **verdict.fields}
    if attempt.started_at is not None:
        moment = now()
        item["started_ago"] = _spans.text(moment - attempt.started_at)
        item["ran"] = _spans.text((attempt.ended_at or moment) - attempt.started_at)
    try:
        return json.dumps(item, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, TypeError) as error:
        log.error("%s: its result is no JSON: %s", attempt.job["id"], error)
        return words(attempt, failed("permanent", "bad_result", f"its result is no JSON: {error}"))
