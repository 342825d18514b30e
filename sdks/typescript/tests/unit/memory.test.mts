/** What a program that runs for months must not gather. */

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { Readable } from "node:stream";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { part } from "../helpers.mjs";

setFlagsFromString("--expose-gc");
const gc: () => void = runInNewContext("gc");
const CALLS = 20_000;
/** `AbortSignal.any` keeps some 60 bytes of each call. */
const BYTES = 30;

test("a signal that lives long, as that of a worker's claims does, keeps nothing of the calls made under it", { timeout: 60_000 }, async () => {
  const caller = new (part("transport").Caller)();
  caller.open = async () => Object.assign(Readable.from([Buffer.from("{}")]), { statusCode: 200, headers: {} });
  const { signal } = new AbortController();
  const call = async (count: number): Promise<void> => {
    for (let made = 0; made < count; made++) await caller.send("http://127.0.0.1:1", { method: "POST", path: "/" }, 30_000, signal);
  };

  await call(CALLS / 10);
  const before = await heap();
  await call(CALLS);
  const grown = (await heap()) - before;

  assert.ok(grown < CALLS * BYTES, `${CALLS} calls have left ${grown} bytes`);
  assert.equal(getEventListeners(signal, "abort").length, 0);
});

test("a call under a signal ends with it", async () => {
  const caller = new (part("transport").Caller)();
  const ending = new AbortController();
  let given: AbortSignal | undefined;
  caller.open = (_: string, __: unknown, signal: AbortSignal) =>
    new Promise((_, reject) => {
      given = signal;
      signal.addEventListener("abort", () => reject(new Error("ended")));
    });

  const asked = caller.send("http://127.0.0.1:1", { method: "POST", path: "/" }, 30_000, ending.signal);
  const early = given!.aborted;
  ending.abort();

  await assert.rejects(asked, /ended/);
  assert.deepEqual([early, given!.aborted], [false, true]);
});

/** What is in use once all that is not has gone. */
async function heap(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().heapUsed;
}
