// What both ways to use pg-boss share: the queue, how jobs are added, and what the store says of them.
import { PgBoss } from "pg-boss";
import { count, drop, fresh, pool } from "./database.js";
import { payload } from "./harness.js";

export const QUEUE = "noop";
const UNFINISHED = `SELECT count(*) FROM pgboss.job WHERE name = '${QUEUE}' AND state < 'completed'`;

export async function openQueue(server, database) {
  const url = await fresh(server, database);
  // The default pool of 10; notifications only shorten the wait of idle workers.
  const boss = new PgBoss({ connectionString: url, max: 10, useListenNotify: true });
  boss.on("error", (error) => console.error(error.message));
  await boss.start();
  await boss.createQueue(QUEUE, { notify: true });
  const connections = pool(url, 1);

  return {
    boss,
    bulkNote: "insert 1000",
    enqueue: (i) => boss.send(QUEUE, payload(i)),
    enqueueMany: (indices) => boss.insert(QUEUE, indices.map((i) => ({ data: payload(i) }))),
    beforeDrain: () => connections.query("ANALYZE"),
    unfinished: () => count(connections, UNFINISHED),
    async close() {
      await connections.end();
      await boss.stop({ graceful: false });
      await drop(server, database);
    },
  };
}
