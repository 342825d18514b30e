#!/bin/sh
# Sees that each rule can fail, and tries `baton worker` by them in each of its ways: lines, a service, a process for each job.
#
#   BATON_BIN=target/debug/baton sdks/conformance/check.sh
set -eu
# Not as BATON_BIN: no worker that is tried is given what begins so.
BATON=$(cd "$(dirname "$BATON_BIN")" && pwd)/$(basename "$BATON_BIN")
export BATON
cd "$(dirname "$0")"

# What `baton worker` keeps of the rules: $1 are words for run.py, $2 stands before the command of the worker, $3 behind it.
try() {
    # shellcheck disable=SC2016,SC2086
    python3 run.py --without block --without linger $1 -- sh -c "exec $2"' "$BATON" worker --kind conformance --slots "$BATON_SLOTS" --grace "$BATON_GRACE" \
        --kill-after 1s '"$3"
}

python3 check_rules.py
try '' '' '--lines -- python3 -B lines.py'
try '' 'python3 -B service.py' ''
try '--without words' '' '-- python3 -B process.py'
