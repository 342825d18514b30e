"""The rules of a worker (`docs/concepts/workers.md`), as sentences about what it says to a server."""

from __future__ import annotations

import json
import time
from typing import Any, Callable

from scripted import seconds
from stage import Stage, wait, words

Rule = Callable[[Stage], None]
RULES: dict[str, Rule] = {}
LEASES: dict[str, float] = {}
"""How long leases last for a rule, where it is not a second."""
NEEDS: dict[str, str] = {}
"""What a worker has to be able to do for a rule: `block` is a handler that blocks all others of its process, `linger` one that goes on although
it was told to end, and `words` every verdict with its fields."""


def rule(*, lease: float = 1.0, needs: str = "") -> Callable[[Rule], Rule]:
    """Takes a sentence in."""

    def take(sentence: Rule) -> Rule:
        RULES[sentence.__name__] = sentence
        LEASES[sentence.__name__] = lease
        NEEDS[sentence.__name__] = needs
        return sentence

    return take


# W1 and W2: leases.


@rule()
def w1_a_handler_is_ended_before_its_lease_can_have_ended(stage: Stage) -> None:
    with stage.worker():
        job = stage.add("sleep", ms=60_000, timeout="5m")
        stage.runs(job)

        stage.server.faults["beat"].extend(["503"] * 1000)
        last = stage.calls("beat")[-1].at
        verdict = stage.ended(job)

        assert verdict["verdict"] == "failed" and verdict["class"] == "unknown", verdict
        ended = stage.calls("results")[-1].at
        assert ended - last < 1.5 * stage.server.lease, "it ran on for longer than a lease"


@rule(needs="linger")
def w1_what_a_handler_says_after_its_deadline_is_sent_as_a_late_result(stage: Stage) -> None:
    with stage.worker():
        job = stage.add("linger", ms=3_000, timeout="5m")
        stage.runs(job)

        stage.server.faults["beat"].extend(["503"] * 1000)
        verdict = stage.ended(job)

        assert (verdict["verdict"], verdict.get("result")) == ("accepted", {"lingered": 3_000}), verdict


@rule(lease=2.0)
def w1_what_was_said_while_the_worker_slept_past_its_lease_is_sent_as_a_late_result(stage: Stage) -> None:
    with stage.worker() as worker:
        job = stage.add("sleep", ms=2_500, timeout="5m")
        stage.runs(job)

        with worker.frozen():
            wait(1.5 * stage.server.lease)
        verdict = stage.ended(job)

        assert (verdict["verdict"], verdict.get("result")) == ("accepted", {"slept": 2_500}), verdict


@rule()
def w1_a_lease_that_was_taken_is_named_no_more(stage: Stage) -> None:
    with stage.worker():
        job = stage.add("sleep", ms=60_000, timeout="5m")
        stage.runs(job)
        lease = job.lease

        stage.server.take_lease_of(job)
        stage.until(lambda: lease not in stage.calls("beat")[-1].body["heard"], "that it names the lease no more")
        stage.ended(stage.add("answer", with_="still here"))

        beats = len(stage.calls("beat"))
        wait(stage.server.lease)
        assert len(stage.calls("beat")) - beats < 12, "it beats without a pause, as if it had news"


@rule()
def w2_nothing_starts_with_too_little_of_its_lease_left(stage: Stage) -> None:
    _answered_late(stage)


@rule()
def w2_a_lease_counts_from_when_its_job_was_taken_and_not_from_when_that_is_heard(stage: Stage) -> None:
    stage.server.says_waited = True
    _answered_late(stage)


def _answered_late(stage: Stage) -> None:
    stage.server.fail_next("claim", "late")
    job = stage.add("sleep", ms=300)
    with stage.worker():
        verdict = stage.ended(job)

        if verdict["verdict"] == "accepted":
            told = next(call for call in stage.calls("results") if verdict in call.body["results"])
            started = told.at - seconds(verdict["started_ago"])
            lease = next(want["lease"] for call in stage.calls("claim") for want in call.body["wants"])
            renewed = [call.at for call in stage.calls("beat") if lease in call.body["heard"] and call.at <= started + 0.1]
            claims = [call for call in stage.calls("claim") if call.at <= started and lease in json.dumps(call.body)]
            # Whoever says how long a claim had waited renews what is asked for again.
            claimed = claims[-1 if stage.server.says_waited else 0].at
            assert renewed or started - claimed < stage.server.lease * 0.6, "it started under the rest of a lease"
        else:
            assert verdict["verdict"] == "given_back", verdict


