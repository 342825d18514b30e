// pg-boss with loops of `fetch()` and `complete()`, the batches its documentation shows for bulk work.
import { openQueue, QUEUE } from "./pgboss.js";

const LOOPS = 4;
const BATCH = 1000;

export async function open({ postgres }) {
  const queue = await openQueue(postgres, "peer_pgboss_fetch");

  return {
    ...queue,
    concurrency: LOOPS,
    drainNote: `fetch and complete, batches of ${BATCH}`,
    // Who fetches chooses the delay: there is no latency of pg-boss's own to measure.
    hasLatency: false,
    async start(handled) {
      const loop = async () => {
        for (;;) {
          const jobs = await queue.boss.fetch(QUEUE, { batchSize: BATCH });
          if (!jobs.length) return;
          await queue.boss.complete(QUEUE, jobs.map((job) => job.id));
          handled(jobs.length);
        }
      };
      await Promise.all(Array.from({ length: LOOPS }, loop));
    },
  };
}
