/** The keeper: it claims, beats, watches the clock and says how attempts ended, on a thread of its own. */

import { now, sleep } from "../clock";
import { WorkerEnded } from "../errors";
import { type Level, type Log } from "../log";
import { failed, Stopped, type Why } from "../verdicts";
import type { Attempt, Lease } from "./attempt";
import { Batches } from "./batches";
import { Beats } from "./beats";
import { Checkpoints } from "./checkpoints";
import { Claimer } from "./claimer";
import { Cover } from "./cover";
import { endProcess } from "./last_resort";
import { Leases } from "./leases";
import type { Begin, Ended, KeeperData, Kind, Progress, ToHandlers, ToKeeper } from "./messages";
import { fragmentOf, Results } from "./results";
import type { KeeperSettings } from "./settings";
import { stopInOrder } from "./stop";
import { Watch } from "./watch";
import { Wire } from "./wire";

const GIVEN_BACK = '"verdict":"given_back"';
const CANCELED = '"verdict":"canceled"';
const LEASE_LOST = fragmentOf(new Stopped("lost").verdict());
const PUT_OFF = '"verdict":"snoozed","after":"10s"';

/** How long the thread of the handlers may take to hear that the worker has stopped. */
const LAST_WORD = 2_000;

/** All that a worker knows lives here; handlers are on another thread, and hear and say words only. */
export class Keeper {
  readonly settings: KeeperSettings;
  readonly kinds: Map<string, Kind>;
  readonly log: Log;
  readonly wire: Wire;
  readonly leases = new Leases();
  readonly results: Results;
  readonly checkpoints: Checkpoints;
  readonly cover = new Cover();
  readonly beats = new Beats(this);
  readonly claimer: Claimer;
  readonly running = new Map<number, Attempt>();
  standing: Attempt[] = [];
  askedAt: number | undefined;
  /** Whether this worker stops. */
  draining = false;
  /** Whether the server asked that it takes nothing new. */
  resting = false;
  exitCode = 0;
  fatal: Error | undefined;
  #askToStop!: () => void;
  #heard!: () => void;
  readonly #watch = new Watch(this);
  readonly #batches = new Batches((attempts) => this.#begin("batch", attempts));
  readonly #isHeard = new Promise<void>((resolve) => (this.#heard = resolve));
  readonly #stopAsked = new Promise<void>((resolve) => (this.#askToStop = resolve));
  #stuck = 0;

