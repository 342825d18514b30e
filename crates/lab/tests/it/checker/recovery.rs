//! What faults cost is read from the history, name by name.

use baton_lab::checker::{
    At, Attempt, Event, EventData, Fault, FaultKind, History, Outcome, recovery,
};

/// Ends of jobs at these moments.
fn ends(moments: &[i64]) -> Vec<Event> {
    let numbered = moments.iter().zip(1..);
    let event = |(at, seq)| Event {
        id: format!("1-{seq}"),
        seq,
        kind: "job.succeeded".to_owned(),
        subject: format!("job_{seq}"),
        at: At(at),
        data: EventData::default(),
    };
    numbered.map(|(at, seq)| event((*at, seq))).collect()
}

fn fault(kind: FaultKind, name: &str, worker: Option<&str>, span: (i64, i64)) -> Fault {
    Fault {
        kind,
        name: name.to_owned(),
        worker: worker.map(str::to_owned),
        from_us: span.0,
        until_us: span.1,
    }
}

fn attempt(number: u32, worker: &str, span: (i64, i64), outcome: Outcome) -> Attempt {
    Attempt {
        id: String::new(),
        job_id: "job_1".to_owned(),
        attempt: number,
        run: 1,
        outcome: Some(outcome),
        state: None,
        worker: Some(worker.to_owned()),
        started_at: Some(At(span.0)),
        ended_at: Some(At(span.1)),
        next_run_at: None,
        late: None,
    }
}

#[test]
fn a_fault_costs_the_time_in_which_nothing_ended_and_the_time_until_something_did() {
    let database = FaultKind::Database;
    let history = History {
        events: ends(&[100, 200, 900, 950, 2_000, 2_010]),
        faults: vec![
            fault(database, "kill the database", None, (210, 700)),
            fault(database, "kill the database", None, (960, 1_000)),
        ],
        ..History::default()
    };

    let costs = recovery(&history);

    let cost = &costs["kill the database"];
    assert_eq!(cost.faults, 2);
    assert_eq!(cost.first_end_us, [200, 1_000]);
    assert_eq!(cost.silence_us, [700, 1_050]);
}

#[test]
fn what_a_killed_worker_had_is_timed_until_another_attempt_began() {
    let history = History {
        attempts: vec![
            attempt(1, "a", (100, 5_000), Outcome::Lost),
            attempt(2, "b", (6_000, 6_100), Outcome::Succeeded),
        ],
        faults: vec![
            fault(FaultKind::Kill, "kill a worker", Some("a"), (500, 500)),
            fault(FaultKind::Kill, "kill a worker", Some("b"), (9_000, 9_000)),
            fault(FaultKind::Redis, "wipe Redis", Some("a"), (500, 500)),
        ],
        ..History::default()
    };

    let costs = recovery(&history);

    assert_eq!(costs["kill a worker"].elsewhere_us, [5_500]);
    assert!(costs["wipe Redis"].elsewhere_us.is_empty());
}

#[test]
fn the_last_fault_of_a_history_has_no_end_to_wait_for() {
    let history = History {
        events: ends(&[100]),
        faults: vec![fault(FaultKind::Cut, "", None, (200, 300))],
        ..History::default()
    };

    let costs = recovery(&history);

    assert_eq!(costs["a cut line"].faults, 1);
    assert!(costs["a cut line"].first_end_us.is_empty());
}
