"""Streams of events, made again from where they were lost."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any, AsyncIterator, Iterator, Mapping, Union

import httpx

from baton._sse import Message, Parser
from baton._transport import AsyncTransport, Request, Settings, SyncTransport, checked
from baton.errors import BatonError, Problem

_SILENCE = 45.0
"""A stream that says nothing for so long is dead: the server speaks each 15 s."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 5.0


class FeedReset(BatonError):
    """The feed cannot go on where the reader was: read the present state, then follow again after `last`."""

    def __init__(self, reason: str, last: Union[str, None]) -> None:
        super().__init__(f"the feed begins anew: {reason}")
        self.reason = reason
        self.last = last


class Follower:
    """Where a reader of a stream is; opens no connection itself."""

    def __init__(self, path: str, query: Mapping[str, Any]) -> None:
        self._path = path
        self._query = query
        self._place: Union[str, None] = None
        self._failures = 0
        self.parser = Parser()

    def arguments(self, settings: Settings) -> dict[str, Any]:
        """The next connection, as httpx takes it."""
        self.parser.begin_anew()
        arguments = settings.arguments(settings.addresses.current, Request("GET", self._path, self._query))
        arguments["headers"] = {"accept": "text/event-stream"}
        if self._place is not None:
            arguments["headers"]["last-event-id"] = self._place
        return arguments | {"timeout": httpx.Timeout(_SILENCE, connect=5.0)}

    def messages(self, piece: bytes) -> Iterator[Message]:
        """The messages that these bytes complete."""
        self._failures = 0
        for message in self.parser.take(piece):
            if message.event == "reset":
                body = json.loads(message.data or "{}")
                raise FeedReset(body.get("reason", "events have gone"), body.get("last"))
            if message.data is not None:
                yield message
            self._place = message.id or self._place

    def pause(self, error: Union[Exception, None], settings: Settings) -> float:
        """How long to wait before the next connection; raises what no further one would mend."""
        if isinstance(error, Problem) and error.status not in (502, 503, 504):
            raise error
        if error is not None:
            settings.addresses.turn(settings.addresses.current)
        first = self.parser.retry if self.parser.retry is not None else _FIRST_PAUSE
        pause: float = min(_LONGEST_PAUSE, first * 2 ** min(self._failures, 10))
        self._failures += 1
        return pause


async def follow(transport: AsyncTransport, path: str, query: Mapping[str, Any]) -> AsyncIterator[Message]:
    """Messages of a stream, from asyncio, for as long as they are read."""
    follower = Follower(path, query)
    while True:
        lost: Union[Exception, None] = None
        try:
            async with transport.client.stream(**follower.arguments(transport.settings)) as response:
                if not response.is_success:
                    checked(response, await response.aread())
                async for piece in response.aiter_bytes():
                    for message in follower.messages(piece):
                        yield message
        except (httpx.TransportError, Problem) as error:
            lost = error
        await asyncio.sleep(follower.pause(lost, transport.settings))


def follow_sync(transport: SyncTransport, path: str, query: Mapping[str, Any]) -> Iterator[Message]:
    """The same, from a thread."""
    follower = Follower(path, query)
    while True:
        lost: Union[Exception, None] = None
        try:
            with transport.client.stream(**follower.arguments(transport.settings)) as response:
                if not response.is_success:
                    checked(response, response.read())
                for piece in response.iter_bytes():
                    yield from follower.messages(piece)
        except (httpx.TransportError, Problem) as error:
            lost = error
        time.sleep(follower.pause(lost, transport.settings))
