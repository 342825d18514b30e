"""How often a second the disk confirms 8 KB: the price of one durable commit."""
import os
import re
import subprocess
import tempfile

from line import report
from programs import postgres_program

SECONDS_PER_METHOD = 2


def measure(arguments):
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        command = [postgres_program("pg_test_fsync"), "-s", str(SECONDS_PER_METHOD)]
        command += ["-f", os.path.join(folder, "file")]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    one_write = text.split("Compare file sync methods using two")[0]
    for method, rate in re.findall(r"^\s+(\w+)\s+([\d.]+) ops/sec", one_write, re.MULTILINE):
        report(f"fsync_8k_{method}", int(float(rate) * SECONDS_PER_METHOD), 1, SECONDS_PER_METHOD)
