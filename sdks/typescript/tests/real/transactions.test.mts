/** Jobs that are asked for in transactions of a program, by `pg`, and through a real server on the same PostgreSQL. */

import assert from "node:assert/strict";
import { after, test, type TestContext } from "node:test";

import pg from "pg";
import { Baton, enqueueIn, Problem } from "@baton/sdk";
import { server, type Server } from "@baton/sdk/testing";

import { hasServer, silent, working } from "../helpers.mjs";
import { postgres, type Postgres } from "../postgres.mjs";

/** A role that may do nothing with the tables of the server. */
const SHOP = `
  CREATE TABLE orders (id int);
  CREATE ROLE shop;
  GRANT ALL ON orders TO shop;
  GRANT EXECUTE ON FUNCTION baton_enqueue(json) TO shop`;

let database: Postgres | undefined;
let house: Server | undefined;

/** A test with an application, and with a connection of a shop that knows nothing of the server but one function. */
function real(name: string, body: (app: Baton, shop: pg.Client, house: Server) => Promise<void>): void {
  test(name, { timeout: 60_000 }, async (context: TestContext) => {
    if (!hasServer(context) || !(await begun(context))) return;
    const app = new Baton(house!.url, { log: silent });
    const shop = new pg.Client(database!.url);
    await shop.connect();
    await shop.query("SET ROLE shop");
    try {
      await body(app, shop, house!);
    } finally {
      await shop.end();
      app.close();
    }
  });
}

/** Starts both servers with the first test that needs them. */
async function begun(context: TestContext): Promise<boolean> {
  database ??= await postgres(context);
  if (!database) return false;
  if (house) return true;
  house = await server({ arguments: ["--database", database.url, "--migrate", "--allow-unsafe-durability"] });
  const owner = new pg.Client(database.url);
  await owner.connect();
  await owner.query(SHOP);
  await owner.end();
  return true;
}

after(async () => {
  await house?.stop();
  await database?.stop();
});

real("a job of a transaction that commits runs once, and not before", async (app, shop, house) => {
  const ran: number[] = [];
  const invoice = app.job<number>("invoice", {}, (order) => void ran.push(order));

  await working(app, { slots: 4 }, async () => {
    await shop.query("BEGIN");
    await shop.query("INSERT INTO orders VALUES (4711)");
    const id = await enqueueIn(shop, invoice.new(4711, { key: "order-4711" }));
    const again = await enqueueIn(shop, invoice.new(4711, { key: "order-4711" }));
    await assert.rejects(app.handle(id).show(), (error) => error instanceof Problem && error.code === "job-not-found");
    await shop.query("COMMIT");
    await app.handle(id).result({ timeout: "20s" });
    await house.quiet();

    assert.equal(again, id);
    assert.equal(await enqueueIn(shop, invoice.new(4711, { key: "order-4711" })), id);
  });

  assert.deepEqual(ran, [4711]);
});

real("a transaction that is rolled back leaves no job", async (app, shop, house) => {
  const ran: number[] = [];
  const refund = app.job<number>("refund", {}, (order) => void ran.push(order));

  await working(app, { slots: 4 }, async () => {
    await shop.query("BEGIN");
    const id = await enqueueIn(shop, refund.new(1, { key: "refund" }));
    await shop.query("ROLLBACK");
    const later = await enqueueIn(shop, refund.new(2, { key: "refund" }));
    await app.handle(later).result({ timeout: "20s" });
    await house.quiet();

    await assert.rejects(app.handle(id).show(), (error) => error instanceof Problem && error.code === "job-not-found");
  });

  assert.deepEqual(ran, [2]);
});

real("what can be no job is an error in the transaction that says why", async (app, shop) => {
  const parcel = app.job<number>("parcel", {}, () => {});

  await shop.query("BEGIN");
  await enqueueIn(shop, parcel.new(1, { key: "parcel-1" }));
  await shop.query("SAVEPOINT before");
  await assert.rejects(enqueueIn(shop, { kind: "two words" }), { code: "22023", message: /kind "two words": must be 1 to 64 letters/ });
  await shop.query("ROLLBACK TO before");
  await assert.rejects(enqueueIn(shop, parcel.new(2, { key: "parcel-1" })), {
    code: "23505",
    message: /the key "parcel-1" belongs to job_\S+, which was asked for with other content/,
  });
  await shop.query("ROLLBACK TO before");
  await shop.query("COMMIT");
});

real("a job that the server refuses after the commit says why to whoever waits for it", async (app, shop) => {
  const letter = app.job<number>("letter", {}, () => {});

  const id = await enqueueIn(shop, letter.new(1, { priority: 4711 }));

  const refused = (error: unknown) => error instanceof Problem && /priority: must lie between -100/.test(error.message);
  await assert.rejects(app.handle(id).result({ timeout: "20s" }), refused);
});
