#!/usr/bin/env python3
"""Tries a worker's program by the rules: `run.py [--only TEXT] [--without block] -- COMMAND...`.

A line for each rule; the code is 1 if one does not hold. Standard library alone.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))

from rules import LEASES, NEEDS, RULES  # noqa: E402
from stage import Stage  # noqa: E402

AT_ONCE = 6


def attempt(name: str, command: list[str]) -> str | None:
    """Why a rule does not hold; nothing if it does."""
    stage = Stage(command, LEASES[name])
    try:
        RULES[name](stage)
        return None
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in where if frame.filename.endswith("rules.py")]
        return f"{type(error).__name__}: {error} (rules.py, line {lines[-1] if lines else '?'})"
    finally:
        stage.server.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", metavar="TEXT", help="rules with this in their names")
    parser.add_argument("--without", action="append", default=[], metavar="ABILITY", help="what this worker cannot do: block")
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="-- COMMAND")
    options = parser.parse_args()
    command = options.command[1:] if options.command[:1] == ["--"] else options.command
    if not command:
        parser.error("name the worker's program: run.py -- python3 worker.py")
    chosen = [name for name in RULES if options.only in name]
    if not chosen:
        parser.error(f"no rule has {options.only!r} in its name")

    began, failed, left_out = time.monotonic(), 0, 0
    with ThreadPoolExecutor(AT_ONCE) as pool:
        tried = {name: pool.submit(attempt, name, command) for name in chosen if NEEDS[name] not in options.without}
        for name in chosen:
            sentence = name.replace("_", " ")
            if name not in tried:
                left_out += 1
                print(f"left out  {sentence}: this worker cannot {NEEDS[name]}")
            elif (why := tried[name].result()) is None:
                print(f"holds     {sentence}")
            else:
                failed += 1
                print(f"FAILS     {sentence}\n          {why}")
            sys.stdout.flush()
    print(f"{len(tried) - failed} hold, {failed} fail, {left_out} left out, in {time.monotonic() - began:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
