"""A job that was enqueued: to wait for, to look at, to cancel."""

from __future__ import annotations

from typing import Any, Generic, TypeVar, Union, cast

from baton._generated import models
from baton._spans import Span
from baton.client import Client, SyncClient
from baton.errors import Failed

R = TypeVar("R")


class _Handle:
    def __init__(self, id: str, created: bool) -> None:
        self.id = id
        self.created = created
        """Whether this enqueue made the job: False if one with the key was there."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id}>"


class Handle(_Handle, Generic[R]):
    """For asyncio."""

    def __init__(self, client: Client, id: str, created: bool) -> None:
        super().__init__(id, created)
        self._client = client

    async def show(self) -> models.Job:
        """The job as it is now."""
        return await self._client.jobs.show(self.id)

    async def result(self, timeout: Union[Span, None] = None) -> R:
        """What its handler answered; raises `Failed` if it ended otherwise, `TimeoutError` if it has not in time."""
        return cast(R, _result(await self._client.wait(self.id, timeout)))

    async def cancel(self, reason: Union[str, None] = None) -> models.Job:
        """Asks for its end."""
        return await self._client.jobs.cancel(self.id, {"reason": reason} if reason else None)

    async def run_again(self, *, afresh: bool = False) -> models.Job:
        """Runs it again after its end: behind its last checkpoint, or from its beginning."""
        return await self._client.run_again(self.id, afresh=afresh)


class SyncHandle(_Handle, Generic[R]):
    """For threads."""

    def __init__(self, client: SyncClient, id: str, created: bool) -> None:
        super().__init__(id, created)
        self._client = client

    def show(self) -> models.Job:
        """The job as it is now."""
        return self._client.jobs.show(self.id)

    def result(self, timeout: Union[Span, None] = None) -> R:
        """What its handler answered; raises `Failed` if it ended otherwise, `TimeoutError` if it has not in time."""
        return cast(R, _result(self._client.wait(self.id, timeout)))

    def cancel(self, reason: Union[str, None] = None) -> models.Job:
        """Asks for its end."""
        return self._client.jobs.cancel(self.id, {"reason": reason} if reason else None)

    def run_again(self, *, afresh: bool = False) -> models.Job:
        """Runs it again after its end: behind its last checkpoint, or from its beginning."""
        return self._client.run_again(self.id, afresh=afresh)


def _result(job: models.Job) -> Any:
    if job["state"] != "succeeded":
        raise Failed(cast("dict[str, Any]", job))
    return job.get("result")
