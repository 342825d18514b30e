/** The worker that the fault lab asks for (`docs/operations/faults.md`): it walks, and writes down what it saw. */

import { openSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { Baton, Failure, Stopped } from "@baton/sdk";

const name = process.env.LAB_WORKER;
const sights = openSync(process.env.LAB_SIGHTS, "a");

const app = new Baton();

/** One of a hundred items of a walk fails when it is tried first. */
const item = app.job("lab.item", {}, async ({ item = 0 }, ctx) => {
  saw(ctx, "began", 0);
  await sleep(2);
  if (item % 100 === 99 && ctx.job.tries === 1) throw new Failure("first_try", "an item that is tried first", "1s");
});

/** Makes a job for each item, and moves the cursor with them. */
const walk = app.job("lab.walk", {}, async ({ key, items, chunk }, ctx) => {
  let at = ctx.cursor ?? 0;
  saw(ctx, "began", at);
  while (at < items) {
    await sleep(30);
    const some = Array.from({ length: Math.min(chunk, items - at) }, (_, place) => at + place);
    at += some.length;
    saw(ctx, "asked", at);
    await ctx.checkpoint(at, { jobs: some.map((one) => item.new({ item: one }, { key: `${key}-${one}` })) });
    saw(ctx, "saved", at);
    if (ctx.stopping && at < items) throw new Stopped("stopping");
  }
});

/** One write for each line, so that whoever is killed leaves no half of one. */
function saw(ctx, did, at) {
  const sight = { worker: name, job: ctx.jobId, attempt: ctx.attempt, did: { [did]: at } };
  writeSync(sights, `${JSON.stringify({ at_us: Date.now() * 1_000, ...sight })}\n`);
}

await app.worker({ slots: 8, name, jobs: [item, walk], grace: "5s" }).run();
