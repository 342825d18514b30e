//! What each kind of fault cost, in lines for people and numbers for programs.

use std::collections::BTreeMap;

use baton_faults::run::Scenario;
use baton_lab::checker::Recovery;
use serde_json::{Value, json};

/// A line for each kind of fault; what is played and hurts nobody stands last.
pub fn of(costs: &BTreeMap<String, Recovery>, plays: &BTreeMap<Scenario, u64>) -> Vec<String> {
    let mut lines = vec![
        line([
            "",
            "",
            "no job ended for",
            "first job after it",
            "its jobs elsewhere",
            "first job accepted",
        ]),
        line([
            "fault",
            "times",
            "median / worst",
            "median / worst",
            "median / worst",
            "median / worst",
        ]),
    ];
    let rows = costs.iter().map(|(name, cost)| {
        let spans = [
            &cost.silence_us,
            &cost.first_end_us,
            &cost.elsewhere_us,
            &cost.first_accept_us,
        ]
        .map(|values| span(values));
        let [silence, first, elsewhere, accepted] = spans.each_ref().map(String::as_str);
        line([
            name,
            &cost.faults.to_string(),
            silence,
            first,
            elsewhere,
            accepted,
        ])
    });
    lines.extend(rows);
    let harmless = plays
        .iter()
        .filter(|(one, _)| !costs.contains_key(one.as_str()));
    lines.extend(
        harmless.map(|(one, times)| line([one.as_str(), &times.to_string(), "", "", "", ""])),
    );
    lines
}

fn line([name, times, silence, first, elsewhere, accepted]: [&str; 6]) -> String {
    let line = format!(
        "{name:<26} {times:>6}  {silence:>19}  {first:>19}  {elsewhere:>19}  {accepted:>19}"
    );
    line.trim_end().to_owned()
}

/// `12 ms / 1.4 s`
fn span(values: &[i64]) -> String {
    match (median(values), values.iter().max()) {
        (Some(median), Some(worst)) => format!("{} / {}", told(median), told(*worst)),
        _ => "-".to_owned(),
    }
}

fn told(us: i64) -> String {
    if us < 1_000_000 {
        format!("{} ms", us / 1_000)
    } else {
        format!("{:.1} s", us as f64 / 1e6)
    }
}

fn median(values: &[i64]) -> Option<i64> {
    let mut values = values.to_vec();
    values.sort_unstable();
    values.get(values.len() / 2).copied()
}

/// The same for programs.
pub fn summed(cost: &Recovery) -> Value {
    let span = |values: &[i64]| {
        json!({
            "count": values.len(),
            "median_ms": median(values).map(|us| us / 1_000),
            "worst_ms": values.iter().max().map(|us| us / 1_000),
        })
    };
    json!({
        "faults": cost.faults,
        "no_job_ended": span(&cost.silence_us),
        "first_job_after": span(&cost.first_end_us),
        "jobs_elsewhere": span(&cost.elsewhere_us),
        "first_job_accepted": span(&cost.first_accept_us),
    })
}