# W3 and W4: results.


@rule()
def w3_nothing_is_claimed_while_results_are_not_taken(stage: Stage) -> None:
    with stage.worker(slots=1):
        stage.server.fail_next("results", *["503"] * 6)
        stage.ended(stage.add("answer"))

        refused = stage.calls("results")
        first, last = refused[1].at, refused[6].at
        late = [call for call in stage.calls("claim") if first + 0.2 < call.at < last]
        assert late == [], f"{len(late)} claims between refused results"


@rule()
def w3_a_worker_claims_again_once_a_server_has_answered_its_results_even_by_a_refusal(stage: Stage) -> None:
    with stage.worker(slots=1):
        stage.server.fail_next("results", "503", "422", "422")
        stage.add("answer")
        stage.until(lambda: len(stage.calls("results")) >= 2, "that its result is refused")
        # A claim that was open before all this brings nothing.
        wait(1.5 * stage.server.lease)
        stage.server.faults["results"].clear()

        assert stage.ended(stage.add("answer", with_="heard"))["result"] == "heard"


@rule()
def w4_a_result_is_told_in_the_same_words_until_a_server_takes_it(stage: Stage) -> None:
    _told_again(stage, "503")


@rule()
def w4_a_result_whose_answer_was_lost_is_told_again_in_the_same_words(stage: Stage) -> None:
    _told_again(stage, "drop")


def _told_again(stage: Stage, fault: str) -> None:
    stage.server.fail_next("results", fault, fault, fault)
    with stage.worker():
        stage.ended(stage.add("answer", with_={"cheese": "käse", "n": 12345678901234567}))
        stage.until(lambda: len(stage.calls("results")) >= 4, "four tellings")

        said = [words(item) for call in stage.calls("results")[:4] for item in call.body["results"]]
        assert len(said) == 4 and len(set(said)) == 1, said


@rule()
def w4_a_result_that_is_too_large_does_not_undo_the_work(stage: Stage) -> None:
    with stage.worker():
        verdict = stage.ended(stage.add("big", bytes=300_000))

        assert verdict["verdict"] == "accepted", verdict


# W5 and W6: every job that is claimed.

ORDERS: list[tuple[str, dict[str, Any]]] = [
    ("answer", {"with": 7}),
    ("fail", {"class": "retry", "code": "busy", "message": "later", "retry_after": "3s"}),
    ("fail", {"class": "permanent", "code": "bad"}),
    ("fail", {"class": "throttled", "code": "slow", "retry_after": "2s"}),
    ("skip", {"why": "gone"}),
    ("snooze", {"after": "5s"}),
]


@rule()
def w5_every_job_claimed_ends_in_a_result_a_give_back_or_a_lost_lease(stage: Stage) -> None:
    jobs = [stage.add(do, **more) for _ in range(20) for do, more in ORDERS]
    with stage.worker(slots=8) as worker:
        for job in jobs:
            stage.ended(job)

        assert all(job.lease is None for job in jobs)
        tokens = [job.token for job in jobs if job.token and job.token in worker.said()]
        assert tokens == [], "a token is a right: no log holds one"


@rule(needs="words")
def w5_what_a_handler_says_is_told_with_all_its_fields(stage: Stage) -> None:
    jobs = [stage.add(do, **more) for do, more in ORDERS]
    with stage.worker(slots=8):
        told = [stage.ended(job) for job in jobs]

        assert [one["verdict"] for one in told] == ["accepted", "failed", "failed", "failed", "skipped", "snoozed"], told
        assert told[0]["result"] == 7
        assert (told[1]["class"], told[1]["code"], seconds(told[1]["retry_after"])) == ("retry", "busy", 3.0), told[1]
        assert (told[2]["class"], told[2]["code"]) == ("permanent", "bad"), told[2]
        assert (told[3]["class"], seconds(told[3]["retry_after"])) == ("throttled", 2.0), told[3]
        assert seconds(told[5]["after"]) == 5.0, told[5]


