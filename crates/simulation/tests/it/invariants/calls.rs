//! I6, I7, I9, I14: what reached the target, how often and when.

use std::collections::BTreeSet;

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
    for (job, calls) in history.calls_by_job() {
        for pair in calls.windows(2).filter(|pair| pair[0].run == pair[1].run) {
            let attempts = &history.attempts[&job];
            let earlier = attempts.iter().find(|one| one.attempt == pair[0].attempt);
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
    attempt: Option<&Attempt>,
) -> Option<String> {
    let number = call.attempt;
    let Some(attempt) = attempt else {
        return Some(format!(
            "was called as attempt {number}, which has no record"
        ));
    };
    let ended = attempt.ended_at.unwrap_or(Timestamp::from_micros(i64::MAX));
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

/// I14
pub fn no_call_comes_before_its_time(history: &History) -> Found {
    let mut found = Vec::new();
    for call in &history.calls {
        let attempts = history.attempts[&call.job].iter();
        let mut before = attempts.filter(|one| one.attempt < call.attempt && one.run == call.run);
        let due = match before.next_back() {
            Some(attempt) => attempt.next_run_at,
            None if call.run == 1 => Some(history.jobs[&call.job].run_at),
            None => None,
        };
        let early = due.filter(|due| *due > call.started);
        if let Some(due) = early.filter(|_| !was_hurried(history, call)) {
            let (at, number) = (call.started, call.attempt);
            let message = format!("was due at {due}; attempt {number} called at {at}");
            found.push((Some(call.job), message));
        }
    }
    found
}

/// Whether a person wanted it run now.
fn was_hurried(history: &History, call: &Called) -> bool {
    let mut acts = history.acts_on(call.job, &[ActKind::RunNow]);
    acts.any(|act| act.sent <= call.started)
}
