/** Jobs of custom kinds, from their enqueue to their result, through a real server. */

import assert from "node:assert/strict";
import { after, before, test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { Baton, Client, Misconfigured, Permanent, Problem, Skip, Snooze, Throttled, type Handle } from "@baton/sdk";
import { NoServer, server, type Server } from "@baton/sdk/testing";

import { gate, hasServer, silent, until, working } from "../helpers.mjs";

let house: Server | undefined;
before(async () => {
  house = await server().catch((error) => {
    if (error instanceof NoServer && process.env.BATON_REQUIRE_SERVER !== "1") return undefined;
    throw error;
  });
});
after(() => house?.stop());

/** A test with an application of the real server. */
function real(name: string, body: (app: Baton, house: Server) => Promise<void>): void {
  test(name, { timeout: 60_000 }, async (context: TestContext) => {
    if (!hasServer(context)) return;
    const app = new Baton(house!.url, { log: silent });
    await body(app, house!);
    app.close();
  });
}

real("a job goes to its handler and its result back", async (app) => {
  const double = app.job("double", {}, (n: number) => 2 * n);

  await working(app, { slots: 4 }, async () => {
    assert.equal(await (await double.enqueue(21, { key: "d-21" })).result({ timeout: "10s" }), 42);
    assert.equal((await double.enqueue(21, { key: "d-21" })).created, false);
  });

  assert.equal(await (await double.enqueue(21, { key: "d-21" })).result({ timeout: "1s" }), 42);
});

real("each verdict is recorded as it was said", async (app) => {
  const errors: Record<string, Error> = {
    skip: new Skip("image is gone"),
    permanent: new Permanent("bad_image", "not an image"),
    misconfigured: new Misconfigured("no_key"),
    bug: new RangeError("out of range"),
    snooze: new Snooze("1h"),
    throttled: new Throttled("1h"),
  };
  const say = app.job("say", { maxAttempts: 1 }, (what: string) => {
    throw errors[what];
  });
  const stateOf = async (handle: Handle<unknown>) => (await handle.show()).state;

  const told: Record<string, unknown[]> = {};
  await working(app, { slots: 4 }, async () => {
    for (const what of ["snooze", "throttled"]) {
      const handle = await say.enqueue(what);
      await until(async () => (await stateOf(handle)) === "pending");
    }
    for (const what of ["skip", "permanent", "misconfigured", "bug"]) {
      const { state, reason, last_error } = await app.client.wait((await say.enqueue(what)).id, { timeout: "10s" });
      told[what] = [state, reason, last_error?.code];
    }
  });

  assert.deepEqual(told.skip!.slice(0, 2), ["skipped", "image is gone"]);
  assert.deepEqual(told.permanent, ["failed", "permanent", "bad_image"]);
  assert.deepEqual(told.misconfigured, ["failed", "misconfigured", "no_key"]);
  assert.deepEqual(told.bug, ["failed", "exhausted", "RangeError"]);
});

real("a cancel reaches the handler within a second", async (app) => {
  const began = gate();
  let endedAt = 0;
  const hang = app.job("hang", { timeout: "5m" }, async (_: null, ctx) => {
    began.open();
    await sleep(60_000, undefined, { signal: ctx.signal }).finally(() => (endedAt = performance.now()));
  });

  const [taken, state] = await working(app, { slots: 1 }, async () => {
    const handle = await hang.enqueue(null);
    await began.opened;
    const askedAt = performance.now();
    await handle.cancel("wrong file");
    const job = await app.client.wait(handle.id, { timeout: "10s" });
    return [endedAt - askedAt, job.state] as const;
  });

  assert.equal(state, "canceled");
  assert.ok(taken < 1_000);
});

real("a walk goes on behind its cursor and its children exist once", async (app, house) => {
  const [beganAt, seen]: [number[], number[]] = [[], []];
  const child = app.job("walk.seen", {}, (n: number) => void seen.push(n));
  const backoff = { strategy: "fixed", base: "10ms", cap: "10ms", jitter: "none" } as const;
  const walk = app.job("walk", { backoff }, async (count: number, ctx) => {
    let at: number = ctx.cursor ?? 0;
    beganAt.push(at);
    while (at < count) {
      const chunk = Array.from({ length: 10 }, (_, place) => at + place);
      at += chunk.length;
      await ctx.checkpoint(at, { done: at, total: count, jobs: chunk.map((n) => child.new(n, { key: `${ctx.jobId}.${n}` })) });
      if (at === 50 && ctx.attempt === 1) throw new Error("half way");
    }
    return at;
  });

  const job = await working(app, { slots: 8 }, async () => {
    const handle = await walk.enqueue(100);
    assert.equal(await handle.result({ timeout: "20s" }), 100);
    await house.quiet();
    return handle.show();
  });

  assert.deepEqual(beganAt, [0, 50]);
  assert.deepEqual(seen.sort((a, b) => a - b), Array.from({ length: 100 }, (_, n) => n));
  assert.equal(job.progress?.done, 100);
});

for (const [afresh, goesOnAt] of [[false, 3], [true, undefined]] as const) {
  real(`a walk that was stopped ${afresh ? "begins afresh" : "is resumed"}`, async (app) => {
    const cursors: unknown[] = [];
    const began = gate();
    const stroll = app.job("stroll", { timeout: "5m" }, async (_: null, ctx) => {
      cursors.push(ctx.cursor);
      if (ctx.job.run === 1) {
        await ctx.checkpoint(3);
        began.open();
        await sleep(60_000, undefined, { signal: ctx.signal });
      }
      return "home";
    });

    await working(app, { slots: 1 }, async () => {
      const handle = await stroll.enqueue(null);
      await began.opened;
      await handle.cancel("stop");
      await app.client.wait(handle.id, { timeout: "10s" });
      await handle.runAgain({ afresh });
      assert.equal(await handle.result({ timeout: "10s" }), "home");
    });

    assert.deepEqual(cursors, [undefined, goesOnAt]);
  });
}

real("many jobs are worked on by one call", async (app) => {
  const sizes: number[] = [];
  const index = app.batch("index", { size: 100, linger: "50ms" }, async (items: { id: string; args: number }[]) => {
    sizes.push(items.length);
    return new Map(items.map(({ id, args }) => [id, args + 1]));
  });

  const handles = await app.enqueueMany(Array.from({ length: 300 }, (_, n) => index.new(n)));
  const results = await working(app, {}, () => Promise.all(handles.map((handle) => handle.result({ timeout: "20s" }))));

  assert.deepEqual(results, Array.from({ length: 300 }, (_, n) => n + 1));
  assert.ok(Math.max(...sizes) > 10);
});

real("events tell what happened from where a reader was", async (app) => {
  const { position } = await app.client.events.list({ limit: 500 });
  const handle = await app.enqueue("nobody", {});

  const ending = new AbortController();
  for await (const event of app.client.follow({ types: "job.", subject: handle.id, after: position, signal: ending.signal })) {
    assert.deepEqual([event.type, event.subject], ["job.queued", handle.id]);
    ending.abort();
  }
});

real("the rest of the API is there", async (_, house) => {
  const client = new Client(house.url);

  await client.recipients.put("user-1", { platform: "ios", topics: ["daily"] });
  const job = { kind: "report", payload: {} };
  const schedule = await client.schedules.create({ name: "hourly", cron: "0 * * * *", time_zone: "UTC", job });

  const ids = [];
  for await (const recipient of client.recipients.all()) ids.push(recipient.id);
  assert.deepEqual(ids, ["user-1"]);
  assert.equal((await client.schedules.show(schedule.id)).name, "hourly");
  const nobody = client.jobs.show("job_00000000-0000-7000-8000-000000000000");
  await assert.rejects(nobody, (error: Problem) => error.status === 404 && error.code === "job-not-found");
  client.close();
});
