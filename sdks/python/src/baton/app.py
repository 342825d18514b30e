"""An application: its jobs, the server they go to, and the workers that run them."""

from __future__ import annotations

import asyncio
import functools
import threading
from typing import Any, Awaitable, Callable, Mapping, Protocol, Sequence, TypeVar, Union, cast, overload

from baton import _payload, _spans
from baton._generated import models
from baton._spans import Span
from baton.client import Client, SyncClient, Url
from baton.context import Context, SyncContext
from baton.definitions import AnyJob, BatchJob, Item, Job, Options, enqueue_body
from baton.handles import Handle, SyncHandle
from baton.middleware import Middleware, enqueuing, enqueuing_many
from baton.worker import Worker, WorkerSettings

A = TypeVar("A")
R = TypeVar("R")


class JobDecorator(Protocol):
    """Makes a job of a handler: asynchronous ones run on the loop, plain functions on threads."""

    @overload
    def __call__(self, handler: Callable[[A, Context], Awaitable[R]], /) -> Job[A, R]: ...
    @overload
    def __call__(self, handler: Callable[[A], Awaitable[R]], /) -> Job[A, R]: ...
    @overload
    def __call__(self, handler: Callable[[A, SyncContext], R], /) -> Job[A, R]: ...
    @overload
    def __call__(self, handler: Callable[[A], R], /) -> Job[A, R]: ...


class BatchDecorator(Protocol):
    """Makes a job of a handler that takes many at once and has an answer for each, by its id."""

    @overload
    def __call__(self, handler: Callable[[list[Item[A]]], Awaitable[Mapping[str, R]]], /) -> BatchJob[A, R]: ...
    @overload
    def __call__(self, handler: Callable[[list[Item[A]]], Mapping[str, R]], /) -> BatchJob[A, R]: ...


class _Connected:
    """Where the server is, and what is shown to it."""

    def __init__(self, url: Url, key: Union[str, None], retry_for: Span, verify: Any) -> None:
        self.arguments = {"url": url, "key": key, "retry_for": retry_for, "verify": verify}


class SyncApp:
    """The same application for code without a loop: `app.sync.enqueue(resize, Resize(7))`."""

    def __init__(self, connected: _Connected, middleware: Sequence[Middleware]) -> None:
        self._connected = connected
        self._middleware = middleware

    @functools.cached_property
    def client(self) -> SyncClient:
        """All calls of the API."""
        return SyncClient(**self._connected.arguments)

    @overload
    def enqueue(self, job: Job[A, R], args: A, *, key: Union[str, None] = None, **options: Any) -> SyncHandle[R]: ...
    @overload
    def enqueue(self, job: str, args: Any, *, key: Union[str, None] = None, **options: Any) -> SyncHandle[Any]: ...
    def enqueue(self, job: Any, args: Any, *, key: Union[str, None] = None, **options: Any) -> SyncHandle[Any]:
        """Accepts a job durably. Under a known key it is the same job, and `created` is False."""
        body = _body(job, args, key, options)
        with enqueuing(self._middleware, body) as told:
            made, created = self.client.enqueue(body)
            told(made)
        return SyncHandle(self.client, made["id"], created)

    def handle(self, id: str) -> SyncHandle[Any]:
        """A job that was enqueued elsewhere, or by `baton.sql`."""
        return SyncHandle(self.client, id, False)

    def enqueue_many(self, jobs: Sequence[models.EnqueueJob]) -> list[SyncHandle[Any]]:
        """Accepts up to 10,000 jobs in one transaction: all or none."""
        with enqueuing_many(self._middleware, jobs):
            items = self.client.jobs.create_batch({"jobs": list(jobs)})["items"]
        return [SyncHandle(self.client, item["id"], item["created"]) for item in items]


