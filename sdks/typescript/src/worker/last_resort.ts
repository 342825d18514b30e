/** Ends the whole process from a thread beside one that does not move. */

import { writeSync } from "node:fs";
import { createRequire } from "node:module";

/** How long the main thread has to leave before the process is killed. */
const GRACE = 2_000;
let ending = false;

/**
 * Has the main thread leave in the midst of what it does, which only its own inspector can; where that is not to be had
 * the process is killed.
 */
export function endProcess(code: number, why: string): void {
  if (ending) return;
  ending = true;
  writeSync(2, `baton: ${why}: this process ends with ${code}\n`);
  setTimeout(() => process.kill(process.pid, "SIGKILL"), GRACE);
  try {
    // Not every Node has one: it is asked for only here.
    const { Session } = createRequire(__filename)("node:inspector") as typeof import("node:inspector");
    const session = new Session();
    session.connectToMainThread();
    session.post("Runtime.evaluate", { expression: `process.reallyExit(${code})` });
  } catch (error) {
    writeSync(2, `baton: it has to be killed: ${(error as Error).message}\n`);
  }
}
