"""The calls of the protocol, each once, to the server that answers."""

from __future__ import annotations

import asyncio
import json
import logging
import random
from typing import Any, Awaitable, Callable
from urllib.parse import quote

import httpx

from baton import _ids
from baton._transport import Request, Settings, checked, unanswered
from baton._version import VERSION
from baton.errors import Problem, WorkerEnded
from baton.worker.settings import PROTOCOL, Terms, WorkerSettings

log = logging.getLogger("baton.worker")
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 2.0
_TELLING = 20
"""Each so many silences of one call are told aloud."""


class Backoff:
    """Pauses between repetitions: 50 ms to 2 s, with chance."""

    def __init__(self) -> None:
        self._pause = _FIRST_PAUSE

    async def wait(self) -> None:
        """Waits the next pause."""
        pause, self._pause = self._pause, min(_LONGEST_PAUSE, self._pause * 2)
        await asyncio.sleep(pause * random.uniform(0.75, 1))

    def reset(self) -> None:
        """Begins with short pauses again."""
        self._pause = _FIRST_PAUSE


class NoAnswer(Exception):
    """Silence, or an answer that says that the server cannot answer: whether the call was done is not known."""

    def __init__(self, why: str, gateway: bool = False) -> None:
        super().__init__(why)
        self.gateway = gateway
        """Whether a proxy gave up, which a shorter wait may mend."""


class Wire:
    """A worker's connection to its servers."""

    def __init__(self, settings: Settings, worker: WorkerSettings, kinds: list[str], queues: list[str]) -> None:
        self.id = _ids.worker_id()
        self.terms = Terms()
        self._settings = settings
        self._addresses = settings.addresses
        self._path = f"/v1/workers/{quote(self.id)}"
        self._client = settings.async_client()
        self._registering: asyncio.Task[None] | None = None
        self._who = {
            "protocol": PROTOCOL,
            "name": worker.name,
            "sdk": f"python/{VERSION}",
            "version": worker.version,
            "kinds": kinds,
            "queues": queues,
            "slots": worker.slots,
            "labels": worker.labels,
        }

    async def call(self, name: str, body: Any, timeout: float) -> Any:
        """POSTs; a server that has forgotten this worker is told of it and asked again."""
        content = body if isinstance(body, bytes) else json.dumps(body, separators=(",", ":")).encode()
        while True:
            try:
                return await self._send(Request("POST", f"{self._path}/{name}", content=content), timeout)
            except Problem as problem:
                if problem.code != "worker-not-found":
                    raise
                await self.register_again()

    async def register(self) -> None:
        """Says who it is, until somebody hears it."""
        backoff = Backoff()
        while True:
            try:
                content = json.dumps(self._who).encode()
                answer = await self._send(Request("PUT", self._path, content=content), 10.0)
                break
            except NoAnswer as error:
                log.warning("no server takes this worker yet; it goes on asking: %s", error)
            await backoff.wait()
        if answer.get("protocol", PROTOCOL) != PROTOCOL:
            raise WorkerEnded(f"the server speaks protocol {answer['protocol']}, and this worker {PROTOCOL}")
        self.terms = Terms.read(answer)

    async def register_again(self) -> None:
        """The same once for all who have found that the server does not know it."""
        if self._registering is None or self._registering.done():
            log.warning("the server does not know this worker any more: it registers again")
            self._registering = asyncio.ensure_future(self.register())
        await asyncio.shield(self._registering)

    async def leave(self) -> None:
        """Says goodbye."""
        await self._send(Request("DELETE", self._path), 5.0)

    async def close(self) -> None:
        """Closes its connections."""
        await self._client.aclose()

    async def _send(self, request: Request, timeout: float) -> Any:
        base = self._addresses.current
        arguments = self._settings.arguments(base, request)
        limit = httpx.Timeout(timeout, connect=min(timeout, 5.0), pool=None)
        try:
            response = await self._client.request(**arguments, timeout=limit)
            value = checked(response, response.content).value
            if not isinstance(value, dict):
                raise ValueError(f"{response.status_code} with {type(value).__name__}")
            return value
        except httpx.TransportError as error:
            self._addresses.turn(base)
            raise NoAnswer(unanswered(base, error)) from error
        except ValueError as error:
            raise NoAnswer(f"an answer that is no JSON object: {error}") from error
        except Problem as problem:
            raise self._judged(problem, base) from problem

    def _judged(self, problem: Problem, base: str) -> Exception:
        if problem.status in (401, 403) or problem.code == "worker-left":
            return WorkerEnded(str(problem))
        # A page of whatever stands before the server says nothing about what was asked, but that it was too much: less may pass.
        is_ours = isinstance(problem.body.get("code"), str) or problem.status == 413
        if is_ours and problem.status < 500 and problem.status not in (408, 429):
            return problem
        self._addresses.turn(base)
        return NoAnswer(str(problem), gateway=problem.status in (502, 504))


async def until_answered(call: Callable[[], Awaitable[Any]], on_silence: Callable[[], None]) -> Any:
    """Asks in the same words until there is an answer."""
    backoff, silences = Backoff(), 0
    while True:
        try:
            return await call()
        except NoAnswer as error:
            silences += 1
            log.log(logging.DEBUG if silences % _TELLING else logging.WARNING, "asked again: %s", error)
            on_silence()
        await backoff.wait()
