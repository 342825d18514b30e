/** Enqueuing, waiting and repeating, against a scripted server. */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";

import { Baton, Failed, Permanent, Problem, Skip, TimedOut, Unreachable } from "@baton/sdk";

import { scripted, silent, until, working } from "../helpers.mjs";

scripted("the same key is the same job", async (_, app) => {
  const first = await app.enqueue("resize", { image: 7 }, { key: "order-4711" });
  const second = await app.enqueue("resize", { image: 7 }, { key: "order-4711" });

  assert.deepEqual([first.created, second.created], [true, false]);
  assert.equal(first.id, second.id);
});

scripted("options of the definition are sent and those of the call win", async (server, app) => {
  const resize = app.job("resize", { timeout: "2m", maxAttempts: 6, queue: "images" }, (_: number) => {});

  await resize.enqueue(7, { key: "k", maxAttempts: 2, delay: 3600 });

  const expected = { kind: "resize", payload: 7, timeout: "2m", max_attempts: 2, queue: "images", key: "k", delay: "1h" };
  assert.deepEqual(server.calls("enqueue")[0]!.body, expected);
});

scripted("an enqueue with a key is made again and one without is not", async (server, app) => {
  server.failNext("enqueue", "drop", "503");
  assert.equal((await app.enqueue("resize", 1, { key: "k" })).created, false);

  server.failNext("enqueue", "drop");
  await assert.rejects(app.enqueue("resize", 1), Unreachable);
  assert.equal(server.calls("enqueue").length, 4);
});

scripted("a server that is shown no key is one whose answer says where it is looked for", async (server, app) => {
  server.failNext("enqueue", "401");

  await assert.rejects(app.enqueue("resize", null), (error) => error instanceof Problem && /^unauthenticated: .* BATON_KEY, or/.test(error.message));
});

test("what is no Baton server is told as that, with how its answer begins", async () => {
  const other = createServer((_, response) => response.writeHead(501).end("<!DOCTYPE html>\n<p>a page</p>"));
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const app = new Baton(`http://127.0.0.1:${(other.address() as AddressInfo).port}`, { log: silent });

  const asked = app.enqueue("resize", null);

  await assert.rejects(asked, /^Problem: http-501: this is no answer of a Baton server: .* It begins with '<!DOCTYPE html>'$/);
  app.close();
  other.close();
});

scripted("a server that is not there is unreachable", async () => {
  const app = new Baton("http://127.0.0.1:1", { retryFor: "100ms" });

  await assert.rejects(app.enqueue("resize", 1, { key: "k" }), Unreachable);
});

scripted("a result is waited for, and a failure says why", async (_, app) => {
  const double = app.job("double", {}, (n: number) => {
    if (n < 0) throw new Permanent("negative", "only what is above zero");
    return 2 * n;
  });

  await working(app, { slots: 2 }, async () => {
    assert.equal(await (await double.enqueue(21)).result({ timeout: "5s" }), 42);
    const failing = await double.enqueue(-1);
    await assert.rejects(failing.result({ timeout: "5s" }), (error: Failed) => {
      assert.deepEqual([error.state, error.class, error.code], ["failed", "permanent", "negative"]);
      return /negative: only what is above zero/.test(error.message);
    });
    const many = await app.enqueueMany([double.new(1), double.new(2), double.new(3)]);
    assert.deepEqual(await Promise.all(many.map((one) => one.result({ timeout: "5s" }))), [2, 4, 6]);
  });
});

scripted("who waits too long hears of it", async (_, app) => {
  const handle = await app.enqueue("nobody-does-it", null);

  await assert.rejects(handle.result({ timeout: "50ms" }), (error: Error) => error instanceof TimedOut && /queued; does a worker run that has the kind 'nobody-does-it'/.test(error.message));
});

scripted("a batch is one call for many with a verdict for each", async (server, app) => {
  const sizes: number[] = [];
  app.batch("index", { size: 50, linger: "500ms" }, async (items: { id: string; args: number }[]) => {
    sizes.push(items.length);
    const answered = items.filter(({ args }) => args !== 40);
    return new Map(answered.map(({ id, args }) => [id, args % 2 ? new Skip("odd") : args]));
  });
  const jobs = Array.from({ length: 50 }, (_, n) => server.add("index", n));

  await working(app, {}, async () => {
    for (const job of jobs) await server.ended(job);
  });

  assert.deepEqual(sizes, [50]);
  assert.deepEqual([jobs[0]!.state, jobs[1]!.state], ["succeeded", "skipped"]);
  assert.equal(jobs[40]!.verdict.code, "no_answer");
});

scripted("a checkpoint is durable when it resolves and repeated when nobody heard it", async (server, app) => {
  const walk = app.job("walk", {}, async (_: unknown, ctx) => {
    const made = await ctx.checkpoint({ after: 1 }, { done: 1, jobs: [walk.new(0), walk.new(1)] });
    return made.map((child) => child.id);
  });
  server.failNext("checkpoints", "drop", "503");
  const job = server.add("walk");

  await working(app, { slots: 1 }, () => server.ended(job));

  assert.deepEqual(job.verdict.result, ["child_1_0", "child_1_1"]);
  assert.deepEqual(job.cursor, { after: 1 });
  assert.equal(new Set(server.calls("checkpoints").map((call) => call.raw)).size, 1);
});

scripted("checkpoints asked for at once are saved one after the other, each with its own number", async (server, app) => {
  app.job("walk", {}, async (_: unknown, ctx) => {
    await Promise.all([1, 2, 3].map((after) => ctx.checkpoint({ after })));
  });
  const job = server.add("walk");

  await working(app, { slots: 1 }, () => server.ended(job));

  const saved = server.calls("checkpoints").flatMap((call) => call.body.checkpoints);
  assert.deepEqual(
    saved.map(({ seq, cursor }) => [seq, cursor.after]),
    [
      [1, 1],
      [2, 2],
      [3, 3],
    ],
  );
});

scripted("progress rides on a beat", async (server, app) => {
  const told = () => server.calls("beat").flatMap((call) => call.body.progress);
  app.job("long", {}, async (_, ctx) => {
    ctx.progress(5, 10, "half");
    await until(() => told().length > 0);
  });

  await working(app, { slots: 1 }, () => server.ended(server.add("long")));

  const { token, ...progress } = told()[0];
  assert.deepEqual(progress, { done: 5, total: 10, note: "half" });
  assert.match(token, /\/1$/);
});
