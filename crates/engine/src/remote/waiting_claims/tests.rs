//! Whoever waits first is woken first, and nothing that is handed over is forgotten.

use baton_domain::queue::WorkedBy;
use baton_ports::LocalDispatch;

use super::*;

const NOW: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

fn waiting(claims: &Arc<WaitingClaims>, queue: &str) -> Place {
    let wants = vec![(queue.to_owned(), LeaseId::new(NOW), 4)];
    let place = claims.enter(WorkerId::new(NOW), wants, false).unwrap();
    assert!(place.waiter.rest());
    place
}

fn dispatch(claims: &Arc<WaitingClaims>) -> (Arc<dyn LocalDispatch>, Arc<Mutex<Vec<LeaseId>>>) {
    let orphans = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&orphans);
    let dispatch = Dispatch {
        claims: Arc::clone(claims),
        until: || NOW,
        orphaned: Arc::new(move |_, lease, _| told.lock().push(lease)),
    };
    (Arc::new(dispatch), orphans)
}

fn ready(name: &str) -> ReadyQueue {
    ReadyQueue {
        name: name.to_owned(),
        limited: false,
        worked_by: WorkedBy::Remote,
    }
}

#[test]
fn whoever_came_first_is_woken_first_and_nobody_twice() {
    let claims = Arc::<WaitingClaims>::default();
    let (first, second) = (waiting(&claims, "a"), waiting(&claims, "a"));

    claims.seen(&[ready("a"), ready("b")]);
    let after_one_look = (first.waiter.rest(), second.waiter.rest());
    claims.wake_one("a");
    claims.wake_one("a");

    assert_eq!(after_one_look, (true, true));
    assert!(!claims.wake_one("a"));
}

#[test]
fn whoever_looks_as_something_comes_looks_once_more() {
    let claims = Arc::<WaitingClaims>::default();
    let place = waiting(&claims, "a");
    claims.wake_one("a");
    claims.wake_one("a");

    let rests = [place.waiter.rest(), place.waiter.rest()];

    assert_eq!(rests, [false, true]);
}

#[test]
fn who_comes_where_others_wait_for_all_of_its_queues_joins_them_and_otherwise_looks() {
    let claims = Arc::<WaitingClaims>::default();
    let _first = waiting(&claims, "a");
    let enter = |queues: &[&str]| {
        let wants = queues
            .iter()
            .map(|one| ((*one).to_owned(), LeaseId::new(NOW), 1));
        claims
            .enter(WorkerId::new(NOW), wants.collect(), true)
            .unwrap()
    };

    let (joins, looks) = (enter(&["a"]), enter(&["a", "b"]));
    let waits = joins.waiter.is_idle();
    claims.wake_one("a");
    claims.wake_one("a");
    let late = enter(&["a"]);

    assert!(waits);
    assert_eq!(
        (looks.waiter.is_idle(), late.waiter.is_idle()),
        (false, false)
    );
}

#[test]
fn whoever_joins_is_handed_nothing_before_it_was_asked_what_is_wanted_of_its_worker() {
    let claims = Arc::<WaitingClaims>::default();
    let (dispatch, _) = dispatch(&claims);
    let first = waiting(&claims, "a");
    let wants = vec![("a".to_owned(), LeaseId::new(NOW), 4)];
    let place = claims.enter(WorkerId::new(NOW), wants, true).unwrap();
    drop(first);

    let before = dispatch.reserve("a", 1).is_some();
    let asked: Vec<_> = claims.joined().iter().map(|one| one.worker).collect();
    place.waiter.admit();
    let after = dispatch.reserve("a", 1).is_some();

    assert_eq!((before, after), (false, true));
    assert_eq!(asked, [place.waiter.worker]);
    assert!(claims.joined().is_empty());
}

#[test]
fn whoever_has_joined_is_woken_as_those_are_that_wait_longer() {
    let claims = Arc::<WaitingClaims>::default();
    let first = waiting(&claims, "a");
    let wants = vec![("a".to_owned(), LeaseId::new(NOW), 4)];
    let place = claims.enter(WorkerId::new(NOW), wants, true).unwrap();
    drop(first);

    let is_woken = claims.wake_one("a");
    place.waiter.admit();

    assert!(is_woken);
    assert!(!place.waiter.is_idle(), "it looks");
}

