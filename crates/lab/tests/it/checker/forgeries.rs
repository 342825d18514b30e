//! Forged histories: each is named with the number of the invariant it breaks.

mod accepted;
mod attempts;
mod calls;
mod campaigns;
mod feed;
mod leases;
mod notifications;
mod service;
mod settled;

use baton_lab::{
    checker::{Attempt, History, Job, State, check},
    target::Arrival,
};

/// Judges a forged history: the wanted invariant must be among those named.
#[track_caller]
fn assert_named(history: &History, invariant: u8) {
    let violations = check(history);
    let named = violations.iter().any(|one| one.invariant == invariant);
    let all: Vec<_> = violations.iter().map(ToString::to_string).collect();

    assert!(named, "I{invariant} is not among {all:#?}");
}

/// Tests of one shape: take a clean history, forge one thing, see it named.
macro_rules! forgeries {
    ($($world:ident, I $invariant:literal: $name:ident, $forge:expr;)*) => {$(
        #[test]
        fn $name() {
            let mut history = super::super::world::$world(5);

            let forge: fn(&mut baton_lab::checker::History) = $forge;
            forge(&mut history);

            super::assert_named(&history, $invariant);
        }
    )*};
}
use forgeries;

fn job_in(history: &mut History, state: State) -> &mut Job {
    let mut jobs = history.jobs.iter_mut();
    jobs.find(|job| job.state == state).unwrap()
}

fn job_for<'a>(history: &'a mut History, reason: &str) -> &'a mut Job {
    let mut jobs = history.jobs.iter_mut();
    jobs.find(|job| job.reason.as_deref() == Some(reason))
        .unwrap()
}

/// The first arrival at a path that begins so.
fn arrival<'a>(history: &'a mut History, path: &str) -> &'a mut Arrival {
    let mut arrivals = history.arrivals.iter_mut();
    arrivals.find(|one| one.path.starts_with(path)).unwrap()
}

/// The second attempt of a job whose arrivals went to a path that begins so.
fn second_attempt<'a>(history: &'a mut History, path: &str) -> &'a mut Attempt {
    let id = arrival(history, path).job_id.clone();
    let mut attempts = history.attempts.iter_mut();
    attempts
        .find(|one| one.job_id == id && one.attempt == 2)
        .unwrap()
}

fn second_arrival<'a>(history: &'a mut History, path: &str) -> &'a mut Arrival {
    let mut arrivals = history.arrivals.iter_mut();
    arrivals
        .find(|one| one.path.starts_with(path) && one.attempt == 2)
        .unwrap()
}
