#!/usr/bin/env python3
"""The physical limits of this machine, which the gates of `baton bench` are compared with.

    limits.py --postgres URL --folder DIR [--target URL] [--seconds 4] [WHAT...]

WHAT is fsync, insert, bulk, sqlite, http; without one, all of them (http only with a target). Prints one JSON
line for each measurement. Needs Python's standard library, PostgreSQL's programs and wrk.
"""
import argparse

import http_sends
import postgres
import sqlite
import fsync

MEASUREMENTS = {
    "fsync": fsync.measure,
    "insert": postgres.measure_single_inserts,
    "bulk": postgres.measure_bulk_inserts,
    "sqlite": sqlite.measure,
    "http": http_sends.measure,
}


def main():
    arguments = read_arguments()
    chosen = arguments.what or [name for name in MEASUREMENTS if name != "http" or arguments.target]
    for name in chosen:
        MEASUREMENTS[name](arguments)


def read_arguments():
    parser = argparse.ArgumentParser(description="The physical limits of this machine.")
    parser.add_argument("what", nargs="*", metavar="WHAT", help=", ".join(MEASUREMENTS))
    parser.add_argument("--postgres", help="URL of the server, of any database of it")
    parser.add_argument("--folder", default=".", help="a folder on the disk that is measured")
    parser.add_argument("--target", help="URL of an HTTP server pinned to the second core")
    parser.add_argument("--seconds", type=int, default=4, help="how long each measurement runs")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.what if name not in MEASUREMENTS]
    if unknown:
        parser.error(f"`{unknown[0]}` is not one of {', '.join(MEASUREMENTS)}")
    return arguments


if __name__ == "__main__":
    main()
