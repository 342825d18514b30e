"""Enqueue in a transaction of your own, where your tables and the server's are in one PostgreSQL.

```python
with psycopg.connect(...) as connection:  # commits at its end
    connection.execute("INSERT INTO orders …")
    job = baton.sql.enqueue(connection.cursor(), resize.new(Resize(7), key="order-4711"))
app.sync.handle(job).result(timeout="30s")
```
"""

from __future__ import annotations

import json
from typing import Any, Mapping, Protocol, cast, runtime_checkable

from baton import _traces


class Cursor(Protocol):
    """A cursor of psycopg, psycopg2, or another driver that writes parameters as `%s`."""

    def execute(self, query: Any, params: Any, /) -> Any: ...
    def fetchone(self) -> Any: ...


class AsyncCursor(Protocol):
    """An asynchronous cursor of psycopg."""

    async def execute(self, query: Any, params: Any, /) -> Any: ...
    async def fetchone(self) -> Any: ...


@runtime_checkable
class AsyncConnection(Protocol):
    """A connection of asyncpg."""

    async def fetchval(self, query: str, /, *args: Any) -> Any: ...


def enqueue(cursor: Cursor, job: Mapping[str, Any]) -> str:
    """Asks for a job in the transaction of this cursor; its id. It is a job soon after the commit, and never without it."""
    cursor.execute("SELECT baton_enqueue(%s::text::json)", (argument(job),))
    return cast(str, cursor.fetchone()[0])


async def enqueue_async(at: AsyncCursor | AsyncConnection, job: Mapping[str, Any]) -> str:
    """The same by an asynchronous cursor of psycopg, or a connection of asyncpg."""
    if isinstance(at, AsyncConnection):
        return cast(str, await at.fetchval("SELECT baton_enqueue($1::text::json)", argument(job)))
    await at.execute("SELECT baton_enqueue(%s::text::json)", (argument(job),))
    return cast(str, (await at.fetchone())[0])


def argument(job: Mapping[str, Any]) -> str:
    """What `baton_enqueue` takes, for any other driver: the job as JSON, in the trace of here."""
    return json.dumps(_traces.of_here(job), separators=(",", ":"))
