/** One attempt by its handler, without a server. */

import type { Child, Desk, Running, SaveBody } from "../context";
import type { Job } from "../definitions";
import type * as models from "../generated/models";
import { stderr, type Log } from "../log";
import type { Middleware } from "../middleware";
import { load } from "../schema";
import { millis, text, type Span } from "../spans";
import type { Trace } from "../traces";
import { failed, Stopped, type Verdict, type Why } from "../verdicts";
import type { ClaimedJob, Progress } from "../worker/messages";
import { Runner } from "../worker/runner";

const JOB = "job_00000000-0000-7000-8000-000000000001";

/** One move of the cursor. */
export interface Checkpoint {
  cursor: unknown;
  progress: Progress | undefined;
  jobs: models.EnqueueJob[];
}

/** How an attempt is tried out. */
export interface RunOptions {
  /** Where an earlier attempt left off. */
  cursor?: unknown;
  attempt?: number;
  timeout?: Span;
  /** After so many checkpoints the attempt is asked to end. */
  stopAfter?: number;
  /** Why: it was canceled, unless said otherwise. */
  stop?: Why;
  middleware?: readonly Middleware[];
  /** The trace of whoever asked for the job. */
  trace?: Trace;
  log?: Log;
}

/** What became of an attempt. */
export class Run {
  readonly checkpoints: Checkpoint[] = [];
  readonly progress: Progress[] = [];
  verdict: Verdict = { word: "accepted", fields: {} };

  /** What the handler answered, as JSON. */
  get result(): any {
    return this.verdict.fields.result;
  }

  /** What it threw. */
  get error(): unknown {
    return this.verdict.error;
  }

  /** Where the next attempt would begin. */
  get cursor(): any {
    return this.checkpoints.at(-1)?.cursor;
  }

  /** All jobs that its checkpoints made. */
  get jobs(): models.EnqueueJob[] {
    return this.checkpoints.flatMap((checkpoint) => checkpoint.jobs);
  }
}

/** Has the handler do one attempt. */
export async function run<In>(job: Job<In, any>, args: In, options: RunOptions = {}): Promise<Run> {
  await load(job.payload, args);
  const told = new Run();
  const timeout = millis(options.timeout ?? "30s");
  const begin = [{ n: 1, job: claimed(job, args, options), timeout, until: Infinity }];
  told.verdict = await new Promise<Verdict>((resolve) => {
    const desk = new ScratchDesk(told, options);
    const runner = new Runner(new Map([[job.kind, job]]), options.middleware ?? [], desk, options.log ?? stderr, (_, verdict) => {
      clearTimeout(timer);
      resolve(written(verdict));
    });
    const timer = setTimeout(() => {
      runner.running.get(1)?.cancel("timeout");
      resolve(failed("unknown", "timeout", `it took longer than ${text(options.timeout ?? "30s")}`));
    }, timeout);
    if (job.isBatch) runner.beginBatch(begin);
    else runner.begin(begin);
  });
  return told;
}

/** Takes checkpoints where no server does. */
class ScratchDesk implements Desk {
  constructor(
    private readonly told: Run,
    private readonly options: RunOptions,
  ) {}

  async save(attempt: Running, body: SaveBody): Promise<Child[]> {
    const { cursor, progress, jobs = [] } = JSON.parse(JSON.stringify(body));
    this.told.checkpoints.push({ cursor, progress, jobs });
    attempt.moved(body);
    const { stopAfter = Infinity, stop = "canceled" } = this.options;
    if (this.told.checkpoints.length >= stopAfter) throw new Stopped(stop);
    return jobs.map((_: unknown, place: number) => ({ id: `${JOB}-${attempt.seq}-${place}`, created: true }));
  }

  tellProgress(attempt: Running): void {
    this.told.progress.push({ ...attempt.progress! });
  }
}

/** The verdict as its server would see it. */
function written(verdict: Verdict): Verdict {
  return { ...verdict, fields: JSON.parse(JSON.stringify(verdict.fields)) };
}

function claimed(job: Job, payload: unknown, options: RunOptions): ClaimedJob {
  const { cursor, attempt = 1, timeout = "30s" } = options;
  return {
    id: JOB,
    kind: job.kind,
    payload: JSON.parse(JSON.stringify(payload ?? null)),
    attempt,
    tries: attempt,
    max_attempts: 4,
    run: 1,
    losses: 0,
    timeout: text(timeout),
    delivery: "at_least_once",
    idempotency_key: `${JOB}.1`,
    queued_ago: "1ms",
    created_ago: "1ms",
    queue: job.queue,
    key: null,
    tags: [],
    trace: options.trace ?? null,
    checkpoint: cursor === undefined ? null : { seq: 1, era: 1, cursor, progress: null, ago: "1s" },
  };
}
