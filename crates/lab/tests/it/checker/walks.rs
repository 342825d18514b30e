//! What remote workers owe: I32 to I37.

use baton_lab::checker::{
    AcceptedWalk, At, Did, Drain, History, ITEM, Job, ObservedAttempt, Orphan, State, WALK, Walks,
    check,
};

const SECOND: i64 = 1_000_000;

fn job(id: &str, key: &str, kind: &str) -> Job {
    let mut value = serde_json::json!({
        "id": id, "key": key, "kind": kind, "queue": kind, "state": "succeeded",
        "attempt": 0, "tries": 0, "max_attempts": 4,
    });
    for field in ["run_at", "created_at", "finished_at"] {
        value[field] = At(SECOND).to_string().into();
    }
    serde_json::from_value(value).unwrap()
}

fn sight(attempt: u32, at_us: i64, did: Did) -> ObservedAttempt {
    ObservedAttempt {
        at_us,
        worker: format!("remote-{attempt}"),
        job: "job_walk".to_owned(),
        attempt,
        did,
    }
}

/// A walk over four items, whose first worker is killed after its first checkpoint.
fn walked() -> Walks {
    Walks {
        asked: vec![AcceptedWalk {
            job: "job_walk".to_owned(),
            key: "walk-1".to_owned(),
            items: 4,
            chunk: 2,
        }],
        sights: vec![
            sight(1, SECOND, Did::Began(0)),
            sight(1, 2 * SECOND, Did::Asked(2)),
            sight(1, 3 * SECOND, Did::Saved(2)),
            sight(2, 9 * SECOND, Did::Began(2)),
            sight(2, 10 * SECOND, Did::Asked(4)),
            sight(2, 11 * SECOND, Did::Saved(4)),
        ],
        ..Walks::default()
    }
}

fn history() -> History {
    let child = |item| job(&format!("job_{item}"), &format!("walk-1-{item}"), ITEM);
    let mut jobs: Vec<_> = (0..4).map(child).collect();
    jobs.push(job("job_walk", "walk-1", WALK));
    History {
        jobs,
        walks: walked(),
        ..History::default()
    }
}

/// The invariants of remote workers that a history breaks.
fn broken(forge: impl FnOnce(&mut History)) -> Vec<u8> {
    let mut history = history();
    forge(&mut history);
    let numbers = check(&history).into_iter().map(|one| one.invariant);
    let mut numbers: Vec<_> = numbers.filter(|one| *one == 2 || *one > 31).collect();
    numbers.dedup();
    numbers
}

#[test]
fn a_walk_whose_worker_was_killed_and_that_went_on_is_clean() {
    assert_eq!(broken(|_| {}), [0_u8; 0]);
}

#[test]
fn a_cursor_that_falls_within_an_attempt_breaks_i32() {
    let broken = broken(|history| history.walks.sights[5].did = Did::Saved(1));

    assert_eq!(broken, [32]);
}

#[test]
fn an_item_without_a_child_breaks_i33() {
    let broken = broken(|history| {
        history.jobs.remove(2);
    });

    assert_eq!(broken, [33]);
}

#[test]
fn an_item_with_two_children_breaks_i33() {
    let broken = broken(|history| history.jobs.push(job("job_twice", "walk-1-2", ITEM)));

    assert_eq!(broken, [33]);
}

#[test]
fn a_child_or_a_walk_that_has_failed_breaks_i33() {
    for place in [0, 4] {
        let broken = broken(|history| history.jobs[place].state = State::Failed);

        assert_eq!(broken, [33], "job {place}");
    }
}

#[test]
fn an_attempt_that_begins_before_an_answered_checkpoint_breaks_i34() {
    let broken = broken(|history| history.walks.sights[3].did = Did::Began(0));

    assert_eq!(broken, [34]);
}

#[test]
fn an_attempt_that_begins_where_nobody_has_been_breaks_i35() {
    let broken = broken(|history| history.walks.sights[3].did = Did::Began(3));

    assert_eq!(broken, [35]);
}

#[test]
fn an_unanswered_checkpoint_may_have_been_saved_or_not() {
    for began in [0, 2] {
        let broken = broken(|history| {
            history.walks.sights[3].did = Did::Began(began);
            history.walks.sights.remove(2);
        });

        assert_eq!(broken, [0_u8; 0], "began at {began}");
    }
}

#[test]
fn a_program_that_outlives_its_worker_breaks_i36() {
    let broken = broken(|history| {
        history.walks.orphans.push(Orphan {
            worker: "remote-1.1".to_owned(),
            program: "process 4711 (`sleep 3600`)".to_owned(),
        });
    });

    assert_eq!(broken, [36]);
}

#[test]
fn a_start_after_an_answered_drain_breaks_i37_unless_it_was_on_its_way_or_taken_back() {
    let drain = |from_us, until_us| {
        broken(|history| {
            history.walks.drains.push(Drain {
                worker: "remote-2".to_owned(),
                from_us,
                until_us,
            });
        })
    };

    assert_eq!(drain(6 * SECOND, 20 * SECOND), [37]);
    assert_eq!(drain(8 * SECOND, 20 * SECOND), [0_u8; 0], "on its way");
    assert_eq!(drain(4 * SECOND, 8 * SECOND), [0_u8; 0], "taken back");
}

#[test]
fn a_child_that_no_walk_has_breaks_i2() {
    let broken = broken(|history| history.jobs.push(job("job_odd", "walk-1-4", ITEM)));

    assert_eq!(broken, [2]);
}
