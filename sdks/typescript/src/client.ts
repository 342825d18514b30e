/** Everything that the API of a server offers. */

import { now, sleep } from "./clock";
import { TimedOut } from "./errors";
import { follow } from "./feed";
import { Calls } from "./generated/calls";
import type * as models from "./generated/models";
import { requestOf } from "./groups";
import { millis, textOfMillis, type Span } from "./spans";
import type { Message } from "./sse";
import { Transport } from "./transport";

const ENDED = ["succeeded", "failed", "canceled", "skipped", "uncertain"];
const LONGEST_WAIT = 20_000;

/** How a client finds its server. */
export interface ClientOptions {
  /** The API key; else of the file that `BATON_KEY_FILE` names, or `BATON_KEY`. */
  key?: string;
  /** How long a call that can be repeated safely is: 10 s, unless said otherwise. */
  retryFor?: Span;
}

/** Which events to follow. */
export interface Following {
  types?: string;
  subject?: string;
  queue?: string;
  /** Those after this place in the feed; from now, unless said. */
  after?: string;
  signal?: AbortSignal;
}

/** All calls of the API. What can be repeated safely is, for as long as `retryFor` says. */
export class Client extends Calls {
  /** @internal */
  readonly transport: Transport;

  /** `url`, or `BATON_URL`; several are tried in turn. */
  constructor(url?: string | readonly string[], options: ClientOptions = {}) {
    const transport = new Transport(url, options.key, millis(options.retryFor ?? "10s"));
    super(transport);
    this.transport = transport;
  }

  /**
   * This client, over the same connections, which says with every call why it is made, in 500 characters at most: the audit log of the
   * server keeps that beside what was done.
   */
  because(reason: string): Client {
    const transport = this.transport.because(reason);
    return Object.assign(Object.create(Client.prototype) as Client, new Calls(transport), { transport });
  }

  /** The job, and whether this call made it: under a known key it is the one there was. */
  async enqueue(job: models.EnqueueJob): Promise<{ job: models.Job; created: boolean }> {
    const answer = await this.transport.send(requestOf("POST", "/v1/jobs", { body: job }));
    return { job: JSON.parse(answer.content.toString()), created: answer.status === 201 };
  }

  /** Runs a job again that has ended: behind its last checkpoint, or from its beginning. */
  runAgain(id: string, options: { afresh?: boolean } = {}): Promise<models.Job> {
    return this.jobs.retry(id, { afresh: options.afresh ?? false });
  }

  /** The job once it has ended; throws `TimedOut` if it has not in time. */
  async wait(id: string, options: { timeout?: Span } = {}): Promise<models.Job> {
    const until = options.timeout === undefined ? Infinity : now() + millis(options.timeout);
    while (true) {
      const asked = now();
      const wait = textOfMillis(Math.min(LONGEST_WAIT, Math.max(0, until - asked)));
      const job = await this.jobs.show(id, { wait });
      if (ENDED.includes(job.state)) return job;
      if (now() >= until) throw new TimedOut(`${id} has not ended in time: it is ${job.state}${whyNot(job)}`);
      // A server that stops answers before its time: nobody hammers the next.
      if (now() - asked < 100) await sleep(100);
    }
  }

  /** Events as they come, after `after` or from now; a lost connection is made again from where it was lost. */
  async *follow(which: Following = {}): AsyncGenerator<models.Event> {
    const { signal, ...query } = which;
    for await (const message of follow(this.transport, "/v1/events/stream", query, signal)) {
      yield JSON.parse(message.data ?? "null");
    }
  }

  /** What changes in one inbox: `inbox.added` and `inbox.unread`. */
  followInbox(recipient: string, options: { signal?: AbortSignal } = {}): AsyncGenerator<Message> {
    return follow(this.transport, `/v1/recipients/${encodeURIComponent(recipient)}/inbox/stream`, {}, options.signal);
  }

  /** Closes its connections. */
  close(): void {
    this.transport.caller.close();
  }
}

/** Where to look, if nobody has begun it. */
function whyNot({ id, kind, state }: models.Job): string {
  if (state !== "queued") return "";
  return `; does a worker run that has the kind '${kind}'? \`baton jobs show ${id}\` says what it waits for`;
}
