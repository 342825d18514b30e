#!/bin/sh
# What it costs a server to ask who calls: its own processor for each request, with and without keys.
#
#   cargo build --release -p baton && benches/access/price.sh target/release/baton
#
# Needs wrk. The call that is made is refused for its words once it was let in, so that no database is asked for it.
set -eu
baton=$1
scratch=$(mktemp -d)
open= closed=
trap 'kill $open $closed 2>/dev/null || true; wait; rm -rf "$scratch"' EXIT INT TERM
mkdir "$scratch/open" "$scratch/closed"
key=$("$baton" keys create bench --allow jobs:read --data-dir "$scratch/closed")
"$baton" serve --dev --listen 127.0.0.1:7981 --data-dir "$scratch/open" >"$scratch/open.log" 2>&1 &
open=$!
"$baton" serve --listen 127.0.0.1:7982 --data-dir "$scratch/closed" >"$scratch/closed.log" 2>&1 &
closed=$!
for port in 7981 7982; do
    until curl -sf "http://127.0.0.1:$port/readyz" >/dev/null; do sleep 0.2; done
done

ticks() {
    awk '{print $14 + $15}' "/proc/$1/stat"
}

# asks FOR_SECONDS PORT: how many requests were answered.
asks() {
    wrk -t1 -c8 -d"$1s" -H "Authorization: Bearer $key" "http://127.0.0.1:$2/v1/jobs/none" | awk '/requests in/ {print $1}'
}

for _ in 1 2 3 4 5; do
    for server in "$open 7981 nobody-is-asked" "$closed 7982 with-a-key"; do
        # shellcheck disable=SC2086
        set -- $server
        asks 1 "$2" >/dev/null
        before=$(ticks "$1")
        count=$(asks 4 "$2")
        after=$(ticks "$1")
        printf '%s %s\n' "$3" "$(((after - before) * 10000000 / count)) ns"
    done
done
