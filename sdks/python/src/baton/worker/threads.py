"""Threads for plain functions. They are daemons: one that cannot be stopped does not keep the process alive."""

from __future__ import annotations

import threading
from queue import SimpleQueue
from typing import Callable, Union


class Threads:
    """Makes a thread when there is work and none is free, up to a limit."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._work: SimpleQueue[Union[Callable[[], None], None]] = SimpleQueue()
        self._lock = threading.Lock()
        self._count = 0
        self._free = 0

    def submit(self, work: Callable[[], None]) -> None:
        """Has it done as soon as a thread is free."""
        with self._lock:
            if self._free > 0:
                self._free -= 1
            elif self._count < self._most:
                self._count += 1
                threading.Thread(target=self._run, name=f"baton-handler-{self._count}", daemon=True).start()
        self._work.put(work)

    def close(self) -> None:
        """Ends the threads that are free, and the others as they become so."""
        for _ in range(self._count):
            self._work.put(None)

    def _run(self) -> None:
        while True:
            work = self._work.get()
            if work is None:
                return
            work()
            with self._lock:
                self._free += 1
