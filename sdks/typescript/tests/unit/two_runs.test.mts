/** Two workers that run in one process. */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

import { exitOf, scripted, start } from "../helpers.mjs";
import type { ScriptedServer } from "../scripted.mjs";

/** On a busy machine a process may stand still for longer than the others' leases last. */
const LEASE = 20_000;
const PROGRAM = fileURLToPath(new URL("two_workers.mjs", import.meta.url));

async function startWorking(server: ScriptedServer) {
  const jobs = [server.add("quick"), server.add("slow")];
  const program = start(PROGRAM, { BATON_URL: server.url });
  await server.waitFor(() => jobs.every(({ cursor }) => cursor === "begun"));
  return { program, jobs };
}

scripted("one signal has both of them stop in order", async (server) => {
  const { program, jobs } = await startWorking(server);

  program.kill("SIGTERM");

  assert.equal(await exitOf(program), 0);
  assert.deepEqual(jobs.map((job) => job.verdict?.verdict), ["accepted", "accepted"]);
  assert.equal(server.left.length, 2);
}, LEASE);

scripted("a second signal leaves at once with 130, though one of them has ended", async (server) => {
  const { program, jobs } = await startWorking(server);

  program.kill("SIGTERM");
  await server.waitFor(() => server.left.length === 1);
  program.kill("SIGTERM");

  assert.equal(await exitOf(program, 2_000), 130);
  assert.deepEqual(jobs.map((job) => job.verdict?.verdict), ["accepted", undefined]);
}, LEASE);

scripted("connections that they share are closed with the last of them", async (server, app) => {
  let closed = 0;
  app.close = () => void closed++;
  const workers = ["one", "two"].map((kind) => app.worker({ jobs: [app.job(kind, {}, () => {})], slots: 1 }));
  const [one, two] = workers as [(typeof workers)[number], (typeof workers)[number]];
  const runs = workers.map((worker) => worker.run());
  await server.waitFor(() => server.workers.size === 2);

  await one.stop();
  await runs[0];
  const after = closed;
  await two.stop();
  await runs[1];

  assert.deepEqual([after, closed], [0, 1]);
  assert.equal(process.listenerCount("SIGTERM"), 0);
});

scripted("a worker that runs is not run a second time, and runs on", async (server, app) => {
  let closed = 0;
  app.close = () => void closed++;
  const job = server.add("double", 21);
  const worker = app.worker({ jobs: [app.job("double", {}, (n: number) => 2 * n)] });
  const first = worker.run();

  await assert.rejects(worker.run(), /this worker has been started already/);
  await server.ended(job);

  assert.equal(closed, 0);
  await worker.stop();
  await first;
});
