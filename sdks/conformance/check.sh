#!/bin/sh
# Sees that each rule can fail, and tries `baton worker --lines` by all of them.
#
#   BATON_BIN=target/debug/baton sdks/conformance/check.sh
set -eu
BATON_BIN=$(cd "$(dirname "$BATON_BIN")" && pwd)/$(basename "$BATON_BIN")
export BATON_BIN
cd "$(dirname "$0")"
python3 check_rules.py
# shellcheck disable=SC2016
python3 run.py --without block -- sh -c "exec '$BATON_BIN' "'worker --kind conformance --slots "$BATON_SLOTS" --grace "$BATON_GRACE" --kill-after 1s \
    --lines -- python3 -B lines.py'
