/** Operations of the description as methods, from one template. */

/** These are for machines that watch machines. */
const NOT_HERE = ["/healthz", "/readyz", "/metrics"];

/** The module of the calls. */
export function writeCalls(document) {
  const groups = new Map();
  for (const [path, methods] of Object.entries(document.paths)) {
    if (NOT_HERE.includes(path)) continue;
    for (const [method, operation] of Object.entries(methods)) {
      if (isStream(operation)) continue;
      const tag = operation.tags[0];
      groups.set(tag, [...(groups.get(tag) ?? []), read(method, path, operation)]);
    }
  }
  let text = HEADER;
  for (const [tag, operations] of groups) {
    tellApart(operations);
    text += group(tag, operations);
  }
  return text + all([...groups.keys()]);
}

const HEADER = `/* The calls of the API, by their words. Written by tools/generate.mjs: do not edit. */

import { Group } from "../groups";
import type { Transport } from "../transport";
import type * as models from "./models";
import type { paths } from "./models";

const e = encodeURIComponent;

type Query<P extends keyof paths, M extends keyof paths[P]> = paths[P][M] extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never;
type Body<P extends keyof paths, M extends keyof paths[P]> = paths[P][M] extends { requestBody?: { content: { "application/json": infer B } } } ? B : never;

`;

/** Streams have no end to wait for: they are written by hand. */
function isStream(operation) {
  return Object.values(operation.responses).some((answer) => "text/event-stream" in (answer.content ?? {}));
}

function read(method, path, operation) {
  const parameters = operation.parameters ?? [];
  const content = operation.requestBody?.content ?? {};
  const schema = content["application/json"]?.schema;
  const query = parameters.filter((one) => one.in === "query");
  const answer = answerOf(operation);
  return {
    name: operation.operationId,
    method,
    path,
    summary: (operation.summary ?? operation.operationId).trim().split("\n")[0].replace(/\.$/, ""),
    pathNames: parameters.filter((one) => one.in === "path").map((one) => one.name),
    query: query.length > 0,
    queryRequired: query.some((one) => one.required),
    body: Boolean(schema) && !saysNothing(schema),
    bodyOptional: Boolean(schema?.oneOf?.some((part) => part.type === "null")),
    raw: Object.keys(content).filter((kind) => kind !== "application/json"),
    answer,
    item: itemOf(answer, parameters),
  };
}

function saysNothing(schema) {
  return (schema.oneOf ?? [schema]).some((part) => part.$ref?.endsWith("/Nothing"));
}

/** The type of what is answered when it went well; `string` is mere text. */
function answerOf(operation) {
  const good = Object.entries(operation.responses).filter(([status]) => status.startsWith("2"));
  const contents = good.map(([, answer]) => answer.content ?? {});
  const kinds = contents.flatMap((content) => Object.keys(content));
  if (kinds.length === 0) return "void";
  if (!kinds.includes("application/json")) return "string";
  const types = contents.map((content) => (content["application/json"] ? typeOf(content["application/json"].schema) : "undefined"));
  return [...new Set(types)].join(" | ");
}

function typeOf(schema) {
  if (schema.$ref) return `models.${schema.$ref.split("/").pop().replace(/_(\w)/g, (_, letter) => letter.toUpperCase())}`;
  if (schema.oneOf) return schema.oneOf.map(typeOf).join(" | ");
  return schema.type === "string" ? "string" : "unknown";
}

/** The type of what a page lists, if it is one that can be turned. */
function itemOf(answer, parameters) {
  if (!parameters.some((one) => one.name === "after")) return undefined;
  if (answer === "models.EventPage") return "models.Event";
  return answer.startsWith("models.List") ? answer.replace("models.List", "models.") : undefined;
}

/** Of two calls of one name the one with the longer path is named after its end. */
function tellApart(operations) {
  for (const name of new Set(operations.map((one) => one.name))) {
    const same = operations.filter((one) => one.name === name).sort((a, b) => a.path.length - b.path.length);
    for (const other of same.slice(1)) {
      other.name = `${name}_${other.path.split("/").filter((part) => !part.startsWith("{")).pop()}`;
    }
  }
}

const camel = (name) => name.replace(/[-_ ](\w)/g, (_, letter) => letter.toUpperCase());
const className = (tag) => camel(` ${tag}`);

function group(tag, operations) {
  let text = `/** The calls about ${tag}. */\nexport class ${className(tag)} extends Group {\n`;
  text += operations.map((one) => method(one) + (one.item ? walk(one) : "")).join("\n");
  return `${text}}\n\n`;
}

function method(one) {
  const name = camel(one.name);
  const kind = one.answer === "string" ? "text" : "json";
  const what = [one.body && "body", one.raw.length > 0 && !one.body && "content, contentType", one.query && "query"].filter(Boolean);
  const call = `this.${kind}("${one.method.toUpperCase()}", ${pathOf(one)}${what.length > 0 ? `, { ${what.join(", ")} }` : ""})`;
  return `  /** ${one.summary}. */\n  ${name}(${signature(one)}): Promise<${one.answer}> {\n    return ${call};\n  }\n`;
}

/** The same, over all pages. */
function walk(one) {
  const name = one.name === "list" ? "all" : camel(`all_${one.name}`);
  return (
    `\n  /** ${one.summary}, page after page. */\n  ${name}(${signature(one)}): AsyncGenerator<${one.item}> {\n` +
    `    return this.pages(${pathOf(one)}, query);\n  }\n`
  );
}

/** The parameters: the path, the body, then the query. */
function signature(one) {
  const at = `"${one.path}", "${one.method}"`;
  const parts = one.pathNames.map((name) => `${camel(name)}: string`);
  if (one.body) parts.push(one.bodyOptional ? `body?: Body<${at}>` : `body: Body<${at}>`);
  else if (one.raw.length > 0) {
    parts.push("content: string | Uint8Array", `contentType: ${one.raw.map((kind) => `"${kind}"`).join(" | ")} = "${one.raw[0]}"`);
  }
  if (one.query) parts.push(one.queryRequired ? `query: Query<${at}>` : `query: Query<${at}> = {}`);
  return parts.join(", ");
}

function pathOf(one) {
  if (one.pathNames.length === 0) return `"${one.path}"`;
  return `\`${one.path.replace(/{(\w+)}/g, (_, name) => `\${e(${camel(name)})}`)}\``;
}

function all(tags) {
  const field = (tag) => `  readonly ${camel(tag)}: ${className(tag)};\n`;
  const made = (tag) => `    this.${camel(tag)} = new ${className(tag)}(transport);\n`;
  return (
    `/** All groups of calls. */\nexport class Calls {\n${tags.map(field).join("")}\n` +
    `  constructor(transport: Transport) {\n${tags.map(made).join("")}  }\n}\n`
  );
}
