/** What handlers are given, and what becomes of what they say. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import {
  Baton,
  currentJob,
  Gone,
  logged,
  Misconfigured,
  PayloadError,
  Permanent,
  RetryAfter,
  Skip,
  Snooze,
  Throttled,
  type Middleware,
  type Why,
} from "@baton/sdk";
import { run } from "@baton/sdk/testing";
import { z } from "zod";

import { silent } from "../helpers.mjs";

const app = new Baton("http://127.0.0.1:1");
const resize = app.job("resize", { payload: z.object({ image: z.number().int(), mode: z.enum(["fit", "fill"]).default("fit") }) }, (args) => args);
const mail = app.job("mail", {}, (args: { to: string }) => args.to);
const walk = app.job("walk", { cursor: z.number() }, async (count: number, ctx) => {
  let at = ctx.cursor ?? 0;
  while (at < count) {
    at += 10;
    await ctx.checkpoint(at, { done: at, total: count, jobs: [mail.new({ to: String(at) }, { key: `m-${at}` })] });
  }
  ctx.progress(at, undefined, "done");
  return ctx.key("part");
});
const index = app.batch("index", { size: 10, linger: "5ms" }, async (items: { id: string; args: { to: string } }[]) =>
  Object.fromEntries(items.map(({ id, args }) => [id, args.to])),
);

test("a payload is checked on both sides, and filled for the handler alone", async () => {
  const sent = resize.new({ image: 7 });
  const tried = await run(resize, { image: 7 });

  assert.deepEqual(sent.payload, { image: 7 });
  assert.deepEqual(tried.result, { image: 7, mode: "fit" });
});

test("a wrong payload is refused before it is sent, and says what is wrong and where", async () => {
  const wrong = { image: "seven" } as unknown as { image: number };

  assert.throws(() => resize.new(wrong), { name: "PayloadError", message: /payload\.image: .*number/ });
  await assert.rejects(resize.enqueue(wrong), PayloadError);
});

test("the types of payload, cursor and result are those of the schemas and handlers", () => {
  // @ts-expect-error: an image is a number
  assert.throws(() => resize.new({ image: "7" }));
  const typed: (handle: Awaited<ReturnType<typeof mail.enqueue>>) => Promise<string> = (handle) => handle.result();

  assert.equal(typeof typed, "function");
});

const SAYS: [Error, string, object][] = [
  [new Skip("image is gone"), "skipped", { why: "image is gone" }],
  [new RetryAfter(30), "failed", { class: "retry", code: "retry_after", message: "", retry_after: "30s" }],
  [new RetryAfter("120"), "failed", { class: "retry", code: "retry_after", message: "", retry_after: "2m" }],
  [new Throttled("1m"), "failed", { class: "throttled", code: "throttled", message: "", retry_after: "1m" }],
  [new Permanent("bad_image", "not an image"), "failed", { class: "permanent", code: "bad_image", message: "not an image" }],
  [new Misconfigured("no_key"), "failed", { class: "misconfigured", code: "no_key", message: "" }],
  [new Gone("no_user"), "failed", { class: "gone", code: "no_user", message: "" }],
  [new Snooze("1h"), "snoozed", { after: "1h" }],
  [new RangeError("out of range"), "failed", { class: "retry", code: "RangeError", message: "out of range" }],
];
for (const [error, word, fields] of SAYS) {
  test(`what a handler throws is a verdict: ${error}`, async () => {
    const says = new Baton("http://127.0.0.1:1", { log: silent }).job("say", {}, () => {
      throw error;
    });

    const { verdict } = await run(says, null, { log: silent });

    assert.deepEqual([verdict.word, verdict.fields], [word, fields]);
  });
}

const CODES: [string, string][] = [
  ["결제가거절됨".repeat(10), "결제가거절됨".repeat(5) + "결제가"],
  [`${"x".repeat(99)}é`, "x".repeat(99)],
  [`${"x".repeat(98)}🎉`, "x".repeat(98)],
  ["a".repeat(101), "a".repeat(100)],
  ["card\ndeclined", "card declined"],
  ["half \ud83c", "half ?"],
  ["", "error"],
];
for (const [code, sent] of CODES) {
  test(`a code is sent as the server takes it: ${JSON.stringify(code.slice(0, 20))}`, () => {
    assert.equal(new Permanent(code).verdict().fields.code, sent);
    assert.ok(Buffer.byteLength(sent) <= 100);
  });
}

test("a result that is no JSON is a dead letter, and a line in the log", async () => {
  const odd = new Baton("http://127.0.0.1:1").job("odd", {}, () => 7n);
  const lines: string[] = [];

  const { verdict } = await run(odd, null, { log: { ...silent, error: (line) => void lines.push(line) } });

  assert.deepEqual([verdict.fields.class, verdict.fields.code], ["permanent", "bad_result"]);
  assert.match(verdict.fields.message, /its result is no JSON: .*BigInt/);
  assert.match(lines.join(), /its result is no JSON/);
});

test("a walk goes on after its cursor and makes its children", async () => {
  const tried = await run(walk, 30, { cursor: 10 });

  assert.deepEqual(tried.checkpoints.map(({ cursor }) => cursor), [20, 30]);
  assert.deepEqual(tried.jobs.map(({ key }) => key), ["m-20", "m-30"]);
  assert.deepEqual(tried.checkpoints.at(-1)!.progress, { done: 30, total: 30 });
  assert.deepEqual(tried.progress, [{ done: 30, total: 30, note: "done" }]);
  assert.match(tried.result, /\.1\.part$/);
});

for (const [stop, word] of [["canceled", "canceled"], ["stopping", "snoozed"], ["lost", "failed"]] satisfies [Why, string][]) {
  test(`a walk that is asked to stop ends at its checkpoint (${stop})`, async () => {
    const tried = await run(walk, 1_000, { stopAfter: 2, stop });

    assert.equal(tried.cursor, 20);
    assert.equal(tried.verdict.word, word);
  });
}

test("a fence is the attempt, behind a checkpoint of where the job is", async () => {
  const fenced = new Baton("http://127.0.0.1:1").job("fenced", {}, async (_, ctx) => [await ctx.fence(), await ctx.fence()]);

  const tried = await run(fenced, null, { cursor: 7, attempt: 3 });

  assert.deepEqual(tried.result, [3, 3]);
  assert.deepEqual(tried.checkpoints.map(({ cursor }) => cursor), [7]);
});

test("a handler that takes too long hears of it, and is told as timed out", async () => {
  const heard: string[] = [];
  const hang = new Baton("http://127.0.0.1:1").job("hang", {}, async (_, ctx) => {
    ctx.signal.addEventListener("abort", () => heard.push(ctx.signal.reason.why));
    await sleep(60_000, undefined, { signal: ctx.signal });
  });

  const { verdict } = await run(hang, null, { timeout: "20ms" });

  assert.equal(verdict.fields.code, "timeout");
  assert.deepEqual(heard, ["timeout"]);
});

test("a batch has an answer for each", async () => {
  assert.equal((await run(index, { to: "x" })).result, "x");
});

test("middleware is around the handler and sees its verdict", async () => {
  const seen: string[] = [];
  const lines: unknown[] = [];
  const outer: Middleware = async (call, next) => {
    seen.push(`before ${call.job.kind}`);
    const verdict = await next(call);
    seen.push(`after ${verdict.word}`);
    return verdict;
  };
  const log = { ...silent, info: (line: string, fields?: Record<string, unknown>) => lines.push([line.split(" ")[1], fields?.kind]) };

  const tried = await run(mail, { to: "a" }, { middleware: [outer, logged], log });

  assert.deepEqual(seen, ["before mail", "after accepted"]);
  assert.deepEqual(lines, [["accepted", "mail"]]);
  assert.equal(tried.result, "a");
});

test("whoever writes logs deep inside a handler knows its job", async () => {
  const deep = async (): Promise<string | undefined> => currentJob.getStore()?.id;
  const logs = new Baton("http://127.0.0.1:1").job("logs", {}, async (_, ctx) => [await deep(), ctx.jobId]);

  const [inside, id] = (await run(logs, null)).result;

  assert.equal(inside, id);
});

test("a payload that is no JSON is refused before it is sent", async () => {
  const odd = new Baton("http://127.0.0.1:1").job("odd", {}, () => {});

  await assert.rejects(odd.enqueue(7n), (error) => error instanceof PayloadError && /BigInt/.test(error.message));
});

test("a job without a handler says how it is written", () => {
  const forgotten = app.job as (kind: string, options: unknown) => unknown;

  assert.throws(() => forgotten.call(app, "forgotten", () => {}), /a job is a kind, its options and a handler: app.job\("resize", {}, async/);
});

test("a kind has one handler and only known options", () => {
  assert.throws(() => app.job("mail", {}, () => {}), /already/);
  assert.throws(() => app.job("other", { retries: 3 } as object, () => {}), /retries/);
  assert.throws(() => app.job("other", { timeout: "soon" }, () => {}), /no span/);
});

test("whatever is thrown, it says something of its own job and takes no other with it", async () => {
  const odd: unknown[] = [new Skip(undefined as unknown as string), new Permanent(404 as unknown as string, "x"), Object.assign(new Error(), { message: {} }), null];

  for (const thrown of odd) {
    const broken = app.job(`broken-${odd.indexOf(thrown)}`, {}, () => {
      throw thrown;
    });
    const tried = await run(broken, null);

    assert.match(tried.verdict.word, /skipped|failed/);
  }
});