@rule(lease=6.0)
def w5_a_claim_whose_answer_was_lost_is_repeated_under_the_same_leases(stage: Stage) -> None:
    job = stage.add("answer")
    stage.server.fail_next("claim", "drop", "drop")
    with stage.worker():
        stage.ended(job)

        first = next(call for call in stage.calls("claim") if call.body["repeat"] == 0)
        repeats = [call for call in stage.calls("claim") if call.body["repeat"] > 0]
        wants = json.dumps(first.body["wants"], sort_keys=True)
        assert repeats and all(json.dumps(call.body["wants"], sort_keys=True) == wants for call in repeats[:2])
        assert job.attempt == 1, "it was claimed anew"


@rule(lease=3.0)
def w6_what_an_unheard_claim_has_got_is_done_or_given_back_though_the_next_claims_are_refused(stage: Stage) -> None:
    job = stage.add("answer")
    stage.server.fail_next("claim", "drop", "503", "503", "503")
    with stage.worker():
        stage.ended(job)

        lost = stage.calls("claim")[0].at
        told = stage.calls("results")[-1].at
        assert told - lost < 0.9 * stage.server.lease or job.attempt == 2, "it stood under a lease that nobody worked off"
        assert job.attempt <= 2


# W7 and W8: handlers that do not end.


@rule(needs="block")
def w7_beats_go_on_while_a_handler_blocks_the_others(stage: Stage) -> None:
    with stage.worker():
        job = stage.add("block", ms=2_500, timeout="60s")
        verdict = stage.ended(job)

        assert verdict["verdict"] == "accepted", verdict
        assert len(stage.calls("beat")) > 4


@rule(needs="block")
def w7_a_process_whose_handlers_do_not_move_any_more_ends_with_70(stage: Stage) -> None:
    with stage.worker() as worker:
        job = stage.add("block", ms=60_000, timeout="300ms")
        verdict = stage.ended(job)
        code = worker.ended()

        assert (verdict["verdict"], verdict.get("code")) == ("failed", "timeout"), verdict
        assert code == 70, f"it ended with {code}"


@rule(lease=6.0, needs="block")
def w7_a_process_of_one_slot_that_is_blocked_ends_with_70(stage: Stage) -> None:
    with stage.worker(slots=1) as worker:
        verdict = stage.ended(stage.add("block", ms=60_000, timeout="300ms"))

        assert verdict.get("code") == "timeout", verdict
        code = worker.ended(25)
        assert code == 70, f"it ended with {code}"


@rule()
def w8_a_time_out_is_told_soon_after_it(stage: Stage) -> None:
    with stage.worker():
        job = stage.add("sleep", ms=60_000, timeout="500ms")
        stage.until(lambda: job.state == "running", "a claim")
        claimed = stage.calls("claim")[-1].at
        verdict = stage.ended(job)

        assert (verdict["class"], verdict["code"]) == ("unknown", "timeout"), verdict
        assert stage.calls("results")[-1].at - claimed < 0.5 + 1.0 + 2.0


@rule(lease=4.0, needs="block")
def w8_a_handler_that_cannot_be_stopped_keeps_its_slot(stage: Stage) -> None:
    with stage.worker(slots=4) as worker:
        job = stage.add("block", ms=4_500, timeout="300ms")
        verdict = stage.ended(job)
        told = stage.calls("results")[-1].at
        after = stage.until(lambda: [call for call in stage.calls("beat") if call.at > told + 0.2][:2], "beats while it goes on")
        claims = [call for call in stage.calls("claim") if told + 0.2 < call.at < after[-1].at]
        again = stage.ended(stage.add("answer", with_="free"))

        assert verdict.get("code") == "timeout", verdict
        assert all(call.body["running"] >= 1 and call.body["free"] <= 3 for call in after), [call.body for call in after]
        assert all(call.body["limit"] <= 3 for call in claims), [call.body for call in claims]
        assert again["result"] == "free" and worker.process.poll() is None


