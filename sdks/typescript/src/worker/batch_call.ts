/** One call for many attempts, each of which comes to it through middleware of its own. */

import type { Context, Running } from "../context";
import type { Verdict } from "../verdicts";

/** Waits until each attempt has come, or middleware has ended it before that; then hands out what the call says of each. */
export class BatchCall {
  /** Who has come, with its context. */
  readonly contexts = new Map<Running, Context>();
  begun = false;
  readonly #missing: Set<Running>;
  readonly #answers = new Map<Running, { told: Promise<Verdict>; tell: (verdict: Verdict) => void }>();
  #complete!: () => void;
  readonly #isComplete = new Promise<void>((resolve) => (this.#complete = resolve));

  constructor(attempts: readonly Running[]) {
    this.#missing = new Set(attempts);
  }

  /** Comes, and hears what the call says. */
  answerOf(attempt: Running, context: Context): Promise<Verdict> {
    let answer = this.#answers.get(attempt);
    if (!answer) {
      let tell!: (verdict: Verdict) => void;
      const told = new Promise<Verdict>((resolve) => (tell = resolve));
      answer = { told, tell };
      this.#answers.set(attempt, answer);
      this.contexts.set(attempt, context);
    }
    this.comesNoMore(attempt);
    return answer.told;
  }

  /** Nobody waits for this one. */
  comesNoMore(attempt: Running): void {
    this.#missing.delete(attempt);
    if (this.#missing.size === 0) this.#complete();
  }

  /** Waits until nobody is missing. */
  async complete(): Promise<void> {
    await this.#isComplete;
    this.begun = true;
  }

  /** Hands out what was said. */
  answer(verdicts: Map<Running, Verdict>): void {
    for (const [attempt, verdict] of verdicts) this.#answers.get(attempt)!.tell(verdict);
  }
}
