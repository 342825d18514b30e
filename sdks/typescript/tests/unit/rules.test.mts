/** The twelve rules of a worker, against a scripted server. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { Baton, Skip, WorkerEnded } from "@baton/sdk";

import { exitOf, gate, part, scripted, silent, SOURCES, start, until, working } from "../helpers.mjs";
import { ScriptedServer } from "../scripted.mjs";

scripted("W1: a handler is told to end before its lease can have ended", async (server, app) => {
  let endedAt = 0;
  app.job("hang", {}, async (_, ctx) => {
    await sleep(60_000, undefined, { signal: ctx.signal }).finally(() => (endedAt = performance.now()));
  });

  await working(app, { slots: 2 }, async () => {
    const job = server.add("hang");
    await server.waitFor(() => job.state === "running");
    server.failNext("beat", ...Array<string>(100).fill("503"));
    await until(() => endedAt);
    server.mend("beat");
  });

  const renewed = server.calls("beat")[0]!.at;
  assert.ok(endedAt - renewed < 2 * server.lease);
});

scripted("W1: what a handler says after its lease is sent as a late result", async (server, app) => {
  const [began, goOn] = [gate(), gate()];
  app.job("slow", {}, async () => {
    began.open();
    await goOn.opened;
    return "done all the same";
  });

  await working(app, { slots: 4 }, async () => {
    const job = server.add("slow");
    await began.opened;
    server.takeLeaseOf(job);
    await server.waitFor(() => server.calls("beat").length > 3);
    goOn.open();
    await server.waitFor(() => server.calls("results").length > 0);
  });

  assert.equal(server.calls("results")[0]!.body.results[0].result, "done all the same");
});

test("W2: nothing starts with too little of its lease left", () => {
  const terms = new (part("worker/settings").Terms)();

  const needed = [1_000, 10_000, 600_000].map((timeout) => terms.needed(timeout));

  assert.deepEqual(needed, [3_000, 12_000, 12_000]);
  assert.ok(terms.deadline - terms.claimWait(false) > 12_000);
  assert.ok(terms.deadline - 2 * terms.beatWait >= 12_000);
});

scripted("W3: nothing is claimed while results are not taken", async (server, app) => {
  app.job("quick", {}, () => {});

  await working(app, { slots: 1 }, async () => {
    server.failNext("results", "503", "503", "503", "503");
    await server.ended(server.add("quick"));
  });

  const [first, , , , last] = server.calls("results").map((call) => call.at);
  // The one claim that may have been sent before the first refusal was heard is not held against it.
  const late = server.calls("claim").filter((call) => first! + 100 < call.at && call.at < last!);
  assert.deepEqual(late, []);
});

for (const fault of ["503", "drop"]) {
  scripted(`W4: a result is sent again in the same words until it is answered (${fault})`, async (server, app) => {
    app.job("quick", {}, () => "käse");

    await working(app, { slots: 4 }, async () => {
      server.failNext("results", fault, fault, fault);
      await server.ended(server.add("quick"));
      await server.waitFor(() => server.calls("results").length >= 4);
    });

    assert.equal(new Set(server.calls("results").map((call) => call.raw)).size, 1);
  });
}

scripted("W5: every job claimed ends in a result, a give-back or a lost lease", async (server, app) => {
  app.job("mixed", {}, async (n: number) => {
    if (n % 3 === 0) throw new Skip("nothing to do");
    if (n % 3 === 1) throw new Error("no");
    return n;
  });

  const jobs = Array.from({ length: 200 }, (_, n) => server.add("mixed", n));
  await working(app, { slots: 8 }, async () => {
    for (const job of jobs) await server.ended(job);
  });

  assert.deepEqual(new Set(jobs.map((job) => job.state)), new Set(["skipped", "failed", "succeeded"]));
  assert.ok(jobs.every((job) => job.lease === undefined));
});

scripted("a claim whose answer was lost is repeated under the same leases", async (server, app) => {
  app.job("quick", {}, () => {});
  const job = server.add("quick");
  server.failNext("claim", "drop", "drop");

  await working(app, { slots: 4 }, () => server.ended(job));

  const claims = server.calls("claim").slice(0, 3);
  assert.deepEqual(claims.map((call) => call.body.repeat), [0, 1, 2]);
  assert.equal(new Set(claims.map((call) => JSON.stringify(call.body.wants))).size, 1);
  assert.equal(job.attempt, 1);
});

scripted("W6: what the server holds and nobody knows is released", async (server, app) => {
  app.job("quick", {}, () => {});
  const job = server.add("quick");
  Object.assign(job, { state: "running", lease: "lse_nobody-knows", token: "old", attempt: 1 });

  await working(app, { slots: 4 }, () => server.ended(job));

  assert.deepEqual(server.calls("release")[0]!.body, { leases: ["lse_nobody-knows"] });
  assert.equal(job.attempt, 2);
});

/** The program of the conformance suite, whose handlers can hold its thread without holding this test's. */
async function program(server: ScriptedServer, environment: Record<string, string> = {}) {
  return start(`${SOURCES}/conformance/worker.mjs`, { BATON_URL: server.url, BATON_SLOTS: "4", ...environment });
}

