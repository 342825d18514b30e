"""A clock that goes on while the machine sleeps, as the server's does."""

from __future__ import annotations

import time

if hasattr(time, "CLOCK_BOOTTIME"):

    def now() -> float:
        """Seconds since some moment."""
        return time.clock_gettime(time.CLOCK_BOOTTIME)

else:

    def now() -> float:
        """Seconds since some moment."""
        return time.monotonic()