@rule(lease=30.0, needs="block")
def w8_with_half_of_its_slots_stuck_a_process_leaves_and_ends_with_70(stage: Stage) -> None:
    with stage.worker(slots=2) as worker:
        verdict = stage.ended(stage.add("block", ms=60_000, timeout="300ms"))
        code = worker.ended()

        assert verdict.get("code") == "timeout", verdict
        assert code == 70 and stage.server.left, f"it ended with {code}"


# W9: stopping.


@rule()
def w9_a_worker_that_stops_says_so_lets_end_records_and_leaves_in_this_order(stage: Stage) -> None:
    with stage.worker(slots=1, grace="10s") as worker:
        job = stage.add("sleep", ms=2_000)
        stage.runs(job)
        worker.terminate()
        stage.until(lambda: any(call.body["draining"] for call in stage.calls("beat")), "a beat that drains")
        later = stage.add("answer")

        verdict, code = stage.ended(job), worker.ended()

        assert verdict["verdict"] == "accepted" and code == 0, (verdict, code)
        names = stage.names()
        draining = next(at for at, call in enumerate(stage.server.asked) if call.name == "beat" and call.body["draining"])
        assert draining < names.index("results") < names.index("leave"), names[draining:]
        assert "claim" not in names[draining:], names[draining:]
        assert later.attempt == 0 or later.state in ("queued", "given_back"), later


@rule()
def w9_what_does_not_end_within_the_grace_is_told_as_shut_down(stage: Stage) -> None:
    with stage.worker(slots=1, grace="1s") as worker:
        job = stage.add("sleep", ms=60_000)
        stage.runs(job)

        worker.terminate()
        verdict, code = stage.ended(job), worker.ended()

        assert (verdict["class"], verdict["code"]) == ("unknown", "shutdown"), verdict
        assert code == 0 and stage.server.left, code


@rule()
def w9_a_second_signal_ends_it_at_once_with_130(stage: Stage) -> None:
    with stage.worker(slots=1, grace="60s") as worker:
        stage.runs(stage.add("sleep", ms=60_000))

        worker.terminate()
        stage.until(lambda: any(call.body["draining"] for call in stage.calls("beat")), "a beat that drains")
        worker.terminate()

        assert worker.ended(5) == 130


# W10 to W12: keys, servers.


@rule()
def w10_the_idempotency_key_is_given_to_every_handler(stage: Stage) -> None:
    job = stage.add("key")
    job.attempt = 4
    with stage.worker():
        verdict = stage.ended(job)

        assert verdict["result"] == f"{job.id}.1", verdict


@rule()
def w11_a_worker_that_was_forgotten_registers_again_and_goes_on(stage: Stage) -> None:
    with stage.worker(slots=1):
        for call in ("beat", "claim", "results"):
            known = len(stage.calls("register"))
            stage.server.fail_next(call, "unknown-worker")
            for _ in range(2):
                stage.ended(stage.add("answer"))
            stage.until(lambda: len(stage.calls("register")) > known, f"another registration after a {call}")

        assert len(stage.server.workers) == 1, "it came back as somebody else"


@rule()
def w11_silence_and_unavailable_servers_do_not_end_a_worker(stage: Stage) -> None:
    stage.server.fail_next("register", "503", "drop", "503")
    with stage.worker(slots=1) as worker:
        for call in ("beat", "claim", "results"):
            stage.server.fail_next(call, "503", "drop", "502", "503")
            stage.ended(stage.add("answer"))

        assert worker.process.poll() is None


