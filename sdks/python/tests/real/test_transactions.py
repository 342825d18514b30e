"""Jobs that are asked for in transactions of a program, by psycopg, and through a real server on the same PostgreSQL."""

from __future__ import annotations

import asyncio
import os
import subprocess
from typing import Any, Iterator

import psycopg
import pytest

import baton
import baton.sql
import baton.testing
from baton.testing import Server

SHOP = """
  CREATE TABLE orders (id int);
  CREATE ROLE shop;
  GRANT ALL ON orders TO shop;
  GRANT EXECUTE ON FUNCTION baton_enqueue(json) TO shop"""
"""A role that may do nothing with the tables of the server."""


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """A private PostgreSQL of `scratch-postgres`, which prints its address and ends with its input."""
    program = os.environ.get("BATON_SCRATCH_POSTGRES")
    if not program:
        why = "no PostgreSQL: name the program `scratch-postgres` of this repository in BATON_SCRATCH_POSTGRES"
        if os.environ.get("BATON_REQUIRE_SERVER") == "1":
            pytest.fail(why, pytrace=False)
        pytest.skip(why)
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        url = running.stdout.readline().strip()
        assert url, f"{program} has not started"
        yield url


@pytest.fixture(scope="module")
def house(binary: str, postgres: str) -> Iterator[Server]:
    arguments = ("--database", postgres, "--migrate", "--allow-unsafe-durability")
    with baton.testing.server(binary=binary, arguments=arguments) as running:
        with psycopg.connect(postgres) as owner:
            owner.execute(SHOP)
        yield running


@pytest.fixture
def shop(house: Server, postgres: str) -> Iterator[psycopg.Connection[Any]]:
    """A connection of somebody who knows nothing of the server but one function."""
    with psycopg.connect(postgres, autocommit=True, options="-c role=shop") as connection:
        yield connection


def test_a_job_of_a_transaction_that_commits_runs_once_and_not_before(house: Server, shop: psycopg.Connection[Any]) -> None:
    app = baton.App(house.url)
    ran: list[int] = []

    @app.job("invoice")
    async def invoice(order: int) -> None:
        ran.append(order)

    async def scenario() -> None:
        async with app.worker(slots=4):
            await asyncio.to_thread(order_and_wait)

    def order_and_wait() -> None:
        with shop.transaction():
            shop.execute("INSERT INTO orders VALUES (4711)")
            job = baton.sql.enqueue(shop.cursor(), invoice.new(4711, key="order-4711"))
            assert baton.sql.enqueue(shop.cursor(), invoice.new(4711, key="order-4711")) == job
            assert code_of_showing(app, job) == "job-not-found"
        app.sync.handle(job).result("20s")
        house.quiet()

    asyncio.run(scenario())

    assert ran == [4711]


def test_a_transaction_that_is_rolled_back_leaves_no_job(house: Server, shop: psycopg.Connection[Any]) -> None:
    app = baton.App(house.url)
    ran: list[int] = []

    @app.job("refund")
    async def refund(order: int) -> None:
        ran.append(order)

    async def scenario() -> str:
        async with app.worker(slots=4):
            return await asyncio.to_thread(order_twice)

    def order_twice() -> str:
        shop.execute("BEGIN")
        gone = baton.sql.enqueue(shop.cursor(), refund.new(1, key="refund"))
        shop.execute("ROLLBACK")
        later = baton.sql.enqueue(shop.cursor(), refund.new(2, key="refund"))
        app.sync.handle(later).result("20s")
        house.quiet()
        return gone

    gone = asyncio.run(scenario())

    assert ran == [2]
    assert code_of_showing(app, gone) == "job-not-found"


def test_what_can_be_no_job_is_an_error_in_the_transaction_that_says_why(shop: psycopg.Connection[Any]) -> None:
    no_kind = pytest.raises(psycopg.errors.InvalidParameterValue, match='kind "two words": must be 1 to 64 letters')
    taken = pytest.raises(psycopg.errors.UniqueViolation, match='the key "parcel-1" belongs to job_.+ with other content')

    with shop.transaction():
        baton.sql.enqueue(shop.cursor(), {"kind": "parcel", "payload": 1, "key": "parcel-1"})
        with no_kind, shop.transaction():
            baton.sql.enqueue(shop.cursor(), {"kind": "two words"})
        with taken, shop.transaction():
            baton.sql.enqueue(shop.cursor(), {"kind": "parcel", "payload": 2, "key": "parcel-1"})


def test_a_job_that_the_server_refuses_after_the_commit_says_why_to_whoever_waits_for_it(house: Server, postgres: str) -> None:
    app = baton.App(house.url)

    async def ask() -> str:
        async with await psycopg.AsyncConnection.connect(postgres) as connection:
            return await baton.sql.enqueue_async(connection.cursor(), {"kind": "letter", "priority": 4711})

    job = asyncio.run(ask())

    with pytest.raises(baton.Problem, match="priority: must lie between -100"):
        app.sync.handle(job).result("20s")


def code_of_showing(app: baton.App, job: str) -> str:
    with pytest.raises(baton.Problem) as problem:
        app.sync.handle(job).show()
    return problem.value.code
