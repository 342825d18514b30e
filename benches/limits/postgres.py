"""Durable inserts into a plain table of jobs: one row for each commit, and a thousand for each statement."""
import os
import re
import subprocess
import tempfile
from urllib.parse import urlsplit

from line import PAYLOAD, report
from programs import postgres_program

DATABASE = "limits"

# What any queue in one table needs: its id, a unique key, and the two partial indexes that claims and rescues use.
SCHEMA = """
DROP TABLE IF EXISTS jobs;
CREATE TABLE jobs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    job_key text NOT NULL UNIQUE,
    kind text NOT NULL DEFAULT 'noop',
    queue text NOT NULL DEFAULT 'default',
    status smallint NOT NULL DEFAULT 0,
    priority smallint NOT NULL DEFAULT 0,
    run_at timestamptz NOT NULL DEFAULT now(),
    lease_until timestamptz,
    worker_id int,
    attempts smallint NOT NULL DEFAULT 0,
    max_attempts smallint NOT NULL DEFAULT 5,
    payload jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz
);
CREATE INDEX jobs_ready ON jobs (queue, priority, run_at, id) WHERE status = 0;
CREATE INDEX jobs_lease ON jobs (lease_until) WHERE status = 1;
CHECKPOINT;
"""
ONE_ROW = f"INSERT INTO jobs (job_key, payload) VALUES (gen_random_uuid()::text, '{PAYLOAD}');\n"
THOUSAND_ROWS = (
    "INSERT INTO jobs (job_key, payload) "
    f"SELECT gen_random_uuid()::text, '{PAYLOAD}'::jsonb FROM generate_series(1, 1000);\n"
)


def measure_single_inserts(arguments):
    with Database(arguments.postgres) as database:
        for clients in (1, 32):
            database.run(SCHEMA)
            n, seconds = database.pgbench(ONE_ROW, clients, arguments.seconds)
            report("pg_insert1_bigint", n, clients, seconds, "one row for each commit")


def measure_bulk_inserts(arguments):
    with Database(arguments.postgres) as database:
        database.run(SCHEMA)
        n, seconds = database.pgbench(THOUSAND_ROWS, 1, arguments.seconds)
        report("pg_insert_1000_per_stmt", n * 1000, 1, seconds, "INSERT .. SELECT, random 36-char keys")


class Database:
    """A database of our own beside the given one, gone at the end."""

    def __init__(self, url):
        if not url:
            raise SystemExit("say where PostgreSQL is: --postgres URL")
        server = urlsplit(url)
        self.environment = dict(
            os.environ,
            PGHOST=server.hostname,
            PGPORT=str(server.port or 5432),
            PGUSER=server.username or "postgres",
            PGDATABASE=server.path.strip("/") or "postgres",
        )

    def __enter__(self):
        self.run(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE);")
        self.run(f"CREATE DATABASE {DATABASE};")
        self.maintenance, self.environment = self.environment, dict(self.environment, PGDATABASE=DATABASE)
        return self

    def __exit__(self, *_):
        self.environment = self.maintenance
        self.run(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE);")

    def run(self, script):
        command = [postgres_program("psql"), "-XAtq", "-v", "ON_ERROR_STOP=1"]
        self.output(command, script)

    def pgbench(self, script, clients, seconds):
        """Runs the script over and over; answers how often, and in how many seconds without connecting."""
        with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
            file.write(script)
            file.flush()
            command = [postgres_program("pgbench"), "-n", "-M", "prepared", "-f", file.name]
            command += ["-c", str(clients), "-j", str(min(clients, 2)), "-T", str(seconds)]
            text = self.output(command)
        rate = float(re.search(r"tps = ([\d.]+)", text).group(1))
        n = int(re.search(r"actually processed: (\d+)", text).group(1))
        return n, n / rate

    def output(self, command, script=None):
        done = subprocess.run(command, env=self.environment, input=script, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"`{os.path.basename(command[0])}` failed: {done.stderr[-2000:]}")
        return done.stdout
