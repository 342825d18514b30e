"""A worker of Baton's Python SDK whose jobs do nothing, for `baton bench remote --worker`."""

from __future__ import annotations

import os
from typing import Any

import baton

app = baton.App()


@app.job(os.environ["BATON_KIND"])
async def noop(payload: Any) -> None:
    return None


if __name__ == "__main__":
    app.run(slots=int(os.environ["BATON_SLOTS"]))
