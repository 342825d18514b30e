"""How many requests a second one core can send that does nothing else: the ceiling for deliveries by HTTP."""
import os
import re
import subprocess
import tempfile

from line import PAYLOAD, report

CONNECTIONS = 128
SCRIPT = f"""
wrk.method = "POST"
wrk.headers["content-type"] = "application/json"
wrk.body = '{PAYLOAD}'
"""


def measure(arguments):
    if not arguments.target:
        raise SystemExit("say where to send to: --target URL")
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        script = os.path.join(folder, "post.lua")
        with open(script, "w", encoding="utf-8") as file:
            file.write(SCRIPT)
        command = ["taskset", "-c", "0", "wrk", "-t1", f"-c{CONNECTIONS}", f"-d{arguments.seconds}s"]
        command += ["--latency", "-s", script, arguments.target]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    n = int(re.search(r"(\d+) requests in", text).group(1))
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1))
    median = re.search(r"50%\s+(\S+)", text).group(1)
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    if refused:
        raise SystemExit(f"the target refused {refused.group(1)} of {n} requests: it has to answer 200")
    notes = f"wrk with one thread on core 0, target on core 1, 200 B body, p50 {median}"
    report("http_post_keepalive_1core_client", n, CONNECTIONS, n / rate, notes)
