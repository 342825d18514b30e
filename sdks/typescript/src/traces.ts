/** The trace that the code which runs now belongs to, if OpenTelemetry is installed and knows of one. */

import type * as api from "@opentelemetry/api";

/** A trace, as W3C Trace Context writes it. */
export interface Trace {
  traceparent: string;
  tracestate?: string | null;
}

let loaded: typeof api | null | undefined;

/** The trace of here; undefined where there is none. */
export function currentTrace(): Trace | undefined {
  loaded ??= load();
  const span = loaded?.trace.getSpanContext(loaded.context.active());
  if (!loaded || !span || !loaded.isSpanContextValid(span)) return undefined;
  const flags = span.traceFlags.toString(16).padStart(2, "0");
  const traceparent = `00-${span.traceId}-${span.spanId}-${flags}`;
  const tracestate = span.traceState?.serialize();
  return tracestate ? { traceparent, tracestate } : { traceparent };
}

/** The same as the headers of a request. */
export function traceHeaders(): Record<string, string> {
  const here = currentTrace();
  if (!here) return {};
  return here.tracestate ? { traceparent: here.traceparent, tracestate: here.tracestate } : { traceparent: here.traceparent };
}

/** A job that a handler makes, in the trace of whoever makes it; one that names its own keeps that. */
export function ofHere<J extends { trace?: unknown }>(job: J): J {
  const here = job.trace ? undefined : currentTrace();
  return here ? { ...job, trace: here } : job;
}

/** It is an optional dependency: whoever has no tracing needs none of it. */
function load(): typeof api | null {
  try {
    return require("@opentelemetry/api") as typeof api;
  } catch {
    return null;
  }
}
