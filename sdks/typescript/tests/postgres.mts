/** A private PostgreSQL, which ends with the test. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";

/** How long it may take to start on a machine that is busy. */
const STARTS_WITHIN = 60_000;

/** One that runs. */
export interface Postgres {
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts the program that `BATON_SCRATCH_POSTGRES` names: it prints an address, and ends with its input. Without one the tests that
 * need it are skipped aloud, or fail where CI demands them.
 */
export async function postgres(context: Pick<TestContext, "skip"> | undefined): Promise<Postgres | undefined> {
  const program = process.env.BATON_SCRATCH_POSTGRES;
  if (!program) {
    const why = "no PostgreSQL: name the program `scratch-postgres` of this repository in BATON_SCRATCH_POSTGRES";
    if (process.env.BATON_REQUIRE_SERVER === "1") throw new Error(why);
    context?.skip(why);
    return undefined;
  }
  const running = spawn(program, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(running, "exit");
  const line = once(createInterface(running.stdout), "line", { signal: AbortSignal.timeout(STARTS_WITHIN) });
  const failed = ended.then(([code]) => Promise.reject(new Error(`${program} ended with ${code}`)));
  failed.catch(() => {});
  const [url] = await Promise.race([line, failed]);
  const stop = async (): Promise<void> => {
    running.stdin.end();
    await ended;
  };
  return { url, stop };
}
