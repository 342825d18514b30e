"""What all tests share."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import Any, AsyncIterator, Iterator

import pytest

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2] / "conformance")]

import baton  # noqa: E402
import baton.testing  # noqa: E402
from scripted import ScriptedServer  # noqa: E402


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as scripted:
        yield scripted


@pytest.fixture
def app(server: ScriptedServer) -> baton.App:
    return baton.App(server.url)


@contextlib.asynccontextmanager
async def working(app: baton.App, **settings: Any) -> AsyncIterator[baton.Worker]:
    async with app.worker(grace="2s", **settings) as worker:
        yield worker


@pytest.fixture(scope="session")
def binary() -> str:
    """The server's binary, as `BATON_BIN` names it; without one its tests are skipped aloud, or fail where CI demands them."""
    try:
        return baton.testing.server_binary()
    except baton.testing.NoServer as error:
        if os.environ.get("BATON_REQUIRE_SERVER") == "1":
            pytest.fail(f"BATON_REQUIRE_SERVER is set, but {error}", pytrace=False)
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def house(binary: str) -> Iterator[baton.testing.Server]:
    """A real server for all tests of a file."""
    with baton.testing.server() as running:
        yield running
