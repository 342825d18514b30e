"""The README says what is so."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from baton.testing import Server

README = Path(__file__).resolve().parents[2] / "README.md"


def test_the_programs_of_the_readme_do_what_it_says(house: Server, tmp_path: Path) -> None:
    tasks, enqueue, walk, testing, doors = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    (tmp_path / "tasks.py").write_text(tasks)
    (tmp_path / "ask.py").write_text(f"import baton\n{enqueue}")
    (tmp_path / "try_out.py").write_text(f"import baton\nfrom tasks import Resize, app, resize\n{walk}\n{testing}\n{doors}")
    environment = {**os.environ, "BATON_URL": house.url}
    worker = subprocess.Popen([sys.executable, "tasks.py"], cwd=tmp_path, env=environment)
    try:
        asked = subprocess.run([sys.executable, "ask.py"], cwd=tmp_path, env=environment, capture_output=True, text=True)
        tried = subprocess.run([sys.executable, "try_out.py"], cwd=tmp_path, env=environment, capture_output=True, text=True)
    finally:
        worker.send_signal(signal.SIGTERM)

    assert asked.stdout == "{'bytes': 4480}\nfailed bad_image\n", asked.stderr
    assert tried.returncode == 0, tried.stderr
    assert worker.wait(10) == 0
