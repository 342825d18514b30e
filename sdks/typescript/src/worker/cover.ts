/** Cover: a claim that waits says that its worker lives, and meanwhile an idle one need not beat. */

import { now } from "../clock";
import { Bell } from "./bell";

/** How long the answer to a claim may take beyond its wait. */
export const UNANSWERED = 10_000;
/** How long the claim after one that was answered may take to begin. */
export const BETWEEN = 1_000;

/**
 * Until when a claim that waits says that the worker lives. Claims that are open at once share it: whichever ends cuts it short, so that
 * what lasts longer is that of one that is open.
 */
export class Cover {
  #until = 0;
  readonly #changed = new Bell();

  /** It lasts for so long at the most. */
  lasts(span: number): void {
    this.#until = now() + span;
    this.#changed.ring();
  }

  /** There is none any more. */
  end(): void {
    this.#until = 0;
    this.#changed.ring();
  }

  get isThere(): boolean {
    return now() < this.#until;
  }

  /** Waits until it ends, or may have: what has changed may last shorter. */
  async ended(): Promise<void> {
    await this.#changed.wait(Math.max(0, this.#until - now()));
  }
}
