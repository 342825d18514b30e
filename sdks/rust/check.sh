#!/bin/sh
# Packages the SDK as its users get it, and builds and runs a user's program with nothing but those packages.
#
#   BATON_BIN=target/debug/baton sdks/rust/check.sh
#
# What is left behind: the packages, and what was built of them, in the target folder.
set -eu
BATON_BIN=$(cd "$(dirname "$BATON_BIN")" && pwd)/$(basename "$BATON_BIN")
cd "$(dirname "$0")/../.."
target=$(cargo metadata --format-version 1 --no-deps --locked | python3 -c 'import json, sys; print(json.load(sys.stdin)["target_directory"])')
scratch=$(mktemp -d)
server=
worker=
trap 'kill $worker $server 2>/dev/null || true; wait; rm -rf "$scratch"' EXIT INT TERM
packages='domain protocol ports worker client remote sdk'

# What the README shows is the program that is tried here.
python3 - <<'CODE'
readme, program = (open(f"sdks/rust/{name}").read() for name in ("README.md", "example/src/main.rs"))
assert f"```rust\n{program}```" in readme, "sdks/rust/README.md shows another program than sdks/rust/example/src/main.rs"
CODE

chosen=$(for name in $packages; do printf -- '-p baton-%s ' "$name"; done)
# shellcheck disable=SC2086
cargo package --quiet --no-verify --allow-dirty --locked $chosen 2>"$scratch/package.log" || {
    cat "$scratch/package.log"
    exit 1
}

cp -r sdks/rust/example "$scratch/program"
cp Cargo.lock "$scratch/program/"
printf '\n[patch.crates-io]\n' >>"$scratch/program/Cargo.toml"
for name in $packages; do
    tar -xzf "$target/package/baton-$name"-*.crate -C "$scratch"
    printf 'baton-%s = { path = "%s" }\n' "$name" "$(ls -d "$scratch/baton-$name"-*)" >>"$scratch/program/Cargo.toml"
done
# From the libraries that our own builds have left: they are of the same versions.
CARGO_PROFILE_DEV_DEBUG=0 CARGO_BUILD_BUILD_DIR=$target cargo build --quiet --manifest-path "$scratch/program/Cargo.toml" \
    --target-dir "$target/sdk-rust"
program=$target/sdk-rust/debug/pictures

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
export BATON_URL="http://127.0.0.1:$port"
"$BATON_BIN" serve --dev --listen "127.0.0.1:$port" --data-dir "$scratch/data" >"$scratch/server.log" 2>&1 &
server=$!
"$program" work >"$scratch/worker.log" &
worker=$!
answer=$("$program")
[ "$answer" = 4480 ] || {
    printf 'the program of the README answered %s\n' "$answer"
    exit 1
}
kill $worker
wait $worker
worker=
grep -q '^image 7 under the key job_' "$scratch/worker.log"
cargo build --quiet --locked -p baton-sdk --examples
sdks/conformance/run.py --without linger -- "$target/debug/examples/conformance"
# Killed, frozen and cut off: nothing is lost, and each item of a walk is done once.
"$BATON_BIN" faults --store sqlite --nodes all=1,remote-sdk=2 --sdk-worker "$target/debug/examples/lab" \
    --only kill-remote,pause-remote,cut-answers,drain-remote --remote-kills 10 --remote-freezes 3 --answer-cuts 40 --lease 2s --rate 30 \
    --campaigns 0 --walks 2 --walk-items 800 --for 12s --at-most 90s
printf 'the packages of the Rust SDK build and run a program of a user\n'
