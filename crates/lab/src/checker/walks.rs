//! Remote workers: I32 to I37.

use std::collections::{BTreeMap, HashMap};

use super::{
    Findings,
    history::{AcceptedWalk, Did, ITEM, ObservedAttempt, Orphan, WALK},
    index::Index,
    state::State,
    wire::Job,
};

/// How long after the answer to a drain what had been claimed before may still start.
const ON_ITS_WAY_US: i64 = 2_000_000;

pub(super) fn check(index: &Index<'_>, findings: &mut Findings) {
    let walks = &index.history.walks;
    let keys = jobs_by_key(index);
    let mut sights = HashMap::<&str, Vec<&ObservedAttempt>>::new();
    for sight in &walks.sights {
        sights.entry(&sight.job).or_default().push(sight);
    }
    for walk in &walks.asked {
        let seen = sights.get(&*walk.job).map_or(&[][..], Vec::as_slice);
        cursor_never_falls(walk, seen, findings);
        attempts_begin_where_the_last_left_off(walk, seen, findings);
        each_item_has_one_child(index, walk, &keys, findings);
    }
    nothing_starts_after_a_drain(index, findings);
    for Orphan { worker, program } in &walks.orphans {
        findings.add(
            36,
            format!("{program} lived a second after its worker, {worker}, was killed"),
        );
    }
    were_asked_for(index, findings);
}

/// Whether it is a job of remote workers that a walk has made, or a walk.
pub(super) fn is_of_a_walk(job: &Job) -> bool {
    let is_child = job.kind == ITEM && job.key.as_ref().is_some_and(|key| parent(key).is_some());
    job.kind == WALK || is_child
}

/// The key of the walk that makes a job with this key.
fn parent(key: &str) -> Option<&str> {
    let (walk, item) = key.rsplit_once('-')?;
    (walk.starts_with("walk-") && item.parse::<u64>().is_ok()).then_some(walk)
}

fn jobs_by_key<'a>(index: &Index<'a>) -> HashMap<&'a str, Vec<&'a Job>> {
    let mut keys = HashMap::<_, Vec<_>>::new();
    for job in &index.history.jobs {
        if let Some(key) = job.key.as_deref() {
            keys.entry(key).or_default().push(job);
        }
    }
    keys
}

/// I32: what an attempt was told, one saved after the other, rises.
fn cursor_never_falls(walk: &AcceptedWalk, sights: &[&ObservedAttempt], findings: &mut Findings) {
    let mut last = HashMap::<u32, u64>::new();
    for sight in sights {
        let (Did::Began(at) | Did::Saved(at)) = sight.did else {
            continue;
        };
        let before = last.insert(sight.attempt, at).unwrap_or(0);
        if at < before {
            findings.add(
                32,
                format!(
                    "the cursor of {} fell from {before} to {at} in attempt {}",
                    walk.job, sight.attempt
                ),
            );
        }
    }
}

/// I34 and I35: an attempt begins no earlier than the last checkpoint that was answered, and no later than the last
/// that was asked for; so a kill repeats a chunk at most.
fn attempts_begin_where_the_last_left_off(
    walk: &AcceptedWalk,
    sights: &[&ObservedAttempt],
    findings: &mut Findings,
) {
    let mut attempts = BTreeMap::<u32, (Option<u64>, u64, u64)>::new();
    for sight in sights {
        let (began, asked, saved) = attempts.entry(sight.attempt).or_default();
        match sight.did {
            Did::Began(at) => *began = Some(at),
            Did::Asked(at) => *asked = at.max(*asked),
            Did::Saved(at) => *saved = at.max(*saved),
        }
    }
    let (mut most_asked, mut most_saved) = (0, 0);
    for (attempt, (began, asked, saved)) in attempts {
        let job = &walk.job;
        if let Some(began) = began {
            if began < most_saved {
                findings.add(
                    34,
                    format!("attempt {attempt} of {job} began at {began}, and {most_saved} had been answered as saved"),
                );
            }
            if began > most_asked {
                findings.add(
                    35,
                    format!("attempt {attempt} of {job} began at {began}, and nobody had asked for more than {most_asked}"),
                );
            }
        }
        (most_asked, most_saved) = (most_asked.max(asked), most_saved.max(saved));
    }
}

/// I33: a walk comes to its end, and every item of it has exactly one child, which does as well.
fn each_item_has_one_child(
    index: &Index<'_>,
    walk: &AcceptedWalk,
    keys: &HashMap<&str, Vec<&Job>>,
    findings: &mut Findings,
) {
    match index.jobs.get(&*walk.job) {
        Some(job) if job.state == State::Succeeded => {}
        Some(job) => {
            let (id, state) = (&job.id, job.state.as_str());
            return findings.add(33, format!("{id} is a walk, and it is {state}"));
        }
        None => return findings.add(1, format!("{} was accepted and does not exist", walk.job)),
    }
    for item in 0..walk.items {
        let key = format!("{}-{item}", walk.key);
        match keys.get(&*key).map(Vec::as_slice) {
            Some([child]) if child.state == State::Succeeded => {}
            Some([child]) => {
                let (id, state) = (&child.id, child.state.as_str());
                findings.add(33, format!("{id}, the child {key}, is {state}"));
            }
            children => {
                let count = children.map_or(0, <[_]>::len);
                findings.add(
                    33,
                    format!("the item {key} of {} has {count} children", walk.job),
                );
            }
        }
    }
}

/// I37: from two seconds after the answer to a drain nothing starts at its worker.
fn nothing_starts_after_a_drain(index: &Index<'_>, findings: &mut Findings) {
    for drain in &index.history.walks.drains {
        let from = drain.from_us + ON_ITS_WAY_US;
        let began = index.history.walks.sights.iter().filter(|sight| {
            matches!(sight.did, Did::Began(_))
                && sight.worker == drain.worker
                && (from..drain.until_us).contains(&sight.at_us)
        });
        for sight in began {
            let after = (sight.at_us - drain.from_us) / 1_000;
            findings.add(
                37,
                format!(
                    "attempt {} of {} began at {} {after} ms after it was told to drain",
                    sight.attempt, sight.job, drain.worker
                ),
            );
        }
    }
}

/// I2: a walk, and a child of one, were asked for.
fn were_asked_for(index: &Index<'_>, findings: &mut Findings) {
    let asked = index.history.walks.asked.iter();
    let asked: HashMap<_, _> = asked.map(|walk| (&*walk.key, walk.items)).collect();
    for job in index.history.jobs.iter().filter(|job| is_of_a_walk(job)) {
        let key = job.key.as_deref().unwrap_or_default();
        let is_known = match parent(key) {
            Some(walk) if job.kind == ITEM => {
                let item = key.rsplit('-').next().and_then(|item| item.parse().ok());
                item.zip(asked.get(walk))
                    .is_some_and(|(item, items): (u64, _)| item < *items)
            }
            _ => asked.contains_key(key),
        };
        if !is_known {
            findings.add(
                2,
                format!("{} exists, and no walk has such an item", job.id),
            );
        }
    }
}
