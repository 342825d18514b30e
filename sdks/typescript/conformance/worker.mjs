/** The worker that the conformance suite asks for (`sdks/conformance/README.md`): it does what its payloads say. */

import { setTimeout as sleep } from "node:timers/promises";

import { Baton, Failure, Gone, Misconfigured, Permanent, Skip, Snooze, Stopped, Throttled } from "@baton/sdk";

const CLASSES = { retry: Failure, permanent: Permanent, misconfigured: Misconfigured, gone: Gone };

const app = new Baton();
const child = app.job("conformance.child", {}, () => {});
const conformance = app.job("conformance", {}, (payload, ctx) => DOES[payload.do](payload, ctx));

const DOES = {
  answer: (payload) => payload.with,

  async sleep({ ms }, ctx) {
    await sleep(ms, undefined, { signal: ctx.signal });
    return { slept: ms };
  },

  async linger({ ms }) {
    await sleep(ms);
    return { lingered: ms };
  },

  block({ ms }) {
    const end = Date.now() + ms;
    while (Date.now() < end);
    return { blocked: ms };
  },

  async hang(_, ctx) {
    await sleep(2 ** 31 - 1, undefined, { signal: AbortSignal.any([ctx.signal, ctx.stoppingSignal]) }).catch(() => {});
    ctx.signal.throwIfAborted();
    throw new Stopped("stopping");
  },

  fail(payload) {
    const { code, message = "", retry_after: after } = payload;
    if (payload.class === "throttled") throw new Throttled(after ?? "10s", message, code);
    throw new CLASSES[payload.class](code, message, after ?? undefined);
  },

  skip({ why = "nothing to do" }) {
    throw new Skip(why);
  },

  snooze({ after }) {
    throw new Snooze(after);
  },

  async walk({ items, every }, ctx) {
    let at = ctx.cursor?.after ?? 0;
    while (at < items) {
      const chunk = Array.from({ length: Math.min(every, items - at) }, (_, place) => at + place);
      at += chunk.length;
      const jobs = chunk.map((item) => child.new({ item }, { key: `${ctx.jobId}.${item}` }));
      await ctx.checkpoint({ after: at }, { done: at, total: items, jobs });
    }
    return { walked: at };
  },

  key: (_, ctx) => ctx.idempotencyKey,

  big: ({ bytes }) => "x".repeat(bytes),
};

const { BATON_SLOTS = "4", BATON_GRACE = "5s" } = process.env;
await app.worker({ slots: Number(BATON_SLOTS), jobs: [conformance], grace: BATON_GRACE }).run();
