"""A job is asked for by one statement, with whatever driver somebody has."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import baton
import baton.sql

app = baton.App("http://127.0.0.1:1")


@app.job("resize", timeout="2m")
def resize(image: int) -> None:
    pass


class Driver:
    def __init__(self) -> None:
        self.asked: list[Any] = []

    def execute(self, query: str, params: Any) -> None:
        self.asked.append((query, *params))

    def fetchone(self) -> tuple[str]:
        return ("job_1",)


class AsyncPsycopg(Driver):
    async def execute(self, query: str, params: Any) -> None:  # type: ignore[override]
        super().execute(query, params)

    async def fetchone(self) -> tuple[str]:  # type: ignore[override]
        return super().fetchone()


class Asyncpg:
    def __init__(self) -> None:
        self.asked: list[Any] = []

    async def fetchval(self, query: str, *args: Any) -> str:
        self.asked.append((query, *args))
        return "job_1"


def test_each_driver_is_asked_in_its_own_words() -> None:
    job = resize.new(7, key="order-4711")
    psycopg, waiting, asyncpg = Driver(), AsyncPsycopg(), Asyncpg()

    async def ask() -> list[str]:
        return [await baton.sql.enqueue_async(waiting, job), await baton.sql.enqueue_async(asyncpg, job)]

    ids = [baton.sql.enqueue(psycopg, job), *asyncio.run(ask())]

    assert ids == ["job_1"] * 3
    text = '{"kind":"resize","payload":7,"key":"order-4711","timeout":"2m"}'
    assert psycopg.asked == waiting.asked == [("SELECT baton_enqueue(%s::text::json)", text)]
    assert asyncpg.asked == [("SELECT baton_enqueue($1::text::json)", text)]


def test_what_any_other_driver_is_given_is_the_job() -> None:
    assert json.loads(baton.sql.argument(resize.new(7))) == {"kind": "resize", "payload": 7, "timeout": "2m"}


def test_a_job_that_was_asked_for_elsewhere_has_a_handle() -> None:
    assert app.handle("job_1").id == app.sync.handle("job_1").id == "job_1"
