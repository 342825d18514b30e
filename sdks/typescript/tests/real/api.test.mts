/** All of the API by its client: recipients, campaigns, inboxes, schedules and events of a real server. */

import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { Problem, type Client, type models } from "@baton/sdk";
import { server, type Server } from "@baton/sdk/testing";

import { hasServer, until } from "../helpers.mjs";

const PEOPLE = ["ann", "ben", "cho"];

/** A test with a server of its own, on which nothing was sent. */
function real(name: string, body: (client: Client, own: Server) => Promise<void>): void {
  test(name, { timeout: 60_000 }, async (context: TestContext) => {
    if (!hasServer(context)) return;
    const own = await server();
    try {
      for (const person of PEOPLE) {
        await own.client.recipients.put(person, { platform: "ios", addresses: { push: `token-${person}` }, topics: ["quiz"] });
      }
      await body(own.client, own);
    } finally {
      await own.stop();
    }
  });
}

real("a campaign is previewed, sent and read", async (client) => {
  const wanted: models.CreateCampaign = {
    name: "Quiz",
    action: "both",
    category: "popular",
    provider: "log",
    audience: { topic: "quiz" },
    message: { title: "Quiz", body: "Good morning, {{id}}!" },
  };

  const count = await client.recipients.preview({ audience: { topic: "quiz" } });
  const sample = await client.campaigns.preview(wanted);
  const { id } = await client.campaigns.create(wanted);
  await until(async () => (await client.campaigns.show(id)).state === "done");
  const progress = await client.campaigns.progress(id);
  const { items } = await client.inbox.list("ben");
  await client.inbox.read("ben", items[0]!.id);
  const unread = await Promise.all(PEOPLE.map((person) => client.inbox.unread(person)));

  assert.equal(count.count, PEOPLE.length);
  assert.match(JSON.stringify(sample), /Good morning, ann!/);
  assert.deepEqual([progress.ended, progress.counts["succeeded"]], [3, 3]);
  assert.deepEqual(items.map((item) => [item.title, item.body]), [["Quiz", "Good morning, ben!"]]);
  assert.deepEqual(unread.map((one) => one.unread), [1, 0, 1]);
});

real("a campaign is stopped before its time and resumed", async (client) => {
  const later = await client.campaigns.create({
    name: "Later",
    action: "inbox",
    category: "notice",
    audience: { all: true },
    message: { title: "t", body: "b" },
    send_at: new Date(Date.now() + 86_400_000).toISOString(),
  });

  const stopped = await client.campaigns.stop(later.id, { reason: "not yet" });
  const resumed = await client.campaigns.resume(later.id);
  const canceled = await client.campaigns.cancel(later.id);
  const entries = await client.audit.list({ object: later.id });

  assert.deepEqual([stopped.state, resumed.state, canceled.state], ["stopped", "scheduled", "canceled"]);
  assert(entries.items.some((entry) => entry.reason === "not yet"));
});

real("who follows an inbox hears of what comes", async (client) => {
  const heard: string[] = [];

  for await (const message of client.followInbox("ann")) {
    heard.push(message.event ?? "");
    if (heard.length === 1) {
      await client.notifications.create({ recipients: ["ann"], action: "inbox", message: { title: "Hello", body: "ann" } });
    }
    if (heard.length === 3) break;
  }

  assert.equal(heard[0], "inbox.unread");
  assert.deepEqual(heard.slice(1).sort(), ["inbox.added", "inbox.unread"]);
});

real("a schedule fires by hand and tells what it made", async (client) => {
  const job = { kind: "report", payload: { n: 1 } };
  const { id } = await client.schedules.create({ name: "nightly", cron: "0 3 * * *", time_zone: "Asia/Seoul", job });

  const times = await client.schedules.next(id, { count: 3 });
  const fired = await client.schedules.fire(id);
  const made = await client.jobs.show(fired.made!);
  const paused = await client.schedules.pause(id);

  assert.equal(times.items.length, 3);
  assert.deepEqual([made.kind, made.payload], ["report", { n: 1 }]);
  assert.deepEqual([fired.by_hand, paused.paused], [true, true]);
});

real("erasing a recipient takes all of them", async (client) => {
  const operation = await client.recipients.delete("cho", { erase: true });
  await until(async () => (await client.operations.show(operation!.id)).state === "done");

  await assert.rejects(client.recipients.show("cho"), (error: unknown) => error instanceof Problem && error.code === "recipient-not-found");
});

real("why a call is made stands in the audit log", async (client) => {
  const why = "ticket 4711: 대기열이 100% 찼다";
  const hurried = client.because(why);

  await hurried.queues.change("hurried", { paused: true });
  await client.queues.change("silent", { paused: true });
  await hurried.because("it is over").queues.change("hurried", { paused: false });
  const reasons = async (object: string): Promise<unknown[]> =>
    (await hurried.audit.list({ object })).items.map((entry) => entry.reason ?? null);

  assert.deepEqual(await reasons("hurried"), ["it is over", why]);
  assert.deepEqual(await reasons("silent"), [null]);
});
