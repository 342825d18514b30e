//! Service that comes back too late behind a new primary.

use baton_lab::checker::{Fault, FaultKind, History};

use super::forgeries;

/// Another primary takes writes this long before the last job is accepted.
fn fail_over_before_the_last(history: &mut History, earlier_us: i64) {
    let last = history
        .requests
        .iter()
        .map(|one| one.start_us)
        .max()
        .unwrap();
    history
        .requests
        .retain(|one| one.start_us == last || one.end_us < last - earlier_us);
    // Somebody asked all the time.
    let mut asked = history.requests.last().unwrap().clone();
    asked.start_us = last - earlier_us;
    asked.answer = baton_lab::checker::Posted::Unknown;
    asked.key = Some("in vain".to_owned());
    asked.end_us = last;
    history.requests.push(asked);
    history.faults.push(Fault {
        kind: FaultKind::Failover,
        name: "fail over".to_owned(),
        worker: None,
        from_us: last - earlier_us - 1_000,
        until_us: last - earlier_us,
    });
}

forgeries! {
    calm, I 27: service_that_is_back_after_six_seconds, |history| {
        fail_over_before_the_last(history, 6_000_000);
    };
    calm, I 27: jobs_that_are_accepted_and_never_end_after_a_failover, |history| {
        let at = history.requests[40].start_us;
        history.events.retain(|one| one.at.0 < at);
        history.faults.push(Fault {
            kind: FaultKind::Failover,
            name: "fail over".to_owned(),
            worker: None,
            from_us: at - 1_000,
            until_us: at,
        });
    };
}
