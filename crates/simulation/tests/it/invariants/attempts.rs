//! I11, I13: attempts are counted, and each ends once.

use baton_domain::job::{Job, MAX_LOSSES, Outcome, State};

use super::Found;
use crate::journal::History;

/// I11
pub fn attempts_are_numbered_without_a_gap_and_end_once(history: &History) -> Found {
    let mut found = Vec::new();
    for (id, job) in &history.jobs {
        let attempts = &history.attempts[id];
        let numbers: Vec<_> = attempts.iter().map(|attempt| attempt.attempt).collect();
        if numbers != (1..=job.attempt).collect::<Vec<_>>() {
            let message = format!("is at attempt {} and has {numbers:?}", job.attempt);
            found.push((Some(*id), message));
        }
        let open = attempts.iter().filter(|one| one.outcome.is_none()).count();
        if open != usize::from(job.state == State::Running) {
            found.push((
                Some(*id),
                format!("is {} with {open} open attempts", job.state),
            ));
        }
        if !attempts.is_sorted_by_key(|attempt| attempt.run) {
            found.push((Some(*id), "went back to an earlier run".to_owned()));
        }
    }
    found
}

/// I13
pub fn tries_and_losses_stay_within_their_limits(history: &History) -> Found {
    let mut found = Vec::new();
    for job in history.jobs.values() {
        for run in 1..=job.run {
            found.extend(excess(history, job, run).map(|message| (Some(job.id), message)));
        }
        if job.tries > job.options.max_attempts || job.losses > MAX_LOSSES {
            let message = format!("counts {} tries and {} losses", job.tries, job.losses);
            found.push((Some(job.id), message));
        }
    }
    found
}

fn excess(history: &History, job: &Job, run: u32) -> Option<String> {
    let attempts = history.attempts[&job.id].iter();
    let outcomes = attempts
        .filter(|attempt| attempt.run == run)
        .filter_map(|attempt| attempt.outcome);
    let outcomes: Vec<_> = outcomes.collect();
    let count = |wanted: &[Outcome]| {
        let counted = outcomes.iter().filter(|outcome| wanted.contains(outcome));
        counted.count() as u32
    };
    let tries = count(&[Outcome::Succeeded, Outcome::Skipped, Outcome::Failed]);
    let losses = count(&[Outcome::Lost]);
    (tries > job.options.max_attempts || losses > MAX_LOSSES)
        .then(|| format!("had {tries} tries and {losses} losses in run {run}"))
}
