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
import { millis, text, textOfMillis, type Span } from "../spans";
import { Caller, type Request } from "../transport";

/** How long one question of `quiet` may wait for its answer. */
const LONGEST_WAIT = 20_000;
const ANSWER_TIMEOUT = 40_000;
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
  #ahead = 0;

  /** @internal */
  constructor(
    private readonly port: number,
    private readonly options: ServerOptions,
  ) {
    this.#binary = serverBinary(options.binary);
    this.url = `http://127.0.0.1:${port}`;
    this.client = new Client(this.url);
  }

  /** Starts it, and waits until it answers; once more after `kill`, on the same file and at the same time of day. */
  async start(): Promise<void> {
    const lease = this.options.lease === undefined ? [] : ["--lease", text(this.options.lease)];
    const place = ["--listen", `127.0.0.1:${this.port}`, "--data-dir", this.#folder];
    const log = openSync(this.log, "a");
    const given = ["serve", "--dev", ...place, ...lease, ...(this.options.arguments ?? [])];
    this.#process = spawn(this.#binary, given, { stdio: ["ignore", log, log], cwd: this.#folder, env: ownEnvironment() });
    closeSync(log);
    await this.#untilReady();
    if (this.#ahead > 0) await this.#putAhead(textOfMillis(this.#ahead));
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
    const timeout = options.timeout ?? "30s";
    for (const end = now() + millis(timeout); ; ) {
      const wait = textOfMillis(Math.min(Math.max(0, end - now()), LONGEST_WAIT));
      const answer = (await this.#door({ method: "GET", path: "quiet", query: { wait } })) as { quiet: boolean; busy: string[] };
      if (answer.quiet) return;
      if (now() >= end) throw new TimedOut(`after ${text(timeout)}: ${answer.busy.join("; ")}`);
    }
  }

  /** Puts its clock ahead, so that what is due by then runs now; says what it shows. Leases and workers live on. */
  async advance(span: Span): Promise<Date> {
    const shown = await this.#putAhead(text(span));
    this.#ahead += millis(span);
    return shown;
  }

  /** Takes every lease away now, as after silent workers: their jobs run again. Says how many jobs those are. */
  async loseLeases(): Promise<number> {
    return ((await this.#door({ method: "POST", path: "leases/lose" })) as { lost: number }).lost;
  }

  /** Closes every connection it has, those of waiting workers among them; says how many. */
  async cut(): Promise<number> {
    return ((await this.#door({ method: "POST", path: "cut" })) as { cut: number }).cut;
  }

  async #putAhead(span: string): Promise<Date> {
    const content = JSON.stringify({ advance: span });
    const answer = (await this.#door({ method: "POST", path: "clock", content })) as { now: string };
    return new Date(answer.now);
  }

  /** Asks over a connection of its own, so that no other is spared by a cut. */
  async #door(request: Request): Promise<unknown> {
    const caller = new Caller();
    try {
      const answer = await caller.send(this.url, { ...request, path: `/v1/dev/${request.path}` }, ANSWER_TIMEOUT);
      return JSON.parse(answer.content.toString("utf8"));
    } finally {
      caller.close();
    }
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
