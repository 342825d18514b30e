/** Cursors on their way to the server: durable when the handler hears of it. */

import type { Child, SaveBody } from "../context";
import { Problem, type FieldError } from "../errors";
import type { Log } from "../log";
import type { Why } from "../verdicts";
import type { Attempt } from "./attempt";
import { Bell } from "./bell";
import type { ToHandlers } from "./messages";
import { untilAnswered, type Wire } from "./wire";

const CALL_TIMEOUT = 10_000;

interface Saving {
  attempt: Attempt;
  save: number;
  body: SaveBody;
  words: string;
}

/** Gathers what handlers save at the same time into one call. */
export class Checkpoints {
  #waiting: Saving[] = [];
  readonly #more = new Bell();

  constructor(
    private readonly wire: Wire,
    private readonly log: Log,
    private readonly post: (message: ToHandlers) => void,
    private readonly onLost: (attempt: Attempt) => void,
  ) {}

  /** Takes one in. */
  save(attempt: Attempt, save: number, body: SaveBody): void {
    if (attempt.lease.lost || attempt.why === "lost") {
      this.post({ is: "not saved", save, stopped: "lost", recorded: false });
      return;
    }
    this.#waiting.push({ attempt, save, body, words: JSON.stringify({ token: attempt.token, ...body }) });
    this.#more.ring();
  }

  /** Sends them, one call after the other. */
  async run(): Promise<never> {
    while (true) {
      await this.#more.wait();
      while (this.#waiting.length > 0) await this.#send(this.#nextBatch());
    }
  }

  #nextBatch(): Saving[] {
    let count = 0;
    let children = 0;
    let room = this.wire.terms.mostBytes - 64;
    while (count < this.#waiting.length && count < this.wire.terms.mostCheckpoints) {
      const { body, words } = this.#waiting[count]!;
      children += body.jobs?.length ?? 0;
      room -= Buffer.byteLength(words) + 1;
      if (count > 0 && (children > this.wire.terms.mostChildren || room < 0)) break;
      count++;
    }
    return this.#waiting.splice(0, count);
  }

  async #send(batch: Saving[]): Promise<void> {
    const content = `{"checkpoints":[${batch.map(({ words }) => words).join(",")}]}`;
    const timeout = Math.min(CALL_TIMEOUT, this.wire.terms.lease / 2);
    try {
      const answer = await untilAnswered(
        () => this.wire.call("checkpoints", content, timeout),
        () => {},
      );
      batch.forEach((saving, at) => this.#take(saving, answer.items[at]));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      await this.#refused(batch, error);
    }
  }

  /** A call that is refused as a whole is sent in halves, until what is in the way stands alone. */
  async #refused(batch: Saving[], problem: Problem): Promise<void> {
    if (batch.length > 1) {
      const middle = batch.length >> 1;
      await this.#send(batch.slice(0, middle));
      await this.#send(batch.slice(middle));
      return;
    }
    const errors = problem.errors.length > 0 ? problem.errors : [{ field: "checkpoints", message: problem.message }];
    this.post({ is: "not saved", save: batch[0]!.save, recorded: false, errors });
  }

  #take(saving: Saving, item: { saved: string; jobs?: Child[]; stop?: unknown; errors?: FieldError[] }): void {
    const { attempt, save } = saving;
    if (item.saved === "recorded" || item.saved === "repeated") {
      attempt.moved();
      if (item.stop) attempt.askedToCancel = true;
      const stopped: Why | undefined = attempt.askedToCancel ? "canceled" : attempt.stopping ? "stopping" : undefined;
      if (stopped) this.post({ is: "not saved", save, stopped, recorded: true });
      else this.post({ is: "saved", save, children: item.jobs ?? [] });
    } else if (item.saved === "refused") {
      this.post({ is: "not saved", save, recorded: false, errors: item.errors ?? [] });
    } else {
      this.log.warn(`${attempt.job.id} is not ours any more: its checkpoint is ${item.saved}`);
      this.post({ is: "not saved", save, stopped: "lost", recorded: false });
      this.onLost(attempt);
    }
  }
}
