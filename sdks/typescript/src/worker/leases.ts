/** The leases that a worker has, and those it may have without knowing. */

import { Lease, type Attempt } from "./attempt";

/** Which leases are ours, and until when. */
export class Leases {
  readonly known = new Map<string, Lease>();
  /** Asked for by claims whose answer nobody waits for any more, and when they were given up. */
  readonly abandoned = new Map<string, number>();
  /** Asked for by a claim that may still be answered. */
  readonly #open = new Set<string>();
  /** Those of them whose claim had to be asked again: the server may have written down what nobody heard. */
  readonly #unheard = new Set<string>();

  /** A claim asks for these. */
  asked(ids: string[]): void {
    for (const id of ids) this.#open.add(id);
  }

  /** The claim for these was answered: what it did not name does not exist. */
  answered(ids: string[]): void {
    for (const id of ids) {
      this.#open.delete(id);
      this.#unheard.delete(id);
    }
  }

  /** The claim for these met with silence. */
  askedAgain(ids: string[]): void {
    for (const id of ids) if (this.#open.has(id)) this.#unheard.add(id);
  }

  /** Nobody waits for the answer to these any more. */
  abandon(ids: string[], moment: number): void {
    for (const id of ids) {
      this.#unheard.delete(id);
      if (this.#open.delete(id)) this.abandoned.set(id, moment);
    }
  }

  /** This one is ours, with jobs. */
  take(id: string, queue: string, deadline: number): Lease {
    const lease = this.known.get(id) ?? new Lease(id, queue, deadline);
    this.known.set(id, lease);
    return lease;
  }

  /** An attempt needs its lease no more. */
  drop(attempt: Attempt): void {
    const { lease } = attempt;
    lease.attempts.delete(attempt);
    if (lease.attempts.size === 0) this.known.delete(lease.id);
  }

  /**
   * What a beat names: leases we work under, and those of claims that met with silence. Claims that merely wait are not among
   * them: a lease that is not there yet would be told as lost at once.
   */
  heard(): string[] {
    return [...this.known.keys(), ...this.#unheard, ...this.abandoned.keys()];
  }

  /** Takes in a beat's answer; `before` are those known when it was sent. Returns what is lost. */
  renew(held: string[], lost: string[], before: Set<string>, deadline: number): Lease[] {
    for (const id of held) {
      const lease = this.known.get(id);
      if (lease) lease.deadline = Math.max(lease.deadline, deadline);
    }
    const gone = lost.filter((id) => before.has(id)).flatMap((id) => this.known.get(id) ?? []);
    for (const lease of gone) lease.lost = true;
    return gone;
  }

  /** What the server holds for us although we do not know of it. */
  unknown(held: string[], named: Set<string>): string[] {
    const strange = held.filter((id) => !this.known.has(id) && !this.#open.has(id));
    return strange.filter((id) => this.abandoned.has(id) || !named.has(id));
  }

  /** Claims so old cannot be written down any more. */
  forgetAbandoned(before: number): void {
    for (const [id, moment] of this.abandoned) if (moment < before) this.abandoned.delete(id);
  }
}
