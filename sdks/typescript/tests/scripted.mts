/** A server of the protocol of remote workers that does what a test says, and remembers what it was asked. */

import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Body = any;

class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code);
  }
}

/** One call that came. */
export interface Asked {
  name: string;
  body: Body;
  at: number;
  raw: string;
}

/** One job as the server has it. */
export interface StoredJob {
  id: string;
  kind: string;
  payload: unknown;
  options: Body;
  state: string;
  attempt: number;
  lease?: string;
  /** Whose lease it is. */
  worker?: string;
  token?: string;
  verdict?: Body;
  seq: number;
  cursor?: unknown;
  progress?: unknown;
  children: Map<number, Body[]>;
}

const FAULTS: Record<string, [number, string]> = {
  "503": [503, "unavailable"],
  "401": [401, "unauthenticated"],
  "unknown-worker": [404, "worker-not-found"],
  "worker-left": [409, "worker-left"],
};

/** Serves on a free port until it is closed. */
export class ScriptedServer {
  readonly jobs = new Map<string, StoredJob>();
  readonly asked: Asked[] = [];
  readonly workers = new Map<string, Body>();
  readonly left: string[] = [];
  readonly lost = new Set<string>();
  readonly stop = new Set<string>();
  drain = false;
  url = "";
  readonly #faults = new Map<string, string[]>();
  readonly #keys = new Map<string, StoredJob>();
  readonly #http: Server = createServer((request, response) => void this.#serve(request, response));
  #serial = 0;
  #waiters: (() => void)[] = [];

  constructor(readonly lease = 1_000) {}

  static async start(lease?: number): Promise<ScriptedServer> {
    const server = new ScriptedServer(lease);
    await new Promise<void>((resolve) => server.#http.listen(0, "127.0.0.1", resolve));
    server.url = `http://127.0.0.1:${(server.#http.address() as AddressInfo).port}`;
    return server;
  }

  close(): void {
    this.#http.close();
    this.#http.closeAllConnections();
  }

  // What a test says and asks.

  add(kind: string, payload: unknown = null, options: Body = {}): StoredJob {
    const id = `job_00000000-0000-0000-0000-${String(++this.#serial).padStart(12, "0")}`;
    const job: StoredJob = { id, kind, payload, options, state: "queued", attempt: 0, seq: 0, children: new Map() };
    this.jobs.set(id, job);
    this.#changed();
    return job;
  }

  /** `503`, `drop` (the answer, after it was done), `unknown-worker`, `worker-left`, `401`. */
  failNext(call: string, ...faults: string[]): void {
    this.#faults.set(call, [...(this.#faults.get(call) ?? []), ...faults]);
  }

  mend(call: string): void {
    this.#faults.delete(call);
  }

  calls(name: string): Asked[] {
    return this.asked.filter((call) => call.name === name);
  }

  cancel(job: StoredJob): void {
    this.stop.add(job.id);
    this.#changed();
  }

  takeLeaseOf(job: StoredJob): void {
    const lease = job.lease!;
    this.lost.add(lease);
    for (const other of this.jobs.values()) {
      if (other.lease === lease) Object.assign(other, { lease: undefined, state: "retry_wait" });
    }
    this.#changed();
  }

  async waitFor<T>(isSo: () => T, what = "the condition", timeout = 10_000): Promise<NonNullable<T>> {
    const end = Date.now() + timeout;
    for (let value = isSo(); ; value = isSo()) {
      if (value) return value as NonNullable<T>;
      assert.ok(Date.now() < end, `${what} did not come true in ${timeout} ms`);
      await this.#wait(Math.min(20, end - Date.now()));
    }
  }

  async ended(job: StoredJob, timeout?: number): Promise<Body> {
    return this.waitFor(() => job.verdict, `the end of ${job.kind} ${JSON.stringify(job.payload)}`, timeout);
  }

  // The protocol.

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const url = new URL(request.url!, this.url);
    const parts = url.pathname.slice(1).split("/");
    const raw = Buffer.concat(pieces).toString();
    const body = raw ? JSON.parse(raw) : {};
    const name = nameOf(request.method!, parts);
    this.asked.push({ name, body, at: performance.now(), raw });
    const fault = this.#faults.get(name)?.shift();
    this.#changed();
    let status = 200;
    let answer: Body;
    try {
      if (fault && FAULTS[fault]) throw new Refused(...FAULTS[fault]!);
      [status, answer] = await this.#answer(name, parts, url.searchParams, body);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      [status, answer] = [error.status, { code: error.code, detail: error.code }];
    }
    this.#changed();
    if (fault === "drop") request.socket.destroy();
    else response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
  }

