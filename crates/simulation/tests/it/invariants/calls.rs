//! I6, I7, I9, I14: what reached the target, how often and when.

use std::{collections::BTreeSet, time::Duration};

use baton_domain::{
    Timestamp,
    job::{Attempt, Class, Outcome},
};

use super::Found;
use crate::{
    journal::{ActKind, Called, History},
    script::Word,
    witness::Deed,
};

const NEVER: Timestamp = Timestamp::from_micros(i64::MAX);
/// How long a process may go by a store's clock that has been put back since: one that stood still has to
/// wake first.
const BEHIND: Duration = Duration::from_secs(25);
/// How far off a measurement of a clock may be that was never stepped; and one of a clock that was, by half
/// of how long a process may stand still while it asks.
const SLACK: Duration = Duration::from_millis(100);
const WILD_SLACK: Duration = Duration::from_secs(10);
/// How long after its time a job may start whose line is free.
const PUNCTUAL: Duration = Duration::from_secs(5);

/// Part of I12: the claim is the one thing that permits work.
pub fn a_call_is_made_under_a_claim(history: &History) -> Found {
    let claims = history.deeds.iter().filter_map(|(_, deed)| match deed {
        Deed::Claimed {
            job,
            attempt,
            worker,
            ..
        } => Some((*job, *attempt, *worker)),
        _ => None,
    });
    let claims: BTreeSet<_> = claims.collect();
    let calls = history.calls.iter();
    let strays = calls.filter(|call| !claims.contains(&(call.job, call.attempt, call.worker)));
    let strays = strays.map(|call| {
        let message = format!("was called as attempt {} without a claim", call.attempt);
        (Some(call.job), message)
    });
    strays.collect()
}

/// I6
pub fn a_job_canceled_before_any_claim_is_never_called(history: &History) -> Found {
    let mut found = Vec::new();
    for act in &history.acts {
        let Some((at, seen)) = &act.confirmed else {
            continue;
        };
        let is_cancel = matches!(act.kind, ActKind::Cancel | ActKind::Revoke);
        if !is_cancel || seen.attempt != 0 || !seen.state.is_terminal() {
            continue;
        }
        let mut calls = history.calls.iter();
        if calls.any(|call| call.job == act.job && call.run == seen.run) {
            let message = format!("was called although it was canceled unclaimed by {at}");
            found.push((Some(act.job), message));
        }
    }
    found
}

/// I7
pub fn a_call_is_repeated_only_with_a_reason(history: &History) -> Found {
    let mut found = Vec::new();
    let ends = history.ends();
    for (job, calls) in history.calls_by_job() {
        for pair in calls.windows(2).filter(|pair| pair[0].run == pair[1].run) {
            let attempts = &history.attempts[&job];
            let earlier = attempts.iter().find(|one| one.attempt == pair[0].attempt);
            let ended = ends.get(&(job, pair[0].attempt)).copied();
            let earlier = earlier.zip(Some(ended.unwrap_or(NEVER)));
            if let Some(why_not) = objection(history, pair[0], pair[1], earlier) {
                found.push((Some(job), why_not));
            }
        }
    }
    found
}

/// Why a second call was not permitted after this one.
fn objection(
    history: &History,
    call: &Called,
    again: &Called,
    attempt: Option<(&Attempt, Timestamp)>,
) -> Option<String> {
    let number = call.attempt;
    let Some((attempt, ended)) = attempt else {
        return Some(format!(
            "was called as attempt {number}, which has no record"
        ));
    };
    let was_disturbed = history.was_disturbed(call.worker, call.started, ended);
    let is_late = ended > again.started;
    let asked_for_more = match (attempt.outcome, call.returned) {
        (Some(Outcome::Lost), _) => was_disturbed,
        (Some(Outcome::Failed), Some(_)) => matches!(
            call.answer.word,
            Word::Retry | Word::RetryLater | Word::Unknown
        ),
        (Some(Outcome::Failed), None) => stopped_with_a_reason(attempt, call, was_disturbed),
        (Some(Outcome::Throttled), Some(_)) => call.answer.word == Word::Throttled,
        (Some(Outcome::Snoozed), Some(_)) => call.answer.word == Word::Snooze,
        _ => false,
    };
    (is_late || !asked_for_more).then(|| {
        let (outcome, word) = (attempt.outcome, call.answer.word);
        format!(
            "was called again as attempt {} at {} after attempt {number}, answered {word:?} at {:?}, ended as {outcome:?} at {ended}",
            again.attempt, again.started, call.returned
        )
    })
}