#[test]
fn a_queue_is_taken_for_empty_while_somebody_waits_who_has_found_nothing() {
    let claims = Arc::<WaitingClaims>::default();
    let looks = claims.enter(
        WorkerId::new(NOW),
        vec![("a".to_owned(), LeaseId::new(NOW), 4)],
        false,
    );

    let while_it_looks = claims.is_found_empty("a");
    looks.unwrap().waiter.rest();
    let waits = waiting(&claims, "a");

    assert!(!while_it_looks);
    assert!(claims.is_found_empty("a"));
    drop(waits);
    assert!(!claims.is_found_empty("a"));
}

#[test]
fn whoever_is_woken_and_leaves_passes_the_turn_on() {
    let claims = Arc::<WaitingClaims>::default();
    let (first, second) = (waiting(&claims, "a"), waiting(&claims, "a"));
    claims.wake_one("a");

    drop(first);

    assert!(!claims.wake_one("a"), "the second one looks already");
    drop(second);
    assert_eq!((claims.len(), claims.is_wanted("a")), (0, false));
}

#[test]
fn a_job_that_comes_in_is_handed_to_whoever_waits_for_its_queue() {
    let claims = Arc::<WaitingClaims>::default();
    let (dispatch, orphans) = dispatch(&claims);
    let place = waiting(&claims, "a");

    assert!(dispatch.reserve("b", 1).is_none());
    assert!(dispatch.reserve("a", 5).is_none(), "it wants four");
    let reservation = dispatch.reserve("a", 1).unwrap();
    assert!(dispatch.reserve("a", 1).is_none());
    reservation.accept(Vec::new());

    let brought = place.waiter.awake();
    assert!(
        matches!(brought, Some(Delivery::Claimed(jobs, term)) if jobs.is_empty() && term.until == NOW)
    );
    assert_eq!(*orphans.lock(), []);
}

#[test]
fn what_nobody_answered_for_is_looked_for_and_what_nobody_waits_for_is_told() {
    let claims = Arc::<WaitingClaims>::default();
    let (dispatch, orphans) = dispatch(&claims);
    let place = waiting(&claims, "a");
    drop(dispatch.reserve("a", 1).unwrap());
    let unknown = matches!(
        place.waiter.awake(),
        Some(Delivery::Unknown(_, Term { until: NOW, .. }))
    );
    assert!(place.waiter.rest());
    let reservation = dispatch.reserve("a", 1).unwrap();

    drop(place);
    drop(reservation);

    assert!(unknown);
    assert_eq!(orphans.lock().len(), 1);
}

#[test]
fn a_worker_has_a_few_claims_at_once_and_no_more() {
    let claims = Arc::<WaitingClaims>::default();
    let worker = WorkerId::new(NOW);
    let wants = || vec![("a".to_owned(), LeaseId::new(NOW), 1)];

    let places: Vec<_> = (0..MOST_OF_ONE)
        .map(|_| claims.enter(worker, wants(), false).unwrap())
        .collect();

    assert!(claims.enter(worker, wants(), false).is_none());
    drop(places);
    assert!(claims.enter(worker, wants(), false).is_some());
}

#[test]
fn what_was_delivered_to_a_claim_that_goes_before_it_wakes_is_told() {
    let claims = Arc::<WaitingClaims>::default();
    let (dispatch, _) = dispatch(&claims);
    let told = Arc::new(Mutex::new(Vec::new()));
    let orphans = Arc::clone(&told);
    let orphaned: Orphaned = Arc::new(move |_, lease, _| orphans.lock().push(lease));
    assert!(claims.orphaned.set(orphaned).is_ok());
    let place = waiting(&claims, "a");
    drop(dispatch.reserve("a", 1).unwrap());

    drop(place);

    assert_eq!(told.lock().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn long_waits_end_together_and_at_most_a_second_early_and_short_ones_when_they_are_to() {
    let claims = WaitingClaims::default();
    let (mut long, mut short) = (Vec::new(), Vec::new());
    for _ in 0..20 {
        let now = Instant::now();
        long.push((now, claims.end_of(Duration::from_secs(50))));
        short.push((now, claims.end_of(Duration::from_secs(9))));
        tokio::time::advance(Duration::from_millis(100)).await;
    }

    let early = long
        .iter()
        .map(|(begun, end)| *begun + Duration::from_secs(50) - *end);
    let early: Vec<_> = early.collect();
    let moments: std::collections::HashSet<_> = long.iter().map(|(_, end)| *end).collect();

    assert!(early.iter().all(|span| *span < TOGETHER), "{early:?}");
    assert_eq!(moments.len(), 2);
    let is_exact = |(begun, end): &(Instant, Instant)| *end - *begun == Duration::from_secs(9);
    assert!(short.iter().all(is_exact), "{short:?}");
}
