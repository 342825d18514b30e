/** Traces: what an enqueue sends, and the spans that an attempt belongs to. */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";

import { context, SpanKind, trace, type Tracer } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor, type ReadableSpan } from "@opentelemetry/sdk-trace-base";
import { Baton, enqueueIn, type Trace } from "@baton/sdk";
import { enqueuing, traced } from "@baton/sdk/otel";
import { run } from "@baton/sdk/testing";

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";
const PRODUCER: Trace = { traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: "vendor=1" };

/** A tracer, and the spans that it has made. */
function recorder(): { tracer: Tracer; spans: () => ReadableSpan[] } {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  return { tracer: provider.getTracer("tests"), spans: () => exporter.getFinishedSpans() };
}

/** An application whose server writes down what traces it is asked with. */
async function answering(body: (app: Baton, asked: (string | undefined)[]) => Promise<void>): Promise<void> {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers["traceparent"] as string | undefined);
    const item = { id: "job_1", queue: "images", created: true };
    const many = request.url!.endsWith("/batch");
    request.resume().on("end", () => response.writeHead(201).end(JSON.stringify(many ? { items: [item] } : item)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const app = new Baton(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  try {
    await body(app, asked);
  } finally {
    app.close();
    server.close();
  }
}

const parentOf = (span: ReadableSpan): string => `00-${span.spanContext().traceId}-${span.spanContext().spanId}-01`;
const resize = () => new Baton("http://127.0.0.1:1").job("resize", {}, () => {});

test("an enqueue sends the trace it happens in", () =>
  answering(async (app, asked) => {
    const { tracer, spans } = recorder();

    await tracer.startActiveSpan("order", async (span) => {
      await app.enqueue("resize", null);
      await app.enqueueMany([{ kind: "resize" }]);
      span.end();
    });
    await app.enqueue("resize", null);

    const parent = parentOf(spans()[0]!);
    assert.deepEqual(asked, [parent, parent, undefined]);
  }));

test("an enqueue of an application that is traced is a producer span", () =>
  answering(async (app, asked) => {
    const { tracer, spans } = recorder();
    app.use(traced(tracer));

    await app.enqueue("resize", null);

    const [span] = spans() as [ReadableSpan];
    assert.deepEqual([span.name, span.kind], ["send resize", SpanKind.PRODUCER]);
    assert.equal(span.attributes["messaging.system"], "baton");
    assert.equal(span.attributes["messaging.destination.name"], "images");
    assert.equal(span.attributes["messaging.message.id"], "job_1");
    assert.deepEqual(asked, [parentOf(span)]);
  }));

test("an enqueue of many is one producer span, which each job belongs to", () =>
  answering(async (app, asked) => {
    const { tracer, spans } = recorder();
    app.use(traced(tracer));

    await app.enqueueMany([{ kind: "resize", queue: "images" }, { kind: "resize", queue: "images" }]);
    await app.enqueueMany([{ kind: "resize" }, { kind: "index" }, { kind: "index" }]);

    const [same, mixed] = spans() as [ReadableSpan, ReadableSpan];
    assert.deepEqual([same.name, same.kind], ["send resize", SpanKind.PRODUCER]);
    assert.equal(same.attributes["messaging.batch.message_count"], 2);
    assert.equal(same.attributes["messaging.destination.name"], "images");
    assert.deepEqual([mixed.name, mixed.attributes["messaging.batch.message_count"]], ["send many", 3]);
    assert(!("messaging.destination.name" in mixed.attributes));
    assert.deepEqual(asked, [parentOf(same), parentOf(mixed)]);
  }));

test("an enqueue of many of built-in kinds tells the queue that they share", () =>
  answering(async (app) => {
    const { tracer, spans } = recorder();
    app.use(traced(tracer));

    await app.enqueueMany([{ kind: "http" }, { kind: "baton.walk" }, { kind: "resize", queue: "default" }]);
    await app.enqueueMany([{ kind: "http" }, { kind: "http", queue: "vendor" }]);

    const [shared, mixed] = spans() as [ReadableSpan, ReadableSpan];
    assert.equal(shared.attributes["messaging.destination.name"], "default");
    assert(!("messaging.destination.name" in mixed.attributes));
  }));

test("an enqueue in a transaction is in the trace that it happens in, and in the producer span around it", async () => {
  const { tracer, spans } = recorder();
  const sent: Trace[] = [];
  const client = {
    async query(_: string, [job]: string[]) {
      sent.push(JSON.parse(job!).trace);
      return { rows: [{ id: "job_1" }] };
    },
  };

  await enqueueIn(client, { kind: "resize" });
  const id = await enqueuing("resize", () => enqueueIn(client, { kind: "resize" }), tracer);
  await enqueuing("resize", () => enqueueIn(client, { kind: "resize", trace: PRODUCER }), tracer);

  const [span] = spans() as [ReadableSpan];
  assert.deepEqual([id, span.name, span.kind], ["job_1", "send resize", SpanKind.PRODUCER]);
  assert.deepEqual(sent, [undefined, { traceparent: parentOf(span) }, PRODUCER]);
});

test("the first attempt is a child of its enqueue", async () => {
  const { tracer, spans } = recorder();

  await run(resize(), null, { trace: PRODUCER, middleware: [traced(tracer)] });

  const [span] = spans() as [ReadableSpan];
  assert.deepEqual([span.name, span.kind, span.links], ["process resize", SpanKind.CONSUMER, []]);
  assert.deepEqual([span.spanContext().traceId, span.parentSpanContext?.spanId], [TRACE, SPAN]);
  assert.equal(span.attributes["messaging.destination.name"], "resize");
  assert.equal(span.attributes["baton.attempt"], 1);
});

test("a later attempt is a trace of its own with a link", async () => {
  const { tracer, spans } = recorder();

  await run(resize(), null, { attempt: 2, trace: PRODUCER, middleware: [traced(tracer)] });

  const [span] = spans() as [ReadableSpan];
  assert.notEqual(span.spanContext().traceId, TRACE);
  assert.equal(span.parentSpanContext, undefined);
  assert.deepEqual(span.links.map((link) => [link.context.traceId, link.context.spanId]), [[TRACE, SPAN]]);
  assert.equal(span.attributes["baton.attempt"], 2);
});

test("a handler sees its trace, and its children belong to its span", async () => {
  const { tracer, spans } = recorder();
  const seen: unknown[] = [];
  const walk = new Baton("http://127.0.0.1:1").job("walk", {}, async (_: null, ctx) => {
    seen.push(ctx.trace, trace.getActiveSpan()?.spanContext().traceId);
    await ctx.checkpoint(1, { jobs: [{ kind: "row" }, { kind: "row", trace: { traceparent: PRODUCER.traceparent } }] });
  });

  const { jobs } = await run(walk, null, { trace: PRODUCER, middleware: [traced(tracer)] });

  assert.deepEqual(seen, [PRODUCER, TRACE]);
  assert.deepEqual(jobs[0]!.trace, { traceparent: parentOf(spans()[0]!), tracestate: "vendor=1" });
  assert.deepEqual(jobs[1]!.trace, { traceparent: PRODUCER.traceparent });
});

test("a job without a trace begins one", async () => {
  const { tracer, spans } = recorder();

  await run(resize(), null, { middleware: [traced(tracer)] });

  const [span] = spans() as [ReadableSpan];
  assert.deepEqual([span.parentSpanContext, span.links], [undefined, []]);
});
