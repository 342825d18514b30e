"""What the generated groups of calls are made of."""

from __future__ import annotations

import json
from typing import Any, AsyncIterator, Iterator, Mapping, Union
from urllib.parse import quote

from baton import _traces
from baton._transport import AsyncTransport, Request, SyncTransport

_ENQUEUES = (("POST", "/v1/jobs"), ("POST", "/v1/jobs/batch"))
"""The calls whose jobs belong to the trace of whoever makes them."""


def request_of(
    method: str,
    path: str,
    *,
    body: Any = None,
    content: Union[str, bytes, None] = None,
    content_type: str = "application/json",
    query: Union[Mapping[str, Any], None] = None,
) -> Request:
    """A request out of what a generated method says."""
    data = content.encode() if isinstance(content, str) else content
    if body is not None:
        data = json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode()
    here = _traces.current() if (method, path) in _ENQUEUES else {}
    return Request(method, path, query or {}, data, content_type, _is_keyed(body), here)


def _is_keyed(body: Any) -> bool:
    """Whether the same request again is the same thing: each part of it has a key."""
    if not isinstance(body, dict):
        return False
    jobs = body.get("jobs")
    return all(job.get("key") for job in jobs) if isinstance(jobs, list) and jobs else bool(body.get("key"))


class AsyncGroup:
    """Calls from asyncio."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def _send(self, method: str, path: str, *, text: bool = False, **what: Any) -> Any:
        answer = await self._transport.send(request_of(method, path, **what))
        return answer.content.decode() if text else answer.value

    async def _pages(self, path: str, *, query: Mapping[str, Any]) -> AsyncIterator[Any]:
        after = query.get("after")
        while True:
            page = await self._send("GET", path, query={**query, "after": after})
            for item in page["items"]:
                yield item
            after = page.get("next")
            if after is None:
                return

    @staticmethod
    def _escaped(part: str) -> str:
        return quote(part, safe="")


class SyncGroup:
    """Calls from threads."""

    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def _send(self, method: str, path: str, *, text: bool = False, **what: Any) -> Any:
        answer = self._transport.send(request_of(method, path, **what))
        return answer.content.decode() if text else answer.value

    def _pages(self, path: str, *, query: Mapping[str, Any]) -> Iterator[Any]:
        after = query.get("after")
        while True:
            page = self._send("GET", path, query={**query, "after": after})
            yield from page["items"]
            after = page.get("next")
            if after is None:
                return

    @staticmethod
    def _escaped(part: str) -> str:
        return quote(part, safe="")
