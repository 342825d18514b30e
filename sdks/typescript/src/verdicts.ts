/** What a handler says of its attempt: by returning a value, or by throwing one of these. */

import { text, type Span } from "./spans";

const LONGEST_MESSAGE = 2_000;
/** In bytes. */
const LONGEST_CODE = 100;

/** One verdict, as it is sent to the server. */
export interface Verdict {
  word: "accepted" | "failed" | "skipped" | "snoozed" | "canceled" | "given_back";
  fields: Record<string, any>;
  /** What the handler threw, for those who watch; it is not sent. */
  error?: unknown;
}

/** Thrown by a handler to say something else than "it is done". */
export abstract class Said extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }

  /** What is sent. */
  abstract verdict(): Verdict;
}

/** There was nothing to do. */
export class Skip extends Said {
  constructor(readonly why: string) {
    super(why);
  }

  verdict(): Verdict {
    return { word: "skipped", fields: { why: cut(this.why, LONGEST_MESSAGE) } };
  }
}

/** Not now: run it again later. That was no try. */
export class Snooze extends Said {
  constructor(readonly after: Span) {
    super(`again in ${text(after)}`);
  }

  verdict(): Verdict {
    return { word: "snoozed", fields: { after: text(this.after) } };
  }
}

/** It did not work. */
export class Failure extends Said {
  readonly class: string = "retry";

  constructor(
    readonly code: string,
    readonly detail: string = "",
    readonly retryAfter?: Span,
  ) {
    super(detail ? `${code}: ${detail}` : code);
    if (retryAfter !== undefined) text(retryAfter);
  }

  verdict(): Verdict {
    return failed(this.class, this.code, this.detail, this.retryAfter);
  }
}

/** It may work later: try again then. That was a try. A text of digits alone is a number of seconds, as in `Retry-After`. */
export class RetryAfter extends Failure {
  constructor(after: Span, detail = "", code = "retry_after") {
    super(code, detail, ofHeader(after));
  }
}

/** Somebody asked us to slow down: try again then. That was no try. */
export class Throttled extends Failure {
  override readonly class = "throttled";

  constructor(after: Span, detail = "", code = "throttled") {
    super(code, detail, ofHeader(after));
  }
}

/** It will never work: a dead letter, for a person to look at. */
export class Permanent extends Failure {
  override readonly class = "permanent";
}

/** What it was for is gone. */
export class Gone extends Failure {
  override readonly class = "gone";
}

/** It cannot work until somebody mends the configuration: credentials, addresses, money. */
export class Misconfigured extends Failure {
  override readonly class = "misconfigured";
}

/** Why an attempt is to end. */
export type Why = "canceled" | "stopping" | "lost" | "timeout" | "shutdown";

/** Thrown by `ctx.checkpoint`, and the reason of `ctx.signal`: where the attempt is to end. */
export class Stopped extends Said {
  constructor(readonly why: Why) {
    super(ENDS[why]);
  }

  verdict(): Verdict {
    if (this.why === "canceled") return { word: "canceled", fields: {} };
    if (this.why === "stopping") return { word: "snoozed", fields: { after: "1s" } };
    return failed("unknown", this.why === "lost" ? "lease_lost" : this.why, ENDS[this.why]);
  }
}

const ENDS: Record<Why, string> = {
  canceled: "somebody asked for the end of this job",
  stopping: "its worker takes nothing new",
  lost: "the lease of this attempt has ended",
  timeout: "its time is over",
  shutdown: "its worker stopped before it had ended",
};

/** It is done. */
export function accepted(result: unknown): Verdict {
  return { word: "accepted", fields: { result: result ?? null } };
}

/** It did not work. */
export function failed(errorClass: string, code: string, message = "", retryAfter?: Span): Verdict {
  const fields: Record<string, any> = { class: errorClass, code: codeOf(code), message: cut(message, LONGEST_MESSAGE) };
  if (retryAfter !== undefined) fields.retry_after = text(retryAfter);
  return { word: "failed", fields };
}

/** What something thrown says: what it is made for, or that it did not work and may work later. */
export function ofError(error: unknown): Verdict {
  if (error instanceof Said) return { ...error.verdict(), error };
  if (error instanceof Error) return { ...failed("retry", error.name || "Error", error.message), error };
  return { ...failed("retry", "thrown", String(error)), error };
}

/** Whatever was given as a text, which nobody checks in JavaScript. */
function cut(given: unknown, most: number): string {
  const long = String(given ?? "");
  return long.length <= most ? long : [...long].slice(0, most).join("");
}

/** A code as the server takes it: some bytes of whole characters, and none that control anything. */
function codeOf(given: unknown): string {
  const plain = String(given ?? "").replace(/\p{Cc}/gu, " ").replace(/\p{Cs}/gu, "?");
  let code = "";
  let bytes = 0;
  for (const one of plain) {
    bytes += Buffer.byteLength(one);
    if (bytes > LONGEST_CODE) break;
    code += one;
  }
  return code || "error";
}

function ofHeader(after: Span): Span {
  return typeof after === "string" && /^[0-9]+$/.test(after) ? Number(after) : after;
}
