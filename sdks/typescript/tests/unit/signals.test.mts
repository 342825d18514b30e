/** What a worker process does when it is told to end. */

import assert from "node:assert/strict";

import { exitOf, scripted, SOURCES, start } from "../helpers.mjs";
import type { ScriptedServer } from "../scripted.mjs";

async function startWorking(server: ScriptedServer, payload: unknown) {
  const worker = start(`${SOURCES}/conformance/worker.mjs`, { BATON_URL: server.url, BATON_SLOTS: "4" });
  const job = server.add("conformance", payload);
  await server.waitFor(() => server.calls("beat").some((call) => call.body.running === 1));
  return { worker, job };
}

scripted("SIGTERM lets handlers end and exits with 0", async (server) => {
  const { worker, job } = await startWorking(server, { do: "sleep", ms: 800 });

  worker.kill("SIGTERM");

  assert.equal(await exitOf(worker), 0);
  assert.deepEqual(job.verdict.result, { slept: 800 });
  assert.equal(server.left.length, 1);
});

scripted("SIGTERM lets a handler that waits for it say that it goes on later", async (server) => {
  const { worker, job } = await startWorking(server, { do: "hang" });

  worker.kill("SIGTERM");

  assert.equal(await exitOf(worker), 0);
  assert.equal(job.verdict.verdict, "snoozed");
});

scripted("a second signal leaves at once with 130", async (server) => {
  const { worker } = await startWorking(server, { do: "sleep", ms: 60_000 });

  worker.kill("SIGTERM");
  await server.waitFor(() => server.calls("beat").some((call) => call.body.draining));
  worker.kill("SIGTERM");

  assert.equal(await exitOf(worker, 2_000), 130);
  assert.deepEqual(server.left, []);
});