  constructor(
    data: KeeperData,
    readonly post: (message: ToHandlers) => void,
  ) {
    this.settings = data.settings;
    this.kinds = new Map(data.kinds.map((kind) => [kind.kind, kind]));
    const write = (level: Level) => (line: string, fields?: Record<string, unknown>) => post({ is: "log", level, line, fields });
    this.log = { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
    const queues = [...new Set([...data.kinds.map((kind) => kind.kind), ...data.kinds.map((kind) => kind.queue), ...data.settings.queues])];
    this.wire = new Wire(data, queues, this.log);
    this.results = new Results(
      this.wire,
      this.log,
      (attempt) => this.leases.drop(attempt),
      () => this.claimer.look(),
    );
    this.checkpoints = new Checkpoints(this.wire, this.log, post, (attempt) => this.cancel(attempt, "lost"));
    this.claimer = new Claimer(this, queues);
  }

  /** Works until it is stopped, in order. */
  async run(): Promise<void> {
    if (await this.#register()) {
      const parts = [this.results, this.checkpoints, this.beats, this.claimer, this.#watch].map((part) => part.run());
      for (const part of [...parts, this.beats.runExtra()]) void part.catch((error) => this.broke(error));
      await this.#stopAsked;
      await stopInOrder(this);
    }
    const ended = this.fatal instanceof WorkerEnded ? this.fatal.message : undefined;
    const broke = this.fatal && ended === undefined ? (this.fatal.stack ?? this.fatal.message) : undefined;
    this.post({ is: "done", code: this.exitCode, ended, broke });
    // A thread of handlers that does not hear this would keep the process, deaf to signals.
    const isHeard = await Promise.race([this.#isHeard.then(() => true), sleep(LAST_WORD).then(() => false)]);
    if (!isHeard) {
      endProcess(this.exitCode || (this.fatal ? 1 : 0), "a handler blocks the process, whose worker has stopped");
      await sleep(2 * LAST_WORD);
    }
  }

  /** Stops in order: what runs may end, what it says is recorded. */
  stop(): void {
    this.#askToStop();
  }

  /** Ends the worker: the server has no use for it, or it is faulty. */
  broke(error: Error): void {
    if (!this.fatal) {
      this.fatal = error;
      this.log.error(error instanceof WorkerEnded ? `this worker ends: ${error.message}` : `this worker breaks: ${error.stack}`);
    }
    this.stop();
  }

  /** What the thread of the handlers says. */
  hear(message: ToKeeper): void {
    if (message.is === "ended") {
      for (const ended of message.attempts) this.#takeEnd(ended);
      this.pump();
    } else if (message.is === "save") this.#save(message);
    else if (message.is === "progress") this.#progress(message.n, message.progress);
    else if (message.is === "pong") this.#watch.pong();
    else if (message.is === "heard") this.#heard();
    else this.stop();
  }

  /** How many may begin. */
  get freeSlots(): number {
    return Math.max(0, this.settings.slots - this.running.size);
  }

  /** A job is ours. */
  claimed(attempt: Attempt): void {
    if (attempt.kind) {
      this.standing.push(attempt);
      return;
    }
    this.log.error(`nothing here handles the kind '${attempt.job.kind}': ${attempt.job.id} is put off`);
    attempt.stage = "ended";
    this.results.tell(attempt, PUT_OFF);
  }

  /** Has begin what may, and claims for the room that is left. */
  pump(): void {
    if (this.standing.length > 0 && !this.draining && !this.resting) this.#start(this.#nextToStart());
    this.claimer.look();
  }

  /** Has a handler end; the first reason counts. */
  cancel(attempt: Attempt, why: Why): void {
    if (attempt.why) return;
    attempt.why = why;
    if (attempt.stage === "running") this.post({ is: "cancel", n: attempt.n, why });
  }

  /** Says how an attempt ended whose handler goes on all the same. */
  tellInstead(attempt: Attempt, fragment: string): void {
    if (attempt.told) return;
    if (attempt.lease.lost) {
      attempt.told = true;
      this.leases.drop(attempt);
    } else this.results.tell(attempt, fragment);
  }

  /** Its handler has not ended although its time is over: it is told, and its slot stays taken. */
  timedOut(attempt: Attempt): void {
    const message = `it took longer than ${attempt.job.timeout}`;
    this.tellInstead(attempt, fragmentOf(failed("unknown", "timeout", message)));
  }

  /** These have not begun: somebody else may have them. */
  giveBack(attempts: Iterable<Attempt>): void {
    for (const attempt of attempts) {
      attempt.stage = "ended";
      attempt.startedAt = undefined;
      if (attempt.lease.lost) this.leases.drop(attempt);
      else this.results.tell(attempt, GIVEN_BACK);
    }
  }

  /** The same of all that have not begun. */
  giveBackAll(): void {
    const gathered = this.#batches.take();
    for (const attempt of gathered) this.running.delete(attempt.n);
    const standing = this.standing;
    this.standing = [];
    this.giveBack([...gathered, ...standing]);
  }

  /** Has handlers know that they should save where they are. */
  tellStopping(): void {
    for (const attempt of this.running.values()) attempt.stopping = true;
    this.post({ is: "stopping", attempts: [...this.running.keys()] });
  }

  /** How many slots are taken by handlers that do not end although their time is over. */
  tellStuck(count: number): void {
    if (count !== this.#stuck) this.post({ is: "stuck", count });
    this.#stuck = count;
  }

  /** What has changed since the last beat. */
  progressToTell(): (Progress & { token: string })[] {
    const told = [];
    for (const attempt of this.running.values()) {
      if (!attempt.progress) continue;
      told.push({ token: attempt.token, ...attempt.progress });
      attempt.progress = undefined;
    }
    return told;
  }

  /** What a beat has brought. */
  takeNews(news: { stop?: { job: string }[]; drain?: boolean }, lost: Lease[]): void {
    for (const lease of lost) this.#lose(lease);
    if (news.stop?.length) this.#stopJobs(new Set(news.stop.map((one) => one.job)));
    if (Boolean(news.drain) !== this.resting) this.#rest(Boolean(news.drain));
    this.pump();
  }

  /** A claim was answered with the wish that this worker takes nothing new. */
  rest(): void {
    if (!this.resting) this.#rest(true);
  }

  /** Registers, unless it is stopped first. */
  async #register(): Promise<boolean> {
    let stopped = false;
    try {
      const stopping = this.#stopAsked.then(() => (stopped = true));
      await Promise.race([this.wire.register(), stopping]);
    } catch (error) {
      this.fatal = error as Error;
      return false;
    }
    if (stopped) return false;
    this.beats.renewedAt = now();
    this.log.info(`${this.wire.id} works for ${this.wire.addresses.current}`);
    this.post({ is: "registered", id: this.wire.id });
    return true;
  }

  #nextToStart(): Attempt[] {
    const moment = now();
    const ready: Attempt[] = [];
    const heldBack: Attempt[] = [];
    let at = 0;
    for (const free = this.freeSlots; at < this.standing.length && ready.length < free; at++) {
      const attempt = this.standing[at]!;
      const enough = attempt.lease.deadline - moment >= this.wire.terms.needed(attempt.timeout);
      (enough ? ready : heldBack).push(attempt);
    }
    this.standing = [...heldBack, ...this.standing.slice(at)];
    if (heldBack.length > 0) this.beats.soon();
    return ready;
  }

  #start(attempts: Attempt[]): void {
    const alone: Attempt[] = [];
    for (const attempt of attempts) {
      this.running.set(attempt.n, attempt);
      if (attempt.kind!.isBatch) this.#batches.add(attempt, attempt.kind!);
      else alone.push(attempt);
    }
    this.#begin("begin", alone);
  }

  #begin(is: "begin" | "batch", attempts: Attempt[]): void {
    if (attempts.length === 0) return;
    const moment = now();
    const told: Begin[] = attempts.map((attempt) => {
      attempt.start(moment);
      return { n: attempt.n, job: attempt.job, timeout: attempt.timeout, until: Math.min(attempt.lease.deadline, attempt.timesOutAt) };
    });
    this.post({ is, attempts: told });
  }

  #takeEnd({ n, words, at }: Ended): void {
    const attempt = this.running.get(n);
    if (!attempt) return;
    this.running.delete(n);
    attempt.stage = "ended";
    attempt.endedAt = at;
    if (attempt.told) this.log.warn(`${attempt.job.id} ended after it had been told as ended`);
    else if (words === "unbegun") this.giveBack([attempt]);
    else if (words === "cancelled") this.tellInstead(attempt, LEASE_LOST);
    else this.results.tell(attempt, words);
  }

