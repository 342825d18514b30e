"""The small parts: spans, ids, streams, addresses, cover, and that what is generated is current."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import uuid
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from baton import _ids, _spans
from baton._addresses import Addresses
from baton._sse import Message, Parser
from baton.errors import Problem
from baton.worker.cover import Cover
from baton.worker.wire import Wire

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("span", "text", "seconds"),
    [("1h30m", "1h30m", 5400.0), (0.25, "250ms", 0.25), (90, "1m30s", 90.0), (timedelta(days=1), "1d", 86400.0), (0, "0s", 0)],
)
def test_spans_are_written_as_the_api_does(span: Any, text: str, seconds: float) -> None:
    assert _spans.text(span) == text
    assert _spans.seconds(span) == seconds


@pytest.mark.parametrize("text", ["", "5", "5 s", "s5", "-5s", "1.5h"])
def test_what_is_no_span_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        _spans.seconds(text)


def test_a_worker_draws_an_id_of_version_7_and_leases_of_version_4() -> None:
    worker, lease = uuid.UUID(_ids.worker_id()[4:]), uuid.UUID(_ids.lease_id()[4:])

    assert (worker.version, worker.variant) == (7, uuid.RFC_4122)
    assert lease.version == 4


def test_a_message_ends_with_an_empty_line_wherever_the_pieces_break() -> None:
    text = b'id: 1-7\nevent: job.failed\ndata: {"a":\ndata: 1}\n\n: keep\n\ndata:x\r\n\r\nid: 1-9\nretry: 250\n\n'

    for size in range(1, len(text)):
        parser = Parser()
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        messages = [message for piece in pieces for message in parser.take(piece)]

        assert messages == [Message("1-7", "job.failed", '{"a":\n1}'), Message(None, "", "x"), Message("1-9")]
        assert parser.retry == 0.25


def test_addresses_are_tried_in_turn_and_turned_once_for_one_failure() -> None:
    addresses = Addresses("http://a:1, http://b:2/")

    addresses.turn("http://a:1")
    addresses.turn("http://a:1")

    assert addresses.current == "http://b:2"


@pytest.mark.parametrize("address", ["", "ftp://a", "a:7878", ","])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(ValueError):
        Addresses(address)


def test_whoever_waits_for_the_end_of_a_cover_waits_no_longer_once_it_is_cut_short() -> None:
    async def scenario() -> bool:
        cover = Cover()
        cover.lasts(60.0)
        waits = asyncio.ensure_future(cover.ended())
        await asyncio.sleep(0)

        cover.lasts(0.0)

        await asyncio.wait_for(waits, 5.0)
        return cover.is_there()

    assert not asyncio.run(scenario())


def test_what_is_generated_is_current() -> None:
    check = subprocess.run([sys.executable, str(ROOT / "tools" / "generate.py"), "--check"], capture_output=True, text=True)

    assert (check.returncode, check.stderr) == (0, "")


def test_a_call_that_is_too_much_for_what_stands_before_a_server_is_refused_and_not_repeated() -> None:
    wire = object.__new__(Wire)
    too_much = Problem(413, {})

    assert wire._judged(too_much, "http://127.0.0.1:1") is too_much
