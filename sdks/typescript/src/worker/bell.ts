/** A bell: one waits for it, others ring. A ring that nobody waits for is not lost. */
export class Bell {
  #rung = false;
  #wake: (() => void) | undefined;

  /** Wakes who waits, now or next. */
  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Waits for a ring, or for so many milliseconds; takes the ring away. */
  async wait(most?: number): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        const timer = most === undefined ? undefined : setTimeout(resolve, most);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = undefined;
    }
    this.#rung = false;
  }
}
