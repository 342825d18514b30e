/** Runs handlers, on the thread of the program, and says how they ended. */

import { now } from "../clock";
import { Context, Running, type Desk } from "../context";
import type { Item, Job } from "../definitions";
import { PayloadError } from "../errors";
import { currentJob, type Log } from "../log";
import { chain, type Call, type Middleware, type Next } from "../middleware";
import { load } from "../schema";
import { accepted, failed, ofError, Said, Stopped, type Verdict } from "../verdicts";
import type { Begin, Ended } from "./messages";
import { fragmentOf } from "./results";

/** Where handlers run. */
export class Runner {
  readonly running = new Map<number, Running>();
  readonly #chain: Next | undefined;

  constructor(
    private readonly jobs: Map<string, Job>,
    middleware: readonly Middleware[],
    private readonly desk: Desk,
    private readonly log: Log,
    private readonly ended: (ended: Ended, verdict: Verdict) => void,
  ) {
    this.#chain = middleware.length > 0 ? chain(middleware, (call) => this.#innermost(call)) : undefined;
  }

  /** Has these begin, each by itself. */
  begin(attempts: Begin[]): void {
    for (const attempt of this.#taken(attempts)) void this.#run(attempt);
  }

  /** Has these begin as one call. */
  beginBatch(attempts: Begin[]): void {
    const taken = this.#taken(attempts);
    if (taken.length === 0) return;
    const untold = failed("retry", "error", "what the handler of its batch threw cannot be told");
    void this.#runBatch(taken).catch(() => {
      for (const attempt of taken) this.#end(attempt, untold);
    });
  }

  /** What may begin: not what has waited for this thread until its lease may have ended. */
  #taken(attempts: Begin[]): Running[] {
    const moment = now();
    const taken: Running[] = [];
    for (const { n, job, timeout, until } of attempts) {
      if (moment >= until) {
        this.ended({ n, words: "unbegun", at: moment }, { word: "given_back", fields: {} });
        continue;
      }
      const running = new Running(n, job, timeout, moment);
      this.running.set(n, running);
      taken.push(running);
    }
    return taken;
  }

  async #run(attempt: Running): Promise<void> {
    const { id, kind, attempt: number } = attempt.job;
    // A log of the user's may throw as well as a handler: no job takes the process with it.
    const verdict = await currentJob
      .run({ id, kind, attempt: number }, () => this.#verdictOf(attempt))
      .catch(() => failed("retry", "error", "what its handler threw cannot be told"));
    this.#end(attempt, verdict);
  }

  async #verdictOf(attempt: Running): Promise<Verdict> {
    try {
      const context = await this.#contextOf(attempt);
      return await (this.#chain ? this.#chain({ job: attempt.job, context }) : this.#handle(attempt, context));
    } catch (error) {
      return this.#said(attempt, error);
    }
  }

  /** The handler itself, below all middleware: what it throws has become a verdict when they see it. */
  async #innermost(call: Call): Promise<Verdict> {
    const attempt = ATTEMPTS.get(call.context)!;
    try {
      return await this.#handle(attempt, call.context);
    } catch (error) {
      return this.#said(attempt, error);
    }
  }

  async #handle(attempt: Running, context: Context): Promise<Verdict> {
    const job = this.#jobOf(attempt);
    const loaded = load(job.payload, attempt.job.payload);
    return accepted(await job.handler(loaded instanceof Promise ? await loaded : loaded, context));
  }

  async #runBatch(attempts: Running[]): Promise<void> {
    const verdicts = new Map<Running, Verdict>();
    try {
      const items = await this.#itemsOf(attempts, verdicts);
      const answers = items.length > 0 ? await this.#jobOf(attempts[0]!).handler(items, undefined) : {};
      for (const attempt of attempts) if (!verdicts.has(attempt)) verdicts.set(attempt, this.#answerOf(attempt, answers));
    } catch (error) {
      for (const attempt of attempts) if (!verdicts.has(attempt)) verdicts.set(attempt, this.#said(attempt, error));
    }
    for (const [attempt, verdict] of verdicts) this.#end(attempt, verdict);
  }

  /** What the handler is given; what is said of payloads that it cannot be given stands among the verdicts. */
  async #itemsOf(attempts: Running[], verdicts: Map<Running, Verdict>): Promise<Item<unknown>[]> {
    const items: Item<unknown>[] = [];
    for (const attempt of attempts) {
      try {
        const args = await load(this.#jobOf(attempt).payload, attempt.job.payload);
        items.push({ id: attempt.job.id, args, context: await this.#contextOf(attempt) });
      } catch (error) {
        verdicts.set(attempt, this.#said(attempt, error));
      }
    }
    return items;
  }

  /** What a batch says of one of its jobs: a value, or an error in its place. */
  #answerOf(attempt: Running, answers: any): Verdict {
    const { id } = attempt.job;
    const isThere = answers instanceof Map ? answers.has(id) : Object.hasOwn(Object(answers), id);
    if (!isThere) return failed("retry", "no_answer", "the handler of its batch has no answer for it");
    const answer = answers instanceof Map ? answers.get(id) : answers[id];
    return answer instanceof Error ? this.#said(attempt, answer) : accepted(answer);
  }

  async #contextOf(attempt: Running): Promise<Context> {
    const { cursor: schema } = this.#jobOf(attempt);
    const { cursor } = attempt;
    const loaded = cursor === null ? undefined : await load(schema, cursor, "cursor");
    const context = new Context(attempt, this.desk, this.log, loaded);
    if (this.#chain) ATTEMPTS.set(context, attempt);
    return context;
  }

  #jobOf(attempt: Running): Job {
    return this.jobs.get(attempt.job.kind)!;
  }

  /** What something thrown says, with a line in the log if it was not meant as a verdict. */
  #said(attempt: Running, error: unknown): Verdict {
    const { id, kind, attempt: number } = attempt.job;
    const fields = { job_id: id, kind, attempt: number };
    if (error instanceof PayloadError) {
      this.log.error(`${id}: ${error.message}`, fields);
      return { ...failed("permanent", "bad_payload", error.message), error };
    }
    if (error instanceof Said) return ofError(error);
    // Whatever a handler throws once it was told to end, it throws because of that.
    if (attempt.why) return { ...new Stopped(attempt.why).verdict(), error };
    this.log.error(`${id} failed: ${error instanceof Error ? error.stack : String(error)}`, fields);
    return ofError(error);
  }

  #end(attempt: Running, verdict: Verdict): void {
    this.running.delete(attempt.n);
    const at = now();
    let words: Ended["words"];
    try {
      words = attempt.why === "lost" && verdict.error !== undefined ? "cancelled" : fragmentOf(verdict);
    } catch (error) {
      const why = `its result is no JSON: ${(error as Error).message}`;
      this.log.error(`${attempt.job.id}: ${why}`, { job_id: attempt.job.id, kind: attempt.job.kind, attempt: attempt.job.attempt });
      verdict = failed("permanent", "bad_result", why);
      words = fragmentOf(verdict);
    }
    this.ended({ n: attempt.n, words, at }, verdict);
  }
}

const ATTEMPTS = new WeakMap<Context, Running>();
