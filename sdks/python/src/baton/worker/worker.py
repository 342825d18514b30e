"""A worker as its program holds it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from types import FrameType
from typing import Iterator, Sequence, Union

from baton._transport import Settings
from baton.definitions import AnyJob
from baton.middleware import Middleware
from baton.worker.keeper import Keeper
from baton.worker.settings import WorkerSettings

log = logging.getLogger("baton.worker")
_INTERRUPTED = 130


class Worker:
    """Runs jobs for as long as it is entered: `async with app.worker(slots=16): …`."""

    def __init__(
        self, settings: Settings, jobs: Sequence[AnyJob], middleware: Sequence[Middleware], worker: WorkerSettings
    ) -> None:
        self._settings = settings
        self._jobs = jobs
        self._middleware = middleware
        self._worker = worker
        self._keeper: Union[Keeper, None] = None
        self._stop_asked = False

    async def run(self) -> int:
        """Works until it is stopped; gives the code that the process should end with."""
        async with self:
            return await self.stopped()

    def stop(self) -> None:
        """Stops in order; callable from every thread."""
        self._stop_asked = True
        if self._keeper is not None:
            self._keeper.stop()

    async def stopped(self) -> int:
        """Waits until it has stopped; raises `WorkerEnded` if the server has no more use for it."""
        assert self._keeper is not None, "the worker was not started: async with app.worker(): …"
        return await asyncio.wrap_future(self._keeper.done)

    @property
    def id(self) -> str:
        """Its id, once it has registered."""
        assert self._keeper is not None, "the worker was not started: async with app.worker(): …"
        return self._keeper.wire.id

    @property
    def stuck(self) -> int:
        """How many slots are taken by handlers that do not end although their time is over."""
        return 0 if self._keeper is None else self._keeper.stuck

    async def __aenter__(self) -> Worker:
        loop = asyncio.get_running_loop()
        self._keeper = Keeper(self._settings, self._worker, self._jobs, self._middleware, loop)
        self._keeper.start()
        if self._stop_asked:
            self._keeper.stop()
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._keeper is not None
        self._keeper.stop()
        await asyncio.gather(asyncio.wrap_future(self._keeper.done), return_exceptions=True)

    @contextlib.contextmanager
    def signals(self) -> Iterator[None]:
        """SIGTERM and SIGINT stop it in order; the second one leaves at once, with 130.

        These are signal handlers of Python, not of the loop: a handler that blocks the loop does not keep them away.
        """
        before = {number: signal.signal(number, self._signalled) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def leave_if_stuck(self, code: int) -> None:
        """Ends the process where handlers run on that nobody can stop."""
        if self._keeper is not None and self._keeper.running:
            log.error("%d handlers do not end: the process does", len(self._keeper.running))
            logging.shutdown()
            self._worker.leave(code)

    def _signalled(self, number: int, frame: Union[FrameType, None]) -> None:
        if self._stop_asked:
            self._worker.leave(_INTERRUPTED)
        self.stop()
