"""Tests against the real binary: `BATON_BIN` names it."""

from __future__ import annotations

import os
from typing import Iterator

import pytest

import baton.testing


@pytest.fixture(scope="session", autouse=True)
def binary() -> str:
    """The server's binary; without one these tests are skipped aloud, or fail where CI demands them."""
    try:
        return baton.testing.server_binary()
    except baton.testing.NoServer as error:
        if os.environ.get("BATON_REQUIRE_SERVER") == "1":
            pytest.fail(f"BATON_REQUIRE_SERVER is set, but {error}", pytrace=False)
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def house(binary: str) -> Iterator[baton.testing.Server]:
    """A server for all tests of a file."""
    with baton.testing.server(arguments=("--roles", "api,engine")) as running:
        yield running
