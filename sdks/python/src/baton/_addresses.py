"""The servers of one installation, tried in turn."""

from __future__ import annotations

import os
from typing import Sequence, Union
from urllib.parse import urlsplit

DEFAULT = "http://127.0.0.1:7878"
NOBODY = "does `baton serve` run there? `url` or BATON_URL says where it does"
"""What to do where no server answers."""


class Addresses:
    """One or more addresses, of which one is in use until it does not answer."""

    def __init__(self, url: Union[str, Sequence[str], None] = None) -> None:
        given = url if url is not None else os.environ.get("BATON_URL", DEFAULT)
        parts = given.split(",") if isinstance(given, str) else given
        self.all = [_checked(part) for part in parts if part.strip()]
        if not self.all:
            raise ValueError("no address of a server was given")
        self._at = 0

    @property
    def current(self) -> str:
        """The one in use."""
        return self.all[self._at % len(self.all)]

    def turn(self, failed: str) -> None:
        """Goes on to the next, unless somebody else has done so."""
        if failed == self.current:
            self._at = (self._at + 1) % len(self.all)


def key_of(key: Union[str, None]) -> Union[str, None]:
    """The API key: as given, from the file that `BATON_KEY_FILE` names, or from `BATON_KEY`, as the command line has it."""
    if key is not None:
        return key
    file = os.environ.get("BATON_KEY_FILE")
    if not file:
        return os.environ.get("BATON_KEY") or None
    with open(file, encoding="utf-8") as opened:
        return opened.read().strip()


def _checked(address: str) -> str:
    address = address.strip().rstrip("/")
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"{address!r} is no address of a server; it must begin with http:// or https://")
    return address
