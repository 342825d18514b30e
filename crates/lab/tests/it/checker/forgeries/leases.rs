//! Forgeries of leases that were lost: I31.

use baton_lab::checker::{Fault, FaultKind};

use super::forgeries;

const MINUTE: i64 = 60_000_000;

forgeries! {
    stormy, I 31: a_lease_that_was_lost_though_nothing_had_befallen_its_worker, |history| {
        history.faults.clear();
    };
    stormy, I 31: a_lease_that_was_lost_before_its_worker_was_killed, |history| {
        for fault in &mut history.faults {
            fault.from_us += MINUTE;
            fault.until_us += MINUTE;
        }
    };
    stormy, I 31: a_lease_that_was_lost_long_after_its_worker_was_frozen, |history| {
        for fault in &mut history.faults {
            fault.kind = FaultKind::Pause;
            fault.from_us -= 2 * MINUTE;
            fault.until_us = fault.from_us + 1;
        }
    };
    stormy, I 31: a_lease_that_was_lost_because_another_worker_was_killed, |history| {
        let others: Vec<_> = history.faults.iter().map(|fault| fault.worker.clone()).collect();
        let mut faults = history.faults.iter_mut();
        faults.by_ref().zip(others.into_iter().skip(1)).for_each(|(fault, other)| fault.worker = other);
        faults.for_each(|fault| fault.worker = Some("wrk_another".to_owned()));
    };
    stormy, I 31: a_lease_that_was_lost_because_redis_was_away, |history| {
        history.faults.iter_mut().for_each(|fault| fault.kind = FaultKind::Redis);
    };
    stormy, I 31: a_lease_that_was_lost_because_a_clock_was_stepped, |history| {
        let steps = history.faults.iter().map(|fault| Fault {
            kind: FaultKind::Clock,
            name: "step a clock".to_owned(),
            worker: None,
            ..fault.clone()
        });
        history.faults = steps.collect();
    };
}
