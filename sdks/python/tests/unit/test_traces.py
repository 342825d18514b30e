"""Traces: what an enqueue sends, and the spans that an attempt belongs to."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, Tracer

import baton
import baton.sql
import baton.testing
from baton import models, otel

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
SPAN = "00f067aa0ba902b7"
PRODUCER = {"traceparent": f"00-{TRACE}-{SPAN}-01", "tracestate": "vendor=1"}


class Recorder:
    """A tracer, and the spans that it has made."""

    def __init__(self) -> None:
        self._exporter = InMemorySpanExporter()
        provider = TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(self._exporter))
        self.tracer: Tracer = provider.get_tracer("tests")

    @property
    def spans(self) -> list[ReadableSpan]:
        return list(self._exporter.get_finished_spans())


class Answering:
    """An application whose requests are written down and answered by nobody but the test."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.requests: list[httpx.Request] = []
        self.app = baton.App("http://127.0.0.1:1")
        transport = httpx.MockTransport(self._answer)
        monkeypatch.setattr(self.app.client.settings, "async_client", lambda: httpx.AsyncClient(transport=transport))
        monkeypatch.setattr(self.app.sync.client._transport, "client", httpx.Client(transport=transport))

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        item = {"id": "job_1", "queue": "images", "created": True}
        many = request.url.path.endswith("/batch")
        return httpx.Response(201, json={"items": [item for _ in json.loads(request.content)["jobs"]]} if many else item)


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def answering(monkeypatch: pytest.MonkeyPatch) -> Answering:
    return Answering(monkeypatch)


def hexed(span: ReadableSpan) -> tuple[str, str]:
    context = span.get_span_context()
    assert context is not None
    return f"{context.trace_id:032x}", f"{context.span_id:016x}"


def ids_of(request: httpx.Request) -> tuple[str, str]:
    """The trace and the span that a request names."""
    _, trace, span, _ = request.headers["traceparent"].split("-")
    return trace, span


