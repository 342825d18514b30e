/** Middleware: what happens around each attempt, in one shape, `async (call, next) => verdict`. */

import { now } from "./clock";
import type { Context } from "./context";
import type * as models from "./generated/models";
import type { Verdict } from "./verdicts";
import type { ClaimedJob } from "./worker/messages";

/** One attempt that is about to be worked on. */
export interface Call {
  job: ClaimedJob;
  context: Context;
}

/** The rest of the way to the handler. */
export type Next = (call: Call) => Promise<Verdict>;

/** One layer. */
export interface Middleware {
  (call: Call, next: Next): Promise<Verdict>;
  /** What happens around each enqueue of an application that uses this. */
  enqueuing?: Enqueuing;
  /** The same around each enqueue of many. */
  enqueuingMany?: EnqueuingMany;
}

/** A layer around an enqueue. */
export type Enqueuing = (body: models.EnqueueJob, work: () => Promise<Enqueued>) => Promise<Enqueued>;

/** A layer around an enqueue of many. */
export type EnqueuingMany = (bodies: readonly models.EnqueueJob[], work: () => Promise<models.BatchItem[]>) => Promise<models.BatchItem[]>;

/** What an enqueue is answered with. */
export interface Enqueued {
  job: models.Job;
  created: boolean;
}

/** The first of them is the outermost. */
export function chain(middleware: readonly Middleware[], innermost: Next): Next {
  return middleware.reduceRight<Next>((inner, layer) => (call) => layer(call, inner), innermost);
}

/** The same for what middleware does around an enqueue. */
export function aroundEnqueue(middleware: readonly Middleware[], body: models.EnqueueJob, work: () => Promise<Enqueued>): Promise<Enqueued> {
  const layers = middleware.flatMap(({ enqueuing }) => (enqueuing ? [enqueuing] : []));
  return layers.reduceRight<() => Promise<Enqueued>>((inner, layer) => () => layer(body, inner), work)();
}

/** The same around an enqueue of many. */
export function aroundEnqueueMany(
  middleware: readonly Middleware[],
  bodies: readonly models.EnqueueJob[],
  work: () => Promise<models.BatchItem[]>,
): Promise<models.BatchItem[]> {
  const layers = middleware.flatMap(({ enqueuingMany }) => (enqueuingMany ? [enqueuingMany] : []));
  return layers.reduceRight<() => Promise<models.BatchItem[]>>((inner, layer) => () => layer(bodies, inner), work)();
}

/** Writes a line for each attempt: how it ended, and how long it took. */
export const logged: Middleware = async (call, next) => {
  const began = now();
  const verdict = await next(call);
  const why = verdict.fields.code ?? verdict.fields.why ?? "";
  const line = [call.job.id, verdict.word, why, `in ${Math.round(now() - began)} ms`].filter(Boolean).join(" ");
  call.context.log[verdict.word === "failed" ? "warn" : "info"](line);
  return verdict;
};
