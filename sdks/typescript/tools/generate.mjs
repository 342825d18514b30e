/**
 * Writes the request and answer types and the calls of the client, from the server's own description of its API.
 *
 *     node tools/generate.mjs            writes src/generated anew
 *     node tools/generate.mjs --check    says whether it is current
 */

import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

import openapiTS, { astToString } from "openapi-typescript";

import { writeCalls } from "./calls.mjs";

const { values } = parseArgs({ options: { check: { type: "boolean" }, document: { type: "string" } } });
const source = values.document ?? new URL("../../../crates/api/openapi.json", import.meta.url);
const output = new URL("../src/generated/", import.meta.url);
const document = JSON.parse(readFileSync(source, "utf8"));

const generated = { "models.ts": await models(structuredClone(document)), "calls.ts": writeCalls(document) };
let stale = 0;
for (const [name, text] of Object.entries(generated)) {
  const file = new URL(name, output);
  if (values.check) {
    if (read(file) === text) continue;
    console.error(`src/generated/${name} is not current: run \`npm run generate\``);
    stale = 1;
  } else {
    writeFileSync(file, text);
  }
}
process.exit(stale);

/** The types of all requests and answers. */
async function models(description) {
  // Ids of operations are unique within their tag only; without them each operation stands at its path.
  for (const methods of Object.values(description.paths)) {
    for (const operation of Object.values(methods)) delete operation.operationId;
  }
  const nodes = await openapiTS(description, { rootTypes: true, rootTypesNoSchemaPrefix: true, defaultNonNullable: false, emptyObjectsUnknown: true });
  return `/* What the API takes and gives. Written by tools/generate.mjs: do not edit. */\n\n${astToString(nodes)}`;
}

function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
