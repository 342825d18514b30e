"""Claim and completion of jobs with events in SQLite, in batches of a thousand, each commit on the disk."""
import os
import sqlite3
import tempfile
import time

from line import PAYLOAD, report

BATCH = 1000

SCHEMA = """
CREATE TABLE jobs (
    id integer PRIMARY KEY,
    job_key text NOT NULL UNIQUE,
    kind text,
    queue text,
    status int NOT NULL DEFAULT 0,
    priority int DEFAULT 0,
    run_at int,
    lease_until int,
    worker_id int,
    attempts int DEFAULT 0,
    payload text
);
CREATE INDEX jobs_ready ON jobs (queue, priority, run_at, id) WHERE status = 0;
CREATE INDEX jobs_lease ON jobs (lease_until) WHERE status = 1;
CREATE TABLE job_events (id integer PRIMARY KEY, job_id int, kind int, at int);
"""
INSERT = "INSERT INTO jobs (job_key, kind, queue, run_at, payload) VALUES (?, 'noop', 'default', 0, ?)"
CLAIM = """
UPDATE jobs SET status = 1, lease_until = 9, worker_id = 1, attempts = attempts + 1
WHERE id IN (SELECT id FROM jobs WHERE queue = 'default' AND status = 0 ORDER BY priority, run_at, id LIMIT ?)
RETURNING id
"""
COMPLETE = "UPDATE jobs SET status = 2, lease_until = NULL WHERE id = ? AND status = 1 AND worker_id = 1"
EVENT = "INSERT INTO job_events (job_id, kind, at) VALUES (?, ?, 0)"


def measure(arguments):
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        connection = open_database(os.path.join(folder, "limits.db"))
        fill(connection, arguments.seconds)
        n, seconds = drain(connection, arguments.seconds)
        connection.close()
    report(f"sqlite_claim_complete_events_k{BATCH}_FULL", n, 1, seconds, "WAL, two commits per batch")


def open_database(path):
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = wal")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA cache_size = -65536")
    connection.executescript(SCHEMA)
    return connection


def fill(connection, seconds):
    """As many jobs as go in within the time: completing them takes longer."""
    start, n = time.monotonic(), 0
    while time.monotonic() - start < seconds:
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(INSERT, ((f"key-{n + i}", PAYLOAD) for i in range(BATCH)))
        connection.execute("COMMIT")
        n += BATCH


def drain(connection, seconds):
    start, n = time.monotonic(), 0
    while time.monotonic() - start < seconds:
        claimed = claim(connection)
        if not claimed:
            break
        complete(connection, claimed)
        n += len(claimed)
    return n, time.monotonic() - start


def claim(connection):
    connection.execute("BEGIN IMMEDIATE")
    claimed = [row[0] for row in connection.execute(CLAIM, (BATCH,)).fetchall()]
    connection.executemany(EVENT, ((job, 1) for job in claimed))
    connection.execute("COMMIT")
    return claimed


def complete(connection, claimed):
    connection.execute("BEGIN IMMEDIATE")
    connection.executemany(COMPLETE, ((job,) for job in claimed))
    connection.executemany(EVENT, ((job, 2) for job in claimed))
    connection.execute("COMMIT")
