"""The keeper: the thread that claims, beats, watches the clock and says how attempts ended."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import deque
from concurrent.futures import Future
from typing import Any, Callable, Coroutine, Sequence

from baton._transport import Settings
from baton.definitions import AnyJob
from baton.errors import WorkerEnded
from baton.middleware import Middleware
from baton.verdicts import Verdict, failed
from baton.worker.attempt import Attempt, Lease, Stage
from baton.worker.batches import Batches
from baton.worker.beats import Beats
from baton.worker.checkpoints import Checkpoints, saving_of
from baton.worker.claimer import Claimer
from baton._clock import now
from baton.worker.cover import Cover
from baton.worker.leases import Leases
from baton.worker.results import Results
from baton.worker.runner import Runner
from baton.worker.settings import WorkerSettings
from baton.worker.stop import stop_in_order
from baton.worker.watch import Watch
from baton.worker.wire import Wire

log = logging.getLogger("baton.worker")
_LAST_WORD = 2.0
"""How long the loop of the handlers may take to hear that the worker has stopped."""


class Keeper:
    """All that a worker knows lives on its thread; others hand over words, and never touch it."""

    wire: Wire
    results: Results
    checkpoints: Checkpoints
    beats: Beats
    cover: Cover
    claimer: Claimer
    stop_asked: asyncio.Event

    def __init__(
        self,
        settings: Settings,
        worker: WorkerSettings,
        jobs: Sequence[AnyJob],
        middleware: Sequence[Middleware],
        handlers: asyncio.AbstractEventLoop,
    ) -> None:
        self.settings = settings
        self.worker = worker
        self.jobs = {job.kind: job for job in jobs}
        self.leases = Leases()
        self.standing: deque[Attempt] = deque()
        self.running: set[Attempt] = set()
        self.stuck = 0
        self.asked_at: float | None = None
        self.draining = False
        """Whether this worker stops."""
        self.resting = False
        """Whether the server asked that it takes nothing new."""
        self.exit_code = 0
        self.fatal: BaseException | None = None
        self.registered = threading.Event()
        self.done: Future[int] = Future()
        self.runner = Runner(handlers, middleware, worker.slots, self, self.ended)
        self.batches = Batches(self.runner, self._mark_started)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._words: deque[Callable[[], None]] = deque()
        self._told_of_words = False
        self._stopped_early = False

    # From every thread.

    def start(self) -> None:
        """Begins to work."""
        threading.Thread(target=self._thread, name="baton-keeper", daemon=True).start()

    def stop(self) -> None:
        """Stops in order: what runs may end, what it says is recorded."""
        self._stopped_early = True
        self._post(lambda: self.stop_asked.set())

    def ended(self, attempt: Attempt, verdict: Verdict | None) -> None:
        """A handler has ended."""
        moment = now()
        self._post(lambda: self._take_end(attempt, verdict, moment))

    def save(self, attempt: Attempt, body: dict[str, Any]) -> Future[list[dict[str, Any]]]:
        """A handler moves its cursor."""
        saving = saving_of(attempt, body)
        self._post(lambda: self.checkpoints.save(saving))
        return saving.future

    def tell_progress(self, attempt: Attempt) -> None:
        """A handler says how far it is."""
        attempt.progress_told = False
        self._post(lambda: self.beats.soon())

    def _post(self, word: Callable[[], None]) -> None:
        self._words.append(word)
        if not self._told_of_words and self._loop is not None:
            self._told_of_words = True
            try:
                self._loop.call_soon_threadsafe(self._listen)
            except RuntimeError:
                log.debug("the keeper has ended")

    # On its own thread.

    def _listen(self) -> None:
        self._told_of_words = False
        try:
            while self._words:
                self._words.popleft()()
            self.pump()
        except Exception as error:
            self.broke(error)

    def _thread(self) -> None:
        try:
            asyncio.run(self._main())
        except BaseException as error:
            log.exception("the keeper broke")
            self.fatal = self.fatal or error
        if self.fatal is not None:
            self.done.set_exception(self.fatal)
        else:
            self.done.set_result(self.exit_code)
        self._leave_if_blocked()

    def _leave_if_blocked(self) -> None:
        """A loop that a handler blocks does not hear that the worker has stopped, and would keep the process."""
        heard = threading.Event()
        try:
            self.runner.loop.call_soon_threadsafe(heard.set)
        except RuntimeError:
            return
        # One that has ended meanwhile is not blocked.
        if not heard.wait(_LAST_WORD) and self.running and not self.runner.loop.is_closed():
            code = self.exit_code or (1 if self.fatal else 0)
            log.critical("a handler blocks the process, whose worker has stopped: it ends with %d", code)
            self.worker.leave(code)

    async def _main(self) -> None:
        self.stop_asked = asyncio.Event()
        queues = list(dict.fromkeys([*self.jobs, *(job.queue for job in self.jobs.values()), *self.worker.queues]))
        self.wire = Wire(self.settings, self.worker, list(self.jobs), queues)
        self.results = Results(self.wire, self._settled)
        self.checkpoints = Checkpoints(self.wire, lambda attempt: attempt.cancel("lost"))
        self.cover = Cover()
        self.beats = Beats(self)
        self.claimer = Claimer(self, queues)
        self._loop = asyncio.get_running_loop()
        if self._stopped_early:
            self.stop_asked.set()
        self._listen()
        if await self._register():
            await self._work()
        await self.wire.close()

    async def _register(self) -> bool:
        registering = asyncio.ensure_future(self.wire.register())
        stopping = asyncio.ensure_future(self.stop_asked.wait())
        await asyncio.wait([registering, stopping], return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        if not registering.done():
            registering.cancel()
            return False
        if registering.exception() is not None:
            self.fatal = registering.exception()
            return False
        self.beats.renewed_at = now()
        log.info("%s works for %s", self.wire.id, self.settings.addresses.current)
        self.registered.set()
        return True

    async def _work(self) -> None:
        watch = Watch(self)
        parts = [self.results.run(), self.checkpoints.run(), self.beats.run(), self.beats.run_extra(), watch.run()]
        tasks = [asyncio.ensure_future(self._guarded(part)) for part in parts]
        claims = asyncio.ensure_future(self._guarded(self.claimer.run()))
        await self.stop_asked.wait()
        await stop_in_order(self, claims)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.runner.close()

    async def _guarded(self, part: Coroutine[Any, Any, None]) -> None:
        try:
            await part
        except Exception as error:
            self.broke(error)

    def broke(self, error: BaseException | None) -> None:
        """Ends the worker: the server has no use for it, or it is faulty."""
        if self.fatal is None:
            self.fatal = error
            if isinstance(error, WorkerEnded):
                log.error("this worker ends: %s", error)
            else:
                log.error("this worker breaks", exc_info=error)
        self.stop_asked.set()

    @property
    def running_count(self) -> int:
        """How many slots are taken."""
        return len(self.running)

    @property
    def standing_count(self) -> int:
        """How many have been claimed and have not begun."""
        return len(self.standing)

    @property
    def free_slots(self) -> int:
        """How many may begin."""
        return max(0, self.worker.slots - len(self.running))

    def claimed(self, attempt: Attempt) -> None:
        """A job is ours."""
        attempt.lease.attempts.add(attempt)
        if attempt.definition is None:
            log.error("nothing here handles the kind %r: %s is put off", attempt.job["kind"], attempt.job["id"])
            self.results.tell(attempt, Verdict("snoozed", {"after": "10s"}))
        else:
            self.standing.append(attempt)

    def pump(self) -> None:
        """Has begin what may, and claims for the room that is left."""
        if self.standing and not self.draining and not self.resting:
            self._start(self._next_to_start())
        self.claimer.look()

    def _next_to_start(self) -> list[Attempt]:
        moment, free = now(), self.free_slots
        ready: list[Attempt] = []
        held_back: list[Attempt] = []
        while self.standing and len(ready) < free:
            attempt = self.standing.popleft()
            enough = attempt.lease.deadline - moment >= self.wire.terms.needed(attempt.timeout)
            (ready if enough else held_back).append(attempt)
        if held_back:
            self.standing.extendleft(reversed(held_back))
            self.beats.soon()
        return ready

    def _start(self, attempts: list[Attempt]) -> None:
        self.running.update(attempts)
        alone: list[Attempt] = []
        for attempt in attempts:
            if attempt.definition is not None and attempt.definition.batch_size > 1:
                self.batches.add(attempt)
            else:
                alone.append(attempt)
        if alone:
            self._mark_started(alone)
            self.runner.start(alone)

    def _mark_started(self, attempts: list[Attempt]) -> None:
        moment = now()
        for attempt in attempts:
            attempt.start(moment)

    def _take_end(self, attempt: Attempt, verdict: Verdict | None, moment: float) -> None:
        attempt.ended_at = moment
        attempt.stage = Stage.ENDED
        self.running.discard(attempt)
        if attempt.told:
            log.warning("%s ended after it had been told as timed out", attempt.job["id"])
        elif attempt.lease.lost and (verdict is None or (verdict.error is not None and attempt.why == "lost")):
            self.leases.drop(attempt)
        else:
            self.results.tell(attempt, verdict or attempt.verdict_of_cancellation())

    def _settled(self, attempt: Attempt) -> None:
        self.leases.drop(attempt)

    def tell_instead(self, attempt: Attempt, verdict: Verdict) -> None:
        """Says how an attempt ended whose handler goes on all the same."""
        if attempt.told:
            return
        if attempt.lease.lost:
            attempt.told = True
            self.leases.drop(attempt)
        else:
            self.results.tell(attempt, verdict)

    def give_back(self, attempts: Sequence[Attempt]) -> None:
        """These have not begun: somebody else may have them."""
        for attempt in attempts:
            attempt.stage = Stage.ENDED
            if attempt.lease.lost:
                self.leases.drop(attempt)
            else:
                self.results.tell(attempt, Verdict("given_back"))

    def give_back_all(self) -> None:
        """The same of all that have not begun."""
        gathered = self.batches.take_all()
        self.running.difference_update(gathered)
        self.give_back([*gathered, *self.standing])
        self.standing.clear()

    def take_news(self, news: dict[str, Any], lost: list[Lease]) -> None:
        """What a beat has brought."""
        for lease in lost:
            self._lose(lease)
        stop = {one["job"] for one in news.get("stop", [])}
        if stop:
            self._stop_jobs(stop)
        if bool(news.get("drain")) != self.resting:
            self._rest(bool(news.get("drain")))
        self.pump()

    def rest(self) -> None:
        """A claim was answered with the wish that this worker takes nothing new."""
        if not self.resting:
            self._rest(True)

    def _lose(self, lease: Lease) -> None:
        log.warning("the lease %s is lost with %d jobs", lease.id, len(lease.attempts))
        gone = [attempt for attempt in lease.attempts if attempt.stage is Stage.STANDING]
        self.standing = deque(attempt for attempt in self.standing if attempt not in gone)
        self.running.difference_update(self.batches.take(gone))
        for attempt in gone:
            self.leases.drop(attempt)
        for attempt in list(lease.attempts):
            attempt.cancel("lost")

    def _stop_jobs(self, ids: set[str]) -> None:
        for attempt in [one for one in (*self.running, *self.standing) if one.job["id"] in ids]:
            attempt.asked_to_cancel = True
            if attempt.stage is Stage.RUNNING:
                attempt.cancel("canceled")
            elif attempt.stage is Stage.STANDING:
                self._cancel_standing(attempt)

    def _cancel_standing(self, attempt: Attempt) -> None:
        attempt.stage = Stage.ENDED
        self.running.difference_update(self.batches.take([attempt]))
        if attempt in self.standing:
            self.standing.remove(attempt)
        self.results.tell(attempt, Verdict("canceled"))

    def _rest(self, resting: bool) -> None:
        log.info("the server asks this worker to %s", "take nothing new" if resting else "go on")
        self.resting = resting
        if resting:
            self.give_back_all()
            self.tell_stopping()

    def tell_stopping(self) -> None:
        """Has handlers know that they should save where they are."""
        for attempt in self.running:
            attempt.stopping = True

    def progress_to_tell(self) -> list[dict[str, Any]]:
        """What has changed since the last beat."""
        told = []
        for attempt in self.running:
            if not attempt.progress_told and attempt.progress:
                attempt.progress_told = True
                told.append({"token": attempt.job["token"], **attempt.progress})
        return told

    def timed_out(self, attempt: Attempt) -> None:
        """Its handler has not ended although its time is over: it is told, and its slot stays taken."""
        self.tell_instead(attempt, failed("unknown", "timeout", f"it took longer than {attempt.job['timeout']}"))