@rule()
def w11_a_page_of_whatever_stands_before_a_server_is_no_answer_of_its_own(stage: Stage) -> None:
    stage.server.fail_next("register", "page", "redirect")
    with stage.worker(slots=1) as worker:
        for call in ("beat", "claim", "results"):
            stage.server.fail_next(call, "page", "redirect", "page")
            job = stage.add("answer", with_=call)
            verdict = stage.ended(job)
            assert (verdict.get("result"), job.attempt) == (call, 1), f"{call}: {verdict}, attempt {job.attempt}"
        stage.server.fail_next("checkpoints", "page", "redirect", "page")
        walk = stage.add("walk", items=20, every=10)
        verdict = stage.ended(walk)

        assert (verdict["verdict"], walk.seq, walk.attempt) == ("accepted", 2, 1), (verdict, walk)
        assert worker.process.poll() is None


@rule()
def w11_a_worker_ends_and_says_why_that_the_server_has_no_use_for(stage: Stage) -> None:
    for call, fault in (("beat", "worker-left"), ("beat", "401"), ("beat", "403"), ("register", "422")):
        stage.server.faults[call].clear()
        stage.server.fail_next(call, *[fault] * 50)
        with stage.worker(slots=1) as worker:
            code = worker.ended()

            assert code not in (0, None), f"{fault}: it ended with {code}"
            said = worker.said().lower()
            codes = {"worker-left": "worker-left", "401": "unauthenticated", "403": "forbidden", "422": "invalid"}
            assert codes[fault] in said, f"{fault}: it said {said!r}"
        stage.server.faults[call].clear()


@rule()
def w12_the_next_address_is_tried_when_one_does_not_answer(stage: Stage) -> None:
    with stage.worker(before="http://127.0.0.1:1,"):
        verdict = stage.ended(stage.add("answer", with_="found"))

        assert verdict["result"] == "found"


@rule(lease=30.0)
def w12_what_was_claimed_ahead_and_stands_for_longer_than_2_s_is_given_back(stage: Stage) -> None:
    quick = [stage.add("answer") for _ in range(40)]
    # Two run, and one stands beside a claim that waits for more.
    slow = [stage.add("sleep", ms=5_000) for _ in range(3)]
    with stage.worker(slots=2):
        for job in [*quick, *slow]:
            stage.ended(job)

        assert max(map(stage.stood, slow)) < 2.0 + 1.5, [(job.verdict, stage.stood(job)) for job in slow]


@rule(lease=60.0)
def w12_claims_wait_shorter_where_a_gateway_does_not_wait(stage: Stage) -> None:
    stage.server.fail_next("claim", "tired")
    with stage.worker():
        stage.until(lambda: len(stage.calls("claim")) >= 2, "two claims")

        waits = [seconds(call.body["wait"]) for call in stage.calls("claim")[:2]]
        assert 5.0 <= waits[1] <= waits[0] / 2, waits


@rule(lease=60.0)
def w12_claims_wait_as_long_as_ever_where_a_server_was_away_for_a_moment(stage: Stage) -> None:
    stage.server.fail_next("claim", "502", "504", "502")
    with stage.worker():
        stage.until(lambda: len(stage.calls("claim")) >= 4, "four claims")

        waits = [seconds(call.body["wait"]) for call in stage.calls("claim")[:4]]
        assert waits[3] >= 0.7 * waits[0], waits


# W13: claims that wait long, and stand for beats.


def _waits_long(stage: Stage) -> Any:
    """A claim that is to wait for longer than a lease."""

    def long() -> Any:
        return next((call for call in stage.calls("claim") if seconds(call.body["wait"]) > 1.5 * stage.server.lease), None)

    return stage.until(long, "a claim that waits for longer than a lease")


@rule(lease=3.0)
def w13_a_job_that_comes_when_its_claim_has_waited_for_more_than_a_lease_is_done(stage: Stage) -> None:
    stage.server.says_waited = True
    with stage.worker():
        asked = _waits_long(stage)
        wait(asked.at + 4 / 3 * stage.server.lease - time.monotonic())
        job = stage.add("sleep", ms=500)
        added = time.monotonic()
        verdict = stage.ended(job)

        assert verdict["verdict"] == "accepted" and job.attempt == 1, (verdict, job.attempt)
        between = [call for call in stage.calls("claim") if asked.at < call.at < added]
        assert between == [], "it has asked again meanwhile"


