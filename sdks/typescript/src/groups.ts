/** What the generated groups of calls are made of. */

import { PayloadError } from "./errors";
import { traceHeaders } from "./traces";
import type { Request, Transport } from "./transport";

/** The calls whose jobs belong to the trace of whoever makes them. */
const ENQUEUES = ["POST /v1/jobs", "POST /v1/jobs/batch"];

/** What a generated method says of its call. */
export interface What {
  body?: unknown;
  content?: string | Uint8Array;
  contentType?: string;
  query?: object;
}

/** A request out of it. */
export function requestOf(method: string, path: string, what: What = {}): Request {
  return {
    method,
    path,
    query: what.query as Record<string, unknown>,
    content: what.body === undefined ? what.content : written(what.body),
    contentType: what.contentType,
    keyed: isKeyed(what.body),
    headers: ENQUEUES.includes(`${method} ${path}`) ? traceHeaders() : undefined,
  };
}

function written(body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch (error) {
    throw new PayloadError(`what is to be sent cannot be written as JSON: ${(error as Error).message}`);
  }
}

/** Whether the same request again is the same thing: each part of it has a key. */
function isKeyed(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  const { jobs, key } = body as { jobs?: { key?: string }[]; key?: string };
  return Array.isArray(jobs) && jobs.length > 0 ? jobs.every((job) => job.key) : Boolean(key);
}

/** The calls about one thing. */
export class Group {
  constructor(private readonly transport: Transport) {}

  protected async json(method: string, path: string, what?: What): Promise<any> {
    const { content } = await this.transport.send(requestOf(method, path, what));
    return content.length > 0 ? JSON.parse(content.toString()) : undefined;
  }

  protected async text(method: string, path: string, what?: What): Promise<string> {
    return (await this.transport.send(requestOf(method, path, what))).content.toString();
  }

  protected async *pages(path: string, query: object): AsyncGenerator<any> {
    let after: unknown = (query as { after?: unknown }).after;
    do {
      const page = await this.json("GET", path, { query: { ...query, after } });
      yield* page.items;
      after = page.next;
    } while (after !== undefined && after !== null);
  }
}
