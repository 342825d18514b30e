"""Ids that a worker draws itself."""

from __future__ import annotations

import os
import time
import uuid


def worker_id() -> str:
    """`wrk_` and a UUIDv7: a restart is another worker."""
    millis = time.time_ns() // 1_000_000
    value = (millis << 80) | int.from_bytes(os.urandom(10), "big")
    value = value & ~(0xF << 76) | (0x7 << 76)
    value = value & ~(0x3 << 62) | (0x2 << 62)
    return f"wrk_{uuid.UUID(int=value)}"


def lease_id() -> str:
    """`lse_` and a random UUID, which nobody else can guess."""
    return f"lse_{uuid.uuid4()}"
