#!/bin/sh
# Builds the package as its users install it, installs it into an empty environment, and checks it there.
#
#   sdks/python/check.sh                   unit tests; those against a server too, if BATON_BIN names one
#   BATON_BIN=target/debug/baton BATON_SCRATCH_POSTGRES=target/debug/scratch-postgres BATON_REQUIRE_SERVER=1 sdks/python/check.sh
#
# PYTHON chooses the interpreter. What is left behind: nothing.
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
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT INT TERM

"${PYTHON:-python3}" -m venv "$scratch/tools"
"$scratch/tools/bin/pip" install --quiet --disable-pip-version-check build
"$scratch/tools/bin/python" -m build --outdir "$scratch/dist" . >"$scratch/build.log" 2>&1 || {
    cat "$scratch/build.log"
    exit 1
}

"${PYTHON:-python3}" -m venv "$scratch/empty"
bin=$scratch/empty/bin
wheel=$(ls "$scratch"/dist/*.whl)
"$bin/pip" install --quiet --disable-pip-version-check \
    "$wheel[test,pydantic,otel]" 'mypy>=1.11' 'pyright>=1.1.380' opentelemetry-sdk 'psycopg[binary]>=3.2'
"$bin/python" -c 'import baton, sys; assert "site-packages" in baton.__file__, baton.__file__'

"$bin/mypy" --strict --cache-dir "$scratch/mypy" src tools
MYPYPATH=../conformance "$bin/mypy" --strict --cache-dir "$scratch/mypy-users" tests conformance ../conformance/run.py
"$bin/pyright" --pythonpath "$bin/python"
"$bin/python" -m pytest -q -p no:cacheprovider tests
"$bin/python" ../conformance/run.py -- "$bin/python" -B conformance/worker.py
# Killed, frozen and cut off: nothing is lost, and each item of a walk is done once.
if [ -n "${BATON_BIN:-}" ]; then
    "$BATON_BIN" faults --store sqlite --nodes all=1,remote-sdk=2 --sdk-worker "$bin/python -B conformance/lab.py" \
        --only kill-remote,pause-remote,cut-answers,drain-remote --remote-kills 10 --remote-freezes 3 --answer-cuts 40 --lease 2s --rate 30 \
        --campaigns 0 --walks 2 --walk-items 800 --for 12s --at-most 90s
fi
