//! How a gate stands.

use super::gates::{Gate, Source, Wanted};
use super::lines::{Lines, Series, Unit};

/// The two sides of a gate and what follows.
#[derive(Debug, PartialEq)]
pub struct Judged {
    pub ours: f64,
    pub against: f64,
    pub ratio: f64,
    pub verdict: Verdict,
}

#[derive(Debug, PartialEq)]
pub enum Verdict {
    /// The aim is reached as well.
    Aim,
    Held,
    /// By this part of the gate.
    Missed(f64),
}

/// Judges the gate, if both of its sides were measured.
pub fn judge(gate: &Gate, lines: &Lines) -> Option<Judged> {
    let (ours, against) = (value(&gate.ours, lines)?, value(&gate.against, lines)?);
    let ratio = ours / against;
    Some(Judged {
        ours,
        against,
        ratio,
        verdict: verdict(gate, ratio),
    })
}

fn verdict(gate: &Gate, ratio: f64) -> Verdict {
    let (reaches_aim, lacks) = match gate.wanted {
        Wanted::AtLeast => (ratio >= gate.aim, 1.0 - ratio / gate.gate),
        Wanted::AtMost => (ratio <= gate.aim, ratio / gate.gate - 1.0),
    };
    if lacks > 0.0 {
        Verdict::Missed(lacks)
    } else if reaches_aim {
        Verdict::Aim
    } else {
        Verdict::Held
    }
}

fn value(source: &Source, lines: &Lines) -> Option<f64> {
    if let Source::Fixed(value) = source {
        return Some(*value);
    }
    let medians = all(source, lines).into_iter().map(Series::median);
    let best = medians.max_by(f64::total_cmp)?;
    Some(match source {
        Source::Each { .. } => 1000.0 / best,
        _ => best,
    })
}

/// Every series that may stand for the source.
pub fn all<'l>(source: &Source, lines: &'l Lines) -> Vec<&'l Series> {
    let fits = |series: &&Series| fits(source, series);
    lines.series.iter().filter(fits).collect()
}

fn fits(source: &Source, series: &Series) -> bool {
    let key = &series.key;
    let is = |peer: &str, name: &str| key.peer == peer && key.workload == name;
    match source {
        Source::Rate {
            peers,
            store,
            workload,
            concurrency,
        } => {
            series.unit == Unit::PerSecond
                && key.workload == *workload
                && peers.contains(&key.peer.as_str())
                && (store.is_none() || key.store.as_deref() == *store)
                && concurrency.is_none_or(|wanted| wanted == key.concurrency)
        }
        Source::P50 { store, workload } => {
            series.unit == Unit::P50 && is("baton", workload) && key.store.as_deref() == *store
        }
        Source::Each { workload } => {
            series.unit == Unit::PerSecond && is("limit", workload) && key.concurrency == 1
        }
        Source::Amount { workload } => matches!(series.unit, Unit::Of(_)) && is("baton", workload),
        Source::Fixed(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_peer_is_the_one_with_the_highest_median() {
        let lines = Lines::read(
            r#"{"peer":"baton","store":"postgres","workload":"drain","concurrency":50,"per_second":60000,"round":1}
               {"peer":"pgboss-work","workload":"drain","concurrency":4,"per_second":30000,"round":1}
               {"peer":"graphile-batched","workload":"drain","concurrency":24,"per_second":40000,"round":1}
               {"peer":"graphile-batched","workload":"drain","concurrency":24,"per_second":20000,"round":2}
               {"peer":"bullmq","workload":"drain","concurrency":100,"per_second":90000,"round":1}"#,
        );

        let judged = judge(&gate("PostgreSQL, drain / best durable peer"), &lines).unwrap();

        assert_eq!(judged.against, 30_000.0);
        assert_eq!(judged.ratio, 2.0);
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
    fn a_latency_is_compared_with_the_time_of_one_commit_and_has_to_be_below() {
        let lines = Lines::read(
            r#"{"peer":"baton","store":"postgres","workload":"latency_idle","concurrency":1,"p50_ms":2.0,"p99_ms":9,"round":1}
               {"peer":"limit","workload":"pg_insert1_bigint","concurrency":1,"per_second":1000,"round":1}
               {"peer":"limit","workload":"pg_insert1_bigint","concurrency":32,"per_second":9000,"round":1}"#,
        );

        let judged = judge(
            &gate("Idle enqueue to start, p50 / one durable commit"),
            &lines,
        )
        .unwrap();

        assert_eq!(judged.ratio, 2.0);
        assert_eq!(judged.verdict, Verdict::Missed(0.25));
    }

    #[test]
    fn what_was_not_measured_is_not_judged() {
        let lines = Lines::read("");

        let judged = super::super::gates::GATES
            .iter()
            .find(|gate| judge(gate, &lines).is_some());

        assert!(judged.is_none());
    }

    fn drain_verdict(ratio: f64) -> Verdict {
        verdict(&gate("PostgreSQL, drain / best durable peer"), ratio)
    }

    fn gate(figure: &str) -> Gate {
        let gates = super::super::gates::GATES;
        gates
            .into_iter()
            .find(|gate| gate.figure == figure)
            .unwrap()
    }
}
