/** A job that was enqueued: to wait for, to look at, to cancel. */

import type { Client } from "./client";
import { Failed } from "./errors";
import type * as models from "./generated/models";
import type { Span } from "./spans";

/** One job. */
export class Handle<Result = unknown> {
  constructor(
    private readonly client: Client,
    readonly id: string,
    /** Whether this enqueue made the job: false if one with the key was there. */
    readonly created: boolean,
  ) {}

  /** The job as it is now. */
  show(): Promise<models.Job> {
    return this.client.jobs.show(this.id);
  }

  /** What its handler answered; throws `Failed` if it ended otherwise, `TimedOut` if it has not in time. */
  async result(options: { timeout?: Span } = {}): Promise<Result> {
    const job = await this.client.wait(this.id, options);
    if (job.state !== "succeeded") throw new Failed(job);
    return job.result as Result;
  }

  /** Asks for its end. */
  cancel(reason?: string): Promise<models.Job> {
    return this.client.jobs.cancel(this.id, reason ? { reason } : undefined);
  }

  /** Runs it again after its end: behind its last checkpoint, or from its beginning. */
  runAgain(options: { afresh?: boolean } = {}): Promise<models.Job> {
    return this.client.runAgain(this.id, options);
  }
}
