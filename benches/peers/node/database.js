// A PostgreSQL database of the peer's own, empty at the start and gone at the end.
import pg from "pg";

/** Makes the database anew and returns its URL; the checkpoint keeps earlier runs out of this one's disk time. */
export async function fresh(server, name) {
  await onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`, `CREATE DATABASE ${name}`, "CHECKPOINT");
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

export async function drop(server, name) {
  await onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

/** Opens a pool that does not end the process when its database is dropped under it. */
export function pool(url, max) {
  const connections = new pg.Pool({ connectionString: url, max });
  connections.on("error", () => {});
  connections.on("connect", (client) => client.on("error", () => {}));
  return connections;
}

export async function count(connections, statement) {
  const { rows } = await connections.query(statement);
  return Number(rows[0].count);
}

async function onServer(server, ...statements) {
  const client = new pg.Client(server);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}
