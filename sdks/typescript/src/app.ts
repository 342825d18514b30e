/** An application: its jobs, the server they go to, and the workers that run them. */

import { Client, type ClientOptions } from "./client";
import {
  enqueueBody,
  Job,
  type BatchHandler,
  type BatchOptions,
  type EnqueueOptions,
  type Handler,
  type JobOptions,
} from "./definitions";
import type * as models from "./generated/models";
import { Handle } from "./handles";
import { stderr, type Log } from "./log";
import { aroundEnqueue, aroundEnqueueMany, type Middleware } from "./middleware";
import { Worker } from "./worker/worker";
import { settingsOf, type WorkerOptions } from "./worker/settings";

/** How an application is made. */
export interface BatonOptions extends ClientOptions {
  middleware?: readonly Middleware[];
  /** Where lines are written; warnings and errors go to stderr, unless said otherwise. */
  log?: Log;
}

/** Jobs, and the server they go to: `url`, or `BATON_URL`; several with commas between are tried in turn. */
export class Baton {
  /** All calls of the API. */
  readonly client: Client;
  readonly jobs = new Map<string, Job>();
  readonly middleware: Middleware[];
  readonly log: Log;

  constructor(url?: string | readonly string[], options: BatonOptions = {}) {
    this.client = new Client(url, options);
    this.middleware = [...(options.middleware ?? [])];
    this.log = options.log ?? stderr;
  }

  /** Makes a job of this kind. Options are sent with each enqueue. */
  job<Args = any, Result = unknown, Cursor = any, In = Args>(
    kind: string,
    options: JobOptions<In, Args, Cursor>,
    handler: Handler<Args, Cursor, Result>,
  ): Job<In, Result> {
    return this.#add(new Job<In, Result>(this, kind, handler, options, false));
  }

  /** Makes a job whose handler takes up to `size` at once, gathered for `linger` at the most. */
  batch<Args = any, Result = unknown, In = Args>(
    kind: string,
    options: BatchOptions<In, Args>,
    handler: BatchHandler<Args, Result>,
  ): Job<In, Exclude<Result, Error>> {
    return this.#add(new Job<In, Exclude<Result, Error>>(this, kind, handler, options, true));
  }

  /** Adds a layer around every attempt; the first one added is the outermost. Jobs of a batch have none. */
  use(middleware: Middleware): this {
    this.middleware.push(middleware);
    return this;
  }

  /** Accepts a job durably, of a kind that is defined elsewhere. Under a known key it is the same job, and `created` is false. */
  enqueue(kind: string, payload: unknown, options: EnqueueOptions = {}): Promise<Handle<any>> {
    return this.enqueueBody(enqueueBody(kind, payload, options));
  }

  /** A job that was enqueued elsewhere, or by `enqueueIn`. */
  handle<Result = any>(id: string): Handle<Result> {
    return new Handle<Result>(this.client, id, false);
  }

  /** Accepts up to 10,000 jobs in one transaction: all or none. */
  async enqueueMany(jobs: readonly models.EnqueueJob[]): Promise<Handle<any>[]> {
    const enqueue = async () => (await this.client.jobs.createBatch({ jobs: [...jobs] })).items;
    const items = await aroundEnqueueMany(this.middleware, jobs, enqueue);
    return items.map((item) => new Handle(this.client, item.id, item.created));
  }

  /** @internal */
  async enqueueBody<Result>(body: models.EnqueueJob): Promise<Handle<Result>> {
    const { job, created } = await aroundEnqueue(this.middleware, body, () => this.client.enqueue(body));
    return new Handle<Result>(this.client, job.id, created);
  }

  /** A worker of all jobs of this application, or of some: `await app.worker({ slots: 32 }).run()`. */
  worker(options: WorkerOptions = {}): Worker {
    const jobs = [...(options.jobs ?? this.jobs.values())];
    if (jobs.length === 0) throw new TypeError("a worker needs at least one job: define it with app.job");
    return new Worker(this, jobs, settingsOf(options, jobs));
  }

  /** Closes the connections of its client. */
  close(): void {
    this.client.close();
  }

  #add<J extends Job>(job: J): J {
    if (this.jobs.has(job.kind)) throw new TypeError(`there is a handler of '${job.kind}' already`);
    this.jobs.set(job.kind, job);
    return job;
  }
}
