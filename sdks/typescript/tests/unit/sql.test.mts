/** A job is asked for by one statement, in somebody's own transaction. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Baton, ENQUEUE, enqueueIn } from "@baton/sdk";

test("a client in a transaction is asked by one statement, and the id leads to a handle", async () => {
  const app = new Baton("http://127.0.0.1:1");
  const resize = app.job<number>("resize", { timeout: "2m" }, () => {});
  const asked: unknown[] = [];
  const client = {
    async query(statement: string, values: any[]) {
      asked.push([statement, ...values]);
      return { rows: [{ id: "job_1" }] };
    },
  };

  const id = await enqueueIn(client, resize.new(7, { key: "order-4711" }));
  const handle = app.handle(id);

  assert.deepEqual(asked, [[ENQUEUE, '{"kind":"resize","payload":7,"timeout":"2m","key":"order-4711"}']]);
  assert.equal(handle.id, "job_1");
});
