/** The worker of the rough part: it writes down what it has done, and says so. */

import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { Baton } from "@baton/sdk";

const app = new Baton();
app.job("rough", {}, async (n: number, ctx) => {
  await sleep(5);
  appendFileSync(process.env.DONE!, `${n}\n`);
  return { n, attempt: ctx.attempt };
});
await app.worker({ slots: 32 }).run();
