/** A program with two workers, one of which ends long before the other. */

import { setTimeout as sleep } from "node:timers/promises";

import { Baton, type Job } from "@baton/sdk";

const app = new Baton();
const [quick, slow] = Object.entries({ quick: 0, slow: 500 }).map(([kind, pause]) =>
  app.job(kind, {}, async (_: unknown, ctx) => {
    await ctx.checkpoint("begun");
    await sleep(60_000, undefined, { signal: ctx.stoppingSignal }).catch(() => {});
    await sleep(pause);
  }),
) as [Job, Job];
await Promise.all([quick, slow].map((job) => app.worker({ jobs: [job], slots: 1 }).run()));
