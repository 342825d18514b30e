/** The README says what is so. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";

import { server } from "@baton/sdk/testing";

import { exitOf, hasServer, SOURCES, start } from "../helpers.mjs";

const run = promisify(execFile);
const FILES = ["tasks", "worker", "ask", "backfill", "try_out"];

test("the programs of the README do what it says", { timeout: 60_000 }, async (context) => {
  if (!hasServer(context)) return;
  const house = await server();
  // Beside the tests, where the package is installed.
  const here = fileURLToPath(new URL("..", import.meta.url));
  mkdirSync(here, { recursive: true });
  const folder = mkdtempSync(join(here, "readme-"));
  const environment = { BATON_URL: house.url };
  try {
    const programs = [...readFileSync(join(SOURCES, "README.md"), "utf8").matchAll(/```ts\n(.*?)```/gs)].map(([, text]) => text!);
    assert.equal(programs.length, FILES.length);
    FILES.forEach((name, at) => writeFileSync(join(folder, `${name}.mts`), programs[at]!));
    const tsc = join(SOURCES, "node_modules/typescript/bin/tsc");
    const types = join(SOURCES, "node_modules/@types");
    const options = ["--strict", "--target", "es2022", "--module", "node16", "--skipLibCheck", "--typeRoots", types, "--types", "node"];
    await run(process.execPath, [tsc, ...options, ...FILES.map((name) => join(folder, `${name}.mts`))]);

    const worker = start(join(folder, "worker.mjs"), environment);
    const asked = await run(process.execPath, [join(folder, "ask.mjs")], { env: { ...process.env, ...environment } });
    await run(process.execPath, [join(folder, "try_out.mjs")], { env: { ...process.env, ...environment } });
    worker.kill("SIGTERM");

    assert.equal(asked.stdout, "{ bytes: 4480 }\nfailed bad_image\n");
    assert.equal(await exitOf(worker), 0);
  } finally {
    rmSync(folder, { recursive: true });
    await house.stop();
  }
});
