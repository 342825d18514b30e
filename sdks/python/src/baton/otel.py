"""OpenTelemetry: a span for each attempt, and one for each enqueue, however many jobs it is of. Needs the extra `otel`.

An enqueue sends the context it happens in. The first attempt is a child of that; a later one, which may be hours after, is a trace of
its own with a link to it.
"""

from __future__ import annotations

import contextlib
from typing import Any, Iterable, Iterator, Mapping, Sequence

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import Link, SpanKind, Status, StatusCode, Tracer
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from baton.middleware import Call, Next
from baton.verdicts import Verdict

_W3C = TraceContextTextMapPropagator()
_BUILT_IN = ("http", "simulate", "delivery")
"""Kinds that the server runs itself, beside those that begin with `baton.`."""


class Traced:
    """Middleware that makes a CONSUMER span of each attempt and a PRODUCER span of each enqueue: `app.use(baton.otel.traced())`."""

    def __init__(self, tracer: Tracer | None = None) -> None:
        self._spans = tracer or trace.get_tracer("baton")

    async def __call__(self, call: Call, next: Next) -> Verdict:
        """Works on an attempt inside a span."""
        kind = call.job["kind"]
        attributes = _attributes("process", call.context.queue)
        attributes["messaging.message.id"] = call.job["id"]
        attributes["baton.attempt"] = call.job["attempt"]
        parent, links = _origin(call)
        with self._spans.start_as_current_span(
            f"process {kind}", parent, SpanKind.CONSUMER, attributes, links
        ) as span:
            verdict = await next(call)
            span.set_attribute("baton.verdict", verdict.word)
            if verdict.word == "failed":
                span.set_status(Status(StatusCode.ERROR, verdict.fields.get("code")))
            if verdict.error is not None:
                span.record_exception(verdict.error)
            return verdict

    def enqueuing(self, kind: str, queue: str | None = None) -> contextlib.AbstractContextManager[trace.Span]:
        """The span of an enqueue, which the application that uses this makes by itself."""
        return enqueuing(kind, self._spans, queue=queue)

    def enqueuing_many(self, jobs: Sequence[Mapping[str, Any]]) -> contextlib.AbstractContextManager[trace.Span]:
        """The same of an enqueue of many: each job belongs to it."""
        kind = _the_one(job["kind"] for job in jobs)
        attributes = _attributes("send", _the_one(_queue_of(job["kind"], job.get("queue")) for job in jobs))
        attributes["messaging.batch.message_count"] = len(jobs)
        return self._spans.start_as_current_span(f"send {kind or 'many'}", kind=SpanKind.PRODUCER, attributes=attributes)


def traced(tracer: Tracer | None = None) -> Traced:
    """Middleware that makes a CONSUMER span of each attempt and a PRODUCER span of each enqueue: `app.use(baton.otel.traced())`."""
    return Traced(tracer)


@contextlib.contextmanager
def enqueuing(kind: str, tracer: Tracer | None = None, *, queue: str | None = None) -> Iterator[trace.Span]:
    """A PRODUCER span around an enqueue by a client or in a transaction: `with baton.otel.enqueuing("resize"): await client.enqueue(…)`."""
    spans = tracer or trace.get_tracer("baton")
    attributes = _attributes("send", _queue_of(kind, queue))
    with spans.start_as_current_span(f"send {kind}", kind=SpanKind.PRODUCER, attributes=attributes) as span:
        yield span


def _origin(call: Call) -> tuple[Context | None, Sequence[Link]]:
    """What the span of an attempt belongs to, and what it is linked with."""
    if call.context.trace is None:
        return None, ()
    origin = _W3C.extract({name: value for name, value in call.context.trace.items() if value}, Context())
    if call.context.attempt == 1:
        return origin, ()
    linked = trace.get_current_span(origin).get_span_context()
    return Context(), [Link(linked)] if linked.is_valid else []


def _queue_of(kind: str, queue: str | None) -> str:
    """The queue of a job: a kind that names none has one of its own, unless the server runs it itself."""
    own = "default" if kind in _BUILT_IN or kind.startswith("baton.") else kind
    return queue or own


def _the_one(words: Iterable[str]) -> str | None:
    """What all of them are; None where they differ."""
    different = set(words)
    return different.pop() if len(different) == 1 else None


def _attributes(operation: str, queue: str | None) -> dict[str, Any]:
    """Without a queue where there is more than one."""
    attributes: dict[str, Any] = {"messaging.system": "baton", "messaging.operation.type": operation}
    if queue is not None:
        attributes["messaging.destination.name"] = queue
    return attributes
