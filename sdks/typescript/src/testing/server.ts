/** A real server on a scratch file and a free port. */

import { spawn, type ChildProcess } from "node:child_process";
import { accessSync, closeSync, constants, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { once } from "node:events";

import { Client } from "../client";
import { now, sleep } from "../clock";
import { BatonError, TimedOut } from "../errors";
import { millis, text, type Span } from "../spans";
import { Caller } from "../transport";

/** How many looks in a row have to find nothing: a job may move on between two questions of one. */
const ROUNDS = 2;
const READY_WITHIN = 20_000;
const ENDS_WITHIN = 10_000;

/** There is no `baton` to start, or it does not start. */
export class NoServer extends BatonError {}

/** How a server is started. */
export interface ServerOptions {
  lease?: Span;
  /** Its binary; else the one that `BATON_BIN` names, or the `baton` on the path. */
  binary?: string;
  arguments?: readonly string[];
}

/** A server of `baton serve --dev`. Open to whoever is on this machine, on loopback alone. */
export class Server {
  readonly url: string;
  readonly client: Client;
  readonly #folder = mkdtempSync(join(tmpdir(), "baton-test-"));
  readonly #binary: string;
  #process: ChildProcess | undefined;

  /** @internal */
  constructor(
    private readonly port: number,
    private readonly options: ServerOptions,
  ) {
    this.#binary = serverBinary(options.binary);
    this.url = `http://127.0.0.1:${port}`;
    this.client = new Client(this.url);
  }

  /** Starts it, and waits until it answers; once more after `kill`, on the same file. */
  async start(): Promise<void> {
    const lease = this.options.lease === undefined ? [] : ["--lease", text(this.options.lease)];
    const place = ["--listen", `127.0.0.1:${this.port}`, "--data-dir", this.#folder];
    const log = openSync(this.log, "a");
    const given = ["serve", "--dev", ...place, ...lease, ...(this.options.arguments ?? [])];
    this.#process = spawn(this.#binary, given, { stdio: ["ignore", log, log], cwd: this.#folder, env: ownEnvironment() });
    closeSync(log);
    await this.#untilReady();
  }

  /** The file of what it says. */
  get log(): string {
    return join(this.#folder, "server.log");
  }

  /** Its process. */
  get pid(): number {
    return this.#process!.pid!;
  }

  /** Ends it with a signal that cannot be caught. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** Ends it, and removes its file. */
  async stop(): Promise<void> {
    this.client.close();
    await this.#end("SIGTERM");
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Waits until nothing is due and nothing runs; what waits for its time may wait. */
  async quiet(options: { timeout?: Span } = {}): Promise<void> {
    const end = now() + millis(options.timeout ?? "30s");
    for (let rounds = 0; rounds < ROUNDS; await sleep(20)) {
      const busy = await this.#busy();
      rounds = busy ? 0 : rounds + 1;
      if (busy && now() > end) throw new TimedOut(`${busy.id} (${busy.kind}) is still ${busy.state}`);
    }
  }

  /** A job that is due or runs, looked for in the direction in which jobs move. */
  async #busy(): Promise<{ id: string; kind: string; state: string } | undefined> {
    for (const state of ["pending", "retry_wait", "queued", "running"] as const) {
      const isWaiting = state === "pending" || state === "retry_wait";
      for await (const job of this.client.jobs.all({ state, limit: 500 })) {
        if (!isWaiting || Date.parse(job.run_at) <= Date.now()) return job;
      }
    }
    return undefined;
  }

  async #untilReady(): Promise<void> {
    const caller = new Caller();
    try {
      for (const end = now() + READY_WITHIN; now() < end; await sleep(20)) {
        if (hasEnded(this.#process!)) throw new NoServer(`the server ended with ${this.#process!.exitCode}:\n${this.#said()}`);
        const isReady = await caller.send(this.url, { method: "GET", path: "/readyz" }, 1_000).then(
          () => true,
          () => false,
        );
        if (isReady) return;
      }
      throw new NoServer(`the server is not ready after ${READY_WITHIN / 1_000} s:\n${this.#said()}`);
    } finally {
      caller.close();
    }
  }

  async #end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const process = this.#process;
    if (!process || hasEnded(process)) return;
    const ended = once(process, "exit");
    process.kill(signal);
    const timer = setTimeout(() => process.kill("SIGKILL"), ENDS_WITHIN);
    await ended;
    clearTimeout(timer);
  }

  #said(): string {
    return readFileSync(this.log, "utf8").slice(-2_000);
  }
}

/** Starts a real server; `await server.stop()` ends it. */
export async function server(options: ServerOptions = {}): Promise<Server> {
  const started = new Server(await freePort(), options);
  try {
    await started.start();
  } catch (error) {
    await started.stop();
    throw error;
  }
  return started;
}

/** The path of the server; throws `NoServer` where there is none. */
export function serverBinary(binary?: string): string {
  const named = binary ?? process.env.BATON_BIN ?? "baton";
  const places = named.includes("/") ? [named] : (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, named));
  const found = places.find(isExecutable);
  if (!found) throw new NoServer(`there is no ${named}: name the server's binary in BATON_BIN, or put it on the path`);
  return found;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return existsSync(path);
  } catch {
    return false;
  }
}

function hasEnded(process: ChildProcess): boolean {
  return process.exitCode !== null || process.signalCode !== null;
}

/** Without settings of another server. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("BATON_")));
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, "close");
  return port;
}
