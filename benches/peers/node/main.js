// Measures one peer: `node main.js PEER --jobs N --postgres URL --redis URL`.
// Prints one JSON line per workload; what a peer logs goes to standard error.
import { parseArgs } from "node:util";
import { measure } from "./harness.js";

const PEERS = {
  "graphile-batched": "./graphile.js",
  "pgboss-work": "./pgboss-work.js",
  "pgboss-fetch1000": "./pgboss-fetch.js",
  bullmq: "./bullmq.js",
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: "string", default: "100000" },
    samples: { type: "string", default: "200" },
    postgres: { type: "string" },
    redis: { type: "string" },
  },
});
const [name] = positionals;
if (!PEERS[name]) {
  console.error(`\`${name}\` is not one of ${Object.keys(PEERS).join(", ")}`);
  process.exit(2);
}
const { open } = await import(PEERS[name]);
await measure(name, open, {
  jobs: Number(values.jobs),
  samples: Number(values.samples),
  postgres: values.postgres,
  redis: values.redis,
});
// Some peers leave timers and connections behind that would keep the process alive.
process.exit(0);
