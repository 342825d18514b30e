"""Writes the request and answer types and the calls of the client, from the server's own description of its API.

    python tools/generate.py            writes src/baton/_generated anew
    python tools/generate.py --check    says whether it is current
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import generate_calls  # noqa: E402
import generate_models  # noqa: E402

DOCUMENT = HERE.parents[2] / "crates" / "api" / "openapi.json"
OUTPUT = HERE.parent / "src" / "baton" / "_generated"


def generated(document: dict[str, Any]) -> dict[str, str]:
    """Every generated file by its name."""
    return {
        "__init__.py": '"""What was generated from the description of the API; see tools/generate.py."""\n',
        "models.py": generate_models.write(document),
        "calls.py": generate_calls.write(document),
    }


def stale(document: dict[str, Any], folder: Path = OUTPUT) -> list[str]:
    """The names of the files that are not what they would be if written now."""

    def current(name: str) -> str | None:
        path = folder / name
        return path.read_text() if path.exists() else None

    return [name for name, text in generated(document).items() if current(name) != text]


def main() -> int:
    """Writes, or checks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--document", type=Path, default=DOCUMENT)
    arguments = parser.parse_args()
    document = json.loads(arguments.document.read_text())
    if arguments.check:
        old = stale(document)
        if old:
            print(f"not current: {', '.join(old)}; run `python tools/generate.py`", file=sys.stderr)
        return 1 if old else 0
    OUTPUT.mkdir(parents=True, exist_ok=True)
    for name, text in generated(document).items():
        (OUTPUT / name).write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