  #save({ n, save, body }: Extract<ToKeeper, { is: "save" }>): void {
    const attempt = this.running.get(n);
    if (attempt && !attempt.told) this.checkpoints.save(attempt, save, body);
    else this.post({ is: "not saved", save, stopped: "lost", recorded: false });
  }

  #progress(n: number, progress: Progress): void {
    const attempt = this.running.get(n);
    if (!attempt) return;
    attempt.progress = progress;
    this.beats.soon();
  }

  #lose(lease: Lease): void {
    if (lease.attempts.size === 0) return;
    this.log.warn(`the lease ${lease.id} is lost with ${lease.attempts.size} jobs`);
    const gone = [...lease.attempts].filter((attempt) => attempt.stage === "standing");
    this.standing = this.standing.filter((attempt) => attempt.lease !== lease);
    for (const attempt of this.#batches.take(gone)) this.running.delete(attempt.n);
    for (const attempt of gone) this.leases.drop(attempt);
    for (const attempt of lease.attempts) this.cancel(attempt, "lost");
  }

  #stopJobs(ids: Set<string>): void {
    for (const attempt of [...this.running.values(), ...this.standing]) {
      if (!ids.has(attempt.job.id)) continue;
      attempt.askedToCancel = true;
      if (attempt.stage === "running") this.cancel(attempt, "canceled");
      else if (attempt.stage === "standing") this.#cancelStanding(attempt);
    }
  }

  #cancelStanding(attempt: Attempt): void {
    attempt.stage = "ended";
    for (const taken of this.#batches.take([attempt])) this.running.delete(taken.n);
    this.standing = this.standing.filter((one) => one !== attempt);
    this.results.tell(attempt, CANCELED);
  }

  #rest(resting: boolean): void {
    this.log.info(`the server asks this worker to ${resting ? "take nothing new" : "go on"}`);
    this.resting = resting;
    if (!resting) return;
    this.giveBackAll();
    this.tellStopping();
  }
}
