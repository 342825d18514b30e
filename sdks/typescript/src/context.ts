/** What a handler knows of its attempt, and what it can do for it besides the work. */

import { now } from "./clock";
import type * as models from "./generated/models";
import { withFields, type Log } from "./log";
import { ofHere, type Trace } from "./traces";
import { Stopped, type Why } from "./verdicts";
import type { ClaimedJob, Progress } from "./worker/messages";

/** Who takes a context's wishes to the server. */
export interface Desk {
  /** Moves the cursor. */
  save(attempt: Running, body: SaveBody): Promise<Child[]>;
  /** Tells people how far it is. */
  tellProgress(attempt: Running): void;
}

/** A checkpoint, but for its token. */
export interface SaveBody {
  seq: number;
  cursor: unknown;
  progress?: Progress;
  jobs?: readonly models.EnqueueJob[];
}

/** A job that a checkpoint made. */
export interface Child {
  id: string;
  /** False if one with the key was there. */
  created: boolean;
}

/** What can go with a checkpoint. */
export interface CheckpointOptions {
  done?: number;
  total?: number;
  note?: string;
  /** Up to 1,000 jobs, made in the same transaction: `resize.new(…)`. */
  jobs?: readonly models.EnqueueJob[];
}

/** An attempt, where its handler runs. */
export class Running {
  readonly #controller = new AbortController();
  seq: number;
  cursor: unknown;
  progress: Progress | undefined;
  timesOutAt: number;
  readonly #stopping = new AbortController();
  why: Why | undefined;

  constructor(
    readonly n: number,
    readonly job: ClaimedJob,
    readonly timeout: number,
    startedAt: number,
  ) {
    this.seq = job.checkpoint?.seq ?? 0;
    this.cursor = job.checkpoint?.cursor ?? null;
    this.progress = job.checkpoint?.progress ?? undefined;
    this.timesOutAt = startedAt + timeout;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get stopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Aborted when its worker takes nothing new. */
  get stoppingSignal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Its worker takes nothing new. */
  stop(): void {
    this.#stopping.abort(new Stopped("stopping"));
  }

  /** Has its handler end; the first reason counts. */
  cancel(why: Why): void {
    if (this.why) return;
    this.why = why;
    this.#controller.abort(new Stopped(why));
  }

  /** A checkpoint was recorded. */
  moved(body: SaveBody): void {
    this.seq = body.seq;
    this.cursor = body.cursor;
    this.timesOutAt = now() + this.timeout;
  }
}

/** The context of a handler. */
export class Context<Cursor = any> {
  readonly #attempt: Running;
  readonly #desk: Desk;
  #fenced = false;
  #saving: Promise<unknown> = Promise.resolve();
  /** A log whose lines have `job_id`, `kind` and `attempt`. */
  readonly log: Log;
  /** Where the job was when this attempt began, by its own word; undefined before the first checkpoint. */
  readonly cursor: Cursor | undefined;

  constructor(attempt: Running, desk: Desk, log: Log, cursor: Cursor | undefined) {
    this.#attempt = attempt;
    this.#desk = desk;
    this.cursor = cursor;
    this.log = withFields(log, { job_id: attempt.job.id, kind: attempt.job.kind, attempt: attempt.job.attempt });
  }

  /** The job's id. */
  get jobId(): string {
    return this.#attempt.job.id;
  }

  /** The job's kind. */
  get kind(): string {
    return this.#attempt.job.kind;
  }

  /** The queue it stood in. */
  get queue(): string {
    return this.#attempt.job.queue ?? this.kind;
  }

  /** The trace of whoever asked for the job, as W3C writes it; undefined if it has none. */
  get trace(): Trace | undefined {
    return this.#attempt.job.trace ?? undefined;
  }

  /** All that the server told of this attempt, but for its token. */
  get job(): ClaimedJob {
    return this.#attempt.job;
  }

  /** Which claim of the job this is. */
  get attempt(): number {
    return this.#attempt.job.attempt;
  }

  /** The same for every attempt of this run, and for no other: for calls that must not be made twice. */
  get idempotencyKey(): string {
    return this.#attempt.job.idempotency_key;
  }

  /** The same for this part of the job in every attempt and run that goes on from its checkpoint. */
  key(part: string | number): string {
    return `${this.jobId}.${this.#attempt.job.checkpoint?.era ?? 1}.${part}`;
  }

  /** Aborted where this attempt is to end: its job was canceled, its time is over, or its lease has ended. Give it to `fetch`. */
  get signal(): AbortSignal {
    return this.#attempt.signal;
  }

  /** How much was done, as it was told last. */
  get done(): number {
    return this.#attempt.progress?.done ?? 0;
  }

  /** Whether somebody asked for the end of this job. */
  get canceled(): boolean {
    return this.#attempt.why === "canceled";
  }

  /** Whether the worker takes nothing new: save where you are, and end. */
  get stopping(): boolean {
    return this.#attempt.stopping;
  }

  /** Aborted when the worker takes nothing new: for handlers that wait for something. */
  get stoppingSignal(): AbortSignal {
    return this.#attempt.stoppingSignal;
  }

  /** Whether the lease has ended: what is done from here on, somebody else may be doing, too. */
  get lost(): boolean {
    return this.#attempt.why === "lost";
  }

  /** How many milliseconds are left until the time-out, from the start or the last checkpoint. */
  get deadline(): number {
    return this.#attempt.timesOutAt - now();
  }

  /** Tells people how far it is, at most once a second; decides nothing. */
  progress(done: number, total?: number, note?: string): void {
    this.#attempt.progress = told(this.#attempt.progress, { done, total, note });
    this.#desk.tellProgress(this.#attempt);
  }

  /**
   * Moves the cursor, with up to 1,000 jobs in the same transaction: durable when it resolves, with the ids of those jobs.
   * Throws `Stopped` where this attempt is to end: let it pass.
   */
  async checkpoint(cursor: Cursor, options: CheckpointOptions = {}): Promise<Child[]> {
    // One after the other: each has the number after the last one that stands.
    const saving = this.#saving.catch(() => {}).then(() => this.#save(cursor, options));
    this.#saving = saving;
    return saving;
  }

  async #save(cursor: Cursor, options: CheckpointOptions): Promise<Child[]> {
    const attempt = this.#attempt;
    attempt.signal.throwIfAborted();
    const body: SaveBody = { seq: attempt.seq + 1, cursor: cursor ?? null };
    const { jobs, ...progress } = options;
    if (Object.values(progress).some((one) => one !== undefined)) {
      attempt.progress = told(attempt.progress, progress);
      body.progress = attempt.progress;
    }
    if (jobs?.length) body.jobs = jobs.map(ofHere);
    const children = await this.#desk.save(attempt, body);
    this.#fenced = true;
    return children;
  }

  /**
   * A number that rises with each attempt, for conditions in a database of your own: `WHERE fence <= $1`. Its first use saves
   * a checkpoint, because a claim that was forgotten would hand the number out twice.
   */
  async fence(): Promise<number> {
    // One that is under way may move the cursor, which is not to fall back.
    await this.#saving.catch(() => {});
    if (!this.#fenced) await this.checkpoint(this.#attempt.cursor as Cursor);
    return this.attempt;
  }
}

function told(before: Progress | undefined, said: { done?: number; total?: number; note?: string }): Progress {
  const progress: Progress = { done: Math.trunc(said.done ?? before?.done ?? 0) };
  const total = said.total ?? before?.total;
  if (total !== undefined && total !== null) progress.total = Math.trunc(total);
  if (said.note !== undefined) progress.note = [...said.note].slice(0, 200).join("");
  return progress;
}
