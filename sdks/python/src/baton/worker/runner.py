"""Runs handlers: on the user's loop or on threads, never on the keeper's."""

from __future__ import annotations

import asyncio
import contextvars
import logging
from dataclasses import replace
from functools import partial
from typing import Any, Callable, Protocol, Sequence

from baton import _payload
from baton.context import Desk, current_job
from baton.definitions import AnyJob, Item
from baton.errors import PayloadError
from baton.middleware import Call, Middleware, chain
from baton.verdicts import Said, Verdict, accepted, failed, of_exception
from baton.worker.attempt import Attempt
from baton.worker.threads import Threads

log = logging.getLogger("baton.handler")


class Ended(Protocol):
    """Who hears how attempts ended; callable from every thread. None: because it was cancelled."""

    def __call__(self, attempt: Attempt, verdict: Verdict | None) -> None: ...


class Runner:
    """Where handlers run."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        middleware: Sequence[Middleware],
        most_threads: int,
        desk: Desk,
        ended: Ended,
    ) -> None:
        self.loop = loop
        self._threads = Threads(most_threads)
        self._desk = desk
        self._ended = ended
        self._chain = chain(middleware, self._innermost) if middleware else None
        self._tasks: set[asyncio.Future[Any]] = set()
        self._on_threads: dict[Attempt, asyncio.Future[Any]] = {}
        """What runs on threads for tasks, and cannot be cancelled with them."""

    def start(self, attempts: list[Attempt]) -> None:
        """Has these begin, each by itself; from the keeper's thread."""
        on_loop: list[Attempt] = []
        for attempt in attempts:
            if definition_of(attempt).is_async or self._chain is not None:
                on_loop.append(attempt)
            else:
                self._threads.submit(partial(self._run_on_thread, attempt))
        if on_loop:
            self.loop.call_soon_threadsafe(self._begin, on_loop)

    def start_batch(self, attempts: list[Attempt]) -> None:
        """Has these begin as one call; from the keeper's thread."""
        if definition_of(attempts[0]).is_async:
            self.loop.call_soon_threadsafe(self._begin_batch, attempts)
        else:
            self._threads.submit(partial(self._run_batch_on_thread, attempts))

    def close(self) -> None:
        """Nothing more begins."""
        self._threads.close()

    def _begin(self, attempts: list[Attempt]) -> None:
        for attempt in attempts:
            task = self.loop.create_task(self._run(attempt))
            self._watch(task, [attempt])
            task.add_done_callback(partial(self._done, attempt))

    def _watch(self, task: asyncio.Task[Any], attempts: list[Attempt]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        stop = _Once(self.loop, task, attempts)
        for attempt in attempts:
            attempt.interrupt = stop
            if attempt.why is not None:
                stop()

    def _done(self, attempt: Attempt, task: asyncio.Task[Verdict]) -> None:
        thread = self._on_threads.pop(attempt, None)
        if thread is not None and not thread.done():
            # Middleware has ended, and what it stood around has not: the slot is taken until then.
            thread.add_done_callback(lambda _: self._done(attempt, task))
            return
        self._ended(attempt, None if task.cancelled() else task.result())

    async def _run(self, attempt: Attempt) -> Verdict:
        definition = definition_of(attempt)
        current_job.set(attempt.job)
        context = definition.context(attempt, self._desk)
        try:
            if self._chain is not None:
                return await self._chain(Call(attempt.job, context))
            return answered(attempt, await definition.call(definition.load(attempt.job["payload"]), context))
        except (Exception, SystemExit) as error:
            return said(attempt, error)

    async def _innermost(self, call: Call) -> Verdict:
        """The handler itself, below all middleware: what it raises has become a verdict when they see it."""
        attempt: Attempt = call.context._attempt
        definition = definition_of(attempt)
        try:
            args = definition.load(attempt.job["payload"])
            if definition.is_async:
                return answered(attempt, await definition.call(args, call.context))
            return answered(attempt, await self._on_thread([attempt], partial(definition.call, args, call.context)))
        except (Exception, SystemExit) as error:
            return said(attempt, error)

    async def _on_thread(self, attempts: Sequence[Attempt], work: Callable[[], Any]) -> Any:
        """What a function says on a thread; that its attempt is to end does not end the waiting for it, as it does not end it."""
        future: asyncio.Future[Any] = self.loop.create_future()
        variables = contextvars.copy_context()

        def run() -> None:
            result, raised = None, None
            try:
                result = variables.run(work)
            except BaseException as error:
                raised = error
            try:
                self.loop.call_soon_threadsafe(_resolve, future, result, raised)
            except RuntimeError:
                log.debug("the loop of the handlers is closed already")

        self._on_threads.update(dict.fromkeys(attempts, future))
        self._threads.submit(run)
        try:
            await asyncio.wait([future])
        except asyncio.CancelledError:
            # The worker cancels once; a second time, and whoever else does it, means this task itself.
            if any(attempt.why is None for attempt in attempts):
                raise
            _forget_cancellation()
            await asyncio.wait([future])
        return future.result()

    def _run_on_thread(self, attempt: Attempt) -> None:
        current_job.set(attempt.job)
        try:
            definition = definition_of(attempt)
            args = definition.load(attempt.job["payload"])
            verdict = answered(attempt, definition.call(args, definition.context(attempt, self._desk)))
        except BaseException as error:
            verdict = said(attempt, error)
        current_job.set(None)
        self._ended(attempt, verdict)

    def _begin_batch(self, attempts: list[Attempt]) -> None:
        task = self.loop.create_task(self._run_batch(attempts))
        self._watch(task, attempts)
        task.add_done_callback(partial(self._batch_done, attempts))

    async def _run_batch(self, attempts: list[Attempt]) -> list[Verdict]:
        definition = definition_of(attempts[0])
        try:
            items, verdicts = self._items(definition, attempts)
            answers = await definition.handler(items) if items else {}
            return [verdicts.get(attempt.job["id"]) or answer_of(attempt, answers) for attempt in attempts]
        except (Exception, SystemExit) as error:
            return [said(attempt, error) for attempt in attempts]

    def _batch_done(self, attempts: list[Attempt], task: asyncio.Task[list[Verdict]]) -> None:
        verdicts: Sequence[Verdict | None] = [None] * len(attempts) if task.cancelled() else task.result()
        for attempt, verdict in zip(attempts, verdicts):
            self._ended(attempt, verdict)

    def _run_batch_on_thread(self, attempts: list[Attempt]) -> None:
        definition = definition_of(attempts[0])
        try:
            items, verdicts = self._items(definition, attempts)
            answers = definition.handler(items) if items else {}
            told = [verdicts.get(attempt.job["id"]) or answer_of(attempt, answers) for attempt in attempts]
        except BaseException as error:
            told = [said(attempt, error) for attempt in attempts]
        for attempt, verdict in zip(attempts, told):
            self._ended(attempt, verdict)

    def _items(self, definition: AnyJob, attempts: list[Attempt]) -> tuple[list[Item[Any]], dict[str, Verdict]]:
        """What the handler is given, and what is said of payloads that it cannot be given."""
        items, verdicts = [], {}
        for attempt in attempts:
            try:
                args = definition.load(attempt.job["payload"])
                items.append(Item(attempt.job["id"], args, definition.context(attempt, self._desk)))
            except PayloadError as error:
                verdicts[attempt.job["id"]] = said(attempt, error)
        return items, verdicts


class _Once:
    """Cancels a task once: a second time would cut off what it does to clean up.

    A call for many goes on while any of its jobs is wanted, unless its time is over.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, task: asyncio.Task[Any], attempts: list[Attempt]) -> None:
        self._loop = loop
        self._task = task
        self._attempts = attempts
        self._called = False

    def __call__(self) -> None:
        reasons = [attempt.why for attempt in self._attempts]
        if not self._called and (all(reasons) or "timeout" in reasons):
            self._called = True
            for attempt in self._attempts:
                attempt.cancel("beside")
            try:
                self._loop.call_soon_threadsafe(self._task.cancel)
            except RuntimeError:
                log.debug("the loop of the handlers is closed already")


def definition_of(attempt: Attempt) -> AnyJob:
    """Its definition; attempts without one are put off before they begin."""
    assert attempt.definition is not None
    return attempt.definition


def answer_of(attempt: Attempt, answers: Any) -> Verdict:
    """What a batch says of one of its jobs: a value, or an exception in its place."""
    if not isinstance(answers, dict) or attempt.job["id"] not in answers:
        return failed("retry", "no_answer", "the handler of its batch has no answer for it")
    answer = answers[attempt.job["id"]]
    return said(attempt, answer) if isinstance(answer, BaseException) else answered(attempt, answer)


def answered(attempt: Attempt, result: Any) -> Verdict:
    """What a handler has returned; a dead letter if it is nothing that JSON has."""
    try:
        return accepted(_payload.dump(result))
    except PayloadError as error:
        log.error("%s: its result is no JSON: %s", attempt.job["id"], error, extra={"job_id": attempt.job["id"]})
        return failed("permanent", "bad_result", f"its result is no JSON: {error}")


def said(attempt: Attempt, error: BaseException) -> Verdict:
    """What an exception says, with a line in the log if it was not meant as a verdict."""
    if isinstance(error, PayloadError):
        log.error("%s: %s", attempt.job["id"], error, extra={"job_id": attempt.job["id"]})
        return failed("permanent", "bad_payload", str(error))
    if isinstance(error, Said):
        return of_exception(error)
    # Whatever a handler raises once it was told to end, it raises because of that.
    if attempt.why is not None:
        return replace(attempt.verdict_of_cancellation(), error=error)
    extra = {"job_id": attempt.job["id"], "kind": attempt.job["kind"], "attempt": attempt.job["attempt"]}
    log.error("%s failed: %r", attempt.job["id"], error, exc_info=error, extra=extra)
    return of_exception(error)


def _forget_cancellation() -> None:
    """Has the task go on as if it had not been cancelled."""
    uncancel = getattr(asyncio.current_task(), "uncancel", None)
    if uncancel is not None:
        uncancel()


def _resolve(future: asyncio.Future[Any], result: Any, error: BaseException | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error if isinstance(error, Exception) else RuntimeError(repr(error)))
