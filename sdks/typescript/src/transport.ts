/** One call over HTTP, made again where that cannot do anything twice. */

import * as http from "node:http";
import * as https from "node:https";

import { Addresses, keyOf, unanswered } from "./addresses";
import { now, sleep } from "./clock";
import { Problem, Unreachable } from "./errors";
import { VERSION } from "./version";

/** A little longer than the server itself gives a request. */
const ANSWER_TIMEOUT = 40_000;
/** Refusals that say that nothing was begun. */
const NOT_DONE = ["overloaded", "draining", "busy"];

/** What is asked. */
export interface Request {
  method: string;
  path: string;
  query?: Record<string, unknown>;
  content?: string | Uint8Array;
  contentType?: string;
  headers?: Record<string, string>;
  /** Whether the same request again is the same thing, because it has a key. */
  keyed?: boolean;
}

/** What was answered. */
export interface Answer {
  status: number;
  content: Buffer;
}

/** Where the servers are, and what is shown to them. */
export interface Connection {
  urls: string[];
  key?: string;
}

/** No answer came: whether the call was done is not known. */
export class NoConnection extends Error {
  constructor(
    message: string,
    /** Whether the call cannot have reached anybody. */
    readonly refused: boolean,
  ) {
    super(message);
  }
}

/** Makes single calls, over connections that are kept. */
export class Caller {
  readonly #agents = {
    "http:": new http.Agent({ keepAlive: true, maxFreeSockets: 32 }),
    "https:": new https.Agent({ keepAlive: true, maxFreeSockets: 32 }),
  };
  readonly #headers: Record<string, string>;

  constructor(key?: string) {
    this.#headers = { "user-agent": `baton-typescript/${VERSION}` };
    if (key) this.#headers.authorization = `Bearer ${key}`;
  }

  /** Makes a call; throws a `Problem` if the server refuses, `NoConnection` if none answers. */
  async send(base: string, request: Request, timeout: number, signal?: AbortSignal): Promise<Answer> {
    const ended = new AbortController();
    const end = (): void => ended.abort();
    // Not by `AbortSignal.any`: a signal that lives long, as that of a worker's claims does, would keep something of every call.
    const timer = setTimeout(end, Math.max(1, Math.ceil(timeout))).unref();
    if (signal?.aborted) end();
    signal?.addEventListener("abort", end);
    try {
      const response = await this.open(base, request, ended.signal);
      return checked(response, await contentOf(response));
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
    }
  }

  /** Begins a call; the answer is read by whoever asked. */
  open(base: string, request: Request, signal: AbortSignal): Promise<http.IncomingMessage> {
    const url = new URL(base + request.path);
    for (const [name, value] of Object.entries(request.query ?? {})) {
      if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
    }
    const protocol = url.protocol as "http:" | "https:";
    const headers: Record<string, string | number> = { ...this.#headers, ...request.headers };
    if (request.content !== undefined) {
      headers["content-type"] = request.contentType ?? "application/json";
      headers["content-length"] = Buffer.byteLength(request.content);
    } else if (request.method !== "GET") {
      headers["content-length"] = 0;
    }
    return new Promise((resolve, reject) => {
      const options = { method: request.method, headers, agent: this.#agents[protocol], signal };
      const asked = (protocol === "https:" ? https : http).request(url, options, resolve);
      asked.on("error", (error: NodeJS.ErrnoException) => reject(new NoConnection(said(error), isRefused(error))));
      asked.end(request.content);
    });
  }

  /** Closes its connections. */
  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }
}

/** Calls to the servers of one installation. */
export class Transport {
  readonly addresses: Addresses;
  readonly key: string | undefined;
  readonly caller: Caller;
  readonly said: Record<string, string> = {};

  constructor(
    url: string | readonly string[] | undefined,
    key: string | undefined,
    readonly retryFor: number,
  ) {
    this.addresses = new Addresses(url);
    this.key = keyOf(key);
    this.caller = new Caller(this.key);
  }

  /** Calls over the same connections, each with why it is made. */
  because(reason: string): Transport {
    const said = { "baton-reason": asHeader(reason) };
    return Object.assign(Object.create(Transport.prototype) as Transport, this, { said });
  }

  /** A request with what each one says. */
  saying(request: Request): Request {
    return { ...request, headers: { ...request.headers, ...this.said } };
  }

  /** Makes a call, and makes it again while that is safe and within `retryFor`. */
  async send(request: Request): Promise<Answer> {
    const until = now() + this.retryFor;
    let pause = 50;
    while (true) {
      const base = this.addresses.current;
      try {
        return await this.caller.send(base, this.saying(request), ANSWER_TIMEOUT);
      } catch (error) {
        if (!mayRepeat(request, error) || now() >= until) throw asTold(error, base);
        this.addresses.turn(base);
        const asked = error instanceof Problem ? error.retryAfter : undefined;
        await sleep(Math.min(asked ?? pause * (0.5 + Math.random() / 2), Math.max(0, until - now())));
        pause = Math.min(2_000, pause * 2);
      }
    }
  }
}

/** A text as a header carries it: the bytes of UTF-8, percent-encoded where they are no plain ASCII. */
function asHeader(text: string): string {
  const isPlain = (byte: number): boolean => byte >= 0x20 && byte < 0x7f && byte !== 0x25;
  const written = (byte: number): string => `%${byte.toString(16).padStart(2, "0").toUpperCase()}`;
  return [...Buffer.from(text)].map((byte) => (isPlain(byte) ? String.fromCharCode(byte) : written(byte))).join("");
}

function mayRepeat(request: Request, error: unknown): boolean {
  const repeatable = request.keyed || ["GET", "PUT", "DELETE"].includes(request.method);
  if (error instanceof Problem) {
    return NOT_DONE.includes(error.code) || ([502, 503, 504].includes(error.status) && repeatable);
  }
  return error instanceof NoConnection && (error.refused || repeatable);
}

function asTold(error: unknown, base: string): unknown {
  return error instanceof NoConnection ? new Unreachable(unanswered(base, error.message, error.refused)) : error;
}

async function contentOf(response: http.IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of response) pieces.push(piece as Buffer);
  } catch (error) {
    throw new NoConnection(`the answer was cut off: ${(error as Error).message}`, false);
  }
  return Buffer.concat(pieces);
}

/** The answer, or the problem that it is. */
export function checked(response: http.IncomingMessage, content: Buffer): Answer {
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) return { status, content };
  let body: unknown;
  try {
    body = JSON.parse(content.toString());
  } catch {
    body = { detail: stranger(content) };
  }
  const after = response.headers["retry-after"];
  const pause = after && /^[0-9]+$/.test(after) ? Number(after) * 1_000 : undefined;
  throw new Problem(status, typeof body === "object" && body !== null ? body : {}, pause);
}

/** What is said of an answer that no server of ours gives, nor a proxy before it. */
function stranger(content: Buffer): string {
  const began = content.toString().trim().split("\n")[0]!.slice(0, 80);
  return `this is no answer of a Baton server: is it the right address, and what stands before it? It begins with '${began}'`;
}

function said(error: NodeJS.ErrnoException): string {
  if (error.name === "TimeoutError" || error.name === "AbortError") return "no answer in time";
  return [error.code, error.message].filter(Boolean).join(": ") || "the connection failed";
}

function isRefused(error: NodeJS.ErrnoException): boolean {
  return ["ECONNREFUSED", "ENOTFOUND", "EHOSTUNREACH", "ENETUNREACH", "EAI_AGAIN"].includes(error.code ?? "");
}
