/** What a worker is told when it is made, and by the server when it registers. */

import { hostname } from "node:os";

import type { Job } from "../definitions";
import { millis, type Span } from "../spans";

export const PROTOCOL = 1;
export const CLAIMS_AT_ONCE = 4;
export const MOST_RESULTS_WAITING = 10_000;
/** What was claimed ahead and has not begun by then is given back. */
export const LONGEST_STANDING = 2_000;
/** So long after its time-out a handler may still say something itself. */
export const AFTER_TIMEOUT = 1_000;
/** How long handlers are still heard after the whole process was frozen: what was done meanwhile may yet be adopted. */
export const LAST_LOOK = 50;
export const OPEN_CLAIM_AT_STOP = 1_000;
/** How the process ends when handlers cannot be stopped: a supervisor starts it anew, the leases free the jobs. */
export const STUCK = 70;

/** What its program says of a worker. */
export interface WorkerOptions {
  /** How many jobs run at once: 16, or as many as two batches, unless said otherwise. */
  slots?: number;
  /** Those of the application, unless said otherwise. */
  jobs?: readonly Job[];
  /** Queues to take jobs from besides those of its kinds. */
  queues?: readonly string[];
  /** How long handlers may go on when the worker stops: 25 s, unless said otherwise. */
  grace?: Span;
  name?: string;
  /** The version of your program, for the fleet's page. */
  version?: string;
  labels?: Record<string, string>;
}

/** The same as the keeper takes it; spans in milliseconds. */
export interface KeeperSettings {
  slots: number;
  queues: string[];
  grace: number;
  name: string;
  version: string | null;
  labels: Record<string, string>;
}

/** What stands after all that is left unsaid. */
export function settingsOf(options: WorkerOptions, jobs: readonly Job[]): KeeperSettings {
  const slots = options.slots ?? Math.max(16, ...jobs.map((job) => 2 * job.batchSize));
  if (!Number.isInteger(slots) || slots < 1 || slots > 10_000) throw new RangeError("a worker has 1 to 10,000 slots");
  return {
    slots,
    queues: [...(options.queues ?? [])],
    grace: millis(options.grace ?? "25s"),
    name: options.name ?? `${hostname()}:${process.pid}`,
    version: options.version ?? null,
    labels: options.labels ?? {},
  };
}

/** What the server says as a worker registers; spans in milliseconds. */
export class Terms {
  lease = 30_000;
  beat = 10_000;
  longestWait = 25_000;
  mostResults = 1_000;
  mostCheckpoints = 100;
  mostChildren = 1_000;
  mostClaimed = 1_000;
  mostBytes = 8 * 1024 * 1024;

  /** Out of the answer to a registration. */
  static read(body: any): Terms {
    const terms = new Terms();
    const limits = body.limits ?? {};
    terms.lease = millis(body.lease);
    terms.beat = millis(body.beat);
    terms.longestWait = millis(limits.wait ?? "25s");
    terms.mostResults = limits.results ?? terms.mostResults;
    terms.mostCheckpoints = limits.checkpoints ?? terms.mostCheckpoints;
    terms.mostChildren = limits.jobs ?? terms.mostChildren;
    terms.mostClaimed = limits.claim ?? terms.mostClaimed;
    terms.mostBytes = limits.body ?? terms.mostBytes;
    return terms;
  }

  /** The worker's own end of a lease, from when it counts. */
  get deadline(): number {
    return this.lease * 0.9;
  }

  /**
   * As long as the server allows where it says how long a claim had waited; or else a job that comes at the end of the wait has two
   * thirds of a lease: enough to begin.
   */
  claimWait(waitsAreTold: boolean): number {
    return waitsAreTold ? this.longestWait : Math.min(this.longestWait, this.lease / 3);
  }

  /** What was heard last is then never older than half a lease, so that there is always enough left to begin. */
  get beatWait(): number {
    return Math.min(this.beat, this.lease / 4);
  }

  /** How much of a lease has to be left for an attempt to begin. */
  needed(timeout: number): number {
    return Math.min(timeout, this.lease / 3) + this.lease / 15;
  }
}
