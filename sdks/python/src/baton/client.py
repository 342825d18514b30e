"""Everything that the API of a server offers, from asyncio or from threads.

```python
async with baton.Client("http://127.0.0.1:7878") as client:
    job = await client.jobs.create({"kind": "resize", "payload": {"image": 7}, "key": "order-4711"})
    async for event in client.follow(types="job."):
        print(event["type"], event["subject"])
```
"""

from __future__ import annotations

import asyncio
import copy
import json
import time
from typing import Any, AsyncIterator, Iterator, Sequence, Union, cast
from urllib.parse import quote

from baton import _spans
from baton._addresses import Addresses, key_of
from baton._feed import follow, follow_sync
from baton._generated import models
from baton._generated.calls import AsyncCalls, SyncCalls
from baton._groups import request_of
from baton._spans import Span
from baton._sse import Message
from baton._transport import AsyncTransport, Settings, SyncTransport

Url = Union[str, Sequence[str], None]
ENDED = ("succeeded", "failed", "canceled", "skipped", "uncertain")
_LONGEST_WAIT = 20.0


def _settings(url: Url, key: Union[str, None], retry_for: Span, verify: Any) -> Settings:
    return Settings(Addresses(url), key_of(key), _spans.seconds(retry_for), verify)


class Client(AsyncCalls):
    """A client for asyncio. What can be repeated safely is, for as long as `retry_for` says."""

    def __init__(
        self, url: Url = None, *, key: Union[str, None] = None, retry_for: Span = "10s", verify: Any = True
    ) -> None:
        self.settings = _settings(url, key, retry_for, verify)
        self._transport = AsyncTransport(self.settings)
        super().__init__(lambda group: group(self._transport))

    def because(self, reason: str) -> Client:
        """This client, over the same connections, which says with every call why it is made, in 500 characters at most: the audit log of
        the server keeps that beside what was done."""
        other = copy.copy(self)
        other._transport = self._transport.because(reason)
        other.settings = other._transport.settings
        AsyncCalls.__init__(other, lambda group: group(other._transport))
        return other

    async def enqueue(self, job: models.EnqueueJob) -> tuple[models.Job, bool]:
        """The job, and whether this call made it: under a known key it is the one there was."""
        answer = await self._transport.send(request_of("POST", "/v1/jobs", body=job))
        return cast(models.Job, answer.value), answer.status == 201

    async def run_again(self, id: str, *, afresh: bool = False) -> models.Job:
        """Runs a job again that has ended: behind its last checkpoint, or from its beginning."""
        request = request_of("POST", f"/v1/jobs/{quote(id, safe='')}/retry", body={"afresh": afresh})
        return cast(models.Job, (await self._transport.send(request)).value)

    async def wait(self, id: str, timeout: Union[Span, None] = None) -> models.Job:
        """The job once it has ended; raises `TimeoutError` if it has not in time."""
        waiting = _Waiting(id, timeout)
        while True:
            answer = await self._transport.send(request_of("GET", waiting.path, query=waiting.query()))
            if waiting.is_over(answer.value):
                return cast(models.Job, answer.value)
            await asyncio.sleep(waiting.pause())

    async def follow(
        self,
        *,
        types: Union[str, None] = None,
        subject: Union[str, None] = None,
        queue: Union[str, None] = None,
        after: Union[str, None] = None,
    ) -> AsyncIterator[models.Event]:
        """Events as they come, after `after` or from now; a lost connection is made again from where it was lost."""
        query = {"types": types, "subject": subject, "queue": queue, "after": after}
        async for message in follow(self._transport, "/v1/events/stream", query):
            yield cast(models.Event, json.loads(message.data or "null"))

    async def follow_inbox(self, recipient: str) -> AsyncIterator[Message]:
        """What changes in one inbox: `inbox.added` and `inbox.unread`."""
        async for message in follow(self._transport, _inbox(recipient), {}):
            yield message

    async def close(self) -> None:
        """Closes its connections."""
        await self._transport.close()

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class SyncClient(SyncCalls):
    """A client for threads."""

    def __init__(
        self, url: Url = None, *, key: Union[str, None] = None, retry_for: Span = "10s", verify: Any = True
    ) -> None:
        self.settings = _settings(url, key, retry_for, verify)
        self._transport = SyncTransport(self.settings)
        super().__init__(lambda group: group(self._transport))

    def because(self, reason: str) -> SyncClient:
        """This client, over the same connections, which says with every call why it is made, in 500 characters at most: the audit log of
        the server keeps that beside what was done."""
        other = copy.copy(self)
        other._transport = self._transport.because(reason)
        other.settings = other._transport.settings
        SyncCalls.__init__(other, lambda group: group(other._transport))
        return other

    def enqueue(self, job: models.EnqueueJob) -> tuple[models.Job, bool]:
        """The job, and whether this call made it: under a known key it is the one there was."""
        answer = self._transport.send(request_of("POST", "/v1/jobs", body=job))
        return cast(models.Job, answer.value), answer.status == 201

    def run_again(self, id: str, *, afresh: bool = False) -> models.Job:
        """Runs a job again that has ended: behind its last checkpoint, or from its beginning."""
        request = request_of("POST", f"/v1/jobs/{quote(id, safe='')}/retry", body={"afresh": afresh})
        return cast(models.Job, (self._transport.send(request)).value)

    def wait(self, id: str, timeout: Union[Span, None] = None) -> models.Job:
        """The job once it has ended; raises `TimeoutError` if it has not in time."""
        waiting = _Waiting(id, timeout)
        while True:
            answer = self._transport.send(request_of("GET", waiting.path, query=waiting.query()))
            if waiting.is_over(answer.value):
                return cast(models.Job, answer.value)
            time.sleep(waiting.pause())

    def follow(
        self,
        *,
        types: Union[str, None] = None,
        subject: Union[str, None] = None,
        queue: Union[str, None] = None,
        after: Union[str, None] = None,
    ) -> Iterator[models.Event]:
        """Events as they come, after `after` or from now; a lost connection is made again from where it was lost."""
        query = {"types": types, "subject": subject, "queue": queue, "after": after}
        for message in follow_sync(self._transport, "/v1/events/stream", query):
            yield cast(models.Event, json.loads(message.data or "null"))

    def follow_inbox(self, recipient: str) -> Iterator[Message]:
        """What changes in one inbox: `inbox.added` and `inbox.unread`."""
        return follow_sync(self._transport, _inbox(recipient), {})

    def close(self) -> None:
        """Closes its connections."""
        self._transport.close()

    def __enter__(self) -> SyncClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Waiting:
    """How long somebody still waits for the end of a job."""

    def __init__(self, id: str, timeout: Union[Span, None]) -> None:
        self._id = id
        self.path = f"/v1/jobs/{quote(id, safe='')}"
        self._until = None if timeout is None else time.monotonic() + _spans.seconds(timeout)
        self._asked_at = 0.0

    def query(self) -> dict[str, str]:
        self._asked_at = time.monotonic()
        left = _LONGEST_WAIT if self._until is None else max(0.0, self._until - time.monotonic())
        return {"wait": _spans.text(min(left, _LONGEST_WAIT))}

    def pause(self) -> float:
        """A server that stops answers before its time: nobody hammers the next."""
        return 0.1 if time.monotonic() - self._asked_at < 0.1 else 0.0

    def is_over(self, job: dict[str, Any]) -> bool:
        if job["state"] in ENDED:
            return True
        if self._until is not None and time.monotonic() >= self._until:
            raise TimeoutError(f"{self._id} has not ended in time: it is {job['state']}{_why_not(job)}")
        return False


def _why_not(job: dict[str, Any]) -> str:
    """Where to look, if nobody has begun it."""
    if job["state"] != "queued":
        return ""
    return f"; does a worker run that has the kind {job['kind']!r}? `baton jobs show {job['id']}` says what it waits for"


def _inbox(recipient: str) -> str:
    return f"/v1/recipients/{quote(recipient, safe='')}/inbox/stream"
