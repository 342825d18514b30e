"""One call over HTTP, made again where that cannot do anything twice."""

from __future__ import annotations

import asyncio
import copy
import json
import random
import socket
import string
import time
import weakref
from dataclasses import dataclass, field
from typing import Any, Mapping, Union
from urllib.parse import quote

import httpx

from baton._addresses import NOBODY, Addresses
from baton._version import VERSION
from baton.errors import Problem, Unreachable

ANSWER_TIMEOUT = 40.0
"""A little longer than the server itself gives a request."""
_CONNECT_TIMEOUT = 5.0
_KEEPALIVE = {"TCP_KEEPIDLE": 10, "TCP_KEEPALIVE": 10, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3}
"""A server whose machine has vanished says nothing, and neither does one that has nothing to say: a connection on which nothing was
said for 10 s is asked about every 5 s, three times, until it counts as lost. Systems call the first of them one or the other."""
_PLAIN = " " + string.punctuation.replace("%", "")
"""What stands in a header as it is, beside letters and digits."""
_NOT_DONE = ("overloaded", "draining", "busy")
"""Refusals that say that nothing was begun."""


@dataclass
class Request:
    """What is asked."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    content: Union[bytes, None] = None
    content_type: str = "application/json"
    keyed: bool = False
    trace: Mapping[str, str] = field(default_factory=dict)

    @property
    def repeatable(self) -> bool:
        """Whether a second one cannot do anything twice."""
        return self.keyed or self.method in ("GET", "PUT", "DELETE")


@dataclass
class Answer:
    """What was answered."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def value(self) -> Any:
        """The JSON of it; None if there is no body."""
        return json.loads(self.content) if self.content else None


class Repeats:
    """Whether, and after which pause, a call is made again."""

    def __init__(self, request: Request, retry_for: float) -> None:
        self._request = request
        self._until = time.monotonic() + retry_for
        self._pause = 0.05

    def pause_after(self, error: Exception, base: str) -> float:
        """How long to wait; raises the error itself if the call is not made again."""
        if not self._may_repeat(error) or time.monotonic() >= self._until:
            raise _told(error, base) from error
        asked = error.retry_after if isinstance(error, Problem) else None
        pause = asked if asked is not None else self._pause * random.uniform(0.5, 1)
        self._pause = min(2.0, self._pause * 2)
        return min(pause, max(0.0, self._until - time.monotonic()))

    def _may_repeat(self, error: Exception) -> bool:
        if isinstance(error, Problem):
            return error.code in _NOT_DONE or (error.status in (502, 503, 504) and self._request.repeatable)
        return isinstance(error, httpx.ConnectError) or self._request.repeatable


def _told(error: Exception, base: str) -> Exception:
    return Unreachable(unanswered(base, error)) if isinstance(error, httpx.HTTPError) else error


def unanswered(base: str, error: httpx.HTTPError) -> str:
    """Who has not answered, why, and what to do if nobody is there at all."""
    why = f"no answer from {base}: {type(error).__name__}: {error}"
    return f"{why}; {NOBODY}" if isinstance(error, httpx.ConnectError) else why


def checked(response: httpx.Response, content: bytes) -> Answer:
    """The answer, or the problem that it is."""
    if response.is_success:
        return Answer(response.status_code, response.headers, content)
    try:
        body = json.loads(content)
    except ValueError:
        body = {"detail": _stranger(content)}
    raise Problem(response.status_code, body if isinstance(body, dict) else {}, retry_after(response))


def _stranger(content: bytes) -> str:
    """What is said of an answer that no server of ours gives, nor a proxy before it."""
    began = content.decode("utf-8", "replace").strip().partition("\n")[0][:80]
    return f"this is no answer of a Baton server: is it the right address, and what stands before it? It begins with {began!r}"


def retry_after(response: httpx.Response) -> Union[float, None]:
    """The seconds that an answer asks to wait."""
    value = response.headers.get("retry-after", "")
    return float(value) if value.isdigit() else None


