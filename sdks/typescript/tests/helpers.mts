/** What all tests share. */

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { test, type TestContext } from "node:test";

import { Baton, type Log, type Worker, type WorkerOptions } from "@baton/sdk";
import { NoServer, serverBinary } from "@baton/sdk/testing";

import { ScriptedServer } from "./scripted.mjs";

/** Keeps what a worker writes out of the report. */
export const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Where the sources of the package are: the tests' own folder, or the one that `check.sh` names. */
export const SOURCES = process.env.BATON_SDK_SOURCES ?? fileURLToPath(new URL("..", import.meta.url));

/** A part of the package that it does not hand out. */
export function part(name: string): any {
  const require = createRequire(import.meta.url);
  return require(join(dirname(require.resolve("@baton/sdk/package.json")), "dist", `${name}.js`));
}

/** A test with a scripted server, whose leases last so many milliseconds, and an application of it. */
export function scripted(name: string, body: (server: ScriptedServer, app: Baton) => Promise<void>, lease?: number): void {
  test(name, { timeout: 30_000 }, async () => {
    const server = await ScriptedServer.start(lease);
    const app = new Baton(server.url, { log: silent });
    try {
      await body(server, app);
    } finally {
      // One that a failed test has left behind would keep all of them waiting.
      for (const program of started.splice(0)) program.kill("SIGKILL");
      app.close();
      server.close();
    }
  });
}

const started: ChildProcess[] = [];

/** Has a worker work for as long as the body takes. */
export async function working<T>(app: Baton, options: WorkerOptions, body: (worker: Worker) => Promise<T>): Promise<T> {
  const worker = app.worker({ grace: "2s", ...options }).start();
  try {
    return await body(worker);
  } finally {
    await worker.stop().catch(() => {});
  }
}

/** Something to wait for, opened from elsewhere. */
export function gate(): { opened: Promise<void>; open: () => void; isOpen: boolean } {
  const made = { isOpen: false } as { opened: Promise<void>; open: () => void; isOpen: boolean };
  made.opened = new Promise((resolve) => {
    made.open = () => {
      made.isOpen = true;
      resolve();
    };
  });
  return made;
}

/** Waits until something is so. */
export async function until(isSo: () => unknown, timeout = 10_000): Promise<void> {
  const end = Date.now() + timeout;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`it did not come true in ${timeout} ms: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Starts a program of Node; it ends with the scripted server of its test. */
export function start(file: string, environment: Record<string, string>, ...given: string[]): ChildProcess {
  const program = spawn(process.execPath, [file, ...given], { env: { ...process.env, ...environment }, stdio: ["ignore", "inherit", "pipe"] });
  started.push(program);
  return program;
}

/** How a program ended: its code, or its signal. */
export async function exitOf(program: ChildProcess, timeout = 20_000): Promise<number | string> {
  if (program.exitCode !== null) return program.exitCode;
  const [code, signal] = await once(program, "exit", { signal: AbortSignal.timeout(timeout) });
  return code ?? signal;
}

/** Whether there is a server to test with; without one its tests are skipped aloud, or fail where CI demands them. */
export function hasServer(context: TestContext): boolean {
  try {
    serverBinary();
    return true;
  } catch (error) {
    if (!(error instanceof NoServer) || process.env.BATON_REQUIRE_SERVER === "1") throw error;
    context.skip(error.message);
    return false;
  }
}
