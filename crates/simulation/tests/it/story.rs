//! A failing simulation, told: which invariants do not hold, and what happened.

use std::collections::BTreeSet;

use baton_domain::{JobId, Timestamp};

use crate::{invariants::Violation, journal::History, witness::Deed};

/// How many lines a story has at most: the last ones.
const LINES: usize = 200;

/// Tells what happened to the jobs that the violations name, or to all if they name none.
pub fn tell(seed: u64, history: &History, violations: &[Violation]) -> String {
    let jobs: BTreeSet<JobId> = violations.iter().filter_map(|v| v.job).take(3).collect();
    let is_about = |job: Option<JobId>| match job {
        Some(job) => jobs.is_empty() || jobs.contains(&job),
        None => true,
    };
    let mut lines: Vec<(Timestamp, String)> = Vec::new();
    let deeds = history
        .deeds
        .iter()
        .filter(|(_, deed)| is_about(deed.job()) && !matches!(deed, Deed::Wanted { .. }));
    lines.extend(deeds.map(|(at, deed)| (*at, format!("store   {deed:?}"))));
    let calls = history.calls.iter().filter(|call| is_about(Some(call.job)));
    lines.extend(calls.map(|call| (call.started, format!("target  {call:?}"))));
    let acts = history.acts.iter().filter(|act| is_about(Some(act.job)));
    lines.extend(acts.map(|act| {
        let (kind, confirmed) = (act.kind, act.confirmed.as_ref().map(|(at, _)| at));
        (
            act.sent,
            format!("person  {kind:?} {}, confirmed {confirmed:?}", act.job),
        )
    }));
    let events = history.events.iter();
    let events = events.filter(|event| is_about(event.subject.parse().ok()));
    lines.extend(events.map(|event| {
        let (kind, subject, data) = (&event.kind, &event.subject, &event.data);
        (
            event.at,
            format!("fact    {} {kind} {subject} {data}", event.id),
        )
    }));
    let faults = history.faults.iter().chain(&history.mischief);
    lines.extend(faults.map(|fault| {
        let (what, whom, until) = (fault.what, fault.process, fault.until);
        (
            fault.from,
            format!("nemesis {what}: {whom:?} until {until}"),
        )
    }));

    lines.sort_by_key(|(at, _)| *at);

    let skipped = lines.len().saturating_sub(LINES);
    let mut text = format!("seed {seed}: {} violations\n", violations.len());
    for violation in violations.iter().take(20) {
        text.push_str(&format!("  {violation}\n"));
    }
    text.push_str(&format!(
        "to play it again: BATON_SIMULATION_SEED={seed} cargo test -p baton-simulation\n"
    ));
    for (at, line) in &lines[skipped..] {
        text.push_str(&format!("  {at} {line}\n"));
    }
    text
}