class Settings:
    """What every client of one installation shares."""

    def __init__(self, addresses: Addresses, key: Union[str, None], retry_for: float, verify: Any) -> None:
        self.addresses = addresses
        self.retry_for = retry_for
        self._said: dict[str, str] = {}
        self._options: dict[str, Any] = {
            "headers": {"user-agent": f"baton-python/{VERSION}"} | ({"authorization": f"Bearer {key}"} if key else {}),
            "timeout": httpx.Timeout(ANSWER_TIMEOUT, connect=_CONNECT_TIMEOUT),
            "trust_env": False,
            "follow_redirects": False,
        }
        self._connections: dict[str, Any] = {
            "limits": httpx.Limits(max_connections=100, max_keepalive_connections=32),
            "verify": verify,
            "trust_env": False,
            "socket_options": _socket_options(),
        }

    def because(self, reason: str) -> Settings:
        """The same, with why each call is made."""
        other = copy.copy(self)
        other._said = {"baton-reason": quote(reason, safe=_PLAIN, errors="replace")}
        return other

    def async_client(self) -> httpx.AsyncClient:
        """Connections for a loop."""
        return httpx.AsyncClient(transport=httpx.AsyncHTTPTransport(**self._connections), **self._options)

    def client(self) -> httpx.Client:
        """Connections for threads."""
        return httpx.Client(transport=httpx.HTTPTransport(**self._connections), **self._options)

    def arguments(self, base: str, request: Request) -> dict[str, Any]:
        """A request as httpx takes it."""
        query = {name: _text(value) for name, value in request.query.items() if value is not None}
        headers = {**request.trace, **self._said}
        if request.content is not None:
            headers["content-type"] = request.content_type
        return {
            "method": request.method,
            "url": base + request.path,
            "params": query or None,
            "content": request.content,
            "headers": headers,
        }


def _socket_options() -> list[tuple[int, int, int]]:
    options = [(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)]
    for name, value in _KEEPALIVE.items():
        if hasattr(socket, name):
            options.append((socket.IPPROTO_TCP, getattr(socket, name), value))
    return options


class AsyncTransport:
    """Calls from asyncio; each loop has connections of its own."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._clients: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, httpx.AsyncClient] = (
            weakref.WeakKeyDictionary()
        )

    def because(self, reason: str) -> AsyncTransport:
        """Calls over the same connections, each with why it is made."""
        other = copy.copy(self)
        other.settings = self.settings.because(reason)
        return other

    @property
    def client(self) -> httpx.AsyncClient:
        """The connections of the running loop."""
        loop = asyncio.get_running_loop()
        client = self._clients.get(loop)
        if client is None:
            client = self._clients[loop] = self.settings.async_client()
        return client

    async def send(self, request: Request) -> Answer:
        """Makes a call."""
        repeats = Repeats(request, self.settings.retry_for)
        while True:
            base = self.settings.addresses.current
            try:
                response = await self.client.request(**self.settings.arguments(base, request))
                return checked(response, response.content)
            except (httpx.TransportError, Problem) as error:
                pause = repeats.pause_after(error, base)
                self.settings.addresses.turn(base)
            await asyncio.sleep(pause)

    async def close(self) -> None:
        """Closes the connections of the running loop."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.aclose()


class SyncTransport:
    """Calls from threads."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.client = settings.client()

    def because(self, reason: str) -> SyncTransport:
        """Calls over the same connections, each with why it is made."""
        other = copy.copy(self)
        other.settings = self.settings.because(reason)
        return other

    def send(self, request: Request) -> Answer:
        """Makes a call."""
        repeats = Repeats(request, self.settings.retry_for)
        while True:
            base = self.settings.addresses.current
            try:
                response = self.client.request(**self.settings.arguments(base, request))
                return checked(response, response.content)
            except (httpx.TransportError, Problem) as error:
                pause = repeats.pause_after(error, base)
                self.settings.addresses.turn(base)
            time.sleep(pause)

    def close(self) -> None:
        """Closes the connections."""
        self.client.close()


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
