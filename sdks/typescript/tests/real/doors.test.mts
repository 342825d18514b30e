/** What a test can do to a real server: have time pass at once, take leases away, cut connections, wait for quiet. */

import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { Baton, Problem } from "@baton/sdk";
import { server, type Server } from "@baton/sdk/testing";

import { gate, hasServer, silent, until, working } from "../helpers.mjs";

const HOUR = 3_600_000;

/** A test with a server of its own: what is done to it is done to nobody else. */
function real(name: string, body: (app: Baton, own: Server) => Promise<void>): void {
  test(name, { timeout: 60_000 }, async (context: TestContext) => {
    if (!hasServer(context)) return;
    const own = await server({ lease: "3s" });
    const app = new Baton(own.url, { log: silent });
    try {
      await body(app, own);
    } finally {
      app.close();
      await own.stop();
    }
  });
}

real("a job of tomorrow runs once a day has passed", async (app, own) => {
  const remind = app.job("remind", {}, (text: string) => text);

  await working(app, { slots: 1 }, async () => {
    const handle = await remind.enqueue("tea", { delay: "24h" });
    await own.quiet();
    const shown = await own.advance("24h");

    assert.equal(await handle.result({ timeout: "10s" }), "tea");
    assert(shown.getTime() - Date.now() > 23 * HOUR, shown.toISOString());
  });
});

real("a handler runs through days that pass and its result counts", async (app, own) => {
  const attempts: number[] = [];
  const mayEnd = gate();
  const long = app.job("long", { timeout: "5m" }, async (_: null, ctx) => {
    attempts.push(ctx.attempt);
    await mayEnd.opened;
    return "done";
  });

  await working(app, { slots: 1 }, async () => {
    const handle = await long.enqueue(null);
    await until(() => attempts.length > 0);
    for (let days = 0; days < 6; days += 2) await own.advance("48h");
    mayEnd.open();

    assert.equal(await handle.result({ timeout: "10s" }), "done");
    assert.deepEqual(attempts, [1]);
  });
});

real("a handler that has lost its lease is told and its job runs again", async (app, own) => {
  const attempts: number[] = [];
  const told = gate();
  const fragile = app.job("fragile", { timeout: "5m" }, async (_: null, ctx) => {
    attempts.push(ctx.attempt);
    if (ctx.attempt > 1) return "second";
    await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
    told.open();
    return "first";
  });

  await working(app, { slots: 2 }, async () => {
    const handle = await fragile.enqueue(null);
    await until(() => attempts.length > 0);
    const lost = await own.loseLeases();

    assert.equal(lost, 1);
    assert.equal(await handle.result({ timeout: "20s" }), "second");
    await told.opened;
    assert.deepEqual(attempts, [1, 2]);
  });
});

real("a worker whose connections are cut goes on", async (app, own) => {
  const double = app.job("double", {}, (n: number) => 2 * n);

  await working(app, { slots: 2 }, async () => {
    const before = await (await double.enqueue(1)).result({ timeout: "10s" });
    const cut = await own.cut();
    const after = await (await double.enqueue(2, { key: "two" })).result({ timeout: "20s" });

    assert(cut >= 1);
    assert.deepEqual([before, after], [2, 4]);
  });
});

real("a server that is killed and started again keeps its time of day", async (_, own) => {
  const before = await own.advance("48h");

  await own.kill();
  await own.start();

  assert((await own.advance(0)) >= before);
});

real("a server that is not quiet in time says what is left", async (app, own) => {
  await own.client.jobs.create({ kind: "nobody", payload: {} });

  await assert.rejects(own.quiet({ timeout: "10ms" }), /after 10ms: .*job_\S+ \(nobody\) is queued/);
});

real("a clock is not put back, and not beyond ten years", async (_, own) => {
  await assert.rejects(own.advance("-1h"), RangeError);
  await own.advance("3660d");

  await assert.rejects(own.advance("1h"), (error: unknown) => error instanceof Problem && error.status === 422);
});
