/** Watches the clock: ends of leases, time-outs, what stands too long, and whether handlers still get anywhere. */

import { lookForSleep, now, sleep } from "../clock";
import type { Attempt } from "./attempt";
import type { Keeper } from "./keeper";
import { endProcess } from "./last_resort";
import { AFTER_TIMEOUT, LAST_LOOK, LONGEST_STANDING, STUCK } from "./settings";

/** Looks at every attempt, some ten times a second. */
export class Watch {
  #pingedAt: number | undefined;

  constructor(private readonly keeper: Keeper) {}

  /** Looks again and again. */
  async run(): Promise<never> {
    const { lease } = this.keeper.wire.terms;
    while (true) {
      this.look();
      const lookedAt = now();
      await sleep(Math.min(100, lease / 60));
      if (now() - lookedAt > lease / 2) await sleep(LAST_LOOK);
    }
  }

  /** The thread of the handlers has moved. */
  pong(): void {
    this.#pingedAt = undefined;
  }

  /** Does what is due. */
  look(): void {
    lookForSleep();
    const moment = now();
    for (const attempt of [...this.keeper.running.values()]) this.#lookAt(attempt, moment);
    this.#giveBackStanding(moment);
    this.#countStuck();
    this.#ping(moment);
  }

  #lookAt(attempt: Attempt, moment: number): void {
    if (attempt.startedAt === undefined) return;
    if (attempt.lease.lost || moment >= attempt.lease.deadline) this.keeper.cancel(attempt, "lost");
    if (moment >= attempt.timesOutAt) this.keeper.cancel(attempt, "timeout");
    if (moment >= attempt.timesOutAt + AFTER_TIMEOUT) this.keeper.timedOut(attempt);
  }

  #giveBackStanding(moment: number): void {
    const { keeper } = this;
    const isOld = (one: Attempt): boolean => moment - one.claimedAt > LONGEST_STANDING || moment >= one.lease.deadline;
    const old = keeper.standing.filter(isOld);
    if (old.length === 0) return;
    keeper.standing = keeper.standing.filter((one) => !isOld(one));
    keeper.giveBack(old);
    keeper.claimer.stoodTooLong();
    keeper.pump();
  }

  #countStuck(): void {
    const { keeper } = this;
    let stuck = 0;
    for (const attempt of keeper.running.values()) if (attempt.told) stuck++;
    keeper.tellStuck(stuck);
    if (stuck > 0 && stuck * 2 >= keeper.settings.slots && !keeper.draining) {
      keeper.log.error(`${stuck} of ${keeper.settings.slots} slots are stuck: this worker stops`);
      keeper.exitCode = STUCK;
      keeper.stop();
    }
  }

  /** A thread of handlers that has not moved for a lease, beyond all time-outs on it, will not move any more. */
  #ping(moment: number): void {
    if (this.#pingedAt === undefined) {
      this.#pingedAt = moment;
      this.keeper.post({ is: "ping" });
      return;
    }
    if (this.keeper.running.size === 0) return;
    let last = this.#pingedAt;
    for (const attempt of this.keeper.running.values()) {
      if (attempt.timesOutAt !== Infinity) last = Math.max(last, attempt.timesOutAt);
    }
    // What is over time is told before the process ends.
    if (moment > last + AFTER_TIMEOUT + this.keeper.wire.terms.lease) {
      endProcess(STUCK, "the thread of the handlers has not moved for a lease");
    }
  }
}
