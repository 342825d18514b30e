/** Gathers jobs of a kind that are worked on by one call. */

import type { Attempt } from "./attempt";
import type { Kind } from "./messages";

/** What has a slot and waits for others of its kind. */
export class Batches {
  readonly #gathered = new Map<string, { attempts: Attempt[]; timer: NodeJS.Timeout }>();

  constructor(private readonly begin: (attempts: Attempt[]) => void) {}

  /** One more: the call is made when there are enough, or the first has waited long enough. */
  add(attempt: Attempt, kind: Kind): void {
    let gathered = this.#gathered.get(kind.kind);
    if (!gathered) {
      gathered = { attempts: [], timer: setTimeout(() => this.#flush(kind.kind), kind.linger) };
      this.#gathered.set(kind.kind, gathered);
    }
    gathered.attempts.push(attempt);
    if (gathered.attempts.length >= kind.batchSize) this.#flush(kind.kind);
  }

  /** Takes these out again, those of them that are here; all of them, unless said. */
  take(wanted?: Iterable<Attempt>): Attempt[] {
    const which = wanted && new Set(wanted);
    const taken: Attempt[] = [];
    for (const gathered of this.#gathered.values()) {
      gathered.attempts = gathered.attempts.filter((attempt) => {
        const out = !which || which.has(attempt);
        if (out) taken.push(attempt);
        return !out;
      });
    }
    return taken;
  }

  #flush(kind: string): void {
    const gathered = this.#gathered.get(kind);
    this.#gathered.delete(kind);
    clearTimeout(gathered?.timer);
    if (gathered && gathered.attempts.length > 0) this.begin(gathered.attempts);
  }
}
