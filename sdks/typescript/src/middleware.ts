/** Middleware: what happens around each attempt, in one shape, `async (call, next) => verdict`. */

import { now } from "./clock";
import type { Context } from "./context";
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
export type Middleware = (call: Call, next: Next) => Promise<Verdict>;

/** The first of them is the outermost. */
export function chain(middleware: readonly Middleware[], innermost: Next): Next {
  return middleware.reduceRight<Next>((inner, layer) => (call) => layer(call, inner), innermost);
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