class App:
    """Jobs, and the server they go to: `url`, or `BATON_URL`; several with commas between are tried in turn."""

    def __init__(
        self,
        url: Url = None,
        *,
        key: Union[str, None] = None,
        retry_for: Span = "10s",
        verify: Any = True,
        middleware: Sequence[Middleware] = (),
    ) -> None:
        self._connected = _Connected(url, key, retry_for, verify)
        self.jobs: dict[str, AnyJob] = {}
        self.middleware = list(middleware)
        self.sync = SyncApp(self._connected, self.middleware)

    @functools.cached_property
    def client(self) -> Client:
        """All calls of the API."""
        return Client(**self._connected.arguments)

    def job(self, kind: str, **options: Any) -> JobDecorator:
        """Makes a job of this kind of the function below it. Options are sent with each enqueue."""
        checked = _options(kind, options)

        def decorate(handler: Callable[..., Any]) -> AnyJob:
            return self._add(Job(self, kind, handler, checked))

        return cast(JobDecorator, decorate)

    def batch(self, kind: str, *, size: int = 100, linger: Span = "50ms", **options: Any) -> BatchDecorator:
        """Makes a job whose handler takes up to `size` at once, gathered for `linger` at the most."""
        checked = _options(kind, options)

        def decorate(handler: Callable[..., Any]) -> AnyJob:
            return self._add(BatchJob(self, kind, handler, checked, size, linger))

        return cast(BatchDecorator, decorate)

    def use(self, middleware: Middleware) -> Middleware:
        """Adds a layer around every attempt; the first one added is the outermost."""
        self.middleware.append(middleware)
        return middleware

    @overload
    async def enqueue(self, job: Job[A, R], args: A, *, key: Union[str, None] = None, **options: Any) -> Handle[R]: ...
    @overload
    async def enqueue(self, job: str, args: Any, *, key: Union[str, None] = None, **options: Any) -> Handle[Any]: ...
    async def enqueue(self, job: Any, args: Any, *, key: Union[str, None] = None, **options: Any) -> Handle[Any]:
        """Accepts a job durably. Under a known key it is the same job, and `created` is False."""
        body = _body(job, args, key, options)
        with enqueuing(self.middleware, body) as told:
            made, created = await self.client.enqueue(body)
            told(made)
        return Handle(self.client, made["id"], created)

    def handle(self, id: str) -> Handle[Any]:
        """A job that was enqueued elsewhere, or by `baton.sql`."""
        return Handle(self.client, id, False)

    async def enqueue_many(self, jobs: Sequence[models.EnqueueJob]) -> list[Handle[Any]]:
        """Accepts up to 10,000 jobs in one transaction: all or none."""
        with enqueuing_many(self.middleware, jobs):
            items = (await self.client.jobs.create_batch({"jobs": list(jobs)}))["items"]
        return [Handle(self.client, item["id"], item["created"]) for item in items]

    def worker(
        self,
        *,
        slots: Union[int, None] = None,
        jobs: Union[Sequence[AnyJob], None] = None,
        queues: Sequence[str] = (),
        grace: Span = "25s",
        **settings: Any,
    ) -> Worker:
        """A worker of all jobs of this application, or of some; `async with` runs it on the present loop."""
        mine = list(self.jobs.values() if jobs is None else jobs)
        if not mine:
            raise ValueError("a worker needs at least one job: decorate a function with @app.job")
        if slots is None:
            slots = max(16, *(2 * job.batch_size for job in mine))
        chosen = WorkerSettings(slots=slots, grace=_spans.seconds(grace), queues=tuple(queues), **settings)
        return Worker(self.client.settings, mine, self.middleware, chosen)

    def run(self, **settings: Any) -> None:
        """Runs a worker until SIGTERM or SIGINT; a second one leaves at once. Takes what `worker` takes.

        For a program that is a worker and nothing else; elsewhere `async with app.worker(): …` does the same without signals.
        """
        worker = self.worker(**settings)
        _may_run()

        async def main() -> int:
            code = await worker.run()
            worker.leave_if_stuck(code)
            return code

        with worker.signals():
            code = asyncio.run(main())
        if code:
            raise SystemExit(code)

    def _add(self, job: AnyJob) -> AnyJob:
        if job.kind in self.jobs:
            raise ValueError(f"there is a handler of {job.kind!r} already")
        self.jobs[job.kind] = job
        return job


def _may_run() -> None:
    """Whether signals can be heard here, and a loop begun."""
    instead = "there `async with app.worker(): …` runs one"
    if threading.current_thread() is not threading.main_thread():
        raise RuntimeError(f"app.run() hears signals, which only the main thread does; on another one, {instead}")
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise RuntimeError(f"app.run() begins a loop of its own; where one runs already, {instead}")


def _options(kind: str, options: Any) -> Options:
    if not isinstance(kind, str):
        raise TypeError(f"a job begins with its kind: write @app.job(\"resize\") instead of @app.job above {kind!r}")
    enqueue_body(kind, None, None, options)
    return cast(Options, options)


def _body(job: Union[AnyJob, str], args: Any, key: Union[str, None], options: Any) -> models.EnqueueJob:
    if isinstance(job, str):
        return enqueue_body(job, _payload.dump(args), key, options)
    return job.new(args, key=key, **options)
