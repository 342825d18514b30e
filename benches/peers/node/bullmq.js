// BullMQ. A concurrency of 100 is its documentation's advice for jobs that wait rather than compute; finished jobs are
// removed, so that Redis does not grow. It acknowledges an enqueue before Redis has it on the disk.
import { Queue, Worker } from "bullmq";
import { payload } from "./harness.js";

const QUEUE = "noop";
const CONCURRENCY = 100;

export async function open({ redis }) {
  const { hostname, port } = new URL(redis);
  const connection = { host: hostname, port: Number(port), maxRetriesPerRequest: null };
  const queue = new Queue(QUEUE, { connection });
  await queue.obliterate({ force: true });
  let worker;

  return {
    concurrency: CONCURRENCY,
    bulkNote: "addBulk 1000",
    drainNote: "removeOnComplete, Redis with appendfsync everysec",
    hasLatency: true,
    enqueue: (i) => queue.add(QUEUE, payload(i)),
    enqueueMany: (indices) => queue.addBulk(indices.map((i) => ({ name: QUEUE, data: payload(i) }))),
    async start(handled) {
      worker = new Worker(QUEUE, async () => handled(1), {
        connection,
        concurrency: CONCURRENCY,
        removeOnComplete: { count: 0 },
      });
    },
    async unfinished() {
      const counts = await queue.getJobCounts("waiting", "active", "delayed", "prioritized", "paused");
      return Object.values(counts).reduce((sum, count) => sum + count, 0);
    },
    async close() {
      await worker.close();
      await queue.obliterate({ force: true });
      await queue.close();
    },
  };
}
