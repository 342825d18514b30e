"""Middleware: what happens around each attempt, in one shape, `async (call, next) -> verdict`."""

from __future__ import annotations

import contextlib
import logging
import time
from dataclasses import dataclass
from typing import Any, Awaitable, Callable, Iterator, Mapping, Sequence, Union

from baton.context import Context, SyncContext, current_job
from baton.verdicts import Verdict

log = logging.getLogger("baton.handler")


@dataclass(frozen=True)
class Call:
    """One attempt that is about to be worked on."""

    job: dict[str, Any]
    context: Union[Context, SyncContext]


Next = Callable[[Call], Awaitable[Verdict]]
Middleware = Callable[[Call, Next], Awaitable[Verdict]]


def chain(middleware: Sequence[Middleware], innermost: Next) -> Next:
    """The first of them is the outermost."""

    def around(layer: Middleware, inner: Next) -> Next:
        async def call_it(call: Call) -> Verdict:
            return await layer(call, inner)

        return call_it

    whole = innermost
    for layer in reversed(middleware):
        whole = around(layer, whole)
    return whole


@contextlib.contextmanager
def enqueuing(middleware: Sequence[Middleware], body: Mapping[str, Any]) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """Around an enqueue, the spans that middleware makes of it; to be told the job that it made."""
    with contextlib.ExitStack() as stack:
        spans = []
        for layer in middleware:
            begin = getattr(layer, "enqueuing", None)
            if begin is not None:
                spans.append(stack.enter_context(begin(body["kind"], body.get("queue"))))

        def told(made: Mapping[str, Any]) -> None:
            for span in spans:
                span.set_attribute("messaging.message.id", made["id"])
                span.set_attribute("messaging.destination.name", made.get("queue") or body["kind"])

        yield told


@contextlib.contextmanager
def enqueuing_many(middleware: Sequence[Middleware], bodies: Sequence[Mapping[str, Any]]) -> Iterator[None]:
    """The same around an enqueue of many."""
    with contextlib.ExitStack() as stack:
        for layer in middleware:
            begin = getattr(layer, "enqueuing_many", None)
            if begin is not None:
                stack.enter_context(begin(bodies))
        yield


async def logged(call: Call, next: Next) -> Verdict:
    """Writes a line for each attempt: how it ended, and how long it took."""
    began = time.monotonic()
    verdict = await next(call)
    extra = {"job_id": call.job["id"], "kind": call.job["kind"], "attempt": call.job["attempt"]}
    level = logging.WARNING if verdict.word == "failed" else logging.INFO
    said = verdict.fields.get("code") or verdict.fields.get("why") or ""
    taken = (time.monotonic() - began) * 1000
    log.log(level, "%s %s %s in %.0f ms", call.job["id"], verdict.word, said, taken, extra=extra)
    return verdict


class JobFilter(logging.Filter):
    """Gives every record that is written inside a handler its `job_id`; `-` elsewhere."""

    def filter(self, record: logging.LogRecord) -> bool:
        if not hasattr(record, "job_id"):
            job = current_job.get()
            record.job_id = job["id"] if job else "-"
        return True
