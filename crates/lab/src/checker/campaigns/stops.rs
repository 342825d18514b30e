//! I16: a stop that was answered holds.
//!
//! From two seconds after the answer no call of the campaign starts; from the answer on nothing is written down.

use super::{
    super::{
        Findings,
        history::{ActAnswer, CampaignReading, Command, CommandKind, FaultKind},
        index::Index,
        repeats::met,
    },
    Case,
};
use crate::target::Arrival;

/// How long after it was sent a command without an answer may still be obeyed.
const LATE: i64 = 30_000_000;
/// How long after its worker woke a call may start that was held back on its way.
const WAKING: i64 = 1_000_000;

/// A time in which a campaign stood still.
#[derive(Debug, Clone, Copy)]
pub(in crate::checker) struct Stop {
    pub(in crate::checker) answered_us: i64,
    pub(in crate::checker) until_us: i64,
}

pub(super) fn check(index: &Index<'_>, case: &Case<'_>, findings: &mut Findings) {
    let stops = stops(index, &case.campaign.id);
    let looks = index.history.campaigns.looks.iter();
    let looks: Vec<_> = looks
        .filter(|look| look.campaign.id == case.campaign.id)
        .collect();
    for stop in &stops {
        writes_nothing(case, *stop, &looks, findings);
    }
    for job in &case.deliveries {
        for arrival in index.arrivals(&job.id) {
            for stop in stops.iter().filter(|stop| is_late(index, **stop, arrival)) {
                let late = (arrival.at_us - stop.answered_us) / 1_000;
                findings.add(
                    16,
                    format!(
                        "attempt {} of {} arrived {late} ms after the stop of {} was answered",
                        arrival.attempt, job.id, case.campaign.id
                    ),
                );
            }
        }
    }
}

/// From each stop or cancellation that was answered until the next resume was sent. Where a resume
/// without an answer may still be obeyed, nobody knows whether the campaign stands.
pub(in crate::checker) fn stops(index: &Index<'_>, campaign: &str) -> Vec<Stop> {
    let commands = index.history.campaigns.commands.iter();
    let commands: Vec<_> = commands.filter(|one| one.campaign == campaign).collect();
    let resumes = || {
        let resumes = commands.iter().copied();
        resumes.filter(|one| one.kind == CommandKind::Resume && one.answer.may_have_acted())
    };
    let stops = commands.iter().filter(|one| {
        matches!(one.kind, CommandKind::Stop | CommandKind::Cancel) && one.answer == ActAnswer::Done
    });
    let stood = stops.filter_map(|stop| {
        let in_doubt = |resume: &Command| {
            resume.answer != ActAnswer::Done
                && resume.start_us <= stop.end_us
                && resume.start_us + LATE > stop.start_us
        };
        let overlaps =
            |resume: &Command| resume.end_us > stop.start_us && resume.start_us < stop.end_us;
        if resumes().any(|one| in_doubt(one) || overlaps(one)) {
            return None;
        }
        let next = resumes().filter(|one| one.start_us >= stop.end_us);
        Some(Stop {
            answered_us: stop.end_us,
            until_us: next.map(|one| one.start_us).min().unwrap_or(i64::MAX),
        })
    });
    stood.collect()
}

fn writes_nothing(
    case: &Case<'_>,
    stop: Stop,
    looks: &[&CampaignReading],
    findings: &mut Findings,
) {
    let within = looks
        .iter()
        .filter(|look| look.start_us > stop.answered_us && look.end_us < stop.until_us);
    let audiences: Vec<_> = within.map(|look| look.campaign.progress.audience).collect();
    if let (Some(least), Some(most)) = (audiences.iter().min(), audiences.iter().max())
        && least != most
    {
        findings.add(
            16,
            format!(
                "{} was stopped at {} us, and its audience grew from {least} to {most} after that",
                case.campaign.id, stop.answered_us
            ),
        );
    }
}

fn is_late(index: &Index<'_>, stop: Stop, arrival: &Arrival) -> bool {
    let rules = &index.history.rules;
    let latest = stop.answered_us + rules.stop_us;
    arrival.at_us > latest + rules.clock_us
        && arrival.at_us + rules.clock_us < stop.until_us
        && !was_held_back(index, arrival, latest)
}

/// Whether the worker was frozen when the time was up, and made the call as it woke: nobody can take a
/// call back that a process was about to make when it was stopped in mid-step.
fn was_held_back(index: &Index<'_>, arrival: &Arrival, latest: i64) -> bool {
    let rules = &index.history.rules;
    index.history.faults.iter().any(|fault| {
        fault.kind == FaultKind::Pause
            && met(index, fault, arrival)
            && fault.from_us <= latest
            && fault.from_us <= arrival.at_us
            && arrival.at_us <= fault.until_us + WAKING + rules.clock_us
    })
}
