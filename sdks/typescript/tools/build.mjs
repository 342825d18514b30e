/**
 * Builds `dist`: CommonJS by tsc, and for each entry an ES module that hands on the same objects, so that `instanceof` holds
 * wherever both kinds of modules meet in one program.
 */

import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const ENTRIES = ["index", "testing/index", "otel"];

rmSync(`${root}dist`, { recursive: true, force: true });
execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "-p", root], { stdio: "inherit" });
for (const entry of ENTRIES) {
  const line = `export * from "./${entry.split("/").pop()}.js";\n`;
  writeFileSync(`${root}dist/${entry}.mjs`, line);
  writeFileSync(`${root}dist/${entry}.d.mts`, line);
}
