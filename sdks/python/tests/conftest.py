"""What all tests share."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import Any, AsyncIterator, Iterator

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import baton  # noqa: E402
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
