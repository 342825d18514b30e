//! The parts of the summary, as markdown.

use std::fmt::Write;

use super::gates::{GATES, Gate, Wanted};
use super::lines::{Lines, Series, Unit};
use super::verdict::{Judged, Verdict, best, judge};

/// Below this, a median is only the middle of an accident.
const ENOUGH_ROUNDS: usize = 3;

pub fn machine(lines: &Lines) -> String {
    let tell = |name: &str| match &lines.machine.get(name) {
        Some(serde_json::Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => "?".to_owned(),
    };
    format!(
        "Rounds: {}, of {} jobs each, at {}, revision {}. {} cores of {}, {} MB of memory, {} on {}; PostgreSQL {}, every \
         commit on the disk.\n\nMedians of the rounds; ratios are of medians. Figures of other machines or other days \
         do not compare.\n",
        lines.rounds,
        tell("jobs"),
        tell("at"),
        tell("revision"),
        tell("cores"),
        tell("processor"),
        tell("memory_megabytes"),
        tell("kernel"),
        tell("file_system"),
        tell("postgres"),
    )
}

/// What makes the verdicts doubtful.
pub fn warnings(lines: &Lines) -> String {
    let mut text = String::new();
    if lines.rounds < ENOUGH_ROUNDS {
        let _ = writeln!(
            text,
            "- **{} of {ENOUGH_ROUNDS} rounds**: the verdicts below are a first look, no more.",
            lines.rounds
        );
    }
    for gate in &GATES {
        let mut sides = [&gate.ours, &gate.against]
            .into_iter()
            .filter_map(|side| best(side, lines));
        if let Some(series) = sides.find(|series| series.is_unsteady()) {
            let _ = writeln!(
                text,
                "- **{}**: the rounds of {} differ by {:.0} % (more than 20 %): measure again on a quieter machine.",
                gate.figure,
                name(series),
                (series.most() / series.least() - 1.0) * 100.0
            );
        }
    }
    if text.is_empty() {
        return text;
    }
    format!("## Mind\n\n{text}")
}

pub fn gates(lines: &Lines) -> String {
    let mut text = "## Gates\n\n| figure | ours | against | ratio | gate | aim | |\n|---|--:|--:|--:|--:|--:|---|\n"
        .to_owned();
    for gate in &GATES {
        text += &row(gate, &judge(gate, lines));
    }
    text
}

fn row(gate: &Gate, judged: &Judged) -> String {
    let bound = match gate.wanted {
        Wanted::AtLeast => "≥",
        Wanted::AtMost => "≤",
    };
    let least = gate
        .gate
        .map_or_else(String::new, |gate| format!("{bound} {gate} x"));
    let wanted = format!("{least} | {bound} {} x", gate.aim);
    let shown = |value: Option<f64>| value.map(number).unwrap_or_default();
    let ratio = judged.ratio.map(|ratio| format!("{ratio:.2} x"));
    format!(
        "| {} | {} | {} | {} | {wanted} | {} |\n",
        gate.figure,
        shown(judged.ours),
        shown(judged.against),
        ratio.unwrap_or_default(),
        in_words(&judged.verdict)
    )
}

fn in_words(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Aim => "held, aim reached".to_owned(),
        Verdict::Held => "held".to_owned(),
        Verdict::Reported => "reported".to_owned(),
        Verdict::NotMeasured => "not measured".to_owned(),
        Verdict::Missed(part) => format!("**missed by {:.0} %**", (part * 100.0).max(1.0)),
    }
}

pub fn medians(lines: &Lines) -> String {
    let mut text = "## All medians\n\n| who | store | measurement | workload | concurrency | values | median | least - most |\n\
                    |---|---|---|---|--:|--:|--:|--:|\n"
        .to_owned();
    for series in &lines.series {
        let key = &series.key;
        let _ = writeln!(
            text,
            "| {} | {} | {} | {}{} | {} | {} | {} {} | {} - {} |",
            key.peer,
            key.store.as_deref().unwrap_or_default(),
            key.measurement.as_deref().unwrap_or_default(),
            key.workload,
            key.beside
                .as_ref()
                .map_or_else(String::new, |other| format!(" (beside: {other})")),
            key.concurrency,
            series.values.len(),
            number(series.median()),
            unit(&series.unit),
            number(series.least()),
            number(series.most()),
        );
    }
    text
}

fn name(series: &Series) -> String {
    let key = &series.key;
    format!("{} {} at {}", key.peer, key.workload, key.concurrency)
}

fn unit(unit: &Unit) -> &str {
    match unit {
        Unit::PerSecond => "/s",
        Unit::P50 => "ms p50",
        Unit::P99 => "ms p99",
        Unit::Of(unit) => unit,
    }
}

/// Three digits of what is small, thousands apart of what is large.
fn number(value: f64) -> String {
    if value < 100.0 {
        return format!("{value:.3}");
    }
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        let texts = [0.125, 99.0, 123.4, 1234.0, 1_234_567.0].map(number);

        assert_eq!(texts, ["0.125", "99.000", "123", "1,234", "1,234,567"]);
    }

    #[test]
    fn a_gate_without_measurements_is_named_all_the_same() {
        let text = gates(&Lines::default());

        assert_eq!(text.matches("not measured").count(), GATES.len());
    }

    #[test]
    fn unsteady_rounds_and_too_few_of_them_are_warned_of() {
        let lines = Lines::read(
            r#"{"peer":"limit","workload":"pg_insert1_bigint","concurrency":32,"per_second":1000,"round":1}
               {"peer":"limit","workload":"pg_insert1_bigint","concurrency":32,"per_second":1500,"round":2}"#,
        );

        let text = warnings(&lines);

        assert!(text.contains("2 of 3 rounds"));
        assert!(text.contains("limit pg_insert1_bigint at 32 differ by 50 %"));
    }
}
