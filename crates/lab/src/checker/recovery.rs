//! How soon all was well again after each fault.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    Fault, FaultKind, History,
    index::Index,
    service,
    state::{Outcome, State},
    wire::{Attempt, Event},
};

/// What the faults of one name cost, in microseconds and in the order of the faults.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Recovery {
    /// How many there were.
    pub faults: usize,
    /// From each new primary until the first job was accepted.
    #[serde(default)]
    pub first_accept_us: Vec<i64>,
    /// From the end of each fault until the first job came to its end.
    pub first_end_us: Vec<i64>,
    /// The longest time around each fault in which no job came to its end.
    pub silence_us: Vec<i64>,
    /// For each attempt that went with its worker: from the fault until another began.
    pub elsewhere_us: Vec<i64>,
}

/// What the faults cost, by their names.
#[must_use]
pub fn recovery(history: &History) -> BTreeMap<String, Recovery> {
    let index = Index::new(history);
    let ends = ends(&index);
    let (lost, blows) = (lost_by_worker(history), blows_by_worker(history));
    let mut costs = BTreeMap::<String, Recovery>::new();
    for fault in &history.faults {
        let cost = costs.entry(name(fault)).or_default();
        cost.faults += 1;
        if fault.kind == FaultKind::Failover {
            cost.first_accept_us.extend(service::back(history, fault).0);
        }
        cost.first_end_us.extend(first_end(&ends, fault));
        cost.silence_us.extend(silence(&ends, fault));
        if let (FaultKind::Kill | FaultKind::Pause, Some(worker)) = (fault.kind, &fault.worker) {
            let lost = lost.get(worker.as_str()).map_or(&[][..], Vec::as_slice);
            let blows = &blows[worker.as_str()];
            let rerun = lost
                .iter()
                .filter_map(|one| elsewhere(&index, one, fault, blows));
            cost.elsewhere_us.extend(rerun);
        }
    }
    costs
}

fn name(fault: &Fault) -> String {
    if fault.name.is_empty() {
        fault.kind.as_str().to_owned()
    } else {
        fault.name.clone()
    }
}

/// When jobs came to their ends, in order: when the target had answered the last call of a run that ended. That
/// is one monotonic clock, whatever was done to the store's; what ended without a call tells nothing here.
fn ends(index: &Index<'_>) -> Vec<i64> {
    let has_ended = |job: &str| {
        let mut moves = index.moves(job).iter();
        moves.any(|one| one.to.is_terminal())
    };
    let last = index.by_key.values().filter_map(|calls| calls.last());
    let of_ended = last.filter(|call| has_ended(&call.job_id));
    let mut ends: Vec<_> = of_ended.filter_map(|call| call.ended_us).collect();
    ends.sort_unstable();
    ends
}

fn first_end(ends: &[i64], fault: &Fault) -> Option<i64> {
    let next = ends.partition_point(|end| *end < fault.until_us);
    Some(ends.get(next)? - fault.until_us)
}

/// The longest gap between two ends, of those that touch the fault.
fn silence(ends: &[i64], fault: &Fault) -> Option<i64> {
    let before = ends.partition_point(|end| *end < fault.from_us).max(1) - 1;
    let after = ends.partition_point(|end| *end < fault.until_us);
    let around = ends.get(before..=after)?;
    around.windows(2).map(|pair| pair[1] - pair[0]).max()
}

fn lost_by_worker(history: &History) -> BTreeMap<&str, Vec<&Attempt>> {
    let mut lost = BTreeMap::<&str, Vec<&Attempt>>::new();
    for attempt in &history.attempts {
        if let (Some(Outcome::Lost), Some(worker)) = (attempt.outcome, &attempt.worker) {
            lost.entry(worker).or_default().push(attempt);
        }
    }
    lost
}

/// When each worker was killed or frozen, in order.
fn blows_by_worker(history: &History) -> BTreeMap<&str, Vec<i64>> {
    let mut blows = BTreeMap::<&str, Vec<i64>>::new();
    for fault in &history.faults {
        if let (FaultKind::Kill | FaultKind::Pause, Some(worker)) = (fault.kind, &fault.worker) {
            blows.entry(worker).or_default().push(fault.from_us);
        }
    }
    blows.values_mut().for_each(|blows| blows.sort_unstable());
    blows
}

/// How long after the fault the attempt after this one was claimed, if this one went with the fault: its
/// worker had it by then, and was neither killed nor frozen again before it was taken back. An
/// attempt whose worker died does not tell when it began; the feed tells of every claim.
fn elsewhere(index: &Index<'_>, lost: &Attempt, fault: &Fault, blows: &[i64]) -> Option<i64> {
    let rules = &index.history.rules;
    // The line of a campaign may have been stopped, or slowed down, meanwhile.
    let job = index.jobs.get(&*lost.job_id);
    if job.is_some_and(|job| job.campaign_id.is_some()) {
        return None;
    }
    let latest = fault.until_us + rules.lease_us + 2 * rules.sweep_us + rules.clock_us;
    let taken_back = index.moments.earliest(lost.ended_at?.0);
    let last_blow = blows.iter().rfind(|at| **at <= taken_back)?;
    if *last_blow != fault.from_us || taken_back > latest {
        return None;
    }
    let moves = index.moves(&lost.job_id).iter();
    let mut claims = moves.filter(|one| one.to == State::Running);
    let had = claims.nth((lost.attempt as usize).checked_sub(1)?)?;
    let next = claims.next()?;
    let had_at = began(index, &lost.job_id, lost.attempt, had.event);
    let next_at = began(index, &lost.job_id, lost.attempt + 1, next.event);
    (had_at <= fault.from_us + rules.clock_us).then(|| next_at - fault.from_us)
}

/// When an attempt began: when its call arrived, or when the store says that it was claimed.
fn began(index: &Index<'_>, job: &str, attempt: u32, claim: &Event) -> i64 {
    let mut calls = index.arrivals(job).iter();
    let call = calls.find(|call| call.attempt == attempt);
    call.map_or_else(|| index.moments.earliest(claim.at.0), |call| call.at_us)
}
