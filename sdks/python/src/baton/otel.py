"""OpenTelemetry: a span for each attempt, and one for each enqueue. Needs the extra `otel`."""

from __future__ import annotations

import contextlib
from typing import Iterator

from opentelemetry import trace
from opentelemetry.trace import SpanKind, Status, StatusCode, Tracer

from baton.middleware import Call, Middleware, Next
from baton.verdicts import Verdict


def traced(tracer: Tracer | None = None) -> Middleware:
    """Middleware that makes a CONSUMER span of each attempt: `app.use(baton.otel.traced())`."""
    spans = tracer or trace.get_tracer("baton")

    async def layer(call: Call, next: Next) -> Verdict:
        attributes = {
            "messaging.system": "baton",
            "messaging.operation.type": "process",
            "messaging.destination.name": call.job["kind"],
            "messaging.message.id": call.job["id"],
            "baton.attempt": call.job["attempt"],
        }
        with spans.start_as_current_span(f"process {call.job['kind']}", kind=SpanKind.CONSUMER, attributes=attributes) as span:
            verdict = await next(call)
            span.set_attribute("baton.verdict", verdict.word)
            if verdict.word == "failed":
                span.set_status(Status(StatusCode.ERROR, verdict.fields.get("code")))
            if verdict.error is not None:
                span.record_exception(verdict.error)
            return verdict

    return layer


@contextlib.contextmanager
def enqueuing(kind: str, tracer: Tracer | None = None) -> Iterator[trace.Span]:
    """A PRODUCER span around an enqueue: `with baton.otel.enqueuing("resize"): await resize.enqueue(…)`."""
    spans = tracer or trace.get_tracer("baton")
    attributes = {
        "messaging.system": "baton",
        "messaging.operation.type": "send",
        "messaging.destination.name": kind,
    }
    with spans.start_as_current_span(f"send {kind}", kind=SpanKind.PRODUCER, attributes=attributes) as span:
        yield span
