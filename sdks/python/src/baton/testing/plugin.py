"""Fixtures for pytest: `baton_server`, a real server for each test that names it."""

from __future__ import annotations

from typing import Iterator

import pytest

from baton.testing.server import Server, server


@pytest.fixture
def baton_server() -> Iterator[Server]:
    """A real server on a scratch file and a free port."""
    with server() as running:
        yield running
