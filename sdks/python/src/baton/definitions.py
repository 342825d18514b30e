"""Definitions of jobs: a kind, the type of its payload, its options, and the handler that does it."""

from __future__ import annotations

import functools
import inspect
from datetime import datetime
from typing import TYPE_CHECKING, Any, Callable, Generic, Sequence, TypedDict, TypeVar, Union, cast, get_type_hints

from baton import _payload, _spans
from baton._generated import models
from baton._spans import Span
from baton.context import Context, SyncContext

if TYPE_CHECKING:
    from baton.app import App
    from baton.handles import Handle

A = TypeVar("A")
R = TypeVar("R")


class Options(TypedDict, total=False):
    """What can be said of a job besides its kind and payload; see the server's `POST /v1/jobs`."""

    queue: str
    priority: int
    run_at: Union[str, datetime]
    delay: Span
    expires_at: Union[str, datetime]
    max_attempts: int
    backoff: models.Backoff
    timeout: Span
    delivery: models.Delivery
    tags: Sequence[str]


class Job(Generic[A, R]):
    """A kind of job with its handler; made by `@app.job`."""

    batch_size = 1
    linger = 0.0

    def __init__(self, app: App, kind: str, handler: Callable[..., Any], options: Options) -> None:
        self.app = app
        self.kind = kind
        self.handler = handler
        self.options = options
        self.is_async = inspect.iscoroutinefunction(handler)
        parameters = list(inspect.signature(handler).parameters.values())
        if not parameters:
            raise TypeError(f"the handler of {kind!r} takes no payload: give it one parameter at least")
        self._wants_context = len(parameters) > 1
        self._first = parameters[0].name
        self.__doc__ = handler.__doc__

    @functools.cached_property
    def args_type(self) -> Any:
        """What the handler says that its payload is."""
        return get_type_hints(self.handler, include_extras=True).get(self._first, Any)

    @property
    def queue(self) -> str:
        """The queue that its jobs stand in."""
        return self.options.get("queue", self.kind)

    def context(self, attempt: Any, desk: Any) -> Union[Context, SyncContext]:
        """The context that fits its handler."""
        return Context(attempt, desk) if self.is_async else SyncContext(attempt, desk)

    def load(self, payload: Any) -> A:
        """The arguments out of a payload; raises `PayloadError` where it is not of their type."""
        return cast(A, _payload.load(self.args_type, payload))

    def call(self, args: A, context: Union[Context, SyncContext]) -> Any:
        """Calls the handler: with a coroutine as its answer if it is asynchronous."""
        return self.handler(args, context) if self._wants_context else self.handler(args)

    def new(self, args: A, *, key: Union[str, None] = None, **options: Any) -> models.EnqueueJob:
        """A job that is not enqueued yet: for `enqueue_many`, or the children of a checkpoint.

        Takes the same options as the definition.
        """
        return enqueue_body(self.kind, _payload.checked(self.args_type, args), key, {**self.options, **options})

    async def enqueue(self, args: A, *, key: Union[str, None] = None, **options: Any) -> Handle[R]:
        """Accepts a job durably. Under a known key it is the same job, and `created` is False."""
        handle: Handle[R] = await self.app.enqueue(self, args, key=key, **options)
        return handle


class Item(Generic[A]):
    """One job of a batch."""

    __slots__ = ("id", "args", "context")

    def __init__(self, id: str, args: A, context: Union[Context, SyncContext]) -> None:
        self.id = id
        self.args = args
        self.context = context


class BatchJob(Job[A, R]):
    """A kind of which many jobs are worked on by one call; made by `@app.batch`."""

    def __init__(
        self, app: App, kind: str, handler: Callable[..., Any], options: Options, size: int, linger: Span
    ) -> None:
        super().__init__(app, kind, handler, options)
        if size < 1:
            raise ValueError("a batch is of one job at least")
        self.batch_size = size
        self.linger = _spans.seconds(linger)

    @functools.cached_property
    def args_type(self) -> Any:
        """What the items of its handler hold: `list[Item[Doc]]` holds `Doc`."""
        hint = get_type_hints(self.handler, include_extras=True).get(self._first, Any)
        for _ in range(2):
            inner = getattr(hint, "__args__", None)
            hint = inner[0] if inner else Any
        return hint


AnyJob = Job[Any, Any]


def enqueue_body(kind: str, payload: Any, key: Union[str, None], options: Any) -> models.EnqueueJob:
    """A job as the API takes it."""
    unknown = set(options) - set(Options.__annotations__)
    if unknown:
        raise TypeError(f"a job has no option {sorted(unknown)[0]!r}")
    body: dict[str, Any] = {"kind": kind, "payload": payload}
    if key is not None:
        body["key"] = key
    body.update({name: _written(name, value) for name, value in options.items() if value is not None})
    return cast(models.EnqueueJob, body)


def _written(name: str, value: Any) -> Any:
    if name in ("delay", "timeout"):
        return _spans.text(value)
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{name} says no time zone; write datetime.now(timezone.utc)")
        return value.isoformat()
    if name == "tags":
        return list(value)
    return value