@rule(lease=3.0)
def w13_a_worker_asks_for_short_waits_where_no_server_says_how_long_it_waited(stage: Stage) -> None:
    with stage.worker():
        stage.until(lambda: len(stage.calls("claim")) >= 4, "four claims")

        waits = [seconds(call.body["wait"]) for call in stage.calls("claim")]
        assert max(waits) <= stage.server.lease / 2, waits
        assert len(stage.calls("beat")) >= 3, "it does not beat"


@rule(lease=3.0)
def w13_an_idle_worker_does_not_beat_beside_a_claim_that_waits(stage: Stage) -> None:
    stage.server.says_waited = True
    with stage.worker():
        _waits_long(stage)
        wait(stage.server.lease / 2)
        beats = len(stage.calls("beat"))
        wait(2 * stage.server.lease)
        idle = len(stage.calls("beat")) - beats
        job = stage.add("sleep", ms=4_500, timeout="30s")
        verdict = stage.ended(job)

        assert idle <= 1, f"{idle} beats of a worker that has nothing to do"
        assert verdict["verdict"] == "accepted" and job.attempt == 1, (verdict, job.attempt)
        assert len(stage.calls("beat")) - beats - idle >= 3, "it does not renew what a claim has brought"


@rule(lease=2.0)
def w13_a_worker_that_waits_for_more_beside_its_work_is_not_told_as_deaf(stage: Stage) -> None:
    stage.server.says_waited = True
    with stage.worker(slots=2):
        _waits_long(stage)
        job = stage.add("sleep", ms=6_000, timeout="30s")
        stage.ended(job)

        asked = [seconds(call.body["asked_ago"] or "0s") for call in stage.calls("beat")]
        assert max(asked) <= stage.server.lease, f"it says that it last asked {max(asked)} s ago, while a claim waits"


@rule(lease=3.0)
def w13_a_drain_that_a_claim_tells_is_kept_until_a_beat_says_otherwise(stage: Stage) -> None:
    stage.server.says_waited = True
    with stage.worker(slots=1):
        _waits_long(stage)
        wait(stage.server.lease / 2)
        beats = len(stage.calls("beat"))
        with stage.server.changed:
            stage.server.drain = True
            stage.server.changed.notify_all()
        stage.until(lambda: len(stage.calls("beat")) > beats + 2, "beats, where no claim stands for them")
        claims = len(stage.calls("claim"))
        wait(stage.server.lease)
        asked = len(stage.calls("claim")) - claims

        with stage.server.changed:
            stage.server.drain = False
            stage.server.changed.notify_all()
        stage.ended(stage.add("answer"))
        assert asked <= 1, f"it has claimed {asked} times while it is to drain"


# News: cancel, drain.


@rule()
def a_cancel_reaches_a_handler_within_a_second(stage: Stage) -> None:
    with stage.worker():
        job = stage.add("sleep", ms=60_000)
        stage.runs(job)
        asked = stage.calls("beat")[-1].at

        stage.server.cancel(job)
        verdict = stage.ended(job)

        assert verdict["verdict"] == "canceled", verdict
        assert stage.calls("results")[-1].at - asked < stage.server.lease + 1.0


@rule()
def cancels_one_after_another_reach_their_handlers_at_once(stage: Stage) -> None:
    with stage.worker(slots=8):
        jobs = [stage.add("sleep", ms=60_000) for _ in range(8)]
        stage.until(lambda: all(job.state == "running" for job in jobs), "all are claimed")
        stage.runs(jobs[-1])
        began = time.monotonic()

        for job in jobs:
            stage.server.cancel(job)
            stage.ended(job)

        took = time.monotonic() - began
        assert took < 1.5, f"eight cancels took {took:.1f} s"


