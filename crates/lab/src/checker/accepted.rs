//! Clients against the final state: I1, I2, I3, and the answers themselves: I24.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Findings,
    history::{ActAnswer, Posted},
    index::Index,
    walks::is_of_a_walk,
    wire::Job,
};

pub(super) fn check(index: &Index<'_>, findings: &mut Findings) {
    exist(index, findings);
    have_one_row_per_key(index, findings);
    were_asked_for(index, findings);
    have_one_id_per_key(index, findings);
    answers_are_documented(index, findings);
}

/// I1: every accepted job exists, with its key and what was asked.
fn exist(index: &Index<'_>, findings: &mut Findings) {
    let mut missing = BTreeSet::new();
    for request in &index.history.requests {
        let Posted::Ok { id, .. } = &request.answer else {
            continue;
        };
        let Some(job) = index.jobs.get(&**id) else {
            if missing.insert(id) {
                findings.add(1, format!("{id} was accepted and does not exist"));
            }
            continue;
        };
        if request.key.is_some() && job.key != request.key {
            let (asked, kept) = (&request.key, &job.key);
            findings.add(
                1,
                format!("{id} was accepted with key {asked:?} and has {kept:?}"),
            );
        }
        if let (Some(path), Some(url)) = (&request.path, url(job))
            && !url.ends_with(path)
        {
            findings.add(1, format!("{id} was to call {path} and holds {url}"));
        }
    }
}

fn url(job: &Job) -> Option<&str> {
    job.payload.get("url")?.as_str()
}

/// I1: a key, and an id, has one row.
fn have_one_row_per_key(index: &Index<'_>, findings: &mut Findings) {
    let mut ids = BTreeSet::new();
    let mut keys = BTreeMap::new();
    for job in &index.history.jobs {
        if !ids.insert(&job.id) {
            findings.add(1, format!("{} exists twice", job.id));
        } else if let Some(key) = &job.key
            && let Some(other) = keys.insert(key, &job.id)
        {
            findings.add(1, format!("{other} and {} both have the key {key}", job.id));
        }
    }
}

/// I2: no job and no call exists that nobody asked for.
fn were_asked_for(index: &Index<'_>, findings: &mut Findings) {
    let requests = index.history.requests.iter();
    let mut in_doubt = requests
        .filter(|one| one.key.is_none())
        .filter(|one| one.answer.may_have_created() && !matches!(one.answer, Posted::Ok { .. }))
        .count();
    for job in index.jobs.values() {
        // A delivery is asked for by its campaign, where I15 looks for it, and a child by its walk.
        if index.request(job).is_some() || job.campaign_id.is_some() || is_of_a_walk(job) {
            continue;
        }
        // A job without a key can be that of any post without a key whose answer never came.
        if job.key.is_none() && in_doubt > 0 {
            in_doubt -= 1;
            continue;
        }
        let id = &job.id;
        findings.add(
            2,
            format!("{id} exists, and no request that may have created it"),
        );
    }
    for (job, arrivals) in index.arrivals_by_job() {
        if !index.jobs.contains_key(job) && !index.is_accepted(job) {
            let calls = arrivals.len();
            findings.add(
                2,
                format!("{calls} calls arrived for {job:?}, which is no job"),
            );
        }
    }
}

/// I3: one key has one id in every answer, and is new once at most.
fn have_one_id_per_key(index: &Index<'_>, findings: &mut Findings) {
    for (key, requests) in &index.keys {
        let mut ids = BTreeSet::new();
        let mut times_created = 0;
        for request in requests {
            if let Posted::Ok { id, created } = &request.answer {
                ids.insert(id);
                times_created += usize::from(*created);
            }
        }
        if ids.len() > 1 {
            findings.add(3, format!("the key {key} was answered with {ids:?}"));
        }
        if times_created > 1 {
            findings.add(
                3,
                format!("the key {key} was created {times_created} times"),
            );
        }
    }
}

/// I24: every answer is a documented one, and an error says what it is.
fn answers_are_documented(index: &Index<'_>, findings: &mut Findings) {
    let posts = index.history.requests.iter().map(|one| match &one.answer {
        Posted::Refused { status, problem } => (one.start_us, Some((*status, problem))),
        _ => (one.start_us, None),
    });
    let acts = index.history.acts.iter().map(|one| match &one.answer {
        ActAnswer::Refused { status, problem } => (one.start_us, Some((*status, problem))),
        _ => (one.start_us, None),
    });
    let told = index.history.notifications.asked.iter();
    let told = told.map(|one| match &one.answer {
        Posted::Refused { status, problem } => (one.start_us, Some((*status, problem))),
        _ => (one.start_us, None),
    });
    for (at, refused) in posts.chain(acts).chain(told) {
        let Some((status, problem)) = refused else {
            continue;
        };
        if !is_documented(status) {
            findings.add(
                24,
                format!("a request sent at {at} us was answered with {status}"),
            );
        } else if problem.is_none() {
            findings.add(
                24,
                format!("a request sent at {at} us was answered with {status} and no problem"),
            );
        }
    }
}

fn is_documented(status: u16) -> bool {
    matches!(
        status,
        400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 422 | 429 | 503
    )
}