scripted("W7: beats go on while a handler blocks its thread", async (server) => {
  const worker = await program(server);
  const job = server.add("conformance", { do: "block", ms: 2 * server.lease }, { timeout: "60s" });

  await server.ended(job);
  worker.kill("SIGKILL");

  assert.deepEqual(job.verdict.result, { blocked: 2 * server.lease });
  assert.ok(server.calls("beat").length > 4);
});

scripted("W7: a thread that does not move any more ends the process with 70", async (server) => {
  const worker = await program(server);
  server.add("conformance", { do: "block", ms: 60_000 }, { timeout: "200ms" });

  assert.equal(await exitOf(worker), 70);
});

scripted("W8: a time-out is told although the handler does not stop", async (server, app) => {
  const goOn = gate();
  app.job("stubborn", {}, () => goOn.opened);
  const job = server.add("stubborn", null, { timeout: "200ms" });

  await working(app, { slots: 4 }, async (worker) => {
    await server.ended(job);
    await until(() => worker.stuck === 1);
    goOn.open();
    await until(() => worker.stuck === 0);
  });

  const { verdict, class: of, code } = job.verdict;
  assert.deepEqual([verdict, of, code], ["failed", "unknown", "timeout"]);
});

scripted("W8: with half of its slots stuck a worker stops with 70", async (server, app) => {
  app.job("stubborn", {}, () => new Promise(() => {}));
  server.add("stubborn", null, { timeout: "100ms" });

  const code = await working(app, { slots: 2 }, (worker) => worker.stopped());

  assert.equal(code, 70);
});

scripted("W9: a worker that stops lets end, records and leaves in this order", async (server, app) => {
  const began = gate();
  app.job("walk", {}, async (_, ctx) => {
    began.open();
    await until(() => ctx.stopping);
    return "ended by itself";
  });
  const job = server.add("walk");

  await working(app, { slots: 1 }, async (worker) => {
    await began.opened;
    await worker.stop();
  });

  assert.equal(job.verdict.result, "ended by itself");
  const names = server.asked.map((call) => call.name);
  const draining = server.asked.findIndex((call) => call.name === "beat" && call.body.draining);
  assert.ok(draining < names.indexOf("results") && names.indexOf("results") < names.indexOf("leave"));
  assert.ok(!names.slice(draining).includes("claim"));
});

scripted("W9: what does not end within grace is told as shut down", async (server, app) => {
  const began = gate();
  app.job("hang", {}, async (_, ctx) => {
    began.open();
    await sleep(60_000, undefined, { signal: ctx.signal });
  });
  const job = server.add("hang");

  await working(app, { slots: 1, grace: "100ms" }, () => began.opened);

  assert.deepEqual([job.verdict.class, job.verdict.code], ["unknown", "shutdown"]);
});

