/** The calls of the protocol, each once, to the server that answers. */

import { Addresses, unanswered } from "../addresses";
import { sleep } from "../clock";
import { Problem, WorkerEnded } from "../errors";
import { workerId } from "../ids";
import type { Log } from "../log";
import { Caller, NoConnection, type Request } from "../transport";
import { VERSION } from "../version";
import type { KeeperData } from "./messages";
import { PROTOCOL, Terms } from "./settings";

const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 2_000;

/** Pauses between repetitions: 50 ms to 2 s, with chance. */
export class Backoff {
  #pause = FIRST_PAUSE;

  /** Waits the next pause. */
  async wait(): Promise<void> {
    const pause = this.#pause * (0.75 + Math.random() / 4);
    this.#pause = Math.min(LONGEST_PAUSE, this.#pause * 2);
    await sleep(pause);
  }

  /** Begins with short pauses again. */
  reset(): void {
    this.#pause = FIRST_PAUSE;
  }
}

/** Silence, or an answer that says that the server cannot answer: whether the call was done is not known. */
export class NoAnswer extends Error {
  constructor(
    message: string,
    /** Whether a proxy gave up, which a shorter wait may mend. */
    readonly gateway = false,
  ) {
    super(message);
  }
}

/** A worker's connection to its servers. */
export class Wire {
  readonly id = workerId();
  terms = new Terms();
  readonly addresses: Addresses;
  readonly #path = `/v1/workers/${this.id}`;
  readonly #caller: Caller;
  readonly #who: string;
  #registering: Promise<void> | undefined;

  constructor(
    data: KeeperData,
    queues: string[],
    private readonly log: Log,
  ) {
    this.addresses = new Addresses(data.connection.urls);
    this.#caller = new Caller(data.connection.key);
    const { name, version, slots, labels } = data.settings;
    const kinds = data.kinds.map((kind) => kind.kind);
    this.#who = JSON.stringify({ protocol: PROTOCOL, name, sdk: `typescript/${VERSION}`, version, kinds, queues, slots, labels });
  }

  /** POSTs; a server that has forgotten this worker is told of it and asked again. */
  async call(name: string, body: unknown, timeout: number, signal?: AbortSignal): Promise<any> {
    const content = typeof body === "string" ? body : JSON.stringify(body);
    while (true) {
      try {
        return await this.#send({ method: "POST", path: `${this.#path}/${name}`, content }, timeout, signal);
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== "worker-not-found") throw error;
        await this.#registerAgain();
      }
    }
  }

  /** Says who it is, until somebody hears it. */
  async register(): Promise<void> {
    const backoff = new Backoff();
    while (true) {
      try {
        const answer = await this.#send({ method: "PUT", path: this.#path, content: this.#who }, 10_000);
        if ((answer.protocol ?? PROTOCOL) !== PROTOCOL) {
          throw new WorkerEnded(`the server speaks protocol ${answer.protocol}, and this worker ${PROTOCOL}`);
        }
        this.terms = Terms.read(answer);
        return;
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
        this.log.warn(`no server takes this worker yet; it goes on asking: ${error.message}`);
      }
      await backoff.wait();
    }
  }

  /** Says goodbye. */
  async leave(): Promise<void> {
    await this.#send({ method: "DELETE", path: this.#path }, 5_000);
  }

  /** The same once for all who have found that the server does not know it. */
  #registerAgain(): Promise<void> {
    if (!this.#registering) {
      this.log.warn("the server does not know this worker any more: it registers again");
      this.#registering = this.register()
        .catch((error: unknown) => {
          throw error instanceof Problem ? new WorkerEnded(`it may not register again: ${error.message}`) : error;
        })
        .finally(() => (this.#registering = undefined));
    }
    return this.#registering;
  }

  async #send(request: Request, timeout: number, signal?: AbortSignal): Promise<any> {
    const base = this.addresses.current;
    try {
      const { content } = await this.#caller.send(base, request, timeout, signal);
      return content.length > 0 ? JSON.parse(content.toString()) : undefined;
    } catch (error) {
      throw this.#judged(error, base);
    }
  }

  #judged(error: unknown, base: string): unknown {
    if (error instanceof Problem) {
      // A page of whatever stands before the server says nothing about what was asked, but that it was too much: less may pass.
      const isOurs = typeof error.body.code === "string" || error.status === 413;
      if (error.status === 401 || error.status === 403 || error.code === "worker-left") return new WorkerEnded(error.message);
      if (isOurs && error.status < 500 && error.status !== 408 && error.status !== 429) return error;
      this.addresses.turn(base);
      return new NoAnswer(error.message, error.status === 502 || error.status === 504);
    }
    if (error instanceof NoConnection) {
      this.addresses.turn(base);
      return new NoAnswer(unanswered(base, error.message, error.refused));
    }
    return error instanceof SyntaxError ? new NoAnswer(error.message) : error;
  }
}

/** Asks in the same words until there is an answer. */
export async function untilAnswered<T>(call: () => Promise<T>, onSilence: () => void): Promise<T> {
  const backoff = new Backoff();
  while (true) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      onSilence();
    }
    await backoff.wait();
  }
}
