//! I31: no lease of a living, reachable worker is ever lost, whatever the clocks do.

use std::collections::BTreeSet;

use super::{
    Findings,
    history::{Fault, FaultKind, ITEM, WALK},
    index::Index,
    state::Outcome,
    wire::Attempt,
};

pub(super) fn check(index: &Index<'_>, findings: &mut Findings) {
    let attempts = index.history.attempts.iter();
    let lost = attempts
        .filter(|one| one.outcome == Some(Outcome::Lost))
        .filter(|one| !is_remote(index, one));
    let workers = workers(&index.history.attempts);
    for attempt in lost {
        let Some(ended) = attempt.ended_at else {
            continue;
        };
        if !is_excused(index, &workers, attempt, ended.0) {
            let worker = attempt.worker.as_deref().unwrap_or("nobody that is known");
            findings.add(
                31,
                format!(
                    "attempt {} of {} was taken back as lost at {ended}, and nothing had kept its worker, {worker}, \
                     from renewing its lease",
                    attempt.attempt, attempt.job_id
                ),
            );
        }
    }
}

/// A remote worker renews through servers of the API, which are killed and cut off, too.
fn is_remote(index: &Index<'_>, attempt: &Attempt) -> bool {
    let job = index.jobs.get(&*attempt.job_id);
    job.is_some_and(|job| job.kind == ITEM || job.kind == WALK)
}

/// Everybody who ever had a job; a server that is not among them looks after leases, or opens the door.
fn workers(attempts: &[Attempt]) -> BTreeSet<&str> {
    let workers = attempts.iter().filter_map(|one| one.worker.as_deref());
    workers.collect()
}

/// Whether its worker was killed before, or frozen, cut off, slowed or without a database so shortly before that
/// it could not renew.
fn is_excused(
    index: &Index<'_>,
    workers: &BTreeSet<&str>,
    attempt: &Attempt,
    ended_us: i64,
) -> bool {
    let (earliest, latest) = index.moments.of_shown(ended_us);
    let latest = latest + index.history.rules.clock_us;
    let worker = attempt.worker.as_deref();
    let its_own = |fault: &&Fault| {
        let met = fault.worker.as_deref();
        fault.kind.excuses()
            && fault.from_us <= latest
            && (met.is_none() || worker.is_none() || met == worker)
    };
    let faults = index.history.faults.iter().filter(its_own);
    let faults: Vec<_> = faults.collect();
    let died = |fault: &&Fault| fault.kind == FaultKind::Kill && fault.worker.is_some();
    if faults.iter().copied().any(|fault| died(&fault)) {
        return true;
    }
    let Some(last) = faults.iter().map(|fault| fault.until_us).max() else {
        return has_stood_still(index, earliest, latest);
    };
    last >= earliest - window(index)
        || last >= looked_since(index, workers, earliest)
        || has_stood_still(index, earliest, latest)
}

/// A lease, and the time in which whoever watches it notices that it was not renewed.
fn window(index: &Index<'_>) -> i64 {
    let rules = &index.history.rules;
    rules.lease_us + 2 * rules.sweep_us + rules.clock_us
}

/// Since when the leases that ended at this moment may have been left unrenewed: those who watch them begin anew
/// when they are killed or frozen, or cannot see the database.
fn looked_since(index: &Index<'_>, workers: &BTreeSet<&str>, ended_us: i64) -> i64 {
    let keeps_from_looking = |fault: &&Fault| {
        let met = fault.worker.as_deref();
        fault.kind.excuses() && met.is_none_or(|met| !workers.contains(met))
    };
    let faults = index.history.faults.iter().filter(keeps_from_looking);
    let mut faults: Vec<_> = faults.collect();
    faults.sort_by_key(|fault| std::cmp::Reverse(fault.until_us));
    let mut since = ended_us - window(index);
    for fault in faults.iter().filter(|fault| fault.from_us <= ended_us) {
        if fault.until_us < since {
            break;
        }
        since = since.min(fault.from_us - window(index));
    }
    since
}

/// Whether the machine's disk, and no fault that was played, kept everybody from writing.
fn has_stood_still(index: &Index<'_>, earliest: i64, latest: i64) -> bool {
    let still = index.still_us(earliest - window(index), latest);
    still >= index.history.rules.lease_us / 2
}
