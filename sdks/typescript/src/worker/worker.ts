/** A worker as its program holds it. */

import { join } from "node:path";
import { Worker as Thread } from "node:worker_threads";

import type { Baton } from "../app";
import type { Child, Desk, Running, SaveBody } from "../context";
import type { Job } from "../definitions";
import { BatonError, CheckpointRefused, WorkerEnded } from "../errors";
import { Stopped } from "../verdicts";
import type { Ended, KeeperData, ToHandlers, ToKeeper } from "./messages";
import { Runner } from "./runner";
import type { KeeperSettings } from "./settings";

const INTERRUPTED = 130;
const SIGNALS = ["SIGTERM", "SIGINT"] as const;

/** Those of this process whose `run` has not ended. */
const runs = new Set<Worker>();
/** Whether one whose `run` has ended has left handlers behind that go on. */
let isLeftBehind = false;

interface Saving {
  attempt: Running;
  body: SaveBody;
  resolve: (children: Child[]) => void;
  reject: (error: Error) => void;
  stop: () => void;
}

/** Runs jobs from `start` until it has stopped; `run` does all of it for a program that is a worker and nothing else. */
export class Worker {
  /** Its id, once it has registered. */
  id: string | undefined;
  /** How many slots are taken by handlers that do not end although their time is over. */
  stuck = 0;
  readonly #runner: Runner;
  readonly #savings = new Map<number, Saving>();
  #serial = 0;
  #thread: Thread | undefined;
  #done: Promise<number> | undefined;
  #stopAsked = false;
  #ended: Ended[] = [];

  /** @internal */
  constructor(
    private readonly app: Baton,
    private readonly jobs: readonly Job[],
    private readonly settings: KeeperSettings,
  ) {
    const desk: Desk = {
      save: (attempt, body) => this.#save(attempt, body),
      tellProgress: ({ n, progress }) => this.#post({ is: "progress", n, progress: progress! }),
    };
    const byKind = new Map(jobs.map((job) => [job.kind, job]));
    this.#runner = new Runner(byKind, app.middleware, desk, app.log, (ended) => this.#end(ended));
  }

  /** Begins to work. */
  start(): this {
    if (this.#thread) throw new BatonError("this worker has been started already: make another one with app.worker()");
    const { addresses, key } = this.app.client.transport;
    const kinds = this.jobs.map(({ kind, queue, isBatch, batchSize, linger }) => ({ kind, queue, isBatch, batchSize, linger }));
    const workerData: KeeperData = { connection: { urls: addresses.all, key }, settings: this.settings, kinds };
    const thread = new Thread(join(__dirname, "keeper_thread.js"), { workerData, execArgv: [], name: "baton-keeper" });
    this.#thread = thread;
    this.#done = new Promise((resolve, reject) => {
      thread.on("message", (message: ToHandlers) => {
        if (message.is !== "done") return this.#hear(message);
        this.#post({ is: "heard" });
        if (message.ended !== undefined) reject(new WorkerEnded(message.ended));
        else if (message.broke !== undefined) reject(new BatonError(`the worker broke: ${message.broke}`));
        else resolve(message.code);
      });
      thread.on("error", reject);
      thread.on("exit", () => {
        reject(new BatonError("the thread of the worker has ended"));
        // Nobody renews their leases any more.
        for (const running of this.#runner.running.values()) running.cancel("lost");
      });
    });
    this.#done.catch(() => {});
    if (this.#stopAsked) this.#post({ is: "stop" });
    return this;
  }

  /** Stops in order; resolves when it has stopped, with the code that the process should end with. */
  stop(): Promise<number> {
    if (!this.#stopAsked) {
      this.#stopAsked = true;
      this.#post({ is: "stop" });
    }
    return this.#done ? this.stopped() : Promise.resolve(0);
  }

  /** Waits until it has stopped; throws `WorkerEnded` if the server has no more use for it. */
  stopped(): Promise<number> {
    if (!this.#done) throw new BatonError("this worker was not started: worker.start()");
    return this.#done;
  }

  /**
   * Works until SIGTERM or SIGINT, then stops in order; a second signal leaves at once, with 130. Where handlers cannot be
   * stopped the process ends, with 70 if they were the reason. Several may run in one process: a signal is for all of them.
   */
  async run(): Promise<void> {
    const signalled = (): void => {
      if (this.#stopAsked) process.exit(INTERRUPTED);
      void this.stop().catch(() => {});
    };
    this.start();
    runs.add(this);
    for (const signal of SIGNALS) process.on(signal, signalled);
    try {
      const code = await this.stopped();
      isLeftBehind ||= this.#runner.running.size > 0;
      if (code !== 0 || (isLeftBehind && runs.size === 1)) process.exit(code);
    } finally {
      for (const signal of SIGNALS) process.off(signal, signalled);
      runs.delete(this);
      if (![...runs].some((other) => other.app === this.app)) this.app.close();
    }
  }

  #hear(message: Exclude<ToHandlers, { is: "done" }>): void {
    switch (message.is) {
      case "begin":
        return this.#runner.begin(message.attempts);
      case "batch":
        return this.#runner.beginBatch(message.attempts);
      case "cancel":
        return this.#runner.running.get(message.n)?.cancel(message.why);
      case "stopping":
        for (const n of message.attempts) this.#runner.running.get(n)?.stop();
        return;
      case "saved":
      case "not saved":
        return this.#saved(message);
      case "registered":
        this.id = message.id;
        return;
      case "stuck":
        this.stuck = message.count;
        return;
      case "ping":
        return this.#post({ is: "pong" });
      case "log":
        return this.app.log[message.level](message.line, message.fields);
    }
  }

  #save(attempt: Running, body: SaveBody): Promise<Child[]> {
    return new Promise((resolve, reject) => {
      const save = ++this.#serial;
      this.#post({ is: "save", n: attempt.n, save, body: JSON.parse(JSON.stringify(body)) });
      // Who is to end does not wait for an answer that may not come.
      const stop = (): void => reject(attempt.signal.reason);
      attempt.signal.addEventListener("abort", stop, { once: true });
      this.#savings.set(save, { attempt, body, resolve, reject, stop });
    });
  }

  #saved(message: Extract<ToHandlers, { is: "saved" | "not saved" }>): void {
    const saving = this.#savings.get(message.save);
    if (!saving) return;
    this.#savings.delete(message.save);
    saving.attempt.signal.removeEventListener("abort", saving.stop);
    if (message.is === "saved" || message.recorded) saving.attempt.moved(saving.body);
    if (message.is === "saved") saving.resolve(message.children);
    else saving.reject(message.stopped ? new Stopped(message.stopped) : new CheckpointRefused(message.errors ?? []));
  }

  /** What ends in the same turn is told in one message. */
  #end(ended: Ended): void {
    this.#ended.push(ended);
    if (this.#ended.length > 1) return;
    setImmediate(() => {
      const attempts = this.#ended;
      this.#ended = [];
      this.#post({ is: "ended", attempts });
    });
  }

  #post(message: ToKeeper): void {
    this.#thread?.postMessage(message);
  }
}
