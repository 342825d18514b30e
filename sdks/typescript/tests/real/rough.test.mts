/** A worker that is killed, frozen and cut off: nothing is lost, and nothing stale is recorded. */

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server as Net, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { server, type Server } from "@baton/sdk/testing";

import { exitOf, hasServer, start, until } from "../helpers.mjs";

const JOBS = 5_000;
const KILLS = 5;
const FREEZES = 2;
const CUTS = 50;
const WORKER = fileURLToPath(new URL("rough_worker.mjs", import.meta.url));

test("five thousand jobs survive five kills, two freezes and fifty cut lines", { timeout: 80_000 }, async (context) => {
  if (!hasServer(context)) return;
  const house = await server({ lease: "2s" });
  const folder = mkdtempSync(join(tmpdir(), "baton-rough-"));
  const lines = await Lines.to(house);
  const done = join(folder, "done");
  const started: ReturnType<typeof start>[] = [];
  const startOne = () => {
    const worker = start(WORKER, { BATON_URL: lines.url, DONE: done });
    worker.stderr!.resume();
    started.push(worker);
    return worker;
  };
  try {
    const jobs = Array.from({ length: JOBS }, (_, n) => ({ kind: "rough", payload: n, max_attempts: 20, key: `rough-${n}` }));
    await house.client.jobs.createBatch({ jobs });

    let worker = startOne();
    const part = JOBS / (KILLS + FREEZES + 2);
    const some = Math.floor(CUTS / (KILLS + FREEZES));
    for (let kill = 1; kill <= KILLS; kill++) {
      await linesIn(done, kill * part);
      await lines.cut(some);
      worker.kill("SIGKILL");
      await exitOf(worker);
      worker = startOne();
    }
    for (let freeze = 1; freeze <= FREEZES; freeze++) {
      await linesIn(done, (KILLS + freeze) * part);
      await lines.cut(some);
      worker.kill("SIGSTOP");
      const frozen = worker;
      worker = startOne();
      // Its jobs run elsewhere before it goes on: its lease has ended.
      await until(async () => !(await isRunningAt(house, frozen.pid!)), 20_000);
      frozen.kill("SIGCONT");
    }
    await lines.cut(CUTS - some * (KILLS + FREEZES));
    await until(async () => (await succeeded(house)) === JOBS, 60_000);
    const alive = started.filter((one) => one.exitCode === null && one.signalCode === null);
    // One that has only just been started does not hear signals yet.
    await until(async () => (await Promise.all(alive.map((one) => ofProcess(house, one.pid!)))).every(Boolean), 20_000);
    for (const one of alive) one.kill("SIGTERM");
    assert.deepEqual(await Promise.all(alive.map((one) => exitOf(one))), alive.map(() => 0));

    for await (const job of house.client.jobs.all({ kind: "rough", limit: 500 })) {
      const { n, attempt } = job.result as { n: number; attempt: number };
      // What stands is what the attempt said that the job itself counts as its last: nothing stale.
      assert.deepEqual([job.state, n, attempt], ["succeeded", job.payload, job.attempt]);
    }
  } finally {
    for (const worker of started) worker.kill("SIGKILL");
    lines.close();
    await house.stop();
    rmSync(folder, { recursive: true });
  }
});

/** Passes on what is said between workers and a server, until it is cut. */
class Lines {
  readonly #open = new Set<Socket>();
  readonly #listening: Net;

  private constructor(to: Server) {
    const { port } = new URL(to.url);
    this.#listening = createServer((from) => {
      const onward = connect(Number(port), "127.0.0.1");
      for (const [one, other] of [[from, onward], [onward, from]] as const) {
        this.#open.add(one);
        one.on("error", () => other.destroy()).on("close", () => (this.#open.delete(one), other.destroy()));
        one.pipe(other);
      }
    });
  }

  static async to(house: Server): Promise<Lines> {
    const lines = new Lines(house);
    lines.#listening.listen(0, "127.0.0.1");
    await once(lines.#listening, "listening");
    return lines;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#listening.address() as AddressInfo).port}`;
  }

  /** Resets all that are open, so often, with a moment between. */
  async cut(times: number): Promise<void> {
    while (times > 0) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (this.#open.size > 0) times--;
      this.#reset();
    }
  }

  close(): void {
    this.#reset();
    this.#listening.close();
  }

  #reset(): void {
    for (const socket of this.#open) socket.resetAndDestroy();
  }
}

async function linesIn(file: string, count: number): Promise<void> {
  await until(() => existsSync(file) && new Set(readFileSync(file, "utf8").trim().split("\n")).size >= count, 60_000);
}

async function succeeded(house: Server): Promise<number> {
  for await (const queue of house.client.queues.all()) if (queue.name === "rough") return queue.succeeded;
  return 0;
}

/** The worker of a process, once it has registered. */
async function ofProcess(house: Server, pid: number) {
  const { items: workers } = await house.client.workers.list();
  return workers.find((worker) => worker.name.endsWith(`:${pid}`));
}

async function isRunningAt(house: Server, pid: number): Promise<boolean> {
  const frozen = await ofProcess(house, pid);
  assert.ok(frozen, "the fleet does not know the worker that is frozen");
  const { items } = await house.client.jobs.list({ kind: "rough", state: "running", limit: 500 });
  return items.some((job) => job.worker === frozen.id);
}
