//! What faults cost is read from the history, name by name.

use baton_lab::{
    checker::{
        At, Attempt, Event, EventData, Fault, FaultKind, History, Outcome, Posted, Request,
        recovery,
    },
    target::{Answer, Arrival},
};

/// Moves of jobs to a state, at these moments.
fn moves(kind: &str, job: impl Fn(i64) -> i64, moments: &[i64]) -> Vec<Event> {
    let numbered = moments.iter().zip(1..);
    let event = |(at, seq)| Event {
        id: format!("1-{seq}"),
        seq,
        kind: kind.to_owned(),
        subject: format!("job_{}", job(seq)),
        at: At(at),
        data: EventData::default(),
    };
    numbered.map(|(at, seq)| event((*at, seq))).collect()
}

/// A call of an attempt of a job, which arrived and was answered at these moments.
fn call(job: i64, attempt: u32, at_us: i64, ended_us: i64) -> Arrival {
    Arrival {
        at_us,
        key: format!("job_{job}.1"),
        job_id: format!("job_{job}"),
        attempt,
        path: String::new(),
        answer: Answer::Status(200),
        retry_after_s: None,
        ended_us: Some(ended_us),
        answered: true,
    }
}

/// Ends of jobs, whose calls were answered at these moments; the store dates them by a clock that runs `ahead`.
fn ends_by_a_clock(ahead: i64, moments: &[i64]) -> History {
    let dated: Vec<_> = moments.iter().map(|at| at + ahead).collect();
    let calls = moments.iter().zip(1..);
    History {
        events: moves("job.succeeded", |seq| seq, &dated),
        arrivals: calls.map(|(at, job)| call(job, 1, at - 1, *at)).collect(),
        ..History::default()
    }
}

fn ends(moments: &[i64]) -> History {
    ends_by_a_clock(0, moments)
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

/// The first attempt of the first job, taken back at this moment.
fn lost(worker: &str, at: i64) -> Attempt {
    Attempt {
        id: String::new(),
        job_id: "job_1".to_owned(),
        attempt: 1,
        run: 1,
        outcome: Some(Outcome::Lost),
        state: None,
        worker: Some(worker.to_owned()),
        started_at: None,
        ended_at: Some(At(at)),
        next_run_at: None,
        late: None,
    }
}

#[test]
fn a_fault_costs_the_time_in_which_nothing_ended_and_the_time_until_something_did() {
    let database = FaultKind::Database;
    let history = History {
        faults: vec![
            fault(database, "kill the database", None, (210, 700)),
            fault(database, "kill the database", None, (960, 1_000)),
        ],
        ..ends(&[100, 200, 900, 950, 2_000, 2_010])
    };

    let costs = recovery(&history);

    let cost = &costs["kill the database"];
    assert_eq!(cost.faults, 2);
    assert_eq!(cost.first_end_us, [200, 1_000]);
    assert_eq!(cost.silence_us, [700, 1_050]);
}

#[test]
fn what_the_stores_clock_shows_makes_no_fault_dearer_or_cheaper() {
    let second = 1_000_000;
    let moments = [second, 2 * second, 9 * second];
    let of = |ahead| {
        let history = History {
            faults: vec![fault(
                FaultKind::Clock,
                "step a clock",
                None,
                (2 * second, 3 * second),
            )],
            ..ends_by_a_clock(ahead, &moments)
        };
        recovery(&history)["step a clock"].clone()
    };

    let (right, ahead, behind) = (of(0), of(4 * second), of(-4 * second));

    assert_eq!(right.first_end_us, [6 * second]);
    assert_eq!((&ahead, &behind), (&right, &right));
}

#[test]
fn what_a_killed_worker_had_is_timed_by_the_target_where_that_was_called() {
    let second = 1_000_000;
    let history = History {
        attempts: vec![lost("a", 10 * second)],
        // The store's clock was put forward by three seconds before the second claim.
        events: moves("job.running", |_| 1, &[100, 14 * second]),
        arrivals: vec![
            call(1, 1, 200, 300),
            call(1, 2, 11 * second, 11 * second + 1),
        ],
        faults: vec![fault(
            FaultKind::Kill,
            "kill",
            Some("a"),
            (4 * second, 4 * second),
        )],
        ..History::default()
    };

    let costs = recovery(&history);

    assert_eq!(costs["kill"].elsewhere_us, [7 * second]);
}

#[test]
fn what_a_killed_worker_had_is_timed_until_it_was_claimed_again() {
    let history = History {
        attempts: vec![lost("a", 5_000)],
        events: moves("job.running", |_| 1, &[100, 6_000]),
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
fn a_pause_that_was_over_long_before_took_nothing() {
    let minute = 60_000_000;
    let history = History {
        attempts: vec![lost("a", 2 * minute)],
        events: moves("job.running", |_| 1, &[100, 2 * minute + 1]),
        faults: vec![fault(FaultKind::Pause, "freeze", Some("a"), (500, 600))],
        ..History::default()
    };

    let costs = recovery(&history);

    assert!(costs["freeze"].elsewhere_us.is_empty());
}

#[test]
fn what_a_frozen_worker_took_after_it_woke_did_not_go_with_the_freeze() {
    let second = 1_000_000;
    let history = History {
        attempts: vec![lost("a", 15 * second)],
        events: moves("job.running", |_| 1, &[8 * second, 16 * second]),
        faults: vec![fault(
            FaultKind::Pause,
            "freeze",
            Some("a"),
            (second, 7 * second),
        )],
        ..History::default()
    };

    let costs = recovery(&history);

    assert!(costs["freeze"].elsewhere_us.is_empty());
}

#[test]
fn what_a_frozen_worker_kept_until_it_was_killed_went_with_the_kill() {
    let second = 1_000_000;
    let history = History {
        attempts: vec![lost("a", 12 * second)],
        events: moves("job.running", |_| 1, &[100, 13 * second]),
        faults: vec![
            fault(FaultKind::Pause, "freeze", Some("a"), (second, 5 * second)),
            fault(FaultKind::Kill, "kill", Some("a"), (7 * second, 7 * second)),
        ],
        ..History::default()
    };

    let costs = recovery(&history);

    assert!(costs["freeze"].elsewhere_us.is_empty());
    assert_eq!(costs["kill"].elsewhere_us, [6 * second]);
}

#[test]
fn the_last_fault_of_a_history_has_no_end_to_wait_for() {
    let history = History {
        faults: vec![fault(FaultKind::Cut, "", None, (200, 300))],
        ..ends(&[100])
    };

    let costs = recovery(&history);

    assert_eq!(costs["a cut line"].faults, 1);
    assert!(costs["a cut line"].first_end_us.is_empty());
}

#[test]
fn a_failover_costs_the_time_from_the_new_primary_until_a_job_is_accepted_and_one_ends() {
    let asked = |start_us: i64, end_us: i64, answer: Posted| Request {
        start_us,
        end_us,
        key: None,
        path: None,
        max_attempts: 4,
        run_at_us: None,
        timeout_us: 1,
        at_most_once: false,
        answer,
    };
    let accepted = Posted::Ok {
        id: "job_1".to_owned(),
        created: true,
    };
    let history = History {
        requests: vec![
            asked(150, 990, Posted::Unknown),
            asked(990, 1_005, Posted::Unknown),
            asked(1_100, 1_300, accepted),
        ],
        faults: vec![fault(FaultKind::Failover, "fail over", None, (200, 1_000))],
        ..ends(&[100, 1_400])
    };

    let costs = recovery(&history);

    assert_eq!(costs["fail over"].first_accept_us, [300]);
    assert_eq!(costs["fail over"].first_end_us, [400]);
}
