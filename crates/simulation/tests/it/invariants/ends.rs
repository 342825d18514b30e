//! I5: how a job ended agrees with what its target answered.

use baton_domain::job::{Class, Job, MAX_LOSSES, Outcome, State};

use super::Found;
use crate::{
    journal::{ActKind, History},
    script::Word,
    witness::Deed,
};

/// I5, the good end
pub fn success_needs_a_successful_call(history: &History) -> Found {
    let succeeded = history.jobs.values();
    let succeeded = succeeded.filter(|job| job.state == State::Succeeded);
    let without = succeeded.filter(|job| {
        let mut calls = history.calls.iter();
        let was_called = calls.any(|call| {
            call.job == job.id
                && call.run == job.run
                && call.returned.is_some()
                && call.answer.word == Word::Ok
        });
        let mut resolved = history.acts_on(job.id, &[ActKind::Resolve]);
        !was_called && resolved.next().is_none()
    });
    without
        .map(|job| {
            (
                Some(job.id),
                "succeeded without a successful call".to_owned(),
            )
        })
        .collect()
}

/// I5, the bad ones
pub fn failure_agrees_with_what_was_answered(history: &History) -> Found {
    let failed = history.jobs.values();
    let failed = failed.filter(|job| job.state == State::Failed);
    let strange = failed.filter(|job| !has_cause(history, job));
    strange
        .map(|job| {
            let message = format!(
                "failed as {:?} after {} tries and {} losses, which nothing explains",
                job.reason, job.tries, job.losses
            );
            (Some(job.id), message)
        })
        .collect()
}

fn has_cause(history: &History, job: &Job) -> bool {
    let mut resolved = history.acts_on(job.id, &[ActKind::Resolve]);
    let last = history.attempts[&job.id].last();
    let class = last
        .and_then(|last| last.error.as_ref())
        .map(|error| error.class);
    let was_answered = |word: Word| {
        let mut calls = history.calls.iter().rev();
        let call = calls.find(|call| call.job == job.id);
        call.is_some_and(|call| call.answer.word == word && call.run == job.run)
    };
    match job.reason.as_deref() {
        Some("permanent") => was_answered(Word::Permanent) || resolved.next().is_some(),
        Some("gone") => was_answered(Word::Gone),
        Some("misconfigured") => was_answered(Word::Misconfigured),
        Some("exhausted") => {
            job.tries >= job.options.max_attempts
                && matches!(class, Some(Class::Retry | Class::Unknown))
        }
        Some("lost") => {
            job.losses >= MAX_LOSSES && last.is_some_and(|one| one.outcome == Some(Outcome::Lost))
        }
        Some("expired") => job
            .expires_at
            .is_some_and(|at| job.finished_at.is_some_and(|end| at <= end)),
        _ => false,
    }
}

/// Who is told that a job will stop must not see it start again by itself.
pub fn a_job_that_was_asked_to_stop_does_not_start_again(history: &History) -> Found {
    let mut found = Vec::new();
    for act in history
        .acts
        .iter()
        .filter(|act| act.kind == ActKind::Cancel)
    {
        let Some((at, seen)) = &act.confirmed else {
            continue;
        };
        let again = history.deeds.iter().find(|(claimed, deed)| {
            let same = matches!(deed, Deed::Claimed { job, run, .. } if *job == act.job && *run == seen.run);
            same && claimed > at
        });
        if let Some((claimed, _)) = again {
            let message = format!("was canceled by {at} and claimed at {claimed}");
            found.push((Some(act.job), message));
        }
    }
    found
}
