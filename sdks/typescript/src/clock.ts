/** A clock that is the same on all threads of this process, and goes on while the machine sleeps, as the server's does. */

import { uptime } from "node:os";

let slept = 0;
let offset = uptime() * 1_000 - monotonic();
const NOISE = 500;

/** Milliseconds since some moment. */
export function now(): number {
  return monotonic() + slept;
}

/** Looks whether the machine has slept, which the process's own clock does not count; the keeper does so all the time. */
export function lookForSleep(): void {
  const seen = uptime() * 1_000 - monotonic();
  if (seen - offset > NOISE) {
    slept += seen - offset;
    offset = seen;
  }
}

function monotonic(): number {
  const [seconds, nanos] = process.hrtime();
  return seconds * 1_000 + nanos / 1_000_000;
}

/** Lets time go by. */
export function sleep(duration: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, duration));
}