  async #answer(name: string, parts: string[], query: URLSearchParams, body: Body): Promise<[number, Body]> {
    const id = parts[2]!;
    switch (name) {
      case "register":
        this.workers.set(id, body);
        return [201, { id, protocol: 1, lease: `${this.lease}ms`, beat: `${Math.round(this.lease / 3)}ms`, server: "0", limits: LIMITS }];
      case "leave":
        this.left.push(id);
        return [200, { given_back: 0 }];
      case "claim":
        return [200, await this.#claim(id, body)];
      case "beat":
        return [200, await this.#beat(id, body)];
      case "results":
        return [200, { items: body.results.map((item: Body) => this.#settle(item)) }];
      case "checkpoints":
        return [200, { items: body.checkpoints.map((item: Body) => this.#checkpoint(item)) }];
      case "release":
        return [200, this.#release(body)];
      case "enqueue":
        return this.#enqueue(body);
      case "enqueue_many": {
        const made = body.jobs.map((job: Body) => this.#enqueue(job));
        return [201, { items: made.map(([status, job]: [number, Body]) => ({ id: job.id, created: status === 201 })) }];
      }
      case "show":
        return [200, await this.#show(id, query)];
      default:
        throw new Refused(404, "not-found");
    }
  }

  async #claim(worker: string, body: Body): Promise<Body> {
    const end = Date.now() + millis(body.wait);
    while (true) {
      const repeated = body.repeat ? this.#repeated(body) : [];
      const batches = repeated.length > 0 ? repeated : this.#taken(worker, body);
      if (batches.length > 0 || Date.now() >= end) return { lease: `${this.lease}ms`, batches };
      await this.#wait(end - Date.now());
    }
  }

  #repeated(body: Body): Body[] {
    return body.wants.flatMap((want: Body) => {
      const jobs = [...this.jobs.values()].filter((job) => job.lease === want.lease);
      return jobs.length > 0 ? [{ lease: want.lease, queue: want.queue, jobs: jobs.map(claimed) }] : [];
    });
  }

  #taken(worker: string, body: Body): Body[] {
    let room = body.limit;
    return body.wants.flatMap((want: Body) => {
      const line = [...this.jobs.values()].filter((job) => job.state === "queued" && (job.options.queue ?? job.kind) === want.queue);
      const taken = line.slice(0, Math.min(room, want.limit));
      room -= taken.length;
      for (const job of taken) {
        Object.assign(job, { state: "running", worker, lease: want.lease, attempt: job.attempt + 1 });
        job.token = `${job.id}/${job.attempt}`;
      }
      return taken.length > 0 ? [{ lease: want.lease, queue: want.queue, jobs: taken.map(claimed) }] : [];
    });
  }

  async #beat(worker: string, body: Body): Promise<Body> {
    const end = Date.now() + millis(body.wait);
    while (true) {
      const held = new Set([...this.jobs.values()].flatMap((job) => ((job.worker ?? worker) === worker && job.lease) || []));
      const lost = body.heard.filter((lease: string) => !held.has(lease));
      const stop = [...this.stop].filter((id) => this.jobs.get(id)!.state === "running").map((job) => ({ job, why: "canceled", reason: "wrong" }));
      const isNews = stop.length > 0 || this.drain || lost.some((lease: string) => this.lost.has(lease));
      if (isNews || Date.now() >= end) {
        for (const lease of lost) this.lost.delete(lease);
        return { lease: `${this.lease}ms`, held: [...held].sort(), lost, stop, drain: this.drain };
      }
      await this.#wait(end - Date.now());
    }
  }

  #settle(item: Body): Body {
    const job = [...this.jobs.values()].find((one) => one.token === item.token);
    if (!job) return { settled: "stale" };
    if (!job.lease) return { job: job.id, settled: JSON.stringify(job.verdict) === JSON.stringify(item) ? "recorded" : "stale" };
    Object.assign(job, { lease: undefined, verdict: item, state: STATES[item.verdict] ?? item.verdict });
    return { job: job.id, settled: "recorded", state: job.state };
  }

  #checkpoint(item: Body): Body {
    const job = [...this.jobs.values()].find((one) => one.token === item.token)!;
    const stop = this.stop.has(job.id) ? "canceled" : null;
    if (!job.lease) return { job: job.id, saved: "lost", stop: null };
    const jobs = job.children.get(job.seq);
    if (item.seq === job.seq) return { job: job.id, saved: "repeated", seq: job.seq, jobs, stop };
    if (item.seq !== job.seq + 1) return { job: job.id, saved: "out_of_order", seq: job.seq, stop };
    Object.assign(job, { seq: item.seq, cursor: item.cursor, progress: item.progress });
    const made = (item.jobs ?? []).map((_: Body, at: number) => ({ id: `child_${job.seq}_${at}`, created: true }));
    job.children.set(job.seq, made);
    return { job: job.id, saved: "recorded", seq: job.seq, jobs: made, stop };
  }

  #release(body: Body): Body {
    const given = [...this.jobs.values()].filter((job) => job.lease && body.leases.includes(job.lease));
    for (const job of given) Object.assign(job, { lease: undefined, state: "queued" });
    return { given_back: given.length };
  }

  #enqueue(body: Body): [number, Body] {
    const known = body.key && this.#keys.get(body.key);
    if (known) return [200, shown(known)];
    const { kind, payload, ...options } = body;
    const job = this.add(kind, payload, options);
    if (body.key) this.#keys.set(body.key, job);
    return [201, shown(job)];
  }

  async #show(id: string, query: URLSearchParams): Promise<Body> {
    const job = this.jobs.get(id);
    if (!job) throw new Refused(404, "job-not-found");
    const end = Date.now() + millis(query.get("wait") ?? "0s");
    while ((!job.verdict || job.state === "queued") && Date.now() < end) await this.#wait(end - Date.now());
    return shown(job);
  }

  #changed(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }

  #wait(most: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, most));
      this.#waiters.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

const LIMITS = { claim: 1000, results: 1000, checkpoints: 100, jobs: 1000, wait: "25s", result: 65536 };
/** What is given back stands in its queue again. */
const STATES: Record<string, string> = { accepted: "succeeded", given_back: "queued" };
const UNITS: Record<string, number> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1, us: 0.001 };

function millis(span: string): number {
  let sum = 0;
  for (const [, number, unit] of span.matchAll(/([0-9]+)(us|ms|s|m|h|d)/g)) sum += Number(number) * UNITS[unit!]!;
  return sum;
}

function nameOf(method: string, parts: string[]): string {
  if (parts[1] === "workers") return { PUT: "register", DELETE: "leave" }[method] ?? parts[3]!;
  const calls: Record<string, string> = { POST2: "enqueue", POST3: "enqueue_many", GET3: "show" };
  return calls[`${method}${parts.length}`] ?? "nothing";
}

function claimed(job: StoredJob): Body {
  const checkpoint = job.seq ? { seq: job.seq, era: 1, cursor: job.cursor, progress: job.progress, ago: "1s" } : null;
  return {
    id: job.id,
    kind: job.kind,
    payload: job.payload,
    token: job.token,
    attempt: job.attempt,
    tries: job.attempt,
    max_attempts: 4,
    run: 1,
    losses: 0,
    timeout: job.options.timeout ?? "30s",
    delivery: "at_least_once",
    idempotency_key: `${job.id}.1`,
    queued_ago: "3ms",
    created_ago: "3ms",
    expires_in: null,
    trace: null,
    checkpoint,
    a_field_of_the_future: 1,
  };
}

function shown(job: StoredJob): Body {
  const { class: of, code, message, result } = job.verdict ?? {};
  const error = code === undefined ? null : { class: of, code, message };
  return { id: job.id, kind: job.kind, state: job.state, result, last_error: error };
}
