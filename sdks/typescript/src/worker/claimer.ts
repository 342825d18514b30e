/** Claims: what there is room for, asked for under leases that the worker has drawn. */

import { now, sleep } from "../clock";
import { Problem } from "../errors";
import { leaseId } from "../ids";
import { millis, textOfMillis } from "../spans";
import { Attempt } from "./attempt";
import { Bell } from "./bell";
import { BETWEEN, UNANSWERED } from "./cover";
import type { Keeper } from "./keeper";
import { CLAIMS_AT_ONCE, MOST_RESULTS_WAITING, OPEN_CLAIM_AT_STOP } from "./settings";
import { Backoff, NoAnswer } from "./wire";

const MOST_BYTES = 4 * 1024 * 1024;
const SHORTEST_WAIT = 5_000;
/** By how much the next claim waits longer once one was answered that had waited as long as it was to. */
const GAIN = 1_000;

interface Want {
  queue: string;
  limit: number;
  lease: string;
}

/** Asks for jobs. */
export class Claimer {
  /** How many jobs are claimed beyond the free slots. */
  ahead = 0;
  readonly #open = new Map<Promise<void>, number>();
  readonly #wake = new Bell();
  readonly #givenUp = new AbortController();
  #longestWait = Infinity;
  /** Whether the server that answered last says how long a claim had waited. */
  #waitsAreTold = false;

  constructor(
    private readonly keeper: Keeper,
    private queues: string[],
  ) {}

  /** There may be room, or it may be allowed again. */
  look(): void {
    this.#wake.ring();
  }

  /** Claims whenever there is room, until the worker stops. */
  async run(): Promise<void> {
    while (!this.keeper.draining) {
      const room = this.#room();
      if (room > 0) this.#begin(room);
      else await this.#wake.wait(this.keeper.wire.terms.lease / 20);
    }
  }

  /** Waits a moment for claims that are under way; what they might still bring is given back. */
  async finish(): Promise<void> {
    await this.#openEnded();
    this.#givenUp.abort();
    await this.#openEnded();
  }

  /** What was claimed ahead was not needed. */
  stoodTooLong(): void {
    this.ahead >>= 1;
  }

