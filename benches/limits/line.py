"""The line that each measurement prints, and the payload that they share."""
import json
import os

PAYLOAD = json.dumps(
    {"to": "user@example.com", "template": "welcome", "vars": {"name": "Some Body", "n": 12345}, "pad": "x" * 110}
)


def report(workload, n, concurrency, seconds, notes=""):
    load = round(os.getloadavg()[0], 1)
    line = {
        "peer": "limit",
        "workload": workload,
        "n": n,
        "concurrency": concurrency,
        "seconds": round(seconds, 3),
        "per_second": round(n / seconds, 1),
        "notes": f"{notes} load1={load}".strip(),
    }
    print(json.dumps(line), flush=True)
