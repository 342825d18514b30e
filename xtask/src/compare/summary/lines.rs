//! The raw lines, grouped: one series for each figure, with a value from each round.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Map, Value};

/// Beyond this ratio of the highest to the lowest round, a series has to be measured again.
const CALM: f64 = 1.2;

/// All that was measured.
#[derive(Default)]
pub struct Lines {
    pub machine: Map<String, Value>,
    /// In the order in which they first appeared.
    pub series: Vec<Series>,
    pub rounds: usize,
}

/// A figure over the rounds.
pub struct Series {
    pub key: Key,
    pub unit: Unit,
    pub values: Vec<f64>,
}

/// What a figure is of.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    pub peer: String,
    /// The kind of database, where the peer has several.
    pub store: Option<String>,
    /// What found it, where several find the same.
    pub measurement: Option<String>,
    pub workload: String,
    pub concurrency: u64,
    /// What the peer itself compares it with: the same with and without a burden are two figures.
    pub beside: Option<String>,
}

/// What the values count.
#[derive(Clone, Debug, PartialEq)]
pub enum Unit {
    PerSecond,
    /// Milliseconds; the middle one of a run.
    P50,
    /// Milliseconds; 99 of 100 took no longer.
    P99,
    /// Any other amount.
    Of(String),
}

#[derive(Deserialize)]
struct Line {
    peer: String,
    store: Option<String>,
    measurement: Option<String>,
    workload: String,
    concurrency: u64,
    ratio: Option<Ratio>,
    round: u64,
    per_second: Option<f64>,
    p50_ms: Option<f64>,
    p99_ms: Option<f64>,
    value: Option<f64>,
    unit: Option<String>,
}

#[derive(Deserialize)]
struct Ratio {
    to: String,
}

impl Lines {
    /// Reads what can be read; anything else is passed over.
    pub fn read(text: &str) -> Self {
        let mut lines = Self::default();
        let mut rounds = BTreeSet::new();
        for line in text.lines() {
            if let Ok(line) = serde_json::from_str::<Line>(line) {
                rounds.insert(line.round);
                lines.add(line);
            } else if let Ok(Value::Object(mut other)) = serde_json::from_str(line)
                && let Some(Value::Object(machine)) = other.remove("machine")
            {
                lines.machine = machine;
            }
        }
        lines.rounds = rounds.len();
        lines
    }

    fn add(&mut self, line: Line) {
        let values = [
            (Some(Unit::PerSecond), line.per_second),
            (Some(Unit::P50), line.p50_ms),
            (Some(Unit::P99), line.p99_ms),
            (line.unit.map(Unit::Of), line.value),
        ];
        let key = Key {
            peer: line.peer,
            store: line.store,
            measurement: line.measurement,
            workload: line.workload,
            concurrency: line.concurrency,
            beside: line.ratio.map(|ratio| ratio.to),
        };
        for (unit, value) in values {
            if let (Some(unit), Some(value)) = (unit, value) {
                self.series_of(&key, unit).values.push(value);
            }
        }
    }

    fn series_of(&mut self, key: &Key, unit: Unit) -> &mut Series {
        let known = |series: &Series| series.key == *key && series.unit == unit;
        let place = self.series.iter().position(known).unwrap_or_else(|| {
            let (key, values) = (key.clone(), Vec::new());
            self.series.push(Series { key, unit, values });
            self.series.len() - 1
        });
        &mut self.series[place]
    }
}

impl Series {
    /// The middle one, or what lies between the two middle ones.
    pub fn median(&self) -> f64 {
        let mut sorted = self.values.clone();
        sorted.sort_by(f64::total_cmp);
        let (low, high) = (sorted[(sorted.len() - 1) / 2], sorted[sorted.len() / 2]);
        f64::midpoint(low, high)
    }

    pub fn least(&self) -> f64 {
        self.values.iter().copied().fold(f64::INFINITY, f64::min)
    }

    pub fn most(&self) -> f64 {
        self.values.iter().copied().fold(0.0, f64::max)
    }

    /// Whether the rounds differ by more than can be judged.
    pub fn is_unsteady(&self) -> bool {
        self.most() > self.least() * CALM
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_of_the_sorted_values() {
        let medians = [&[3.0, 1.0, 2.0][..], &[4.0, 1.0, 2.0, 3.0], &[7.0]].map(median_of);

        assert_eq!(medians, [2.0, 2.5, 7.0]);
    }

    #[test]
    fn the_same_figure_of_several_rounds_is_one_series() {
        let text = [line(1, 8, 10.0), line(1, 32, 40.0), line(2, 8, 30.0)].join("\n");

        let lines = Lines::read(&text);

        assert_eq!(lines.rounds, 2);
        assert_eq!(lines.series.len(), 2);
        assert_eq!(lines.series[0].values, [10.0, 30.0]);
    }

    #[test]
    fn a_line_with_two_quantiles_is_two_series() {
        let text = r#"{"peer":"a","workload":"latency_idle","n":9,"concurrency":1,"p50_ms":1.5,"p99_ms":8,"max_ms":9,"round":1}"#;

        let lines = Lines::read(text);

        let units: Vec<&Unit> = lines.series.iter().map(|series| &series.unit).collect();
        assert_eq!(units, [&Unit::P50, &Unit::P99]);
    }

    #[test]
    fn the_same_workload_with_and_without_a_burden_is_two_series() {
        let text = r#"{"peer":"baton","measurement":"history","workload":"drain_history","concurrency":50,"per_second":9,"round":1}
            {"peer":"baton","measurement":"history","workload":"drain_history","concurrency":50,"per_second":8,"ratio":{"to":"empty","value":0.9},"round":1}"#;

        let lines = Lines::read(text);

        assert_eq!(lines.series.len(), 2);
        assert_eq!(lines.series[1].key.beside.as_deref(), Some("empty"));
    }

    #[test]
    fn rounds_that_differ_by_more_than_a_fifth_are_unsteady() {
        let unsteady =
            [&[100.0, 119.0][..], &[100.0, 121.0]].map(|values| of(values).is_unsteady());

        assert_eq!(unsteady, [false, true]);
    }

    #[test]
    fn what_is_not_a_measurement_is_passed_over() {
        let text = format!(
            "npm warn\n{{\"machine\":{{\"cores\":2}}}}\n{}\n{{\"half",
            line(1, 8, 1.0)
        );

        let lines = Lines::read(&text);

        assert_eq!(lines.series.len(), 1);
        assert_eq!(lines.machine["cores"], 2);
    }

    fn line(round: u64, concurrency: u64, per_second: f64) -> String {
        format!(
            r#"{{"peer":"a","workload":"drain","n":1,"concurrency":{concurrency},"per_second":{per_second},"round":{round}}}"#
        )
    }

    fn median_of(values: &[f64]) -> f64 {
        of(values).median()
    }

    fn of(values: &[f64]) -> Series {
        Series {
            key: Key {
                peer: "a".to_owned(),
                store: None,
                measurement: None,
                workload: "drain".to_owned(),
                concurrency: 1,
                beside: None,
            },
            unit: Unit::PerSecond,
            values: values.to_vec(),
        }
    }
}
