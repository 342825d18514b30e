/** Spans of attempts and enqueues, as a tracer sees them. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { SpanKind, SpanStatusCode, type Span, type SpanOptions, type Tracer } from "@opentelemetry/api";
import { Baton, Permanent } from "@baton/sdk";
import { enqueuing, traced } from "@baton/sdk/otel";
import { run } from "@baton/sdk/testing";

/** Writes down what becomes of each span. */
function recorder() {
  const spans: { name: string; options: SpanOptions; status?: object; thrown?: Error; ended?: boolean }[] = [];
  const startActiveSpan = (name: string, options: SpanOptions, ...rest: unknown[]) => {
    const seen: (typeof spans)[number] = { name, options };
    spans.push(seen);
    const span = {
      setAttribute: (key: string, value: string) => (seen.options.attributes![key] = value),
      setStatus: (status: object) => (seen.status = status),
      recordException: (error: Error) => (seen.thrown = error),
      end: () => (seen.ended = true),
    };
    return (rest.at(-1) as (span: Span) => unknown)(span as unknown as Span);
  };
  return { spans, tracer: { startActiveSpan } as unknown as Tracer };
}

test("an attempt is a span that says how it ended", async () => {
  const { spans, tracer } = recorder();
  const bad = new Permanent("bad_image");
  const resize = new Baton("http://127.0.0.1:1").job("resize", {}, () => {
    throw bad;
  });

  await run(resize, null, { middleware: [traced(tracer)], attempt: 2 });

  const [{ name, options, status, thrown, ended }] = spans as [(typeof spans)[number]];
  assert.deepEqual([name, options.kind, ended, thrown], ["process resize", SpanKind.CONSUMER, true, bad]);
  assert.deepEqual(status, { code: SpanStatusCode.ERROR, message: "bad_image" });
  assert.equal(options.attributes!["messaging.destination.name"], "resize");
  assert.equal(options.attributes!["baton.attempt"], 2);
  assert.equal(options.attributes!["baton.verdict"], "failed");
});

test("an enqueue is a span, and what it throws passes through", async () => {
  const { spans, tracer } = recorder();
  const broken = new Error("no server");

  assert.equal(await enqueuing("resize", async () => 7, tracer), 7);
  await assert.rejects(enqueuing("resize", () => Promise.reject(broken), tracer), broken);

  assert.deepEqual(spans.map(({ name, ended, thrown }) => [name, ended, thrown]), [["send resize", true, undefined], ["send resize", true, broken]]);
});
