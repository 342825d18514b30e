//! Why a call was made again.

use super::{
    expect::asks_again,
    history::{ActKind, Fault, FaultKind},
    index::Index,
};
use crate::target::{Answer, Arrival};

/// Why a call was made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why<'a> {
    /// The earlier answer asked for it.
    Asked,
    /// The earlier answer was never written whole.
    Unanswered,
    /// The earlier result may not have been recorded.
    Fault(usize, &'a Fault),
    /// A person ran the job again.
    Redriven,
    /// For no reason.
    Nothing,
}

pub(super) fn why<'a>(index: &Index<'a>, earlier: &Arrival, later: &Arrival) -> Why<'a> {
    let asked = match earlier.answer {
        Answer::Status(status) => asks_again(status),
        Answer::Reset | Answer::Hang => true,
    };
    if asked {
        Why::Asked
    } else if !earlier.answered {
        Why::Unanswered
    } else if let Some((number, fault)) = fault(index, earlier) {
        Why::Fault(number, fault)
    } else if let Some((number, fault)) = woke(index, earlier, later) {
        Why::Fault(number, fault)
    } else if is_redriven(index, earlier, later) {
        Why::Redriven
    } else {
        Why::Nothing
    }
}

/// The fault that met the worker between the arrival and the latest time its result was recorded. While
/// the store stands still that time does not pass.
fn fault<'a>(index: &Index<'a>, arrival: &Arrival) -> Option<(usize, &'a Fault)> {
    let rules = &index.history.rules;
    let from = arrival.at_us - rules.clock_us;
    let ended = arrival.ended_us.unwrap_or(arrival.at_us);
    let latest = ended + rules.recording_us + rules.clock_us;
    let faults = index.history.faults.iter().enumerate();
    let excuses = faults.filter(|(_, fault)| {
        fault.kind.excuses()
            && fault.from_us <= latest + index.still_us(ended, fault.from_us)
            && fault.until_us >= from
            && met(index, fault, arrival)
    });
    excuses.min_by_key(|(_, fault)| likelihood(fault.kind))
}

/// Of several faults, which is named: results die with their process, and outlive a line that breaks.
fn likelihood(kind: FaultKind) -> u8 {
    match kind {
        FaultKind::Kill => 0,
        FaultKind::Pause => 1,
        FaultKind::Database | FaultKind::Failover => 2,
        FaultKind::Slow => 3,
        FaultKind::Cut | FaultKind::Redis | FaultKind::Clock => 4,
    }
}

/// A pause that held the later call back on its way: it belongs to an attempt before the earlier one's,
/// and came when its worker woke.
pub(super) fn woke<'a>(
    index: &Index<'a>,
    earlier: &Arrival,
    later: &Arrival,
) -> Option<(usize, &'a Fault)> {
    let rules = &index.history.rules;
    let mut faults = index.history.faults.iter().enumerate();
    faults.find(|(_, fault)| {
        fault.kind == FaultKind::Pause
            && later.attempt < earlier.attempt
            && met(index, fault, later)
            && fault.from_us <= later.at_us + rules.clock_us
            && fault.until_us + rules.recording_us + rules.clock_us >= later.at_us
    })
}

/// Whether a fault met the worker that made the call. A worker that is not known could be any.
pub(super) fn met(index: &Index<'_>, fault: &Fault, arrival: &Arrival) -> bool {
    let attempt = index.attempt(arrival);
    let worker = attempt.and_then(|attempt| attempt.worker.as_deref());
    match (&fault.worker, worker) {
        (Some(met), Some(worker)) => met == worker,
        _ => true,
    }
}

fn is_redriven(index: &Index<'_>, earlier: &Arrival, later: &Arrival) -> bool {
    let tolerance = index.history.rules.clock_us;
    index
        .acts(&later.job_id)
        .filter(|act| act.kind == ActKind::Retry)
        .any(|act| {
            act.end_us + tolerance >= earlier.at_us && act.start_us - tolerance <= later.at_us
        })
}