def attributes(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


def test_an_enqueue_sends_the_trace_it_happens_in(recorder: Recorder, answering: Answering) -> None:
    async def enqueue() -> None:
        await answering.app.enqueue("resize", None)
        await answering.app.enqueue_many([{"kind": "resize"}])

    with recorder.tracer.start_as_current_span("order"):
        asyncio.run(enqueue())
        answering.app.sync.enqueue("resize", None)

    trace, span = hexed(recorder.spans[0])
    assert [ids_of(request) for request in answering.requests] == [(trace, span)] * 3


def test_an_enqueue_outside_of_any_trace_sends_none(answering: Answering) -> None:
    asyncio.run(_enqueue(answering.app))

    assert "traceparent" not in answering.requests[0].headers


def test_an_enqueue_of_an_application_that_is_traced_is_a_producer_span(recorder: Recorder, answering: Answering) -> None:
    answering.app.use(otel.traced(recorder.tracer))

    asyncio.run(_enqueue(answering.app))

    (span,) = recorder.spans
    assert (span.name, span.kind) == ("send resize", SpanKind.PRODUCER)
    assert attributes(span)["messaging.system"] == "baton"
    assert attributes(span)["messaging.destination.name"] == "images"
    assert attributes(span)["messaging.message.id"] == "job_1"
    assert ids_of(answering.requests[0]) == hexed(span)


@pytest.mark.parametrize("is_sync", [False, True])
def test_an_enqueue_of_many_is_one_producer_span_which_each_job_belongs_to(
    recorder: Recorder, answering: Answering, is_sync: bool
) -> None:
    app = answering.app
    app.use(otel.traced(recorder.tracer))

    def enqueue_many(*jobs: models.EnqueueJob) -> None:
        if is_sync:
            app.sync.enqueue_many(jobs)
        else:
            asyncio.run(app.enqueue_many(jobs))

    enqueue_many({"kind": "resize", "queue": "images"}, {"kind": "resize", "queue": "images"})
    enqueue_many({"kind": "resize"}, {"kind": "index"}, {"kind": "index"})

    same, mixed = recorder.spans
    assert (same.name, same.kind) == ("send resize", SpanKind.PRODUCER)
    assert attributes(same)["messaging.batch.message_count"] == 2
    assert attributes(same)["messaging.destination.name"] == "images"
    assert (mixed.name, attributes(mixed)["messaging.batch.message_count"]) == ("send many", 3)
    assert "messaging.destination.name" not in attributes(mixed)
    assert [ids_of(request) for request in answering.requests] == [hexed(same), hexed(mixed)]


def test_an_enqueue_of_many_of_built_in_kinds_tells_the_queue_that_they_share(recorder: Recorder, answering: Answering) -> None:
    answering.app.use(otel.traced(recorder.tracer))

    answering.app.sync.enqueue_many([{"kind": "http"}, {"kind": "baton.walk"}, {"kind": "resize", "queue": "default"}])
    answering.app.sync.enqueue_many([{"kind": "http"}, {"kind": "http", "queue": "vendor"}])

    shared, mixed = recorder.spans
    assert attributes(shared)["messaging.destination.name"] == "default"
    assert "messaging.destination.name" not in attributes(mixed)


def test_an_enqueue_in_a_transaction_is_in_the_producer_span_around_it(recorder: Recorder) -> None:
    outside = json.loads(baton.sql.argument({"kind": "resize"}))

    with otel.enqueuing("resize", recorder.tracer):
        inside = json.loads(baton.sql.argument({"kind": "resize"}))
        named = json.loads(baton.sql.argument({"kind": "resize", "trace": {"traceparent": PRODUCER["traceparent"]}}))

    (span,) = recorder.spans
    trace, parent = hexed(span)
    assert (span.name, span.kind) == ("send resize", SpanKind.PRODUCER)
    assert "trace" not in outside
    assert inside["trace"]["traceparent"].startswith(f"00-{trace}-{parent}-")
    assert named["trace"] == {"traceparent": PRODUCER["traceparent"]}


def test_the_first_attempt_is_a_child_of_its_enqueue(recorder: Recorder) -> None:
    job = baton.App("http://127.0.0.1:1").job("resize")(_nothing)

    run = baton.testing.run(job, None, trace=PRODUCER, middleware=(otel.traced(recorder.tracer),))

    (span,) = recorder.spans
    assert run.verdict.word == "accepted"
    assert (span.name, span.kind, span.links) == ("process resize", SpanKind.CONSUMER, ())
    assert hexed(span)[0] == TRACE
    assert span.parent is not None
    assert f"{span.parent.span_id:016x}" == SPAN
    assert attributes(span)["messaging.destination.name"] == "resize"
    assert attributes(span)["baton.attempt"] == 1


def test_a_later_attempt_is_a_trace_of_its_own_with_a_link(recorder: Recorder) -> None:
    job = baton.App("http://127.0.0.1:1").job("resize")(_nothing)

    baton.testing.run(job, None, attempt=2, trace=PRODUCER, middleware=(otel.traced(recorder.tracer),))

    (span,) = recorder.spans
    assert (span.parent, hexed(span)[0] == TRACE) == (None, False)
    assert [f"{link.context.trace_id:032x}-{link.context.span_id:016x}" for link in span.links] == [f"{TRACE}-{SPAN}"]
    assert attributes(span)["baton.attempt"] == 2


def test_a_handler_sees_its_trace_and_its_children_belong_to_its_span(recorder: Recorder) -> None:
    seen: list[Any] = []

    async def walk(args: None, ctx: baton.Context) -> None:
        seen.append(ctx.trace)
        await ctx.checkpoint(1, jobs=[{"kind": "row"}, {"kind": "row", "trace": {"traceparent": PRODUCER["traceparent"]}}])

    job = baton.App("http://127.0.0.1:1").job("walk")(walk)

    run = baton.testing.run(job, None, trace=PRODUCER, middleware=(otel.traced(recorder.tracer),))

    own, named = run.checkpoints[0].jobs
    trace, span = hexed(recorder.spans[0])
    assert seen == [PRODUCER]
    inherited = own.get("trace")
    assert inherited is not None
    assert inherited["traceparent"].startswith(f"00-{trace}-{span}-")
    assert inherited.get("tracestate") == "vendor=1"
    assert named.get("trace") == {"traceparent": PRODUCER["traceparent"]}


def test_a_job_without_a_trace_begins_one(recorder: Recorder) -> None:
    job = baton.App("http://127.0.0.1:1").job("resize")(_nothing)

    baton.testing.run(job, None, middleware=(otel.traced(recorder.tracer),))

    (span,) = recorder.spans
    assert (span.parent, span.links) == (None, ())


async def _enqueue(app: baton.App) -> None:
    await app.enqueue("resize", None)


async def _nothing(args: None) -> None:
    return None
