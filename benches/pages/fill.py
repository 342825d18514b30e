"""Writes finished jobs, dead letters, an audit log and what pictures are drawn from into a new database, by the statements of `baton bench`.

    fill.py sqlite:///tmp/ten/baton.db
    fill.py postgres://postgres@127.0.0.1:5601/ten --jobs 1000000

The database was made by `baton migrate`, and nothing works on it meanwhile. The jobs lie 100 microseconds apart and end a
minute ago, so that nothing of them is pruned.
"""
import argparse
import json
import re
import time
import uuid
from pathlib import Path

from databases import database

STATEMENTS = Path(__file__).resolve().parents[2] / "crates/sql/statements/bench"
CHUNK = 10_000
STEP = 100
BACKOFF = json.dumps({"strategy": "exponential", "base": "5s", "cap": "15m", "jitter": "full"})
PAYLOAD = json.dumps({"url": "http://127.0.0.1:9/", "body": "x" * 160})
WORKER = "00000000-0000-4000-9000-000000000001"
LETTERS, CAUSES, ENTRIES = 20_000, 300, 100_000
# What a busy installation has of pictures: minutes of each queue for 25 hours, hours of all together for eight days.
QUEUES, MINUTES, HOURS = 20, 25 * 60, 8 * 24


def main():
    arguments = read_arguments()
    start = int(time.time() * 1e6) - 60_000_000 - STEP * arguments.jobs
    with database(arguments.database) as opened:
        write_history(opened, arguments.jobs, start)
        write_letters(opened, start, STEP * arguments.jobs)
        write_entries(opened, start, STEP * arguments.jobs)
        write_pictures(opened, start + STEP * arguments.jobs)
        opened.settle()


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("database", help="sqlite:///PATH or postgres://...")
    parser.add_argument("--jobs", type=int, default=10_000_000, help="whole ten thousands")
    return parser.parse_args()


def write_history(opened, jobs, start):
    text = re.sub(r"--.*", "", (STATEMENTS / f"history.{opened.name}.sql").read_text())
    shared = {"start": start, "queue": "default", "kind": "http", "payload": PAYLOAD, "backoff": BACKOFF, "worker": WORKER}
    for first in range(0, jobs, CHUNK):
        opened.run(text, {**shared, "first": first, "count": CHUNK})


def write_letters(opened, start, span):
    """Jobs that failed at their first attempt, spread over the time of the history and over the causes."""
    jobs, attempts, finished, groups = [], [], [], {}
    for number in range(LETTERS):
        at = start + number * span // LETTERS
        job, cause = id_at(at, number), number % CAUSES
        print_of = f"{cause:064x}"
        message = f"the target number {cause} refused"
        tags = json.dumps([f"batch-{number % 100}"])
        jobs.append((job, "http", "failing", 0, PAYLOAD, at, 1, BACKOFF, 30_000_000, "at_least_once", tags, at))
        attempts.append((job, 1, 1, str(uuid.UUID(int=number + 1)), WORKER, at, at + 1000, at + 1500, at + 2000, "failed",
                         "failed", "permanent", 1, 0, "permanent", "http_400", message, print_of))
        finished.append((job, "failed", "permanent", at + 2000, at, 1, 1, 0, 1, print_of))
        _, first, n = groups.get(print_of, (job, at + 2000, 0))
        groups[print_of] = (job, first, n + 1)
    opened.insert("jobs (id, kind, queue, priority, payload, run_at, max_attempts, backoff, timeout_us, delivery, tags, created_at)", jobs)
    opened.insert("attempts (job_id, attempt, run, lease_id, worker_id, queued_at, claimed_at, started_at, ended_at, outcome, state,"
                  " reason, tries, losses, class, code, message, fingerprint)", attempts)
    opened.insert("finished (job_id, state, reason, finished_at, queued_at, attempt, tries, losses, run, fingerprint)", finished)
    opened.insert("dead_letter_groups (fingerprint, kind, reason, class, code, message, sample_job, n, first_at, last_at)",
                  [(print_of, "http", "permanent", "permanent", "http_400", f"the target number {int(print_of, 16)} refused", job, n, first,
                    start + span) for print_of, (job, first, n) in groups.items()])
    opened.insert("queues (name, created_at)", [("failing", start)])
    opened.insert("queue_counts (queue, state, n)", [("failing", "failed", LETTERS)])


def write_entries(opened, start, span):
    at = [start + number * span // ENTRIES for number in range(ENTRIES)]
    opened.insert("audit_log (at, id, principal, name, action, object, n)",
                  [(at, id_at(at, number), f"system:{number % 50}", "system", "job.cancel" if number % 3 else "queue.change",
                    f"queue:line-{number % 500}", 1) for number, at in enumerate(at)])


def write_pictures(opened, end):
    """How many jobs came to each state and how long they had waited, in each span of each queue, and a marker in each tenth minute."""
    minute, hour = end // 60_000_000, end // 3_600_000_000
    queues = ["", "default", "failing", *(f"q{number}" for number in range(QUEUES))]
    spans = [(queue, "minute", minute - back) for queue in queues for back in range(MINUTES)]
    spans += [("", "hour", hour - back) for back in range(HOURS)]
    states = [("queued", 100), ("running", 100), ("succeeded", 95), ("failed", 5), ("retry_wait", 5)]
    opened.insert("rollups (queue, resolution, span, state, came, went)",
                  [(*span, state, n, n) for span in spans for state, n in states])
    opened.insert("waits (queue, resolution, span, bucket, n)",
                  [(*span, bucket, 10) for span in spans for bucket in range(2, 12)])
    opened.insert("markers (minute, kind, n, subject)",
                  [(minute - back, "leader.changed", 1, "someone") for back in range(0, HOURS * 60, 10)])


def id_at(at, number):
    """An id as the server makes them, version 7, of this moment; none of the history is like it."""
    return str(uuid.UUID(int=(at // 1000) << 80 | 0x7 << 76 | 0x2 << 62 | 1 << 61 | number))


if __name__ == "__main__":
    main()
