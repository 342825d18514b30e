"""Asks a server each page and list, and says how long the answers took.

    ask.py http://127.0.0.1:7878 --add     first adds waiting jobs, recipients and campaigns
    ask.py http://127.0.0.1:7878           30 times each; p50 and p95 in milliseconds, the slowest first
"""
import argparse
import json
import re
import statistics
import time
import urllib.parse
from http.client import HTTPConnection

from pages import API, CONSOLE

GOAL_MS = 300


def main():
    arguments = read_arguments()
    server = Server(arguments.url)
    if arguments.add:
        add(server)
    words = Words(server)
    found = [measure(server, words.fill(page), arguments.times) for page in CONSOLE + API]
    show(found)


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("url", help="of a server that was started with --dev")
    parser.add_argument("--add", action="store_true", help="add waiting jobs, recipients and campaigns first")
    parser.add_argument("--times", type=int, default=30, help="how often each is asked for")
    return parser.parse_args()


class Server:
    def __init__(self, url):
        self.connection = HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=60)

    def ask(self, path, method="GET", body=None, kind="application/json"):
        headers = {"content-type": kind} if body is not None else {}
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        return answer.status, answer.read()

    def json(self, path, method="GET", body=None, kind="application/json"):
        status, text = self.ask(path, method, body, kind)
        if status >= 300:
            raise SystemExit(f"{method} {path}: {status} {text[:500]}")
        return json.loads(text)


def add(server):
    """10,000 jobs that wait, 2,000 recipients, and twenty campaigns into their inboxes, of which one is sent."""
    later = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 86_400))
    for first in range(0, 10_000, 1_000):
        jobs = [{"kind": "simulate", "payload": {}, "run_at": later, "tags": [f"later-{first}"]} for _ in range(1_000)]
        server.json("/v1/jobs/batch", "POST", json.dumps({"jobs": jobs}))
    rows = "\n".join(json.dumps({"id": f"user-{n}", "platform": "ios", "topics": ["news"]}) for n in range(2_000))
    server.json("/v1/recipients/import", "POST", rows, "application/x-ndjson")
    for number in range(20):
        campaign = {"name": f"Campaign {number}", "category": "notice", "action": "inbox", "audience": {"topic": "news"},
                    "message": {"title": "Hello", "body": "Hello, {{id}}!"}}
        server.json("/v1/campaigns", "POST", json.dumps({**campaign, "send_at": later} if number else campaign))


class Words:
    """What is there to be named in an address."""

    def __init__(self, server):
        self.server = server
        first = lambda path: server.json(path)["items"][0]
        succeeded = first("/v1/jobs?state=succeeded&limit=1")["id"]
        self.words = {
            "succeeded": succeeded,
            "short": succeeded[:12],
            "failed": first("/v1/jobs?state=failed&limit=1")["id"],
            "campaign": server.json("/v1/campaigns?limit=100")["items"][-1]["id"],
            "fingerprint": first("/v1/dead-letters")["fingerprint"],
            "recipient": "user-7",
        }

    def fill(self, page):
        return re.sub(r"\{([^{}]+)\}", lambda found: urllib.parse.quote(self.word(found[1]), safe=""), page)

    def word(self, name):
        if name.startswith("next:"):
            return self.server.json(name.removeprefix("next:")).get("next") or ""
        return self.words[name]


def measure(server, path, times):
    took = []
    for _ in range(times):
        begun = time.perf_counter()
        status, _ = server.ask(path)
        took.append((time.perf_counter() - begun) * 1000)
    return statistics.median(took), statistics.quantiles(took, n=20)[18] if times > 1 else took[0], status, path


def show(found):
    found.sort(key=lambda line: -line[1])
    print(f"{'p50 ms':>9} {'p95 ms':>9}  status  page")
    for median, high, status, path in found:
        print(f"{median:9.1f} {high:9.1f}  {status:6}  {path}")
    above = sum(high > GOAL_MS for _, high, _, _ in found)
    print(f"{len(found)} pages and lists, {above} above {GOAL_MS} ms, worst p95 {found[0][1]:.0f} ms")


if __name__ == "__main__":
    main()
