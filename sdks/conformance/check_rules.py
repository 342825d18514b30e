#!/usr/bin/env python3
"""Sees that each rule can fail: a small worker keeps all of them, and with one mistake it breaks the rule about it."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))

from run import AT_ONCE, attempt  # noqa: E402
from rules import RULES  # noqa: E402

WORKER = [sys.executable, "-B", str(Path(__file__).parent / "faulty.py")]
MISTAKES = {
    "trusts its lease": "w1_a_handler_is_ended_before_its_lease_can_have_ended",
    "starts with little of its lease left": "w2_nothing_starts_with_too_little_of_its_lease_left",
    "counts a lease from when it hears": "w2_a_lease_counts_from_when_its_job_was_taken_and_not_from_when_that_is_heard",
    "counts a lease from when it asked": "w13_a_job_that_comes_when_its_claim_has_waited_for_more_than_a_lease_is_done",
    "waits long whatever it hears": "w13_a_worker_asks_for_short_waits_where_no_server_says_how_long_it_waited",
    "beats beside its claims": "w13_an_idle_worker_does_not_beat_beside_a_claim_that_waits",
    "says when its claim was sent": "w13_a_worker_that_waits_for_more_beside_its_work_is_not_told_as_deaf",
    "does not hear what claims tell": "w13_a_drain_that_a_claim_tells_is_kept_until_a_beat_says_otherwise",
    "claims with results untold": "w3_nothing_is_claimed_while_results_are_not_taken",
    "goes deaf": "w3_a_worker_claims_again_once_a_server_has_answered_its_results_even_by_a_refusal",
    "changes its words": "w4_a_result_is_told_in_the_same_words_until_a_server_takes_it",
    "drops a result after silence": "w4_a_result_whose_answer_was_lost_is_told_again_in_the_same_words",
    "logs tokens": "w5_every_job_claimed_ends_in_a_result_a_give_back_or_a_lost_lease",
    "draws new leases after silence": "w5_a_claim_whose_answer_was_lost_is_repeated_under_the_same_leases",
    "hears nobody after the deadline": "w1_what_a_handler_says_after_its_deadline_is_sent_as_a_late_result",
    "hears nobody after a sleep": "w1_what_was_said_while_the_worker_slept_past_its_lease_is_sent_as_a_late_result",
    "names leases that are over": "w1_a_lease_that_was_taken_is_named_no_more",
    "undoes work with a large result": "w4_a_result_that_is_too_large_does_not_undo_the_work",
    "forgets a claim in doubt": "w6_what_an_unheard_claim_has_got_is_done_or_given_back_though_the_next_claims_are_refused",
    "dies of silence": "w11_silence_and_unavailable_servers_do_not_end_a_worker",
    "claims while it stops": "w9_a_worker_that_stops_says_so_lets_end_records_and_leaves_in_this_order",
    "forgets its own steps": "an_attempt_that_was_lost_goes_on_in_the_same_worker_behind_its_own_checkpoint",
    "forgets when to try again": "w5_what_a_handler_says_is_told_with_all_its_fields",
    "knows no time-outs": "w8_a_time_out_is_told_soon_after_it",
    "gives a slot away that is taken": "w8_a_handler_that_cannot_be_stopped_keeps_its_slot",
    "lives with stuck slots": "w8_with_half_of_its_slots_stuck_a_process_leaves_and_ends_with_70",
    "does not say that it stops": "w9_a_worker_that_stops_says_so_lets_end_records_and_leaves_in_this_order",
    "is silent about what does not end": "w9_what_does_not_end_within_the_grace_is_told_as_shut_down",
    "hears no second signal": "w9_a_second_signal_ends_it_at_once_with_130",
    "makes keys of its own": "w10_the_idempotency_key_is_given_to_every_handler",
    "does not come back": "w11_a_worker_that_was_forgotten_registers_again_and_goes_on",
    "believes any page": "w11_a_page_of_whatever_stands_before_a_server_is_no_answer_of_its_own",
    "never gives up": "w11_a_worker_ends_and_says_why_that_the_server_has_no_use_for",
    "knows one address": "w12_the_next_address_is_tried_when_one_does_not_answer",
    "lets jobs stand": "w12_what_was_claimed_ahead_and_stands_for_longer_than_2_s_is_given_back",
    "waits shorter at once": "w12_claims_wait_as_long_as_ever_where_a_server_was_away_for_a_moment",
    "waits as long as ever": "w12_claims_wait_shorter_where_a_gateway_does_not_wait",
    "ignores a cancel": "a_cancel_reaches_a_handler_within_a_second",
    "hears of a cancel too late": "a_cancel_reaches_a_handler_within_a_second",
    "ends one attempt in half a second": "cancels_one_after_another_reach_their_handlers_at_once",
    "does not rest": "a_drained_worker_takes_nothing_until_it_may_again",
    "counts a checkpoint up after silence": "a_checkpoint_is_asked_for_in_the_same_words_until_it_is_answered",
    "fails all for one": "a_checkpoint_that_no_server_can_read_fails_none_of_those_beside_it",
    "walks from the beginning": "an_attempt_begins_where_the_last_checkpoint_was_answered",
    "walks on when told to stop": "a_walk_ends_where_its_checkpoint_says_that_it_was_canceled",
}

LEFT_OUT = [name for name in RULES if name.startswith("w7_")]
"""Its handlers share no thread."""


def with_mistake(mistake: str) -> list[str]:
    """The command of the worker that makes it."""
    return ["env", f"BATON_MISTAKE={mistake}", *WORKER]


def main() -> int:
    failures = [f"no mistake breaks {name}" for name in RULES if name not in MISTAKES.values() and name not in LEFT_OUT]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        kept = {name: pool.submit(attempt, name, WORKER) for name in RULES if name not in LEFT_OUT}
        broken = {mistake: pool.submit(attempt, rule, with_mistake(mistake)) for mistake, rule in MISTAKES.items()}
        for name, tried in kept.items():
            if (why := tried.result()) is not None:
                failures.append(f"without a mistake, {name.replace('_', ' ')}: {why}")
        for mistake, tried in broken.items():
            if tried.result() is None:
                failures.append(f"a worker that {mistake} keeps the rule: {MISTAKES[mistake].replace('_', ' ')}")
    for failure in failures:
        print(failure)
    print(f"{len(kept)} rules are kept without a mistake, {len(broken)} mistakes tried, {len(failures)} wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
