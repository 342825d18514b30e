/** Streams of events, made again from where they were lost. */

import { BatonError, Problem } from "./errors";
import { sleep } from "./clock";
import { Parser, type Message } from "./sse";
import { checked, NoConnection, type Transport } from "./transport";

/** A stream that says nothing for so long is dead: the server speaks each 15 s. */
const SILENCE = 45_000;
const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 5_000;

/** The feed cannot go on where the reader was: read the present state, then follow again after `last`. */
export class FeedReset extends BatonError {
  constructor(
    readonly reason: string,
    readonly last: string | undefined,
  ) {
    super(`the feed begins anew: ${reason}`);
  }
}

/** Messages of a stream, for as long as they are read. */
export async function* follow(transport: Transport, path: string, query: object, signal?: AbortSignal): AsyncGenerator<Message> {
  const parser = new Parser();
  let place: string | undefined;
  let failures = 0;
  while (!signal?.aborted) {
    const base = transport.addresses.current;
    try {
      for await (const piece of pieces(transport, base, path, query, place, signal)) {
        failures = 0;
        for (const message of parser.take(piece)) {
          if (message.event === "reset") throw reset(message);
          if (message.data !== undefined) yield message;
          place = message.id ?? place;
        }
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (!mayMend(error)) throw error;
      transport.addresses.turn(base);
    }
    parser.beginAnew();
    await sleep(Math.min(LONGEST_PAUSE, (parser.retry ?? FIRST_PAUSE) * 2 ** Math.min(failures++, 10)));
  }
}

async function* pieces(
  transport: Transport,
  base: string,
  path: string,
  query: object,
  place: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  signal?.addEventListener("abort", end, { once: true });
  let silence = setTimeout(end, SILENCE);
  try {
    const headers: Record<string, string> = { accept: "text/event-stream" };
    if (place !== undefined) headers["last-event-id"] = place;
    const request = { method: "GET", path, query: query as Record<string, unknown>, headers };
    const response = await transport.caller.open(base, transport.saying(request), ended.signal);
    if (response.statusCode !== 200) checked(response, Buffer.concat(await response.toArray()));
    for await (const piece of response) {
      clearTimeout(silence);
      silence = setTimeout(end, SILENCE);
      yield piece as Buffer;
    }
  } catch (error) {
    if (error instanceof Problem || error instanceof NoConnection) throw error;
    throw new NoConnection((error as Error).message, false);
  } finally {
    clearTimeout(silence);
    signal?.removeEventListener("abort", end);
    ended.abort();
  }
}

function mayMend(error: unknown): boolean {
  return error instanceof NoConnection || (error instanceof Problem && [502, 503, 504].includes(error.status));
}

function reset(message: Message): FeedReset {
  const body = JSON.parse(message.data || "{}");
  return new FeedReset(body.reason ?? "events have gone", body.last ?? undefined);
}
