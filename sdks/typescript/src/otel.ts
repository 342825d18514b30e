/** OpenTelemetry: a span for each attempt, and one for each enqueue. Needs `@opentelemetry/api`. */

import { context, propagation, SpanKind, SpanStatusCode, trace, type Attributes, type Context, type Link, type Tracer } from "@opentelemetry/api";

import type { Call, Middleware } from "./middleware";

/** Middleware that makes a CONSUMER span of each attempt: `app.use(traced())`. */
export function traced(tracer: Tracer = trace.getTracer("baton")): Middleware {
  return (call, next) => {
    const { parent, links } = originOf(call);
    const attributes = {
      ...attributesOf("process", call.job.kind),
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
}

/** A PRODUCER span around an enqueue: `await enqueuing("resize", () => resize.enqueue(…))`. */
export function enqueuing<T>(kind: string, work: () => Promise<T>, tracer: Tracer = trace.getTracer("baton")): Promise<T> {
  const options = { kind: SpanKind.PRODUCER, attributes: attributesOf("send", kind) };
  return tracer.startActiveSpan(`send ${kind}`, options, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.recordException(error as Error);
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** The first attempt is a child of its enqueue; a later one, which may be hours after, is a trace of its own with a link. */
function originOf(call: Call): { parent: Context; links: Link[] } {
  const here = context.active();
  if (!call.job.trace) return { parent: here, links: [] };
  const origin = propagation.extract(here, call.job.trace);
  if (call.job.attempt === 1) return { parent: origin, links: [] };
  const linked = trace.getSpanContext(origin);
  return { parent: here, links: linked ? [{ context: linked }] : [] };
}

function attributesOf(operation: string, kind: string): Attributes {
  return {
    "messaging.system": "baton",
    "messaging.operation.type": operation,
    "messaging.destination.name": kind,
  };
}
