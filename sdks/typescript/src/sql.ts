/** Enqueue in a transaction of your own, where your tables and the server's are in one PostgreSQL. */

import type * as models from "./generated/models";
import { ofHere } from "./traces";

/** A client of `pg` in a transaction, or another one that takes a statement with its values. */
export interface SqlClient {
  query(statement: string, values: any[]): Promise<{ rows: any[] }>;
}

/** The statement that asks for a job; its one value is `enqueueArgument` of it. */
export const ENQUEUE = "SELECT baton_enqueue($1::text::json) AS id";

/** Asks for a job in the transaction of this client; its id. It is a job soon after the commit, and never without it. */
export async function enqueueIn(client: SqlClient, job: models.EnqueueJob): Promise<string> {
  const { rows } = await client.query(ENQUEUE, [enqueueArgument(job)]);
  return rows[0].id;
}

/** What `baton_enqueue` takes: the job as JSON, in the trace of here. */
export function enqueueArgument(job: models.EnqueueJob): string {
  return JSON.stringify(ofHere(job));
}
