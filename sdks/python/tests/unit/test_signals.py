"""What a worker process does when it is told to end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from scripted import ScriptedServer

WORKER = Path(__file__).resolve().parents[2] / "conformance" / "worker.py"


def start(server: ScriptedServer, slots: int = 2) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "BATON_URL": server.url, "BATON_SLOTS": str(slots)}
    return subprocess.Popen([sys.executable, str(WORKER)], env=environment)


def test_sigterm_lets_handlers_end_and_exits_with_0(server: ScriptedServer) -> None:
    worker = start(server)
    job = server.add("conformance", {"do": "sleep", "ms": 400})
    server.wait_for(lambda: job.state == "running")
    server.wait_for(lambda: any(call.body["running"] == 1 for call in server.calls("beat")))

    worker.send_signal(signal.SIGTERM)

    assert worker.wait(10) == 0
    assert server.ended(job)["result"] == {"slept": 400}
    assert len(server.left) == 1


def test_sigterm_is_heard_while_a_handler_blocks_the_loop(server: ScriptedServer) -> None:
    worker = start(server)
    job = server.add("conformance", {"do": "block", "ms": 1_500})
    server.wait_for(lambda: any(call.body["running"] == 1 for call in server.calls("beat")))

    worker.send_signal(signal.SIGTERM)

    server.wait_for(lambda: any(call.body["draining"] for call in server.calls("beat")))
    assert job.verdict is None
    assert worker.wait(10) == 0


def test_a_second_signal_leaves_at_once_with_130(server: ScriptedServer) -> None:
    worker = start(server)
    server.add("conformance", {"do": "sleep", "ms": 60_000})
    server.wait_for(lambda: any(call.body["running"] == 1 for call in server.calls("beat")))

    worker.send_signal(signal.SIGTERM)
    server.wait_for(lambda: any(call.body["draining"] for call in server.calls("beat")))
    worker.send_signal(signal.SIGTERM)

    assert worker.wait(2) == 130
    assert server.left == []
