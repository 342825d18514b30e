/** Checkpoints that a server refuses as a whole. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { part } from "../helpers.mjs";

const { Checkpoints } = part("worker/checkpoints");
const { Problem } = part("errors");

test("one that the server cannot read refuses none of those beside it", async () => {
  const told: any[] = [];
  const wire = {
    terms: { lease: 30_000, mostBytes: 1 << 20, mostCheckpoints: 100, mostChildren: 1_000 },
    async call(_: string, content: string) {
      const { checkpoints } = JSON.parse(content);
      if (checkpoints.some(({ cursor }: any) => cursor === "bad")) {
        throw new Problem(400, { code: "malformed", detail: "bad" });
      }
      return { items: checkpoints.map(() => ({ saved: "recorded", jobs: [] })) };
    },
  };
  const checkpoints = new Checkpoints(wire, console, (message: any) => told.push(message), () => {});
  const attempt = (id: number) => ({ job: { id }, token: `t${id}`, lease: { lost: false }, moved() {} });
  for (const [save, cursor] of [1, 2, "bad", 4, 5].entries()) checkpoints.save(attempt(save), save, { seq: 1, cursor });
  void checkpoints.run();
  while (told.length < 5) await new Promise((go) => setImmediate(go));

  const saved = told.filter(({ is }) => is === "saved").map(({ save }) => save);
  assert.deepEqual(saved, [0, 1, 3, 4]);
  assert.deepEqual(told.filter(({ is }) => is === "not saved").map(({ save }) => save), [2]);
});
