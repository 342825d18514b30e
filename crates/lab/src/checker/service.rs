//! How soon there is service again behind a new primary: I27.

use super::{
    Findings,
    history::{Fault, FaultKind, History, Posted},
    index::Index,
    state::State,
};

pub(super) fn check(index: &Index<'_>, findings: &mut Findings) {
    let history = index.history;
    let bound = history.rules.service_us;
    for fault in failovers(history) {
        let Some(begin) = begin(history, fault) else {
            continue;
        };
        for (what, took) in [
            ("a job was accepted", first_accept(history, begin)),
            ("a job came to its end", first_end(history, begin)),
        ] {
            if took.is_none_or(|took| took > bound) {
                let took = took.map_or_else(|| "never".to_owned(), |us| format!("{us} us later"));
                findings.add(
                    27,
                    format!(
                        "the primary of {} took writes, and {took} {what}; {bound} us are allowed",
                        fault.until_us
                    ),
                );
            }
        }
    }
}

/// The times at which another PostgreSQL became the primary.
pub(super) fn failovers(history: &History) -> impl Iterator<Item = &Fault> {
    let faults = history.faults.iter();
    faults.filter(|fault| fault.kind == FaultKind::Failover)
}

/// From this fault's end until a job was accepted, and until one came to its end; nothing if nobody asked any more.
pub(super) fn back(history: &History, fault: &Fault) -> (Option<i64>, Option<i64>) {
    begin(history, fault).map_or((None, None), |begin| {
        (first_accept(history, begin), first_end(history, begin))
    })
}

/// When service was there to be had: from the fault's end on, or from when somebody asks after it.
fn begin(history: &History, fault: &Fault) -> Option<i64> {
    let later = history.requests.iter();
    let later = later.filter(|one| one.end_us >= fault.until_us);
    later
        .map(|one| one.start_us.max(fault.until_us))
        .min_by_key(|at| *at)
}

fn first_accept(history: &History, begin: i64) -> Option<i64> {
    let accepted = history.requests.iter();
    let accepted = accepted.filter(|one| {
        one.end_us >= begin && matches!(one.answer, Posted::Ok { created: true, .. })
    });
    accepted.map(|one| one.end_us - begin).min()
}

fn first_end(history: &History, begin: i64) -> Option<i64> {
    let events = history.events.iter();
    let ends =
        events.filter(|one| one.at.0 >= begin && one.moved_to().is_some_and(State::is_terminal));
    ends.map(|one| one.at.0 - begin).min()
}