/// Whether a call whose handler never returned ended as it may: by panic, time-out or a fault.
fn stopped_with_a_reason(attempt: &Attempt, call: &Called, was_disturbed: bool) -> bool {
    let failure = attempt.error.as_ref();
    match failure.map(|failure| (failure.class, failure.code.as_str())) {
        Some((Class::Unknown, "panic")) => call.answer.word == Word::Panic,
        Some((Class::Unknown, "timeout")) => true,
        Some((Class::Unknown, "lease_deadline" | "shutdown")) => was_disturbed,
        _ => false,
    }
}

/// I9
pub fn a_run_has_one_key_and_its_attempts_rise(history: &History) -> Found {
    let mut found = Vec::new();
    for (job, calls) in history.calls_by_job() {
        for call in &calls {
            if call.key != format!("{job}.{}", call.run) {
                found.push((Some(job), format!("was called with the key {}", call.key)));
            }
        }
        for pair in calls.windows(2) {
            if pair[0].attempt >= pair[1].attempt || pair[0].run > pair[1].run {
                let message = format!(
                    "was called as attempt {} at {} and as attempt {} at {}",
                    pair[0].attempt, pair[0].started, pair[1].attempt, pair[1].started
                );
                found.push((Some(job), message));
            }
        }
    }
    found
}

/// I14, by the clock of the store, as whoever made the job claimable may have known it
pub fn no_call_comes_before_its_time(history: &History) -> Found {
    let (births, ends) = (history.births(), history.ends());
    let clock = &history.store_clock;
    let slack = if clock.is_wild() { WILD_SLACK } else { SLACK };
    let mut found = Vec::new();
    for call in &history.calls {
        let attempts = history.attempts[&call.job].iter();
        let mut before = attempts.filter(|one| one.attempt < call.attempt && one.run == call.run);
        let (due, planned) = match before.next_back() {
            Some(last) => (last.next_run_at, ends.get(&(call.job, last.attempt))),
            None if call.run == 1 => (Some(history.jobs[&call.job].run_at), births.get(&call.job)),
            None => (None, None),
        };
        let planned = planned.copied().unwrap_or(call.started);
        let shown = clock.latest_known(planned - BEHIND, call.started) + slack;
        let early = due.filter(|due| *due > shown);
        if let Some(due) = early.filter(|_| !was_hurried(history, call)) {
            let (at, number) = (call.started, call.attempt);
            let message = format!("was due at {due}; attempt {number} called at {at}");
            found.push((Some(call.job), message));
        }
    }
    found
}

/// I14, once the clocks have settled: neither early nor late by true time
pub fn a_delay_set_by_settled_clocks_is_kept(history: &History) -> Found {
    let mut found = Vec::new();
    for probe in &history.probes {
        let mut calls = history.calls.iter();
        let call = calls.find(|call| call.job == probe.job);
        let is_kept = call.is_some_and(|call| {
            let latest = probe.not_after + PUNCTUAL;
            (probe.not_before - SLACK..=latest).contains(&call.started)
        });
        if !is_kept {
            let (from, at) = (probe.not_before, call.map(|call| call.started));
            found.push((
                Some(probe.job),
                format!("was due at {from} and called at {at:?}"),
            ));
        }
    }
    found
}

/// Whether a person wanted it run now.
fn was_hurried(history: &History, call: &Called) -> bool {
    let mut acts = history.acts_on(call.job, &[ActKind::RunNow]);
    acts.any(|act| act.sent <= call.started)
}
