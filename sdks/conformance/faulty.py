"""A small worker with one mistake, which `BATON_MISTAKE` names: that the rules can fail is seen by it (`check_rules.py`)."""

from __future__ import annotations

import http.client
import json
import os
import queue
import signal
import sys
import threading
import time
import urllib.parse
import uuid
from typing import Any

from scripted import seconds

MISTAKE = os.environ.get("BATON_MISTAKE", "")
SLOTS = int(os.environ.get("BATON_SLOTS", "4"))
GRACE = seconds(os.environ.get("BATON_GRACE", "2s"))
ME = f"wrk_{uuid.uuid4()}"


class Gone(Exception):
    """The server has no use for this worker."""


class Silence(Exception):
    """No answer, or one that says to come back."""


class Unwanted(Exception):
    """The server refuses what it was told."""


class Worker:
    def __init__(self) -> None:
        self.urls = os.environ["BATON_URL"].split(",")
        if MISTAKE == "knows one address":
            self.urls = self.urls[:1]
        self.results: queue.Queue[dict[str, Any]] = queue.Queue()
        self.untold: dict[str, Any] = {}
        self.running: dict[str, Attempt] = {}
        self.stuck: set[Attempt] = set()
        self.slots = threading.Semaphore(SLOTS)
        self.is_stuck = False
        self.lease = 1.0
        self.renewed = 0.0
        self.wait = 25.0
        self.is_told_of_waits = MISTAKE == "waits long whatever it hears"
        self.is_told_idle = False
        self.covered = False
        self.asked_at = time.monotonic()
        self.draining = False
        self.resting = False
        self.over: set[str] = set()
        self.stood: dict[str, Any] = {}
        self.why = ""
        self.refuses_all = False

    def call(self, method: str, path: str, body: Any) -> Any:
        """One call of one server, the next one after silence."""
        url = urllib.parse.urlsplit(self.urls[0])
        sent = time.monotonic()
        line = http.client.HTTPConnection(url.hostname or "", url.port, timeout=40)
        try:
            line.request(method, f"/v1/workers/{ME}{path}", json.dumps(body))
            answer = line.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException) as error:
            if MISTAKE == "dies of silence":
                self.why = str(error)
            self.urls.append(self.urls.pop(0))
            raise Silence(str(error)) from None
        finally:
            line.close()
        has_waited = time.monotonic() - sent >= 5.0 or MISTAKE == "waits shorter at once"
        if answer.status in (502, 504) and path == "/claim" and has_waited and MISTAKE != "waits as long as ever":
            self.wait = max(5.0, self.wait / 2)
        if answer.status < 300:
            return json.loads(content)
        is_page = answer.getheader("content-type") == "text/html"
        if is_page and not (MISTAKE == "believes any page" and answer.status < 500):
            raise Silence("a page")
        code = "page" if is_page else json.loads(content)["code"]
        if code == "worker-not-found" and MISTAKE != "does not come back":
            self.register()
            raise Silence(code)
        if answer.status == 422 and path in ("/results", "/checkpoints"):
            raise Unwanted(code)
        if answer.status in (401, 403, 404, 409, 422) and MISTAKE != "never gives up":
            self.why = f"the server answered {answer.status} {code}"
            raise Gone(code)
        raise Silence(code)

    def again(self, method: str, path: str, body: Any) -> Any:
        """The same call until it is answered."""
        pause = 0.05
        while not self.why:
            try:
                return self.call(method, path, body)
            except Silence:
                time.sleep(pause)
                pause = min(2.0, pause * 2)
        raise Gone(self.why)

    def register(self) -> None:
        body = {"protocol": 1, "name": "faulty", "sdk": "faulty/0", "kinds": ["conformance"], "slots": SLOTS}
        self.lease = seconds(self.again("PUT", "", body)["lease"])

    # Claims.

    def claim(self) -> None:
        while not self.why:
            if self.draining and MISTAKE != "claims while it stops":
                return
            ahead = 2 if MISTAKE == "lets jobs stand" else 0
            free = self.free() + ahead + (1 if self.draining else 0)
            if free <= 0 or self.resting or (self.untold and MISTAKE != "claims with results untold"):
                time.sleep(0.02)
                continue
            wants = [{"queue": "conformance", "limit": free, "lease": f"lse_{uuid.uuid4()}"}]
            began, repeat = time.monotonic(), 0
            short = max(self.lease, 50) / 2 if self.lease > 30 else self.lease / 2
            while not self.why and not (self.draining and MISTAKE != "claims while it stops"):
                wait = f"{int(min(self.wait, self.wait if self.is_told_of_waits else short) * 1000)}ms"
                sent = self.asked_at = time.monotonic()
                self.covered = self.is_told_of_waits and MISTAKE not in ("beats beside its claims", "waits long whatever it hears")
                try:
                    answer = self.call("POST", "/claim", {"wants": wants, "limit": free, "wait": wait, "repeat": repeat})
                except Silence:
                    self.covered = False
                    if MISTAKE in ("draws new leases after silence", "forgets a claim in doubt"):
                        break
                    repeat += 1
                    time.sleep(0.1)
                    continue
                if MISTAKE == "counts a lease from when it hears":
                    began = time.monotonic()
                elif "waited" in answer and MISTAKE != "counts a lease from when it asked":
                    began = min(time.monotonic(), sent + seconds(answer["waited"]))
                self.is_told_of_waits |= "waited" in answer
                self.resting |= answer.get("drain", False) and MISTAKE != "does not hear what claims tell"
                self.covered &= not answer["batches"] and not self.resting
                for batch in answer["batches"]:
                    for job in batch["jobs"]:
                        self.begin(job, batch["lease"], began)
                break

    def free(self) -> int:
        return SLOTS - len(self.running) - len(self.stuck)

    def begin(self, job: dict[str, Any], lease: str, asked: float) -> None:
        if time.monotonic() - asked > 0.6 * self.lease and MISTAKE != "starts with little of its lease left":
            self.tell({"token": job["token"], "verdict": "given_back"})
            return
        attempt = Attempt(self, job, lease)
        self.running[job["id"]] = attempt
        self.renewed = max(self.renewed, asked)
        threading.Thread(target=attempt.run, daemon=True).start()

    # Beats.

    def beat(self) -> None:
        """Renews and watches the clock."""
        while not self.why:
            if self.covered and self.is_told_idle and not self.running and not self.draining:
                time.sleep(0.02)
                continue
            sent = time.monotonic()
            wait = 0.0 if MISTAKE == "hears of a cancel too late" else self.lease / 3
            body = {
                "wait": f"{int(wait * 1000)}ms",
                "running": len(self.running) + len(self.stuck),
                "free": self.free(),
                "asked_ago": f"{int((sent - self.asked_at) * 1000) if MISTAKE == 'says when its claim was sent' else 0}ms",
                "draining": self.draining and MISTAKE != "does not say that it stops",
                "heard": sorted({attempt.lease for attempt in self.running.values()} | self.over),
                "progress": [],
            }
            try:
                news = self.call("POST", "/beat", body)
            except Silence:
                time.sleep(0.05)
                continue
            except Gone:
                return
            self.renewed = sent
            self.is_told_idle = not body["running"] and not body["heard"]
            self.resting = news["drain"] and MISTAKE != "does not rest"
            for stop in news["stop"]:
                if MISTAKE == "ends one attempt in half a second":
                    time.sleep(0.5)
                if stop["job"] in self.running and MISTAKE != "ignores a cancel":
                    self.running[stop["job"]].end({"verdict": "canceled"})
            for attempt in list(self.running.values()):
                if attempt.lease in news["lost"]:
                    if MISTAKE == "names leases that are over":
                        self.over.add(attempt.lease)
                    attempt.drop()
            if MISTAKE == "hears of a cancel too late":
                time.sleep(3 * self.lease)

    def watch(self) -> None:
        looked_at = time.monotonic()
        while True:
            time.sleep(0.02)
            if time.monotonic() - looked_at > self.lease / 2:
                # Frozen until now: what was done meanwhile is heard first.
                time.sleep(0.1)
            moment = looked_at = time.monotonic()
            for attempt in list(self.running.values()):
                if moment > attempt.times_out_at and MISTAKE != "knows no time-outs":
                    attempt.end(failed("timeout"))
                elif attempt.is_past_deadline(moment) and MISTAKE != "trusts its lease":
                    attempt.pass_deadline()
            if self.stuck and 2 * len(self.stuck) >= SLOTS and MISTAKE != "lives with stuck slots":
                self.is_stuck = True

    # Results.

    def tell(self, item: dict[str, Any]) -> None:
        self.untold[item["token"]] = item
        self.results.put(item)

    def tell_results(self) -> None:
        while not self.why:
            item = self.results.get()
            pause = 0.05
            while not self.why:
                if MISTAKE == "changes its words" and item["verdict"] == "accepted":
                    item = {**item, "result": str(time.monotonic())}
                try:
                    self.call("POST", "/results", {"results": [item]})
                    break
                except Silence:
                    if MISTAKE == "drops a result after silence":
                        break
                    time.sleep(pause)
                    pause = min(2.0, pause * 2)
                except Unwanted:
                    break
                except Gone:
                    return
            if MISTAKE == "goes deaf" and pause > 0.05:
                continue
            self.untold.pop(item["token"], None)

    # Its life.

    def stop(self) -> None:
        self.draining = True
        end = time.monotonic() + GRACE
        while self.running and time.monotonic() < end:
            time.sleep(0.02)
        for attempt in list(self.running.values()):
            if MISTAKE != "is silent about what does not end":
                attempt.end(failed("shutdown"))
        while self.untold:
            time.sleep(0.02)
        self.again("DELETE", "", {})

    def live(self) -> int:
        asked = threading.Event()

        def told(*_: Any) -> None:
            if asked.is_set() and MISTAKE != "hears no second signal":
                os._exit(130)
            asked.set()

        signal.signal(signal.SIGTERM, told)
        try:
            self.register()
        except Gone:
            pass
        for loop in (self.claim, self.beat, self.watch, self.tell_results):
            threading.Thread(target=quietly, args=(loop,), daemon=True).start()
        while not asked.wait(0.02) and not self.is_stuck:
            if self.why:
                print(self.why, file=sys.stderr, flush=True)
                return 1
        stopping = threading.Thread(target=quietly, args=(self.stop,))
        stopping.start()
        while stopping.is_alive():
            stopping.join(0.02)
        return 70 if self.is_stuck else 0


