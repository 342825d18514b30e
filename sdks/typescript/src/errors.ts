/** What can go wrong when the server is asked for something. */

/** Where a newcomer's key is looked for. */
const KEY = "The key is what `key` says, or BATON_KEY, or the file that BATON_KEY_FILE names.";

/** Anything that this package throws of its own. */
export class BatonError extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** No server answered. Whether the last call was done is not known. */
export class Unreachable extends BatonError {}

/** A job has not ended in time. */
export class TimedOut extends BatonError {}

/** What is wrong with one field of a request. */
export interface FieldError {
  field?: string;
  message?: string;
}

/** The server refused: what happened, what it means and what to do. */
export class Problem extends BatonError {
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly errors: FieldError[];

  constructor(
    readonly status: number,
    readonly body: Record<string, any>,
    /** How many milliseconds the server asks to wait. */
    readonly retryAfter?: number,
  ) {
    const code = String(body.code ?? `http-${status}`);
    const title = String(body.title ?? "");
    const detail = String(body.detail ?? "");
    const errors: FieldError[] = body.errors ?? [];
    const said = [code, detail || told(errors) || title].filter(Boolean).join(": ");
    super(code === "unauthenticated" ? `${said} ${KEY}` : said);
    this.code = code;
    this.title = title;
    this.detail = detail;
    this.errors = errors;
  }
}

/** A job has ended otherwise than by success: in which state, and why. */
export class Failed extends BatonError {
  readonly state: string;
  readonly reason: string | undefined;
  readonly class: string | undefined;
  readonly code: string | undefined;
  /** What its last attempt said went wrong. */
  readonly why: string | undefined;

  constructor(readonly job: Record<string, any>) {
    const error = job.last_error ?? {};
    const why = [error.code, error.message].filter(Boolean).join(": ") || job.reason || "no reason was given";
    super(`${job.id} has ${ENDED[job.state] ?? job.state}: ${why}`);
    this.state = job.state;
    this.reason = job.reason ?? undefined;
    this.class = error.class ?? undefined;
    this.code = error.code ?? undefined;
    this.why = error.message ?? undefined;
  }
}

/** The server has no more use for this worker: it was shown no key that opens, or has left. */
export class WorkerEnded extends BatonError {}

/** A payload is not what its job says that it is. */
export class PayloadError extends BatonError {}

/** The server refused a checkpoint, and has written nothing of it. */
export class CheckpointRefused extends BatonError {
  constructor(readonly errors: FieldError[]) {
    super(told(errors) || "refused");
  }
}

const ENDED: Record<string, string> = {
  canceled: "been canceled",
  skipped: "been skipped",
  uncertain: "an outcome that nobody knows",
};

function told(errors: FieldError[]): string {
  return errors.map((error) => `${error.field}: ${error.message}`).join("; ");
}