scripted("W10: the idempotency key is the same in every attempt", async (server, app) => {
  app.job("key", {}, (_, ctx) => ctx.idempotencyKey);
  const job = server.add("key");
  job.attempt = 4;

  await working(app, { slots: 1 }, () => server.ended(job));

  assert.equal(job.verdict.result, `${job.id}.1`);
});

for (const call of ["beat", "claim", "results"]) {
  scripted(`W11: a worker that was forgotten registers again and goes on (${call})`, async (server, app) => {
    app.job("quick", {}, () => {});

    await working(app, { slots: 1 }, async () => {
      server.failNext(call, "unknown-worker");
      for (let n = 0; n < 2; n++) await server.ended(server.add("quick"));
      await server.waitFor(() => server.calls("register").length === 2);
    });

    assert.equal(server.workers.size, 1);
  });
}

for (const fault of ["worker-left", "401"]) {
  scripted(`W11: a worker ends that the server has no use for (${fault})`, async (server, app) => {
    app.job("quick", {}, () => {});

    await working(app, { slots: 1 }, async (worker) => {
      server.failNext("beat", ...Array<string>(20).fill(fault));
      await assert.rejects(worker.stopped(), WorkerEnded);
    });
  });
}

scripted("W12: what was claimed ahead and is not begun is given back", async (server, app) => {
  app.job("uneven", {}, (ms: number) => sleep(ms));

  const slow = await working(app, { slots: 2 }, async () => {
    for (const job of Array.from({ length: 200 }, () => server.add("uneven", 0))) await server.ended(job);
    const slow = Array.from({ length: 8 }, () => server.add("uneven", 3_000));
    await server.waitFor(() => slow.some((job) => job.verdict?.verdict === "given_back"));
    return slow;
  });

  const givenBack = slow.filter((job) => job.verdict?.verdict === "given_back");
  assert.ok(givenBack.every((job) => !("started_ago" in job.verdict)));
});

scripted("W12: the next address is tried when one does not answer", async (server) => {
  const app = new Baton(`http://127.0.0.1:1,${server.url}`, { log: silent });
  const quick = app.job("quick", {}, () => "found");

  const found = await working(app, { slots: 1 }, async () => (await quick.enqueue(null)).result({ timeout: "5s" }));

  assert.equal(found, "found");
  app.close();
});

scripted("a cancel reaches a handler by the beat that waits", async (server, app) => {
  app.job("hang", {}, (_, ctx) => sleep(60_000, undefined, { signal: ctx.signal }));
  const job = server.add("hang");

  const taken = await working(app, { slots: 1 }, async () => {
    await server.waitFor(() => job.state === "running");
    const askedAt = performance.now();
    server.cancel(job);
    await server.ended(job);
    return performance.now() - askedAt;
  });

  assert.equal(job.verdict.verdict, "canceled");
  assert.ok(taken < 1_000);
});

scripted("a checkpoint that nobody answers does not hold a handler that is to end", async (server, app) => {
  const walk = app.job("walk", {}, (_: null, ctx) => ctx.checkpoint(1));
  server.failNext("checkpoints", ...Array<string>(100).fill("503"));
  const job = server.add(walk.kind);

  await working(app, { slots: 1 }, async () => {
    await server.waitFor(() => server.calls("checkpoints").length > 0);
    server.cancel(job);
    await server.ended(job);
  });

  assert.equal(job.verdict.verdict, "canceled");
  server.mend("checkpoints");
});

scripted("a drained worker takes nothing new until it may again", async (server, app) => {
  app.job("quick", {}, () => {});

  await working(app, { slots: 1 }, async () => {
    await server.ended(server.add("quick"));
    server.drain = true;
    await server.waitFor(() => server.calls("beat").length > 4);
    const claims = server.calls("claim").length;
    const job = server.add("quick");
    const beats = server.calls("beat").length;
    await server.waitFor(() => server.calls("beat").length > beats + 1);
    assert.ok(server.calls("claim").length <= claims + 1);
    server.drain = false;
    await server.ended(job);
  });
});
