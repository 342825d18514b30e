/**
 * OpenTelemetry: a span for each attempt, and one for each enqueue, however many jobs it is of. Needs `@opentelemetry/api`.
 *
 * An enqueue sends the context it happens in. The first attempt is a child of that; a later one, which may be hours after, is a trace of
 * its own with a link to it.
 */

import {
  context,
  createTraceState,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Link,
  type Span,
  type SpanContext,
  type Tracer,
} from "@opentelemetry/api";

import type { Call, Middleware } from "./middleware";
import type { Trace } from "./traces";

/** Kinds that the server runs itself, beside those that begin with `baton.`. */
const BUILT_IN = ["http", "simulate", "delivery"];

/** Middleware that makes a CONSUMER span of each attempt and a PRODUCER span of each enqueue: `app.use(traced())`. */
export function traced(tracer: Tracer = trace.getTracer("baton")): Middleware {
  const layer: Middleware = (call, next) => {
    const { parent, links } = originOf(call);
    const attributes = {
      ...attributesOf("process", call.context.queue),
      "messaging.message.id": call.job.id,
      "baton.attempt": call.job.attempt,
    };
    const options = { kind: SpanKind.CONSUMER, attributes, links };
    return tracer.startActiveSpan(`process ${call.job.kind}`, options, parent, async (span) => {
      try {
        const verdict = await next(call);
        span.setAttribute("baton.verdict", verdict.word);
        if (verdict.word === "failed") span.setStatus({ code: SpanStatusCode.ERROR, message: verdict.fields.code });
        if (verdict.error instanceof Error) span.recordException(verdict.error);
        return verdict;
      } finally {
        span.end();
      }
    });
  };
  layer.enqueuing = ({ kind, queue }, work) => {
    const named = async (span: Span) => {
      const answer = await work();
      span.setAttribute("messaging.message.id", answer.job.id);
      span.setAttribute("messaging.destination.name", answer.job.queue);
      return answer;
    };
    return sending(kind, attributesOf("send", queueOf(kind, queue)), named, tracer);
  };
  layer.enqueuingMany = (bodies, work) => {
    const kind = theOne(bodies.map((body) => body.kind));
    const queue = theOne(bodies.map((body) => queueOf(body.kind, body.queue)));
    const attributes = { ...attributesOf("send", queue), "messaging.batch.message_count": bodies.length };
    return sending(kind ?? "many", attributes, work, tracer);
  };
  return layer;
}

/**
 * A PRODUCER span around an enqueue by a client or in a transaction: `await enqueuing("resize", () => client.enqueue(…))`,
 * `await enqueuing("resize", () => enqueueIn(client, …))`.
 */
export function enqueuing<T>(kind: string, work: () => Promise<T>, tracer: Tracer = trace.getTracer("baton")): Promise<T> {
  return sending(kind, attributesOf("send", queueOf(kind)), work, tracer);
}

function sending<T>(kind: string, attributes: Attributes, work: (span: Span) => Promise<T>, tracer: Tracer): Promise<T> {
  const options = { kind: SpanKind.PRODUCER, attributes };
  return tracer.startActiveSpan(`send ${kind}`, options, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.recordException(error as Error);
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** What the span of an attempt belongs to, and what it is linked with. */
function originOf(call: Call): { parent: Context; links: Link[] } {
  const origin = call.context.trace && spanContextOf(call.context.trace);
  if (!origin) return { parent: context.active(), links: [] };
  if (call.job.attempt === 1) return { parent: trace.setSpanContext(ROOT_CONTEXT, origin), links: [] };
  return { parent: ROOT_CONTEXT, links: [{ context: origin }] };
}

function spanContextOf({ traceparent, tracestate }: Trace): SpanContext | undefined {
  const said = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent);
  if (!said) return undefined;
  const [, traceId, spanId, flags] = said as unknown as [string, string, string, string];
  const traceState = tracestate ? createTraceState(tracestate) : undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true, traceState };
}

/** The queue of a job: a kind that names none has one of its own, unless the server runs it itself. */
function queueOf(kind: string, queue?: string | null): string {
  const own = BUILT_IN.includes(kind) || kind.startsWith("baton.") ? "default" : kind;
  return queue ?? own;
}

/** What all of them are; undefined where they differ. */
function theOne(words: string[]): string | undefined {
  return new Set(words).size === 1 ? words[0] : undefined;
}

/** Without a queue where there is more than one. */
function attributesOf(operation: string, queue: string | undefined): Attributes {
  const attributes: Attributes = { "messaging.system": "baton", "messaging.operation.type": operation };
  if (queue !== undefined) attributes["messaging.destination.name"] = queue;
  return attributes;
}
