/** How attempts ended: gathered, sent, and sent again in the same words until the server has answered. */

import { now } from "../clock";
import { Problem } from "../errors";
import type { Log } from "../log";
import { textOfMillis } from "../spans";
import { failed, type Verdict } from "../verdicts";
import type { Attempt } from "./attempt";
import { Bell } from "./bell";
import { untilAnswered, type Wire } from "./wire";

const RESULT_TIMEOUT = 10_000;

interface Told {
  attempt: Attempt;
  words: string;
  bytes: number;
}

/** The results that the server has not answered yet. */
export class Results {
  /** Whether the last call was not answered: nothing is claimed until one is. */
  refusedByLine = false;
  #waiting: Told[] = [];
  #onTheWay = 0;
  readonly #more = new Bell();

  constructor(
    private readonly wire: Wire,
    private readonly log: Log,
    private readonly onSettled: (attempt: Attempt) => void,
    private readonly onBatch: () => void,
  ) {}

  get size(): number {
    return this.#waiting.length + this.#onTheWay;
  }

  /** A result is kept from here on; `fragment` is its verdict in JSON without braces. */
  tell(attempt: Attempt, fragment: string): void {
    attempt.told = true;
    const words = wordsOf(attempt, fragment);
    this.#waiting.push({ attempt, words, bytes: Buffer.byteLength(words) });
    this.#more.ring();
  }

  /** Sends them, one batch after the other. */
  async run(): Promise<never> {
    while (true) {
      await this.#more.wait();
      while (this.#waiting.length > 0) {
        const batch = this.#nextBatch();
        this.#onTheWay = batch.length;
        await this.#send(batch);
        this.#onTheWay = 0;
        this.onBatch();
      }
    }
  }

  #nextBatch(): Told[] {
    let room = this.wire.terms.mostBytes - 64;
    let count = 0;
    while (count < this.#waiting.length && count < this.wire.terms.mostResults) {
      room -= this.#waiting[count]!.bytes + 1;
      if (count > 0 && room < 0) break;
      count++;
    }
    return this.#waiting.splice(0, count);
  }

  async #send(batch: Told[]): Promise<void> {
    const body = `{"results":[${batch.map(({ words }) => words).join(",")}]}`;
    const timeout = Math.min(RESULT_TIMEOUT, this.wire.terms.lease / 2);
    let answer;
    try {
      answer = await untilAnswered(
        () => this.wire.call("results", body, timeout),
        () => (this.refusedByLine = true),
      );
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      await this.#refused(batch, error);
      return;
    }
    this.refusedByLine = false;
    batch.forEach(({ attempt }, at) => this.#settle(attempt, answer.items[at]));
  }

  /** A call that is refused as a whole is sent in halves, until what is in the way stands alone. */
  async #refused(batch: Told[], problem: Problem): Promise<void> {
    this.refusedByLine = false;
    if (batch.length > 1) {
      const middle = batch.length >> 1;
      await this.#send(batch.slice(0, middle));
      await this.#send(batch.slice(middle));
      return;
    }
    const { attempt } = batch[0]!;
    this.log.error(`the server refuses the result of ${attempt.job.id}: ${problem.message}`);
    this.#settle(attempt, { settled: "refused", errors: problem.errors });
  }

  #settle(attempt: Attempt, item: { settled: string; errors?: unknown }): void {
    if (item.settled === "refused" && !attempt.refused) {
      this.log.error(`the result of ${attempt.job.id} was refused: ${JSON.stringify(item.errors)}`);
      attempt.refused = true;
      this.tell(attempt, fragmentOf(failed("unknown", "result_refused", "the server refused the result of its handler")));
      return;
    }
    if (item.settled === "stale") this.log.warn(`the result of ${attempt.job.id} came too late: it is history only`);
    this.onSettled(attempt);
  }
}

/** A verdict in JSON without its braces; throws where it cannot be written. */
export function fragmentOf(verdict: Verdict): string {
  return JSON.stringify({ verdict: verdict.word, ...verdict.fields }).slice(1, -1);
}

/** A result as it is sent, now and ever after. */
function wordsOf(attempt: Attempt, fragment: string): string {
  let words = `{"token":${JSON.stringify(attempt.token)},${fragment}`;
  if (attempt.startedAt !== undefined) {
    const moment = now();
    const ago = textOfMillis(moment - attempt.startedAt);
    const ran = textOfMillis((attempt.endedAt ?? moment) - attempt.startedAt);
    words += `,"started_ago":"${ago}","ran":"${ran}"`;
  }
  return `${words}}`;
}
