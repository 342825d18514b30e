#!/bin/sh
# Builds the package as its users install it, installs it into an empty folder, and checks it there.
#
#   sdks/typescript/check.sh               unit tests; those against a server too, if BATON_BIN names one
#   BATON_BIN=target/debug/baton BATON_SCRATCH_POSTGRES=target/debug/scratch-postgres BATON_REQUIRE_SERVER=1 sdks/typescript/check.sh
#
# What is left behind: nothing.
set -eu
if [ -n "${BATON_BIN:-}" ]; then
    BATON_BIN=$(cd "$(dirname "$BATON_BIN")" && pwd)/$(basename "$BATON_BIN")
    export BATON_BIN
fi
if [ -n "${BATON_SCRATCH_POSTGRES:-}" ]; then
    BATON_SCRATCH_POSTGRES=$(cd "$(dirname "$BATON_SCRATCH_POSTGRES")" && pwd)/$(basename "$BATON_SCRATCH_POSTGRES")
    export BATON_SCRATCH_POSTGRES
fi
cd "$(dirname "$0")"
description=$(cd ../../crates/api && pwd)/openapi.json
sdks=$(cd .. && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT INT TERM
package=$scratch/sdks/typescript
empty=$scratch/empty

# A copy of the sources, where the generator finds the description at its place.
mkdir -p "$package" "$scratch/crates/api" "$empty"
cp -R .npmrc package.json package-lock.json tsconfig.json README.md LICENSE-* src tools tests conformance "$package"
cp "$description" "$scratch/crates/api"
(cd "$package" && npm ci --no-audit --no-fund --loglevel=error >/dev/null && npm run --silent build &&
    npm pack --silent --pack-destination "$scratch" >/dev/null && node_modules/.bin/publint --strict "$scratch"/baton-sdk-*.tgz)

# Nothing but the package, in both kinds of modules, of which each has the same classes.
cd "$empty"
echo '{ "private": true }' >package.json
npm install --offline --no-audit --no-fund --loglevel=error --omit=peer "$scratch"/baton-sdk-*.tgz >/dev/null
cat >both.mjs <<'END'
import { createRequire } from "node:module";
import * as sdk from "@baton/sdk";
import { run, server } from "@baton/sdk/testing";

const required = createRequire(import.meta.url)("@baton/sdk");
if (new required.Skip("why") instanceof sdk.Skip !== true) throw new Error("two classes of one name");
if (Object.keys(required).some((name) => !(name in sdk))) throw new Error("a name is missing in one of them");
const app = new sdk.Baton("http://127.0.0.1:1");
const { result } = await run(app.job("double", {}, (n) => 2 * n), 21);
if (result !== 42 || typeof server !== "function") throw new Error("the package does not work");
END
node both.mjs
echo 'const { Baton } = require("@baton/sdk"); new Baton("http://127.0.0.1:1").close();' >alone.cjs
node alone.cjs
echo 'import { Baton } from "@baton/sdk"; new Baton().job("double", {}, (n: number) => 2 * n).new(21);' >alone.cts
"$package/node_modules/.bin/tsc" --noEmit --strict --skipLibCheck --module node16 --target es2022 --types node \
    --typeRoots "$package/node_modules/@types" alone.cts

# The tests see the installed package, and types from it, beside the tools that they need.
cp -R "$package/tests" "$package/conformance" .
for tool in zod pg @opentelemetry @types typescript undici-types; do
    ln -s "$package/node_modules/$tool" "node_modules/$tool"
done
node_modules/typescript/bin/tsc -p tests --outDir tests.built
export BATON_SDK_SOURCES="$package"
# Programs that tests start find the package where it is installed, not where it was built.
rm -rf "$package/conformance" "$package/dist" && ln -s "$empty/conformance" "$package/conformance"
# They wait more than they work.
node --test --test-concurrency=4 --test-reporter=spec tests.built/unit/*.test.mjs tests.built/real/*.test.mjs
python3 "$sdks/conformance/run.py" -- node conformance/worker.mjs
# Killed, frozen and cut off: nothing is lost, and each item of a walk is done once.
if [ -n "${BATON_BIN:-}" ]; then
    "$BATON_BIN" faults --store sqlite --nodes all=1,remote-sdk=2 --sdk-worker "node conformance/lab.mjs" \
        --only kill-remote,pause-remote,cut-answers,drain-remote --remote-kills 10 --remote-freezes 3 --answer-cuts 40 --lease 2s --rate 30 \
        --campaigns 0 --walks 2 --walk-items 800 --for 12s --at-most 90s
fi
