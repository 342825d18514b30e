//! Answers against each other, in the order in which they were given: I25.
//!
//! Each key is a register that is written once. The answers about it have to fit one order of the requests
//! in which none that was answered before another was sent stands behind it. That an error which promises
//! that nothing was done has left nothing behind follows from I2: such a request accounts for no job, and for no
//! notification.

use super::{
    Findings,
    history::{Act, ActAnswer, Posted},
    index::Index,
};

/// A request under a key, as far as its order goes.
#[derive(Clone, Copy)]
struct KeyedRequest<'a> {
    start_us: i64,
    end_us: i64,
    answer: &'a Posted,
}

pub(super) fn check(index: &Index<'_>, findings: &mut Findings) {
    for (key, requests) in &index.keys {
        let asked = requests.iter().map(|one| KeyedRequest {
            start_us: one.start_us,
            end_us: one.end_us,
            answer: &one.answer,
        });
        fit_one_order(key, &asked.collect::<Vec<_>>(), findings);
    }
    for (key, notified) in &index.notified {
        let asked = notified.iter().map(|one| KeyedRequest {
            start_us: one.start_us,
            end_us: one.end_us,
            answer: &one.answer,
        });
        fit_one_order(key, &asked.collect::<Vec<_>>(), findings);
    }
    for act in &index.history.acts {
        was_found(index, act, findings);
    }
}

fn fit_one_order(key: &str, requests: &[KeyedRequest<'_>], findings: &mut Findings) {
    for request in requests {
        match request.answer {
            Posted::Ok { created: true, .. } => is_first(key, request, requests, findings),
            Posted::Ok { created: false, .. } => was_known(key, request, requests, findings),
            Posted::Refused { .. } | Posted::Unknown => {}
        }
    }
}

/// What is new was not told to anybody before it was asked for.
fn is_first(
    key: &str,
    new: &KeyedRequest<'_>,
    requests: &[KeyedRequest<'_>],
    findings: &mut Findings,
) {
    let mut before = requests.iter().filter(|one| one.end_us < new.start_us);
    if before.any(|one| matches!(one.answer, Posted::Ok { .. })) {
        let at = new.start_us;
        findings.add(
            25,
            format!("the key {key} was answered as known or new, and a request sent later, at {at} us, created it"),
        );
    }
}

/// What is known was created by a request that had been sent.
fn was_known(
    key: &str,
    known: &KeyedRequest<'_>,
    requests: &[KeyedRequest<'_>],
    findings: &mut Findings,
) {
    let mut others = requests
        .iter()
        .filter(|one| !std::ptr::eq(*one, known) && one.start_us <= known.end_us);
    let creates = |one: &KeyedRequest<'_>| match one.answer {
        Posted::Ok { created, .. } => *created,
        _ => one.answer.may_have_created(),
    };
    if !others.any(creates) {
        let at = known.start_us;
        findings.add(
            25,
            format!("a request sent at {at} us was told that the key {key} is known, and none before it can have created it"),
        );
    }
}

/// What was accepted is found by everybody from then on.
fn was_found(index: &Index<'_>, act: &Act, findings: &mut Findings) {
    let (Some(job), ActAnswer::Refused { status: 404, .. }) = (&act.job, &act.answer) else {
        return;
    };
    let accepted = index.acceptance(job);
    if accepted.is_some_and(|request| request.end_us < act.start_us) {
        let at = act.start_us;
        findings.add(25, format!("{job} was accepted, and not found at {at} us"));
    }
}
