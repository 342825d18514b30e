"""The twelve rules of a worker, against a scripted server."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from typing import Any

import pytest

import baton
from conftest import working
from scripted import ScriptedServer


async def _until(is_so: Any, timeout: float = 5.0) -> None:
    end = time.monotonic() + timeout
    while not is_so():
        assert time.monotonic() < end, "the condition did not come true"
        await asyncio.sleep(0.01)


async def off_loop(work: Any, *args: Any) -> Any:
    """Waits for the scripted server without holding the loop of the handlers."""
    return await asyncio.to_thread(work, *args)


def test_w1_a_handler_is_cancelled_before_its_lease_can_have_ended(server: ScriptedServer, app: baton.App) -> None:
    cancelled_at: list[float] = []

    @app.job("hang")
    async def hang(_: Any) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            cancelled_at.append(time.monotonic())

    async def scenario() -> None:
        async with working(app, slots=2):
            job = server.add("hang")
            await off_loop(server.wait_for, lambda: job.state == "running")
            server.faults["beat"].extend(["503"] * 100)
            await _until(lambda: cancelled_at)
            server.faults["beat"].clear()

    asyncio.run(scenario())

    good = [call.at for call in server.calls("beat")][0]
    assert cancelled_at[0] - good < server.lease * 2


def test_w1_what_a_handler_says_after_its_lease_is_sent_as_a_late_result(server: ScriptedServer, app: baton.App) -> None:
    began = threading.Event()
    go_on = threading.Event()

    @app.job("slow")
    def slow(_: Any) -> str:
        began.set()
        assert go_on.wait(10)
        return "done all the same"

    async def scenario() -> None:
        async with working(app, slots=4):
            job = server.add("slow")
            await off_loop(began.wait, 5)
            server.take_lease_of(job)
            await off_loop(server.wait_for, lambda: len(server.calls("beat")) > 3)
            go_on.set()
            await off_loop(server.wait_for, lambda: server.calls("results"))

    asyncio.run(scenario())

    assert server.calls("results")[0].body["results"][0]["result"] == "done all the same"


def test_w2_nothing_starts_with_too_little_of_its_lease_left(app: baton.App, server: ScriptedServer) -> None:
    from baton.worker.settings import Terms

    terms = Terms(lease=30.0)

    needed = [terms.needed(timeout) for timeout in (1.0, 10.0, 600.0)]

    assert needed == [3.0, 12.0, 12.0]
    assert terms.deadline - terms.claim_wait(waits_are_told=False) > needed[2]
    assert terms.deadline - 2 * terms.beat_wait >= needed[2]


def test_w3_nothing_is_claimed_while_results_are_not_taken(server: ScriptedServer, app: baton.App) -> None:
    @app.job("quick")
    async def quick(_: Any) -> None: ...

    async def scenario() -> None:
        async with working(app, slots=1):
            server.fail_next("results", *["503"] * 4)
            job = server.add("quick")
            await off_loop(server.ended, job)

    asyncio.run(scenario())

    first, last = server.calls("results")[0].at, server.calls("results")[4].at
    # The one claim that may have been sent before the first refusal was heard is not held against it.
    late = [call for call in server.calls("claim") if first < call.at < last]
    assert len(late) <= 1


@pytest.mark.parametrize("fault", ["503", "drop", "page"])
def test_w4_a_result_is_sent_again_in_the_same_words_until_it_is_answered(
    server: ScriptedServer, app: baton.App, fault: str
) -> None:
    @app.job("quick")
    async def quick(_: Any) -> str:
        return "käse"

    async def scenario() -> None:
        async with working(app, slots=4):
            server.fail_next("results", fault, fault, fault)
            await off_loop(server.ended, server.add("quick"))
            await off_loop(server.wait_for, lambda: len(server.calls("results")) >= 4)

    asyncio.run(scenario())

    words = {call.raw for call in server.calls("results")[:4]}
    assert len(words) == 1


def test_w5_every_job_claimed_ends_in_a_result_a_give_back_or_a_lost_lease(
    server: ScriptedServer, app: baton.App
) -> None:
    @app.job("mixed")
    async def mixed(n: int) -> int:
        if n % 3 == 0:
            raise baton.Skip("nothing to do")
        if n % 3 == 1:
            raise RuntimeError("no")
        return n

    async def scenario() -> list[Any]:
        jobs = [server.add("mixed", n) for n in range(200)]
        async with working(app, slots=8):
            for job in jobs:
                await off_loop(server.ended, job)
        return jobs

    jobs = asyncio.run(scenario())

    assert {job.state for job in jobs} == {"skipped", "failed", "succeeded"}
    assert all(job.lease is None for job in jobs)


def test_a_claim_whose_answer_was_lost_is_repeated_under_the_same_leases(
    server: ScriptedServer, app: baton.App
) -> None:
    @app.job("quick")
    async def quick(_: Any) -> None: ...

    async def scenario() -> Any:
        job = server.add("quick")
        server.fail_next("claim", "drop", "drop")
        async with working(app, slots=4):
            await off_loop(server.ended, job)
        return job

    job = asyncio.run(scenario())

    claims = server.calls("claim")[:3]
    assert [call.body["repeat"] for call in claims] == [0, 1, 2]
    assert len({json.dumps(call.body["wants"]) for call in claims}) == 1
    assert job.attempt == 1


def test_w7_beats_go_on_while_a_handler_blocks_the_loop(server: ScriptedServer, app: baton.App) -> None:
    @app.job("block")
    async def block(_: Any) -> str:
        time.sleep(2 * server.lease)
        return "still ours"

    async def scenario() -> Any:
        job = server.add("block", timeout="60s")
        async with working(app, slots=4):
            await off_loop(server.ended, job)
        return job

    job = asyncio.run(scenario())

    assert job.verdict["result"] == "still ours"
    assert len(server.calls("beat")) > 4


def test_w7_a_loop_that_does_not_move_any_more_ends_the_process(server: ScriptedServer, app: baton.App) -> None:
    left: list[int] = []
    go_on = threading.Event()

    @app.job("block")
    async def block(_: Any) -> None:
        go_on.wait(20)

    def leave(code: int) -> None:
        left.append(code)
        go_on.set()

    async def scenario() -> None:
        server.add("block", timeout="200ms")
        async with working(app, slots=4, leave=leave):
            await _until(lambda: left, timeout=10)

    asyncio.run(scenario())

    assert left[0] == 70


def test_w8_a_time_out_is_told_although_the_handler_does_not_stop(server: ScriptedServer, app: baton.App) -> None:
    go_on = threading.Event()

    @app.job("stubborn")
    def stubborn(_: Any) -> None:
        go_on.wait(20)

    async def scenario() -> Any:
        job = server.add("stubborn", timeout="200ms")
        async with working(app, slots=4) as worker:
            await off_loop(server.ended, job)
            await _until(lambda: worker.stuck == 1)
            go_on.set()
            await _until(lambda: worker.stuck == 0)
        return job

    job = asyncio.run(scenario())

    assert (job.verdict["verdict"], job.verdict["class"], job.verdict["code"]) == ("failed", "unknown", "timeout")


def test_w8_with_half_of_its_slots_stuck_a_worker_stops_with_70(server: ScriptedServer, app: baton.App) -> None:
    go_on = threading.Event()

    @app.job("stubborn")
    def stubborn(_: Any) -> None:
        go_on.wait(20)

    async def scenario() -> int:
        server.add("stubborn", timeout="100ms")
        async with working(app, slots=2) as worker:
            code = await worker.stopped()
            go_on.set()
            return code

    assert asyncio.run(scenario()) == 70


def test_w9_a_worker_that_stops_gives_back_lets_end_records_and_leaves_in_this_order(
    server: ScriptedServer, app: baton.App
) -> None:
    began = asyncio.Event()

    @app.job("walk")
    async def walk(_: Any, ctx: baton.Context) -> str:
        began.set()
        while not ctx.stopping:
            await asyncio.sleep(0.01)
        return "ended by itself"

    async def scenario() -> Any:
        job = server.add("walk")
        async with working(app, slots=1) as worker:
            await began.wait()
            worker.stop()
            await worker.stopped()
        return job

    job = asyncio.run(scenario())

    assert job.verdict["result"] == "ended by itself"
    names = [call.name for call in server.asked]
    draining = next(at for at, call in enumerate(server.asked) if call.name == "beat" and call.body["draining"])
    assert draining < names.index("results") < names.index("leave")
    assert "claim" not in names[draining:]


def test_w9_what_does_not_end_within_grace_is_told_as_shut_down(server: ScriptedServer, app: baton.App) -> None:
    began = asyncio.Event()

    @app.job("hang")
    async def hang(_: Any) -> None:
        began.set()
        await asyncio.sleep(60)

    async def scenario() -> Any:
        job = server.add("hang")
        async with app.worker(slots=1, grace="100ms"):
            await began.wait()
        return job

    job = asyncio.run(scenario())

    assert (job.verdict["class"], job.verdict["code"]) == ("unknown", "shutdown")


def test_w10_the_idempotency_key_is_the_same_in_every_attempt(server: ScriptedServer, app: baton.App) -> None:
    @app.job("key")
    async def key(_: Any, ctx: baton.Context) -> str:
        return ctx.idempotency_key

    async def scenario() -> Any:
        job = server.add("key")
        job.attempt = 4
        async with working(app, slots=1):
            await off_loop(server.ended, job)
        return job

    job = asyncio.run(scenario())

    assert job.verdict["result"] == f"{job.id}.1"


@pytest.mark.parametrize("call", ["beat", "claim", "results"])
def test_w11_a_worker_that_was_forgotten_registers_again_and_goes_on(
    server: ScriptedServer, app: baton.App, call: str
) -> None:
    @app.job("quick")
    async def quick(_: Any) -> None: ...

    async def scenario() -> None:
        async with working(app, slots=1):
            server.fail_next(call, "unknown-worker")
            for _ in range(2):
                await off_loop(server.ended, server.add("quick"))
            await off_loop(server.wait_for, lambda: len(server.calls("register")) == 2)

    asyncio.run(scenario())

    assert len(server.workers) == 1


@pytest.mark.parametrize("fault", ["worker-left", "401"])
def test_w11_a_worker_ends_that_the_server_has_no_use_for(server: ScriptedServer, app: baton.App, fault: str) -> None:
    @app.job("quick")
    async def quick(_: Any) -> None: ...

    async def scenario() -> None:
        async with working(app, slots=1) as worker:
            server.fail_next("beat", *[fault] * 20)
            with pytest.raises(baton.WorkerEnded):
                await worker.stopped()

    asyncio.run(scenario())


def test_w12_what_was_claimed_ahead_and_is_not_begun_is_given_back(server: ScriptedServer, app: baton.App) -> None:
    @app.job("uneven")
    async def uneven(ms: int) -> None:
        await asyncio.sleep(ms / 1000)

    async def scenario() -> list[Any]:
        async with working(app, slots=2):
            quick = [server.add("uneven", 0) for _ in range(200)]
            for job in quick:
                await off_loop(server.ended, job)
            slow = [server.add("uneven", 3_000, timeout="30s") for _ in range(8)]
            await off_loop(server.wait_for, lambda: any(job.state == "given_back" for job in slow))
        return slow

    slow = asyncio.run(scenario())

    given_back = [job for job in slow if job.state == "given_back"]
    assert all("started_ago" not in job.verdict for job in given_back)


def test_w12_the_next_address_is_tried_when_one_does_not_answer(server: ScriptedServer) -> None:
    app = baton.App(f"http://127.0.0.1:1,{server.url}")

    @app.job("quick")
    async def quick(_: None) -> str:
        return "found"

    async def scenario() -> str:
        async with working(app, slots=1):
            handle = await quick.enqueue(None)
            return await handle.result("5s")

    assert asyncio.run(scenario()) == "found"


def test_a_cancel_reaches_a_handler_by_the_beat_that_waits(server: ScriptedServer, app: baton.App) -> None:
    @app.job("hang")
    async def hang(_: Any, ctx: baton.Context) -> None:
        await asyncio.sleep(60)

    async def scenario() -> tuple[Any, float]:
        job = server.add("hang")
        async with working(app, slots=1):
            await off_loop(server.wait_for, lambda: job.state == "running")
            asked = time.monotonic()
            server.cancel(job)
            await off_loop(server.ended, job)
            return job, time.monotonic() - asked

    job, taken = asyncio.run(scenario())

    assert job.verdict["verdict"] == "canceled"
    assert taken < 1.0


def test_a_drained_worker_takes_nothing_new_until_it_may_again(server: ScriptedServer, app: baton.App) -> None:
    @app.job("quick")
    async def quick(_: Any) -> None: ...

    async def scenario() -> None:
        async with working(app, slots=1):
            await off_loop(server.ended, server.add("quick"))
            server.drain = True
            await off_loop(server.wait_for, lambda: len(server.calls("beat")) > 4)
            claims = len(server.calls("claim"))
            job = server.add("quick")
            beats = len(server.calls("beat"))
            await off_loop(server.wait_for, lambda: len(server.calls("beat")) > beats + 1)
            assert len(server.calls("claim")) <= claims + 1
            server.drain = False
            await off_loop(server.ended, job)

    asyncio.run(scenario())


def test_w3_results_that_are_refused_after_silence_do_not_keep_a_worker_from_claiming(
    server: ScriptedServer, app: baton.App
) -> None:
    @app.job("quick")
    async def quick(_: Any) -> str:
        return "done"

    async def scenario() -> Any:
        async with working(app, slots=1):
            server.fail_next("results", "503", "422", "422")
            server.add("quick")
            await off_loop(server.wait_for, lambda: len(server.calls("results")) >= 3)
            # A claim that was open before all this brings nothing.
            await asyncio.sleep(1.5 * server.lease)
            job = server.add("quick")
            await off_loop(server.ended, job, 5.0)
        return job

    assert asyncio.run(scenario()).verdict["result"] == "done"


@pytest.mark.parametrize("why", ["timeout", "shutdown"])
def test_what_a_handler_raises_once_it_was_told_to_end_says_nothing_of_its_call(
    server: ScriptedServer, app: baton.App, why: str
) -> None:
    began = threading.Event()

    @app.job("call")
    async def call(_: Any) -> None:
        began.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            raise ConnectionError("the call was cut off") from None

    async def scenario() -> Any:
        job = server.add("call", timeout="200ms" if why == "timeout" else "60s", delivery="at_most_once")
        async with app.worker(slots=2, grace="2s" if why == "timeout" else "100ms"):
            await off_loop(began.wait, 5)
            if why == "timeout":
                await off_loop(server.ended, job)
        return job

    job = asyncio.run(scenario())

    assert (job.verdict["class"], job.verdict["code"]) == ("unknown", why)


def test_jobs_beside_one_that_takes_too_long_in_a_batch_have_unknown_outcomes(
    server: ScriptedServer, app: baton.App
) -> None:
    @app.batch("call", size=2, linger="1s")
    async def call(_: list[baton.Item[Any]]) -> dict[str, Any]:
        await asyncio.sleep(60)
        return {}

    async def scenario() -> list[Any]:
        jobs = [server.add("call", timeout=timeout) for timeout in ("200ms", "60s")]
        async with working(app, slots=2):
            for job in jobs:
                await off_loop(server.ended, job)
        return jobs

    jobs = asyncio.run(scenario())

    assert [(job.verdict["class"], job.verdict["code"]) for job in jobs] == [("unknown", "timeout")] * 2


async def _passes_on(call: baton.Call, next: baton.Next) -> baton.Verdict:
    return await next(call)


def test_w8_a_plain_function_below_middleware_keeps_its_slot_while_its_thread_runs_on(
    server: ScriptedServer, app: baton.App
) -> None:
    go_on = threading.Event()
    app.use(_passes_on)

    @app.job("stubborn")
    def stubborn(_: Any) -> None:
        go_on.wait(20)

    async def scenario() -> Any:
        job = server.add("stubborn", timeout="200ms")
        async with working(app, slots=4) as worker:
            await off_loop(server.ended, job)
            await _until(lambda: worker.stuck == 1)
            go_on.set()
            await _until(lambda: worker.stuck == 0)
        return job

    job = asyncio.run(scenario())

    assert (job.verdict["verdict"], job.verdict["class"], job.verdict["code"]) == ("failed", "unknown", "timeout")


def test_w8_with_half_of_its_slots_stuck_below_middleware_a_worker_stops_with_70(
    server: ScriptedServer, app: baton.App
) -> None:
    go_on = threading.Event()
    app.use(_passes_on)

    @app.job("stubborn")
    def stubborn(_: Any) -> None:
        go_on.wait(20)

    async def scenario() -> int:
        server.add("stubborn", timeout="100ms")
        async with working(app, slots=2) as worker:
            return await worker.stopped()

    began = time.monotonic()
    # The loop ends although the thread does not.
    assert asyncio.run(scenario()) == 70
    assert time.monotonic() - began < 10
    go_on.set()


def test_a_canceled_plain_function_below_middleware_says_itself_how_it_ended(
    server: ScriptedServer, app: baton.App
) -> None:
    began, go_on = threading.Event(), threading.Event()
    seen: list[str] = []

    async def sees(call: baton.Call, next: baton.Next) -> baton.Verdict:
        verdict = await next(call)
        seen.append(verdict.word)
        return verdict

    app.use(sees)

    @app.job("plain")
    def plain(_: Any) -> str:
        began.set()
        go_on.wait(20)
        return "done all the same"

    async def scenario() -> Any:
        job = server.add("plain")
        async with working(app, slots=2) as worker:
            await off_loop(began.wait, 5)
            server.cancel(job)
            await asyncio.sleep(0.5)
            assert job.verdict is None, "its work goes on"
            go_on.set()
            await off_loop(server.ended, job)
            assert worker.stuck == 0
        return job

    job = asyncio.run(scenario())

    assert (job.verdict["verdict"], job.verdict.get("result"), seen) == ("accepted", "done all the same", ["accepted"])


def test_middleware_that_gives_up_waiting_does_not_free_the_slot_of_a_thread(
    server: ScriptedServer, app: baton.App
) -> None:
    go_on = threading.Event()
    running: list[int] = []

    async def impatient(call: baton.Call, next: baton.Next) -> baton.Verdict:
        return await asyncio.wait_for(next(call), 0.1)

    app.use(impatient)

    @app.job("plain")
    def plain(n: int) -> None:
        running.append(n)
        go_on.wait(20)

    async def scenario() -> Any:
        async with working(app, slots=1):
            job = server.add("plain", 1)
            await off_loop(server.wait_for, lambda: job.state == "running")
            await asyncio.sleep(0.5)
            assert job.verdict is None, "its work goes on"
            go_on.set()
            await off_loop(server.ended, job)
        return job

    job = asyncio.run(scenario())

    assert job.verdict["code"] == "TimeoutError"
