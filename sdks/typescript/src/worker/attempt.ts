/** One attempt of one job, from its claim to the answer to its result, where the keeper sees it. */

import { now } from "../clock";
import { millis } from "../spans";
import type { Why } from "../verdicts";
import type { ClaimedJob, Kind, Progress } from "./messages";

/** The right to the attempts of one claim. */
export class Lease {
  readonly attempts = new Set<Attempt>();
  /** Whether the server has said that it is not ours any more. */
  lost = false;

  constructor(
    readonly id: string,
    readonly queue: string,
    /** When handlers under it are cancelled, whatever the server thinks. */
    public deadline: number,
  ) {}
}

/** Where an attempt is on this side. */
export type Stage = "standing" | "running" | "ended";

let last = 0;

/** One attempt. */
export class Attempt {
  readonly n = ++last;
  readonly token: string;
  readonly job: ClaimedJob;
  readonly timeout: number;
  stage: Stage = "standing";
  startedAt: number | undefined;
  endedAt: number | undefined;
  timesOutAt = Infinity;
  /** Why its handler was cancelled. */
  why: Why | undefined;
  /** Whether its result is on its way. */
  told = false;
  refused = false;
  progress: Progress | undefined;
  stopping = false;
  askedToCancel = false;

  constructor(
    claimed: ClaimedJob & { token: string },
    readonly lease: Lease,
    readonly kind: Kind | undefined,
    readonly claimedAt: number,
  ) {
    const { token, ...job } = claimed;
    this.token = token;
    this.job = job;
    this.timeout = millis(job.timeout);
    lease.attempts.add(this);
  }

  /** Its handler begins. */
  start(moment: number): void {
    this.stage = "running";
    this.startedAt = moment;
    this.timesOutAt = moment + this.timeout;
  }

  /** A checkpoint was recorded: the time-out counts from here. */
  moved(): void {
    this.timesOutAt = now() + this.timeout;
  }
}
