/** Definitions of jobs: a kind, what its payload is, its options, and the handler that does it. */

import type { Baton } from "./app";
import type { Context } from "./context";
import type * as models from "./generated/models";
import type { Handle } from "./handles";
import { load, type Schema } from "./schema";
import { millis, text, type Span } from "./spans";

/** What can be said of a job besides its kind and payload; see the server's `POST /v1/jobs`. */
export interface Options {
  queue?: string;
  priority?: number;
  runAt?: string | Date;
  delay?: Span;
  expiresAt?: string | Date;
  maxAttempts?: number;
  backoff?: models.Backoff;
  timeout?: Span;
  delivery?: models.Delivery;
  tags?: readonly string[];
}

/** What is said of one job only. */
export interface EnqueueOptions extends Options {
  /** The same key again: the same job. */
  key?: string;
}

/** What a definition says. */
export interface JobOptions<In, Args, Cursor> extends Options {
  /** What its payload is: any Standard Schema. It is checked before it is sent and before it is worked on. */
  payload?: Schema<In, Args>;
  /** What its cursor is. */
  cursor?: Schema<any, Cursor>;
}

/** What a definition of many at once says. */
export interface BatchOptions<In, Args> extends Options {
  payload?: Schema<In, Args>;
  /** How many one call takes: 100, unless said otherwise. */
  size?: number;
  /** How long the first of them waits for others: 50 ms, unless said otherwise. */
  linger?: Span;
}

/** Does one job. */
export type Handler<Args, Cursor, Result> = (args: Args, ctx: Context<Cursor>) => Result | Promise<Result>;

/** Does many; an `Error` in the place of a result is the verdict of that job. */
export type BatchHandler<Args, Result> = (
  items: Item<Args>[],
) => Promise<Record<string, Result | Error> | Map<string, Result | Error>>;

/** One job of a batch. */
export interface Item<Args> {
  id: string;
  args: Args;
  context: Context<any>;
}

/** A kind of job with its handler; made by `app.job` and `app.batch`. */
export class Job<In = any, Result = any> {
  readonly batchSize: number;
  /** In milliseconds. */
  readonly linger: number;
  readonly #options: Options;

  constructor(
    readonly app: Baton,
    readonly kind: string,
    /** Does one job, or many at once. */
    readonly handler: (args: any, ctx: any) => unknown,
    options: JobOptions<In, any, any> & { size?: number; linger?: Span },
    readonly isBatch: boolean,
  ) {
    if (typeof kind !== "string" || typeof handler !== "function") {
      throw new TypeError(`a job is a kind, its options and a handler: app.${isBatch ? "batch" : "job"}("resize", {}, async (args) => …)`);
    }
    const { payload, cursor, size, linger, ...rest } = options;
    enqueueBody(kind, null, rest);
    if (isBatch && size !== undefined && !(size >= 1)) throw new RangeError("a batch is of one job at least");
    this.payload = payload;
    this.cursor = cursor;
    this.batchSize = isBatch ? (size ?? 100) : 1;
    this.linger = isBatch ? millis(linger ?? "50ms") : 0;
    this.#options = rest;
  }

  readonly payload: Schema<In, any> | undefined;
  readonly cursor: Schema<any, any> | undefined;

  /** The queue that its jobs stand in. */
  get queue(): string {
    return this.#options.queue ?? this.kind;
  }

  /**
   * A job that is not enqueued yet: for `enqueueMany`, or the children of a checkpoint. A payload whose schema checks it
   * asynchronously is checked by the worker alone.
   */
  new(args: In, options: EnqueueOptions = {}): models.EnqueueJob {
    const checked = load(this.payload, args);
    if (checked instanceof Promise) checked.catch(() => {});
    return this.#body(args, options);
  }

  /** Accepts a job durably. Under a known key it is the same job, and `created` is false. */
  async enqueue(args: In, options: EnqueueOptions = {}): Promise<Handle<Result>> {
    await load(this.payload, args);
    return this.app.enqueueBody<Result>(this.#body(args, options));
  }

  #body(args: In, options: EnqueueOptions): models.EnqueueJob {
    return enqueueBody(this.kind, args, { ...this.#options, ...options });
  }
}

const FIELDS: Record<keyof EnqueueOptions, string> = {
  key: "key",
  queue: "queue",
  priority: "priority",
  runAt: "run_at",
  delay: "delay",
  expiresAt: "expires_at",
  maxAttempts: "max_attempts",
  backoff: "backoff",
  timeout: "timeout",
  delivery: "delivery",
  tags: "tags",
};

/** A job as the API takes it. */
export function enqueueBody(kind: string, payload: unknown, options: EnqueueOptions): models.EnqueueJob {
  const body: Record<string, unknown> = { kind, payload: payload ?? null };
  for (const [name, value] of Object.entries(options)) {
    const field = FIELDS[name as keyof EnqueueOptions];
    if (!field) throw new TypeError(`a job has no option '${name}'`);
    if (value !== undefined && value !== null) body[field] = written(name, value);
  }
  return body as unknown as models.EnqueueJob;
}

function written(name: string, value: unknown): unknown {
  if (name === "delay" || name === "timeout") return text(value as Span);
  return value instanceof Date ? value.toISOString() : value;
}
