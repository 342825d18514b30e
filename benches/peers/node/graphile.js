// graphile-worker. Its performance page recommends for throughput a local queue and batched completion; 24 jobs at
// a time and a queue of 500 are the figures of its own benchmark.
import { Logger, makeWorkerUtils, run } from "graphile-worker";
import { count, drop, fresh, pool } from "./database.js";
import { payload } from "./harness.js";

const DATABASE = "peer_graphile";
const CONCURRENT_JOBS = 24;
const SILENT = new Logger(() => () => {});

export async function open({ postgres }) {
  const connections = pool(await fresh(postgres, DATABASE), 30);
  const utils = await makeWorkerUtils({ pgPool: connections, logger: SILENT });
  await utils.migrate();
  let runner;

  return {
    concurrency: CONCURRENT_JOBS,
    bulkNote: "addJobs 1000",
    drainNote: "localQueue 500, completeJobBatchDelay 0",
    hasLatency: true,
    enqueue: (i) => utils.addJob("noop", payload(i)),
    enqueueMany: (indices) => utils.addJobs(indices.map((i) => ({ identifier: "noop", payload: payload(i) }))),
    beforeDrain: () => connections.query("ANALYZE graphile_worker._private_jobs"),
    async start(handled) {
      const worker = {
        concurrentJobs: CONCURRENT_JOBS,
        localQueue: { size: 500, refetchDelay: { durationMs: 10 } },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
        logger: SILENT,
      };
      runner = await run({
        pgPool: connections,
        preset: { worker },
        taskList: { noop: async () => handled(1) },
      });
    },
    unfinished: () => count(connections, "SELECT count(*) FROM graphile_worker._private_jobs"),
    async close() {
      await runner.stop();
      await utils.release();
      await connections.end();
      await drop(postgres, DATABASE);
    },
  };
}
