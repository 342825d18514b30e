/** Beats: they renew the leases, and wait for news. */

import { now, sleep } from "../clock";
import { Problem } from "../errors";
import { textOfMillis } from "../spans";
import { Bell } from "./bell";
import type { Keeper } from "./keeper";
import { Backoff, NoAnswer } from "./wire";

/** An answer that comes sooner than this says something; if it says the same again, the next beat takes its time. */
const QUICK = 100;

/** Keeps the leases alive. */
export class Beats {
  /** When the last call was sent that the server has answered as a renewal; or until when a claim had waited that it answered. */
  renewedAt = now();
  /** Whether the last beat has said that there is nothing to do. */
  #isToldIdle = false;
  /** When that one was sent. */
  #toldAt = 0;
  readonly #again = new Bell();

  constructor(private readonly keeper: Keeper) {}

  /** Has a beat sent now, beside the one that waits. */
  soon(): void {
    this.#again.ring();
  }

  /** Beats that wait, one after the other. */
  async run(): Promise<never> {
    const backoff = new Backoff();
    let before = "";
    while (true) {
      while (this.#isNeedless()) await this.keeper.cover.ended();
      const began = now();
      try {
        const news = await this.beat(this.keeper.wire.terms.beatWait);
        backoff.reset();
        const said = JSON.stringify([news.stop, news.drain]);
        if (said === before && now() - began < QUICK) await sleep(Math.min(500, this.keeper.wire.terms.beatWait));
        before = said;
      } catch (error) {
        if (!isPassing(error)) throw error;
        this.keeper.log.warn(`a beat was not answered: ${error.message}`);
        await backoff.wait();
      }
    }
  }

  /** Whether a claim that waits says all that a beat would: there is nothing to do, and the last beat has said so. */
  #isNeedless(): boolean {
    const { keeper } = this;
    const mayWork = !keeper.draining && !keeper.resting;
    const isIdle = this.#isToldIdle && keeper.running.size === 0 && keeper.leases.heard().length === 0;
    return mayWork && isIdle && keeper.cover.isThere;
  }

  /** Beats that do not wait, for those who cannot: at most one a second. */
  async runExtra(): Promise<never> {
    while (true) {
      await this.#again.wait();
      try {
        await this.beat(0);
      } catch (error) {
        if (!isPassing(error)) throw error;
      }
      await sleep(Math.min(1_000, this.keeper.wire.terms.beatWait / 4));
    }
  }

  /** One beat, and what follows from its answer. */
  async beat(wait: number): Promise<{ stop?: unknown; drain?: boolean }> {
    const { keeper } = this;
    const { terms } = keeper.wire;
    const sent = now();
    const known = new Set(keeper.leases.known.keys());
    const heard = keeper.leases.heard();
    const body = {
      wait: textOfMillis(wait),
      running: keeper.running.size,
      free: keeper.freeSlots,
      asked_ago: this.#askedAgo(sent),
      draining: keeper.draining,
      heard,
      progress: keeper.progressToTell(),
    };
    const news = await keeper.wire.call("beat", body, wait + terms.lease / 4);
    const held: string[] = news.held ?? [];
    this.renewedAt = Math.max(this.renewedAt, sent);
    // A beat that has waited tells of before a later one that did not.
    if (sent >= this.#toldAt) {
      this.#toldAt = sent;
      this.#isToldIdle = body.running === 0 && heard.length === 0 && !keeper.draining;
    }
    const lost = keeper.leases.renew(held, news.lost ?? [], known, sent + terms.deadline);
    keeper.takeNews(news, lost);
    const unknown = keeper.leases.unknown(held, new Set(heard));
    if (unknown.length > 0) await this.#release(unknown);
    keeper.leases.forgetAbandoned(sent - terms.lease);
    return news;
  }

  /** How long ago jobs were asked for; whoever waits for some asks this moment. */
  #askedAgo(moment: number): string | null {
    const { askedAt, cover } = this.keeper;
    if (cover.isThere) return "0s";
    return askedAt === undefined ? null : textOfMillis(moment - askedAt);
  }

  async #release(leases: string[]): Promise<void> {
    this.keeper.log.warn(`${leases.length} leases are ours without our knowing: they are given back`);
    await this.keeper.wire.call("release", { leases }, this.keeper.wire.terms.lease / 2);
    for (const lease of leases) this.keeper.leases.abandoned.delete(lease);
  }
}

function isPassing(error: unknown): error is Error {
  return error instanceof NoAnswer || error instanceof Problem;
}
