"""The two databases that are filled: a file of SQLite, and PostgreSQL by `psql`."""
import contextlib
import re
import sqlite3
import subprocess

ROWS = 500


@contextlib.contextmanager
def database(url):
    opened = Sqlite(url.removeprefix("sqlite://")) if url.startswith("sqlite:") else Postgres(url)
    yield opened
    opened.close()


class Sqlite:
    name = "sqlite"

    def __init__(self, path):
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.connection.executescript(
            """PRAGMA synchronous = OFF; PRAGMA cache_size = -400000;
            CREATE TEMP TABLE moving (job_id text PRIMARY KEY, attempt integer, since integer, run integer);"""
        )

    def run(self, text, parameters):
        # The planner knows nothing of tables this new: it is told that only the last settlements are meant.
        near = "t.ended_at = m.since + 2000 AND t.id > (SELECT max(id) - 20 FROM settlements)"
        self.connection.execute("BEGIN")
        for statement in text.replace("t.ended_at = m.since + 2000", near).split(";"):
            named = {name: value for name, value in parameters.items() if f":{name}" in statement}
            self.connection.execute(statement, named)
        self.connection.execute("COMMIT")

    def insert(self, columns, rows):
        places = ", ".join("?" * len(rows[0]))
        self.connection.execute("BEGIN")
        self.connection.executemany(f"INSERT INTO {columns} VALUES ({places})", rows)
        self.connection.execute("COMMIT")

    def settle(self):
        self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self):
        self.connection.close()


class Postgres:
    name = "postgres"

    def __init__(self, url):
        command = ["psql", url, "-q", "-v", "ON_ERROR_STOP=1", "-o", "/dev/null"]
        self.psql = subprocess.Popen(command, stdin=subprocess.PIPE, text=True)

    def run(self, text, parameters):
        self.say(re.sub(r"(?<!:):([a-z]+)\b", lambda found: typed(found[1], parameters[found[1]]), text))

    def insert(self, columns, rows):
        for first in range(0, len(rows), ROWS):
            values = ", ".join(f"({', '.join(map(quoted, row))})" for row in rows[first : first + ROWS])
            self.say(f"INSERT INTO {columns} VALUES {values}")

    def settle(self):
        self.say("VACUUM ANALYZE")
        self.say("CHECKPOINT")

    def say(self, statement):
        self.psql.stdin.write(f"{statement};\n")

    def close(self):
        self.psql.stdin.close()
        if self.psql.wait() != 0:
            raise SystemExit("psql has said why the database was not filled")


def typed(name, value):
    return f"{quoted(value)}::uuid" if name == "worker" else quoted(value)


def quoted(value):
    return str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"
