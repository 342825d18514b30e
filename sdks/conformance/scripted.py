"""A server of the protocol of remote workers that does what a test says, and remembers what it was asked."""

from __future__ import annotations

import itertools
import json
import re
import threading
import time
import uuid
from collections import defaultdict, deque
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, TypeVar

T = TypeVar("T")
Body = dict[str, Any]


GATEWAY_TIMEOUT = 5.5
REFUSALS = {
    "401": (401, "unauthenticated"),
    "403": (403, "forbidden"),
    "422": (422, "invalid"),
    "502": (502, "bad-gateway"),
    "503": (503, "unavailable"),
    "page": (404, "page"),
    "redirect": (302, "page"),
    "504": (504, "gateway-timeout"),
    "unknown-worker": (404, "worker-not-found"),
    "worker-left": (409, "worker-left"),
}


class Refused(Exception):
    """An answer that is a problem."""

    def __init__(self, status: int, code: str) -> None:
        super().__init__(code)
        self.status = status
        self.code = code


@dataclass
class Asked:
    """One call that came."""

    name: str
    body: Body
    at: float
    raw: bytes


@dataclass
class StoredJob:
    """One job as the server has it."""

    id: str
    kind: str
    payload: Any
    options: Body
    state: str = "queued"
    attempt: int = 0
    lease: str | None = None
    claimed_at: float | None = None
    token: str | None = None
    verdict: Body | None = None
    seq: int = 0
    cursor: Any = None
    progress: Any = None
    children: dict[int, list[Body]] = field(default_factory=dict)

    def shown(self) -> Body:
        verdict = self.verdict or {}
        error = {name: verdict[name] for name in ("class", "code", "message") if name in verdict} or None
        return {"id": self.id, "kind": self.kind, "state": self.state, "result": verdict.get("result"), "last_error": error}