@rule()
def a_drained_worker_takes_nothing_until_it_may_again(stage: Stage) -> None:
    with stage.worker(slots=1):
        stage.ended(stage.add("answer"))
        stage.server.drain = True
        with stage.server.changed:
            stage.server.changed.notify_all()
        beats = len(stage.calls("beat"))
        stage.until(lambda: len(stage.calls("beat")) > beats + 3, "beats")
        claims = len(stage.calls("claim"))
        wait(2 * stage.server.lease)
        assert len(stage.calls("claim")) <= claims + 1, "it claims while it is to drain"

        stage.server.drain = False
        stage.ended(stage.add("answer"))


# Checkpoints.


@rule()
def a_checkpoint_is_asked_for_in_the_same_words_until_it_is_answered(stage: Stage) -> None:
    stage.server.fail_next("checkpoints", "drop", "503", "drop")
    with stage.worker():
        job = stage.add("walk", items=40, every=10)
        verdict = stage.ended(job)

        assert verdict["verdict"] == "accepted", verdict
        asked = [words(item) for call in stage.calls("checkpoints") for item in call.body["checkpoints"]]
        assert len(set(asked[:4])) == 1, asked[:4]
        assert job.seq == 4 and job.cursor == {"after": 40}
        assert [len(job.children[seq]) for seq in (1, 2, 3, 4)] == [10, 10, 10, 10]


@rule()
def a_checkpoint_that_no_server_can_read_fails_none_of_those_beside_it(stage: Stage) -> None:
    # While nothing is answered, what all of them save gathers.
    stage.server.faults["checkpoints"].extend(["503"] * 1000)
    walks = [stage.add("walk", items=20, every=10) for _ in range(8)]
    bad = walks[4]
    good = [job for job in walks if job is not bad]
    stage.server.unreadable.add(bad.id)
    with stage.worker(slots=8):
        stage.until(lambda: all(job.state == "running" for job in good), "all are claimed")
        wait(0.5)
        stage.server.faults["checkpoints"].clear()
        verdicts = [stage.ended(job) for job in good]
        refused = stage.ended(bad)

        assert [one["verdict"] for one in verdicts] == ["accepted"] * 7, verdicts
        assert all(job.seq == 2 and job.attempt == 1 for job in good), good
        assert bad.seq == 0 and refused["verdict"] != "accepted", refused


@rule()
def an_attempt_begins_where_the_last_checkpoint_was_answered(stage: Stage) -> None:
    job = stage.add("walk", items=40, every=10)
    job.attempt, job.seq, job.cursor, job.progress = 1, 2, {"after": 20}, {"done": 20, "total": 40, "note": None}
    with stage.worker():
        stage.ended(job)

        seqs = [item["seq"] for call in stage.calls("checkpoints") for item in call.body["checkpoints"]]
        assert seqs == [3, 4], seqs
        assert job.progress["done"] == 40, job.progress


@rule()
def an_attempt_that_was_lost_goes_on_in_the_same_worker_behind_its_own_checkpoint(stage: Stage) -> None:
    with stage.worker():
        job = stage.add("walk", items=400, every=10)
        stage.until(lambda: job.seq >= 3, "three checkpoints")
        stage.server.take_lease_of(job)
        seq = job.seq
        with stage.server.changed:
            job.state = "queued"
            stage.server.changed.notify_all()
        verdict = stage.ended(job)

        assert verdict["verdict"] == "accepted", verdict
        again = f"{job.id}/2"
        asked = [item for call in stage.calls("checkpoints") for item in call.body["checkpoints"]]
        seqs = [item["seq"] for item in asked if item["token"] == again]
        assert seqs[0] == seq + 1, f"it went on with {seqs[0]}, and {seq} stood"


@rule()
def a_walk_ends_where_its_checkpoint_says_that_it_was_canceled(stage: Stage) -> None:
    with stage.worker():
        job = stage.add("walk", items=100_000, every=10)
        stage.until(lambda: job.seq >= 2, "two checkpoints")
        # No beat tells it: the answer to the next checkpoint does.
        stage.server.stop_at_checkpoint.add(job.id)
        seq = job.seq
        verdict = stage.ended(job)

        assert verdict["verdict"] == "canceled", verdict
        assert job.seq <= seq + 2, "it went on after it was told"


