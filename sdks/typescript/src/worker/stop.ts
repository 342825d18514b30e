/** The order in which a worker stops. */

import { now, sleep } from "../clock";
import { Problem, WorkerEnded } from "../errors";
import { failed, Stopped } from "../verdicts";
import type { Attempt } from "./attempt";
import type { Keeper } from "./keeper";
import { fragmentOf } from "./results";
import { OPEN_CLAIM_AT_STOP } from "./settings";
import { NoAnswer } from "./wire";

const AFTER_CANCEL = 1_000;

/** Says so, gives back what has not begun, lets handlers end, records what they say, and leaves. */
export async function stopInOrder(keeper: Keeper): Promise<void> {
  keeper.draining = true;
  keeper.cover.end();
  keeper.claimer.look();
  if (keeper.fatal) {
    await endAtOnce(keeper);
    return;
  }
  await Promise.all([sayIt(keeper), keeper.claimer.finish()]);
  keeper.giveBackAll();
  await releaseUnheard(keeper);
  keeper.tellStopping();
  if (!(await until(() => unended(keeper).length === 0, keeper.settings.grace))) await endHandlers(keeper);
  await record(keeper);
  await quietly(keeper, "no server heard the goodbye", keeper.wire.leave());
}

async function sayIt(keeper: Keeper): Promise<void> {
  const said = quietly(keeper, "no server heard that this worker stops", keeper.beats.beat(0));
  await Promise.race([said, sleep(OPEN_CLAIM_AT_STOP)]);
}

async function releaseUnheard(keeper: Keeper): Promise<void> {
  const leases = [...keeper.leases.abandoned.keys()];
  if (leases.length === 0) return;
  await quietly(keeper, "claims without an answer are not released", keeper.wire.call("release", { leases }, OPEN_CLAIM_AT_STOP));
}

async function endHandlers(keeper: Keeper): Promise<void> {
  keeper.log.warn(`${unended(keeper).length} handlers have not ended within grace: they are cancelled`);
  for (const attempt of keeper.running.values()) keeper.cancel(attempt, "shutdown");
  await until(() => unended(keeper).length === 0, AFTER_CANCEL);
  const { message } = new Stopped("shutdown");
  for (const attempt of unended(keeper)) keeper.tellInstead(attempt, fragmentOf(failed("unknown", "shutdown", message)));
}

async function endAtOnce(keeper: Keeper): Promise<void> {
  for (const attempt of keeper.running.values()) keeper.cancel(attempt, "lost");
  await until(() => keeper.running.size === 0, AFTER_CANCEL);
}

/** Waits for the last result; what nobody hears for a lease, the lease frees. */
async function record(keeper: Keeper): Promise<void> {
  if (!(await until(() => keeper.results.size === 0, keeper.wire.terms.lease))) {
    keeper.log.error(`${keeper.results.size} results were not taken by any server`);
  }
}

async function quietly(keeper: Keeper, what: string, call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof NoAnswer || error instanceof Problem || error instanceof WorkerEnded)) throw error;
    keeper.log.debug(`${what}: ${error.message}`);
  }
}

/** What still runs and may still say something. */
function unended(keeper: Keeper): Attempt[] {
  return [...keeper.running.values()].filter((attempt) => !attempt.told);
}

async function until(isSo: () => boolean, longest: number): Promise<boolean> {
  const end = now() + longest;
  while (!isSo() && now() < end) await sleep(10);
  return isSo();
}