class _QuietServer(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """A worker that is killed leaves its connections in the middle of anything."""


class ScriptedServer:
    """Serves on a free port until it is closed."""

    def __init__(self, lease: float = 1.0) -> None:
        self.lease = lease
        self.jobs: dict[str, StoredJob] = {}
        self.asked: list[Asked] = []
        self.workers: dict[str, Body] = {}
        self.left: list[str] = []
        self.held: dict[str, str] = {}
        self.lost: set[str] = set()
        self.stop: set[str] = set()
        self.stop_at_checkpoint: set[str] = set()
        self.unreadable: set[str] = set()
        """Jobs whose checkpoints it cannot read: a call with one of them is refused as a whole."""
        self.drain = False
        self.says_waited = False
        """Whether it says how long a claim had waited, and takes one that waits for a beat."""
        self.faults: dict[str, deque[str]] = defaultdict(deque)
        self.changed = threading.Condition()
        self._told: set[str] = set()
        self._drain_told = False
        self._released: set[str] = set()
        """Leases that nobody waits for any more: a claim of theirs, whose connection has gone, takes nothing."""
        self._keys: dict[str, str] = {}
        self._serial = itertools.count(1)
        self._http = _QuietServer(("127.0.0.1", 0), _handler_of(self))
        self._http.daemon_threads = True
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()

    def __enter__(self) -> ScriptedServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # What a test says and asks.

    def add(self, kind: str, payload: Any = None, **options: Any) -> StoredJob:
        with self.changed:
            job = StoredJob(f"job_{uuid.UUID(int=next(self._serial))}", kind, payload, options)
            self.jobs[job.id] = job
            self.changed.notify_all()
        return job

    def fail_next(self, call: str, *faults: str) -> None:
        """`drop` (the answer, after it was done), `late` (the answer of a claim, until most of its lease is over), `tired` (a
        gateway that waits no longer), `page` and `redirect` (whatever stands before the server), or an answer in its place: `unknown-worker`,
        `worker-left`, a status."""
        self.faults[call].extend(faults)

    def calls(self, name: str) -> list[Asked]:
        return [call for call in list(self.asked) if call.name == name]

    def cancel(self, job: StoredJob) -> None:
        with self.changed:
            self.stop.add(job.id)
            self.changed.notify_all()

    def take_lease_of(self, job: StoredJob) -> None:
        with self.changed:
            assert job.lease is not None
            self.lost.add(job.lease)
            for other in self.jobs.values():
                if other.lease == job.lease:
                    other.lease, other.state = None, "retry_wait"
            self.changed.notify_all()

    def wait_for(self, is_so: Callable[[], T], what: str = "the condition", timeout: float = 10.0) -> T:
        end = time.monotonic() + timeout
        with self.changed:
            while True:
                value = is_so()
                if value:
                    return value
                left = end - time.monotonic()
                assert left > 0, f"{what} did not come true in {timeout} s"
                self.changed.wait(min(left, 0.02))

    def ended(self, job: StoredJob, timeout: float = 10.0) -> Body:
        self.wait_for(lambda: job.verdict is not None, f"the end of {job.kind} {job.payload}", timeout)
        assert job.verdict is not None
        return job.verdict

    # The protocol.

    def take(self, method: str, path: str, query: dict[str, str], raw: bytes) -> tuple[int, Any, bool]:
        parts = path.strip("/").split("/")
        body = json.loads(raw) if raw else {}
        name = self._name(method, parts)
        with self.changed:
            self.asked.append(Asked(name, body, time.monotonic(), raw))
            fault = self.faults[name].popleft() if self.faults[name] else None
            self.changed.notify_all()
        if fault == "tired":
            time.sleep(GATEWAY_TIMEOUT)
            fault = "504"
        if fault in REFUSALS:
            raise Refused(*REFUSALS[fault])
        status, answer = getattr(self, f"_{name}")(parts, query, body)
        if fault == "late" and answer.get("batches"):
            time.sleep(0.85 * self.lease)
        with self.changed:
            self.changed.notify_all()
        return status, answer, fault == "drop"

    @staticmethod
    def _name(method: str, parts: list[str]) -> str:
        if parts[1] == "workers":
            return {"PUT": "register", "DELETE": "leave"}.get(method) or parts[3]
        return {("POST", 2): "enqueue", ("POST", 3): "enqueue_many", ("GET", 3): "show"}[(method, len(parts))]

    def _register(self, parts: list[str], query: Any, body: Body) -> tuple[int, Any]:
        self.workers[parts[2]] = body
        limits = {
            "claim": 1000, "results": 1000, "checkpoints": 100, "jobs": 1000, "wait": "25s", "result": 65536,
            "cursor": 16384, "body": 8388608,
        }  # fmt: skip
        lease = f"{int(self.lease * 1000)}ms"
        beat = f"{int(self.lease * 1000 / 3)}ms"
        return 201, {"id": parts[2], "protocol": 1, "lease": lease, "beat": beat, "server": "0", "limits": limits}

    def _leave(self, parts: list[str], query: Any, body: Body) -> tuple[int, Any]:
        self.left.append(parts[2])
        return 200, {"given_back": 0}

    def _claim(self, parts: list[str], query: Any, body: Body) -> tuple[int, Any]:
        arrived = time.monotonic()
        end = arrived + seconds(body["wait"])
        with self.changed:
            while True:
                batches = self._repeated(body) if body["repeat"] else []
                if not (self.says_waited and self.drain) and not self._is_released(body):
                    batches = batches or self._taken(body)
                moment = time.monotonic()
                is_news = self.says_waited and self.drain and not self._drain_told
                if batches or is_news or moment >= end or self._is_released(body):
                    answer: Body = {"lease": f"{int(self.lease * 1000)}ms", "batches": batches}
                    if self.says_waited:
                        self._drain_told = self.drain
                        answer |= {"waited": f"{int((moment - arrived) * 1000)}ms", "drain": self.drain}
                    return 200, answer
                self.changed.wait(end - moment)

    def _is_released(self, body: Body) -> bool:
        return any(want["lease"] in self._released for want in body["wants"])

    def _repeated(self, body: Body) -> list[Body]:
        batches = []
        for want in body["wants"]:
            jobs = [job for job in self.jobs.values() if job.lease == want["lease"]]
            if jobs:
                batches.append({"lease": want["lease"], "queue": want["queue"], "jobs": [self._claimed(j) for j in jobs]})
        return batches

    def _taken(self, body: Body) -> list[Body]:
        batches, room = [], body["limit"]
        for want in body["wants"]:
            line = [j for j in self.jobs.values() if j.state == "queued" and j.options.get("queue", j.kind) == want["queue"]]
            taken = line[: min(room, want["limit"])]
            room -= len(taken)
            for job in taken:
                job.state, job.lease, job.attempt = "running", want["lease"], job.attempt + 1
                job.token, job.claimed_at = f"{job.id}/{job.attempt}", time.monotonic()
            if taken:
                batches.append({"lease": want["lease"], "queue": want["queue"], "jobs": [self._claimed(j) for j in taken]})
        return batches

    @staticmethod
    def _claimed(job: StoredJob) -> Body:
        checkpoint = None
        if job.seq:
            checkpoint = {"seq": job.seq, "era": 1, "cursor": job.cursor, "progress": job.progress, "ago": "1s"}
        return {
            "id": job.id, "kind": job.kind, "payload": job.payload, "token": job.token, "attempt": job.attempt,
            "tries": job.attempt, "max_attempts": 4, "run": 1, "losses": 0, "timeout": job.options.get("timeout", "30s"),
            "delivery": "at_least_once", "idempotency_key": f"{job.id}.1", "queued_ago": "3ms", "created_ago": "3ms",
            "expires_in": None, "trace": None, "checkpoint": checkpoint, "a_field_of_the_future": 1,
        }  # fmt: skip

    def _beat(self, parts: list[str], query: Any, body: Body) -> tuple[int, Any]:
        end = time.monotonic() + seconds(body["wait"])
        with self.changed:
            while True:
                held = {job.lease for job in self.jobs.values() if job.lease is not None}
                lost = [lease for lease in body["heard"] if lease not in held]
                stop = [
                    {"job": id, "why": "canceled", "reason": "wrong"}
                    for id in self.stop
                    if self.jobs[id].state == "running"
                ]
                # As a server does, it answers at once what it has not told yet.
                untold = {one["job"] for one in stop} - self._told
                news = untold or self.drain or lost
                left = end - time.monotonic()
                if news or left <= 0:
                    self.lost -= set(lost)
                    self._told |= untold
                    lease = f"{int(self.lease * 1000)}ms"
                    return 200, {"lease": lease, "held": sorted(held & set(body["heard"])), "lost": lost, "stop": stop, "drain": self.drain}
                self.changed.wait(left)

    def _results(self, parts: list[str], query: Any, body: Body) -> tuple[int, Any]:
        with self.changed:
            return 200, {"items": [self._settle(item) for item in body["results"]]}

    def _settle(self, item: Body) -> Body:
        job = next((job for job in self.jobs.values() if job.token == item["token"]), None)
        if job is None:
            return {"settled": "stale"}
        if job.lease is None:
            return {"job": job.id, "settled": "recorded" if job.verdict == item else "stale"}
        job.lease, job.verdict = None, item
        word: str = item["verdict"]
        job.state = {"accepted": "succeeded"}.get(word, word)
        return {"job": job.id, "settled": "recorded", "state": job.state}

    def _checkpoints(self, parts: list[str], query: Any, body: Body) -> tuple[int, Any]:
        with self.changed:
            if any(job.token == item["token"] for item in body["checkpoints"] for job in map(self.jobs.get, self.unreadable) if job):
                raise Refused(422, "invalid")
            return 200, {"items": [self._checkpoint(item) for item in body["checkpoints"]]}

    def _checkpoint(self, item: Body) -> Body:
        job = next((job for job in self.jobs.values() if job.token == item["token"]), None)
        if job is None:
            return {"saved": "lost", "stop": None}
        stop = "canceled" if job.id in self.stop | self.stop_at_checkpoint else None
        if job.lease is None:
            return {"job": job.id, "saved": "lost", "stop": None}
        if item["seq"] == job.seq:
            return {"job": job.id, "saved": "repeated", "seq": job.seq, "jobs": job.children[job.seq], "stop": stop}
        if item["seq"] != job.seq + 1:
            return {"job": job.id, "saved": "out_of_order", "seq": job.seq, "stop": stop}
        job.seq, job.cursor, job.progress = item["seq"], item["cursor"], item.get("progress")
        made = [f"job_{uuid.UUID(int=next(self._serial) << 64)}" for _ in item.get("jobs", [])]
        job.children[job.seq] = [{"id": id, "created": True} for id in made]
        return {"job": job.id, "saved": "recorded", "seq": job.seq, "jobs": job.children[job.seq], "stop": stop}

    def _release(self, parts: list[str], query: Any, body: Body) -> tuple[int, Any]:
        with self.changed:
            given = [job for job in self.jobs.values() if job.lease in body["leases"]]
            for job in given:
                job.lease, job.state = None, "queued"
            self._released |= set(body["leases"])
            self.changed.notify_all()
            return 200, {"given_back": len(given)}

    def _enqueue(self, parts: list[str], query: Any, body: Body) -> tuple[int, Any]:
        key = body.get("key")
        if key in self._keys:
            return 200, self.jobs[self._keys[key]].shown()
        job = self.add(body["kind"], body["payload"], **{k: v for k, v in body.items() if k not in ("kind", "payload")})
        if key:
            self._keys[key] = job.id
        return 201, job.shown()

    def _enqueue_many(self, parts: list[str], query: Any, body: Body) -> tuple[int, Any]:
        jobs = [self._enqueue(parts, query, job) for job in body["jobs"]]
        return 201, {"items": [{"id": job["id"], "created": status == 201} for status, job in jobs]}

    def _show(self, parts: list[str], query: dict[str, str], body: Body) -> tuple[int, Any]:
        job = self.jobs.get(parts[2])
        if job is None:
            raise Refused(404, "job-not-found")
        end = time.monotonic() + seconds(query.get("wait", "0s"))
        with self.changed:
            while job.verdict is None and time.monotonic() < end:
                self.changed.wait(0.02)
        return 200, job.shown()


_UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def seconds(text: str) -> float:
    """The seconds of a span: `1m 30s`, `250ms`."""
    parts = re.findall(r"(\d+(?:\.\d+)?)\s*(us|ms|s|m|h|d)", text)
    assert parts, f"{text!r} is no span"
    return sum(float(number) * _UNITS[unit] for number, unit in parts)


def problem(refused: Refused) -> Body:
    """A refusal as the server words it."""
    code = refused.code
    return {"type": f"/docs/problems/{code}", "title": code, "status": refused.status, "code": code, "detail": code}


def _handler_of(server: ScriptedServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def handle_any(self) -> None:
            path, _, query = self.path.partition("?")
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
            pairs = dict(part.split("=", 1) for part in query.split("&") if "=" in part)
            try:
                status, answer, dropped = server.take(self.command, path, pairs, raw)
            except Refused as refused:
                status, answer, dropped = refused.status, problem(refused), False
            if dropped:
                self.close_connection = True
                return
            kind = "application/problem+json" if status >= 400 else "application/json"
            content = json.dumps(answer).encode()
            if status in (502, 504) or answer.get("code") == "page":
                # A gateway knows nothing of problems.
                kind, content = "text/html", b"<h1>Gateway</h1>"
            try:
                self.send_response_only(status)
                # No worker is to believe a clock that is not its own.
                self.send_header("date", "Thu, 01 Jan 1970 00:00:00 GMT")
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
            except OSError:
                self.close_connection = True

        do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = handle_any

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler
