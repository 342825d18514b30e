//! How a gate stands.

use super::gates::{Gate, Source, Wanted};
use super::lines::{Key, Lines, Series, Unit};

/// The two sides of a gate, as far as they were measured, and what follows.
#[derive(Debug, PartialEq)]
pub struct Judged {
    pub ours: Option<f64>,
    pub against: Option<f64>,
    pub ratio: Option<f64>,
    pub verdict: Verdict,
}

#[derive(Debug, PartialEq)]
pub enum Verdict {
    /// The aim is reached as well.
    Aim,
    Held,
    /// By this part of the gate.
    Missed(f64),
    /// There is only an aim, and it is not reached.
    Reported,
    /// One of the sides is not there.
    NotMeasured,
}

pub fn judge(gate: &Gate, lines: &Lines) -> Judged {
    let (ours, against) = (value(&gate.ours, lines), value(&gate.against, lines));
    let ratio = ours.zip(against).map(|(ours, against)| ours / against);
    Judged {
        ours,
        against,
        ratio,
        verdict: ratio.map_or(Verdict::NotMeasured, |ratio| verdict(gate, ratio)),
    }
}

fn verdict(gate: &Gate, ratio: f64) -> Verdict {
    let reaches = |bound: f64| match gate.wanted {
        Wanted::AtLeast => ratio >= bound,
        Wanted::AtMost => ratio <= bound,
    };
    if reaches(gate.aim) {
        return Verdict::Aim;
    }
    match gate.gate {
        None => Verdict::Reported,
        Some(bound) if reaches(bound) => Verdict::Held,
        Some(bound) => Verdict::Missed((ratio / bound - 1.0).abs()),
    }
}

fn value(source: &Source, lines: &Lines) -> Option<f64> {
    match source {
        Source::Fixed(value) => Some(*value),
        _ => best(source, lines).map(Series::median),
    }
}

/// The series that stands for the source.
pub fn best<'l>(source: &Source, lines: &'l Lines) -> Option<&'l Series> {
    let fitting = lines.series.iter().filter(|series| fits(source, series));
    fitting.max_by(|one, other| one.median().total_cmp(&other.median()))
}

fn fits(source: &Source, series: &Series) -> bool {
    let key = &series.key;
    match source {
        Source::Rate {
            peers,
            store,
            measurement,
            workload,
            concurrency,
            beside,
        } => {
            series.unit == Unit::PerSecond
                && peers.contains(&key.peer.as_str())
                && (store.is_none() || key.store.as_deref() == *store)
                && (measurement.is_none() || key.measurement.as_deref() == *measurement)
                && key.workload == *workload
                && concurrency.is_none_or(|wanted| wanted == key.concurrency)
                && key.beside.as_deref() == *beside
        }
        Source::P50 { workload } => series.unit == Unit::P50 && is_ours(key, "postgres", workload),
        Source::P99 { store, workload } => {
            series.unit == Unit::P99 && is_ours(key, store, workload)
        }
        Source::Amount { workload } => {
            matches!(series.unit, Unit::Of(_)) && is_ours(key, "postgres", workload)
        }
        Source::Fixed(_) => false,
    }
}

fn is_ours(key: &Key, store: &str, workload: &str) -> bool {
    key.peer == "baton" && key.store.as_deref() == Some(store) && key.workload == workload
}

#[cfg(test)]
mod tests {
    use super::super::gates::GATES;
    use super::*;

    #[test]
    fn the_best_peer_is_the_one_with_the_highest_median() {
        let lines = Lines::read(
            r#"{"peer":"baton","store":"postgres","measurement":"drain","workload":"drain","concurrency":50,"per_second":60000,"round":1}
               {"peer":"pgboss-work","workload":"drain","concurrency":4,"per_second":30000,"round":1}
               {"peer":"graphile-batched","workload":"drain","concurrency":24,"per_second":40000,"round":1}
               {"peer":"graphile-batched","workload":"drain","concurrency":24,"per_second":20000,"round":2}
               {"peer":"bullmq","workload":"drain","concurrency":100,"per_second":90000,"round":1}"#,
        );

        let judged = judge(&gate("PostgreSQL, drain / best durable peer"), &lines);

        assert_eq!(judged.against, Some(30_000.0));
        assert_eq!(judged.ratio, Some(2.0));
        assert_eq!(judged.verdict, Verdict::Aim);
    }

    #[test]
    fn between_gate_and_aim_a_gate_holds() {
        let verdict = drain_verdict(1.5);

        assert_eq!(verdict, Verdict::Held);
    }

    #[test]
    fn below_the_gate_the_missing_part_is_told() {
        let verdict = drain_verdict(1.2);

        let Verdict::Missed(part) = verdict else {
            panic!("1.2 is not 1.5: {verdict:?}")
        };
        assert!((part - 0.2).abs() < 1e-9);
    }

    #[test]
    fn a_latency_is_compared_with_the_commits_beside_it_and_has_to_be_below() {
        let lines = Lines::read(
            r#"{"peer":"baton","store":"postgres","measurement":"latency","workload":"commit","concurrency":1,"p50_ms":1.0,"p99_ms":4,"round":1}
               {"peer":"baton","store":"postgres","measurement":"latency","workload":"latency_idle","concurrency":50,"p50_ms":2.0,"p99_ms":9,"ratio":{"to":"commit","value":2.0},"round":1}
               {"peer":"baton","store":"sqlite","measurement":"latency","workload":"latency_idle","concurrency":50,"p50_ms":7.0,"p99_ms":9,"ratio":{"to":"commit","value":2.0},"round":1}"#,
        );

        let latency = gate("Idle enqueue to start, p50 / a durable commit beside it");
        let judged = judge(&latency, &lines);

        assert_eq!(judged.ratio, Some(2.0));
        assert_eq!(judged.verdict, Verdict::Missed(0.25));
    }

    #[test]
    fn a_burden_is_compared_with_its_absence_in_the_same_measurement() {
        let lines = Lines::read(
            r#"{"peer":"baton","store":"postgres","measurement":"drain","workload":"drain","concurrency":50,"per_second":99,"round":1}
               {"peer":"baton","store":"postgres","measurement":"snapshot","workload":"drain","concurrency":50,"per_second":50,"round":1}
               {"peer":"baton","store":"postgres","measurement":"snapshot","workload":"drain_snapshot","concurrency":50,"per_second":45,"ratio":{"to":"without","value":0.9},"round":1}"#,
        );

        let judged = judge(&gate("Drain, a snapshot held open / without"), &lines);

        assert_eq!((judged.ours, judged.against), (Some(45.0), Some(50.0)));
        assert_eq!(judged.verdict, Verdict::Held);
    }

    #[test]
    fn without_a_gate_a_figure_is_reported_or_reaches_its_aim() {
        let log = gate("Log of PostgreSQL for a job, enqueue to finish / 1,000 B");

        let verdicts = [1.2, 0.9].map(|ratio| verdict(&log, ratio));

        assert_eq!(verdicts, [Verdict::Reported, Verdict::Aim]);
    }

    #[test]
    fn a_side_that_was_not_measured_leaves_the_other_one_to_be_seen() {
        let lines = Lines::read(
            r#"{"peer":"pgboss-work","workload":"drain","concurrency":4,"per_second":30000,"round":1}"#,
        );

        let judged = judge(&gate("PostgreSQL, drain / best durable peer"), &lines);

        assert_eq!((judged.ours, judged.against), (None, Some(30_000.0)));
        assert_eq!(judged.verdict, Verdict::NotMeasured);
    }

    fn drain_verdict(ratio: f64) -> Verdict {
        verdict(&gate("PostgreSQL, drain / best durable peer"), ratio)
    }

    fn gate(figure: &str) -> Gate {
        GATES
            .into_iter()
            .find(|gate| gate.figure == figure)
            .unwrap()
    }
}
