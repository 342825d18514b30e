// pg-boss with `work()`. Its documentation recommends a large `batchSize` for throughput; `burstWhenBatchFull` fetches
// again at once while batches come full, instead of at the next poll.
import { openQueue, QUEUE } from "./pgboss.js";

const WORKERS = 4;

export async function open({ postgres }) {
  const queue = await openQueue(postgres, "peer_pgboss_work");
  let seen;

  return {
    ...queue,
    concurrency: WORKERS,
    drainNote: "work() batchSize 500, localConcurrency 4, burst",
    hasLatency: true,
    async start(handled) {
      seen = handled;
      const options = { batchSize: 500, localConcurrency: WORKERS, pollingIntervalSeconds: 0.5, burstWhenBatchFull: true };
      await queue.boss.work(QUEUE, options, async (jobs) => handled(jobs.length));
    },
    async beforeLatency() {
      // Batches wait to be filled: one job at a time starts soonest.
      await queue.boss.offWork(QUEUE);
      await queue.boss.work(QUEUE, { batchSize: 1, pollingIntervalSeconds: 0.5 }, async () => seen(1));
    },
  };
}
