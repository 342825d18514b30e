"""A real server on a scratch file and a free port."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx

from baton import _spans
from baton._spans import Span
from baton._transport import ANSWER_TIMEOUT, checked
from baton.client import SyncClient


_LONGEST_WAIT = 20.0
"""How long one question of `quiet` may wait for its answer."""


class NoServer(Exception):
    """There is no `baton` to start, or it does not start."""


class Server:
    """A server for as long as it is entered. Open to whoever is on this machine, on loopback alone."""

    def __init__(self, *, lease: Span | None = None, binary: str | None = None, arguments: tuple[str, ...] = ()) -> None:
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._binary = binary
        self._arguments = list(arguments)
        if lease is not None:
            self._arguments += ["--lease", _spans.text(lease)]
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._ahead = 0.0
        self.client = SyncClient(self.url)

    def start(self) -> None:
        """Starts it, and waits until it answers; once more after `kill`, on the same file and at the same time of day."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="baton-test-")
        data = self._folder.name
        with open(self.log, "ab") as log:
            self._process = subprocess.Popen(
                [server_binary(self._binary), "serve", "--dev", "--listen", f"127.0.0.1:{self.port}", "--data-dir", data]
                + self._arguments,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=data,
                env=_own_environment(),
            )
        self._until_ready()
        if self._ahead > 0:
            self._put_ahead(self._ahead)

    @property
    def log(self) -> Path:
        """The file of what it says."""
        assert self._folder is not None, "the server was not started"
        return Path(self._folder.name) / "server.log"

    @property
    def pid(self) -> int:
        """Its process."""
        assert self._process is not None, "the server was not started"
        return self._process.pid

    def kill(self) -> None:
        """Ends it with a signal that cannot be caught."""
        assert self._process is not None, "the server was not started"
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """Ends it, and removes its file."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
        self.client.close()

    def quiet(self, timeout: Span = "30s") -> None:
        """Waits until nothing is due and nothing runs; what waits for its time may wait."""
        end = time.monotonic() + _spans.seconds(timeout)
        while True:
            left = max(0.0, end - time.monotonic())
            answer = self._door("GET", f"quiet?wait={_spans.text(min(left, _LONGEST_WAIT))}")
            if answer["quiet"]:
                return
            if time.monotonic() >= end:
                raise TimeoutError(f"after {timeout}: {'; '.join(answer['busy'])}")

    def advance(self, span: Span) -> datetime:
        """Puts its clock ahead, so that what is due by then runs now; says what it shows. Leases and workers live on."""
        now = self._put_ahead(span)
        self._ahead += _spans.seconds(span)
        return now

    def lose_leases(self) -> int:
        """Takes every lease away now, as after silent workers: their jobs run again. Says how many jobs those are."""
        return int(self._door("POST", "leases/lose")["lost"])

    def cut(self) -> int:
        """Closes every connection it has, those of waiting workers among them; says how many."""
        return int(self._door("POST", "cut")["cut"])

    def __enter__(self) -> Server:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _put_ahead(self, span: Span) -> datetime:
        answer = self._door("POST", "clock", {"advance": _spans.text(span)})
        return datetime.fromisoformat(answer["now"].replace("Z", "+00:00"))

    def _door(self, method: str, path: str, body: Any = None) -> Any:
        """Asks over a connection of its own, so that no other is spared by a cut."""
        response = httpx.request(method, f"{self.url}/v1/dev/{path}", json=body, trust_env=False, timeout=ANSWER_TIMEOUT)
        return checked(response, response.content).value

    def _until_ready(self) -> None:
        end = time.monotonic() + 20
        while time.monotonic() < end:
            assert self._process is not None
            if self._process.poll() is not None:
                raise NoServer(f"the server ended with {self._process.returncode}:\n{self.log.read_text()[-2000:]}")
            try:
                if httpx.get(f"{self.url}/readyz", trust_env=False, timeout=1.0).is_success:
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.02)
        raise NoServer(f"the server is not ready after 20 s:\n{self.log.read_text()[-2000:]}")


def server(*, lease: Span | None = None, binary: str | None = None, arguments: tuple[str, ...] = ()) -> Server:
    """A real server: `with baton.testing.server() as server: baton.App(server.url)`.

    The binary is `binary`, the one that `BATON_BIN` names, or the `baton` on the path.
    """
    return Server(lease=lease, binary=binary, arguments=arguments)


def server_binary(binary: str | None = None) -> str:
    """The path of the server."""
    named = binary or os.environ.get("BATON_BIN")
    path = shutil.which(named or "baton")
    if path is None:
        raise NoServer(f"there is no {named or 'baton'}: name the server's binary in BATON_BIN, or put it on the path")
    return path


def _own_environment() -> dict[str, str]:
    """Without settings of another server."""
    return {name: value for name, value in os.environ.items() if not name.startswith("BATON_")}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