class Attempt:
    def __init__(self, worker: Worker, job: dict[str, Any], lease: str) -> None:
        self.worker, self.job, self.lease = worker, job, lease
        self.began = time.monotonic()
        self.times_out_at = self.began + seconds(job["timeout"])
        self.is_over = False
        self.cannot_be_stopped = job["payload"]["do"] == "block"

    def run(self) -> None:
        if MISTAKE == "logs tokens":
            print("begins", self.job["token"], file=sys.stderr, flush=True)
        with self.worker.slots:
            self.began = time.monotonic()
            self.times_out_at = self.began + seconds(self.job["timeout"])
            try:
                self.end(self.do(self.job["payload"]))
            except Gone:
                pass
        self.worker.stuck.discard(self)

    def do(self, payload: dict[str, Any]) -> dict[str, Any]:
        do = payload["do"]
        if do in ("sleep", "block", "linger"):
            end = time.monotonic() + payload["ms"] / 1000
            while time.monotonic() < end and (self.cannot_be_stopped or not self.is_over):
                time.sleep(0.01)
            return accepted({"lingered" if do == "linger" else "slept": payload["ms"]})
        if do == "fail":
            told = {name: payload[name] for name in ("class", "code", "message", "retry_after") if name in payload}
            if MISTAKE == "forgets when to try again":
                told.pop("retry_after", None)
            return {"verdict": "failed", "message": "", **told}
        if do == "skip":
            return {"verdict": "skipped", "why": payload["why"]}
        if do == "snooze":
            return {"verdict": "snoozed", "after": payload["after"]}
        if do == "walk":
            return self.walk(payload)
        if do == "key":
            own = MISTAKE == "makes keys of its own"
            return accepted(f"{self.job['id']}.{self.job['attempt']}" if own else self.job["idempotency_key"])
        if do == "big":
            if MISTAKE == "undoes work with a large result":
                return failed("result_too_large")
            return accepted("x" * payload["bytes"])
        return accepted(payload.get("with"))

    def walk(self, payload: dict[str, Any]) -> dict[str, Any]:
        stood = self.job["checkpoint"] or {"seq": 0, "cursor": {"after": 0}}
        if MISTAKE == "forgets its own steps":
            stood = self.worker.stood.setdefault(self.job["id"], stood)
        if MISTAKE == "walks from the beginning":
            stood = {"seq": stood["seq"], "cursor": {"after": 0}}
        seq, at = stood["seq"], stood["cursor"]["after"]
        while at < payload["items"] and not self.is_over:
            seq, chunk = seq + 1, range(at, min(at + payload["every"], payload["items"]))
            at = chunk.stop
            jobs = [{"kind": "conformance.child", "payload": {"item": i}, "key": f"{self.job['id']}.{i}"} for i in chunk]
            item = {
                "token": self.job["token"], "seq": seq, "cursor": {"after": at}, "jobs": jobs,
                "progress": {"done": at, "total": payload["items"], "note": None},
            }  # fmt: skip
            try:
                saved = self.save(item)
            except Unwanted:
                self.worker.refuses_all = MISTAKE == "fails all for one"
                return failed("refused")
            if self.worker.refuses_all:
                return failed("refused")
            if saved["stop"] and MISTAKE != "walks on when told to stop":
                return {"verdict": "canceled"}
        return accepted({"walked": at})

    def save(self, item: dict[str, Any]) -> dict[str, Any]:
        if MISTAKE == "counts a checkpoint up after silence":
            while True:
                try:
                    return dict(self.worker.call("POST", "/checkpoints", {"checkpoints": [item]})["items"][0])
                except Silence:
                    item = {**item, "seq": item["seq"] + 1}
                    time.sleep(0.05)
        return dict(self.worker.again("POST", "/checkpoints", {"checkpoints": [item]})["items"][0])

    def is_past_deadline(self, moment: float) -> bool:
        return moment - max(self.worker.renewed, self.began) > 0.9 * self.worker.lease

    def pass_deadline(self) -> None:
        """Its lease may have ended: whoever lingers is heard all the same, once it ends."""
        if self.job["payload"]["do"] != "linger" or MISTAKE == "hears nobody after the deadline":
            self.end(failed("lease_deadline"))

    def end(self, verdict: dict[str, Any]) -> None:
        if not self.is_over:
            self.is_over = True
            if MISTAKE == "hears nobody after a sleep" and self.is_past_deadline(time.monotonic()):
                verdict = failed("lease_deadline")
            if self.cannot_be_stopped and MISTAKE != "gives a slot away that is taken":
                self.worker.stuck.add(self)
            self.worker.running.pop(self.job["id"], None)
            ago = f"{int((time.monotonic() - self.began) * 1000)}ms"
            self.worker.tell({"token": self.job["token"], **verdict, "started_ago": ago, "ran": ago})

    def drop(self) -> None:
        self.is_over = True
        self.worker.running.pop(self.job["id"], None)


def accepted(result: Any) -> dict[str, Any]:
    return {"verdict": "accepted", "result": result}


def failed(code: str) -> dict[str, Any]:
    return {"verdict": "failed", "class": "unknown", "code": code, "message": code}


def quietly(loop: Any) -> None:
    try:
        loop()
    except Gone:
        pass


if __name__ == "__main__":
    sys.exit(Worker().live())