  async #openEnded(): Promise<void> {
    await Promise.race([Promise.all(this.#open.keys()), sleep(OPEN_CLAIM_AT_STOP)]);
  }

  #begin(room: number): void {
    const claim = this.#claim(room)
      .catch((error) => this.keeper.broke(error))
      .finally(() => {
        this.#open.delete(claim);
        this.#wake.ring();
      });
    this.#open.set(claim, room);
  }

  #room(): number {
    const { keeper } = this;
    if (keeper.draining || keeper.resting || !this.#mayClaim() || this.#open.size >= CLAIMS_AT_ONCE) return 0;
    const whole = keeper.settings.slots + this.ahead;
    let room = whole - keeper.running.size - keeper.standing.length;
    for (const asked of this.#open.values()) room -= asked;
    // A second claim beside an open one is worth its call only for many.
    if (this.#open.size > 0 && room < Math.max(1, whole >> 1)) return 0;
    return Math.max(0, Math.min(room, keeper.wire.terms.mostClaimed));
  }

  /** Whoever cannot say how jobs ended, or was not heard of for two thirds of a lease, takes no more. */
  #mayClaim(): boolean {
    const { keeper } = this;
    if (keeper.results.refusedByLine || keeper.results.size > MOST_RESULTS_WAITING) return false;
    return now() - keeper.beats.renewedAt < (keeper.wire.terms.lease * 2) / 3;
  }

  async #claim(room: number): Promise<void> {
    const wants = this.queues.map((queue) => ({ queue, limit: room, lease: leaseId() }));
    this.queues = [...this.queues.slice(1), ...this.queues.slice(0, 1)];
    const leases = wants.map((want) => want.lease);
    this.keeper.leases.asked(leases);
    try {
      const answer = await this.#ask(wants, room, now());
      if (answer) {
        this.keeper.leases.answered(leases);
        this.#take(answer.body, room, answer.since);
      }
    } finally {
      this.keeper.leases.abandon(leases, now());
    }
  }

  /**
   * The answer, however often it takes to hear one, and from when its leases count; undefined once these are too old to be asked
   * for.
   */
  async #ask(wants: Want[], room: number, began: number): Promise<{ body: any; since: number } | undefined> {
    const { keeper } = this;
    const { terms } = keeper.wire;
    const signal = this.#givenUp.signal;
    const backoff = new Backoff();
    let givenUpAt = this.#waitsAreTold ? Infinity : began + terms.deadline;
    for (let repeat = 0; !signal.aborted && now() <= givenUpAt; repeat++) {
      const sent = now();
      const wait = this.#wait(repeat);
      const asked = { wants, limit: room, wait: textOfMillis(wait), max_bytes: MOST_BYTES, repeat };
      keeper.askedAt = now();
      try {
        const body = await keeper.wire.call("claim", asked, wait + Math.min(5_000, terms.lease / 4), signal);
        // Servers end waits a little early, several together.
        if (now() - sent + GAIN > wait) this.#longestWait += GAIN;
        return { body, since: this.#heard(body, began, sent) };
      } catch (error) {
        keeper.cover.end();
        if (error instanceof Problem) {
          keeper.log.error(`the server refuses a claim: ${error.message}`);
          await sleep(1_000);
          return undefined;
        }
        if (!(error instanceof NoAnswer)) throw error;
        if (givenUpAt === Infinity) givenUpAt = now() + terms.deadline;
        // What is refused at once, as while a server starts again, says nothing of waits.
        const isImpatient = error.gateway && now() - sent >= SHORTEST_WAIT;
        if (isImpatient) this.#longestWait = Math.max(SHORTEST_WAIT, Math.min(this.#longestWait, wait) / 2);
      }
      keeper.leases.askedAgain(wants.map((want) => want.lease));
      if (!signal.aborted) await backoff.wait();
    }
    return undefined;
  }

  /**
   * How long a claim is to wait; one that waits long enough stands for beats. One that is asked again waits shortly: what it may have
   * got before stands under its leases meanwhile.
   */
  #wait(repeat: number): number {
    const { keeper } = this;
    const { terms } = keeper.wire;
    if (keeper.draining) return 0;
    const longest = repeat > 0 ? terms.lease / 3 : Infinity;
    const wait = Math.min(terms.claimWait(this.#waitsAreTold), this.#longestWait, longest);
    if (this.#waitsAreTold && wait >= terms.lease / 2) keeper.cover.lasts(wait + UNANSWERED);
    return wait;
  }

  /**
   * Takes in what an answer says beside its jobs. Its leases count from so long after it was sent as the server says, and never
   * from later than now.
   */
  #heard(answer: any, began: number, sent: number): number {
    const { keeper } = this;
    const waited: string | undefined = answer.waited ?? undefined;
    this.#waitsAreTold = waited !== undefined;
    const isEmpty = answer.batches.every((batch: any) => batch.jobs.length === 0);
    if (this.#waitsAreTold && isEmpty && !answer.drain && keeper.cover.isThere) keeper.cover.lasts(BETWEEN);
    else keeper.cover.end();
    if (waited === undefined) return began;
    const since = Math.min(now(), sent + millis(waited));
    keeper.beats.renewedAt = Math.max(keeper.beats.renewedAt, since);
    if (answer.drain) keeper.rest();
    return since;
  }

  #take(answer: any, room: number, since: number): void {
    const { keeper } = this;
    const deadline = since + keeper.wire.terms.deadline;
    const wasIdle = keeper.standing.length === 0;
    const moment = now();
    let count = 0;
    for (const batch of answer.batches) {
      if (batch.jobs.length === 0) continue;
      const lease = keeper.leases.take(batch.lease, batch.queue, deadline);
      for (const job of batch.jobs) keeper.claimed(new Attempt({ ...job, queue: batch.queue }, lease, keeper.kinds.get(job.kind), moment));
      count += batch.jobs.length;
    }
    // The line is longer than the room, and handlers have caught up before the claim did.
    if (count >= room && wasIdle) this.ahead = Math.min(keeper.settings.slots, Math.max(1, this.ahead * 2));
    keeper.pump();
  }
}
