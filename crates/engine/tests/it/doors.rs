//! Doors for tests of users: who is here as a day passes, what a lost lease costs, and when it is quiet.

use std::{sync::Arc, time::Duration};

use baton_domain::{
    Clock, Timestamp, WorkerId,
    access::Actor,
    fleet::{Heartbeat, Presence, RemoteWorker, Worker},
    job::{DeliveryGuarantee, JobSpec, State},
    time::StoreClock,
};
use baton_engine::{Caller, Cancel, Engine, Settings};
use baton_ports::{
    MemoryStore, Wakeups,
    store::{Fleet, Jobs},
};
use tokio_util::sync::CancellationToken;

use crate::fixture::{Fixture, delayed, spec};

const LEASE: Duration = Duration::from_secs(30);
const DAY: Duration = Duration::from_hours(24);

/// An engine by a clock that can be put ahead, and its store.
fn by_a_clock() -> (Arc<StoreClock>, Arc<MemoryStore>, Caller) {
    let start = Timestamp::from_micros(1_800_000_000_000_000);
    let clock = Arc::new(StoreClock::starting_at(start));
    let store = Arc::new(MemoryStore::with_clock(clock.clone()));
    let engine = Engine::new(
        store.clone(),
        Arc::new(Wakeups::default()),
        clock.clone(),
        Vec::new(),
        Settings::default(),
    );
    (clock, store, engine.caller(Actor::anonymous()))
}

/// A worker that started then, and has had free slots since.
fn worker(name: &str, started_at: Timestamp) -> Heartbeat {
    let remote = RemoteWorker {
        free: 1,
        ..RemoteWorker::default()
    };
    Heartbeat {
        worker: WorkerId::new(started_at),
        name: name.to_owned(),
        version: "1".to_owned(),
        lease: Some(LEASE),
        slots: [].into(),
        running: 0,
        draining: false,
        started_at,
        remote: Some(remote),
    }
}

async fn presences(engine: &Caller) -> Vec<(String, Presence)> {
    let presence = |one: Worker| {
        let presence = one.presence(engine.now(), LEASE);
        (one.heartbeat.name, presence)
    };
    let workers = engine.workers().await.unwrap();
    workers.into_iter().map(presence).collect()
}

async fn busy(fixture: &Fixture) -> Vec<String> {
    let stop = CancellationToken::new();
    fixture.engine.quiet(Duration::ZERO, &stop).await.unwrap()
}

#[tokio::test]
async fn as_a_day_passes_whoever_is_here_stays_and_whoever_was_silent_stays_silent() {
    let (clock, store, engine) = by_a_clock();
    let now = clock.now();
    let (here, silent) = (worker("here", now), worker("silent", now - 2 * LEASE));
    store.heartbeat(&here, now).await.unwrap();
    store.heartbeat(&silent, now - 2 * LEASE).await.unwrap();
    let leader = WorkerId::new(now);
    store.lead(leader, LEASE, now).await.unwrap();

    let shown = engine.advance(&clock, DAY).await.unwrap();

    assert!(shown.since(now) >= DAY);
    assert_eq!(
        presences(&engine).await,
        [("here".to_owned(), Presence::Live)]
    );
    assert_eq!(engine.leader().await.unwrap(), Some(leader));
    let seen = store.workers(now - DAY).await.unwrap();
    let silent_since = seen.iter().find(|one| one.heartbeat.name == "silent");
    assert_eq!(silent_since.unwrap().seen_at, now - 2 * LEASE);
}

#[tokio::test]
async fn lost_leases_cost_their_jobs_an_attempt_by_the_rules_of_each() {
    let fixture = Fixture::new().await;
    let again = fixture.accept(spec()).await;
    fixture.claim().await;
    let at_most_once = JobSpec {
        delivery: Some(DeliveryGuarantee::AtMostOnce),
        ..spec()
    };
    let once = fixture.accept(at_most_once).await;
    fixture.claim().await;
    let waits = fixture.accept(spec()).await;

    let lost = fixture.engine.lose_leases().await.unwrap();
    let none = fixture.engine.lose_leases().await.unwrap();

    assert_eq!((lost, none), (2, 0));
    let mut states = Vec::new();
    for id in [again, once, waits] {
        let job = fixture.store.job(id).await.unwrap().unwrap();
        states.push((job.state, job.losses));
    }
    assert_eq!(states[1].0, State::Uncertain);
    assert_eq!(states[2], (State::Queued, 0));
    assert!(
        matches!(states[0], (State::RetryWait | State::Queued, 1)),
        "{states:?}"
    );
}

#[tokio::test]
async fn it_is_quiet_when_nothing_is_due_or_runs_and_each_fact_has_its_number() {
    let mut fixture = Fixture::new().await;
    fixture.turn("sequencer").await;
    let at_first = busy(&fixture).await;

    let id = fixture.accept(spec()).await;
    fixture.turn("sequencer").await;
    let in_line = busy(&fixture).await;
    fixture.claim().await;
    fixture.turn("sequencer").await;
    let running = busy(&fixture).await;
    let by_force = Cancel {
        force: true,
        ..Cancel::default()
    };
    fixture.engine.cancel(id, by_force).await.unwrap();
    let unnumbered = busy(&fixture).await;
    fixture.turn("sequencer").await;
    fixture.accept(delayed(DAY)).await;
    fixture.turn("sequencer").await;
    let waiting = busy(&fixture).await;
    fixture.clock.advance(2 * DAY);
    let due = busy(&fixture).await;

    assert_eq!(at_first, Vec::<String>::new());
    assert_eq!(in_line, [format!("{id} (note) is queued")]);
    assert_eq!(running, [format!("{id} (note) is running")]);
    assert_eq!(unnumbered, ["facts wait for their numbers"]);
    assert_eq!(waiting, Vec::<String>::new());
    assert_eq!(due, ["a job is due"]);
}
