//! What is refused, and that nothing is touched then; the seal, and how it is taken off.

use baton_domain::{WorkerId, fleet::Heartbeat};
use baton_ports::store::{Atomicity, Fleet, Jobs, Upkeep, Work};
use baton_sql::{OpenError, SqlStore};

use super::{ALL, Place, copied, copied_for, filled::filled};
use crate::{
    databases::{self, tolerant},
    hands::{DAWN, LEASE, claim, jobs},
};

#[tokio::test]
async fn no_server_starts_on_either_side_of_a_copy_under_way_nor_on_the_source_afterwards() {
    for from in ALL {
        let (source, target) = (filled(from, 10).await, Place::new("sqlite"));

        copied_for(2, &source, &target).await;
        let [leaving, arriving] = [refused(&source).await, refused(&target).await];
        copied(&source, &target).await.unwrap();
        let left = refused(&source).await;

        assert!(
            leaving.contains("is being moved to sqlite://") && leaving.contains("--reopen"),
            "{leaving}"
        );
        assert!(arriving.contains("is not finished"), "{arriving}");
        assert!(left.contains("has moved to sqlite://"), "{left}");
        let arrived = databases::open(&target.url()).await;
        assert!(arrived.schema().await.unwrap().unwrap().is_fit());
        arrived.close().await;
    }
}

async fn refused(place: &Place) -> String {
    match baton_sql::open(&place.url(), &tolerant()).await {
        Err(refused @ OpenError::Sealed(_)) => refused.to_string(),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it is open"),
    }
}

#[tokio::test]
async fn a_server_that_wakes_after_the_seal_changes_nothing() {
    for from in ["postgres", "mysql"] {
        let (source, target) = (filled(from, 10).await, Place::new("sqlite"));
        let zombie = databases::open(&source.url()).await;
        let worker = WorkerId::new(DAWN);

        copied(&source, &target).await.unwrap();

        let schema = zombie.schema().await.unwrap().unwrap();
        assert!(schema.oldest > schema.program, "it is not ready any more");
        assert!(zombie.heartbeat(&heartbeat(worker), DAWN).await.is_err());
        assert!(zombie.enqueue(jobs(1, DAWN), Atomicity::All).await.is_err());
        assert!(
            zombie
                .claim(&claim(worker, 5, DAWN + LEASE), DAWN)
                .await
                .is_err()
        );
        assert!(zombie.lead(worker, LEASE, DAWN).await.is_err());
    }
}

fn heartbeat(worker: WorkerId) -> Heartbeat {
    Heartbeat {
        remote: None,
        worker,
        name: "node-1".to_owned(),
        version: "1".to_owned(),
        lease: Some(LEASE),
        slots: Default::default(),
        running: 0,
        draining: false,
        started_at: DAWN,
    }
}

#[tokio::test]
async fn a_database_that_a_server_uses_is_not_copied() {
    for from in ["postgres", "mysql"] {
        let (source, target) = (filled(from, 10).await, Place::new("sqlite"));
        let server = databases::open(&source.url()).await;
        let (worker, now) = (WorkerId::new(DAWN), server.time().await.unwrap());
        server.heartbeat(&heartbeat(worker), now).await.unwrap();

        let used = copied(&source, &target).await.unwrap_err().to_string();
        server.leave(worker, now).await.unwrap();
        let other = WorkerId::new(DAWN);
        server.lead(other, LEASE, now).await.unwrap();
        let led = copied(&source, &target).await.unwrap_err().to_string();
        server.resign(other).await.unwrap();
        server.lead(worker, LEASE, now).await.unwrap();

        assert!(used.contains("in use: node-1 "), "{used}");
        assert!(led.contains("in use: a node that leads"), "{led}");
        copied(&source, &target).await.unwrap();
    }
}

#[tokio::test]
async fn a_file_that_a_server_has_open_is_not_copied() {
    let (source, target) = (filled("sqlite", 10).await, Place::new("postgres"));
    let server = databases::open(&source.url()).await;

    let used = copied(&source, &target).await;
    server.close().await;

    assert!(matches!(used, Err(OpenError::InUse { .. })));
    copied(&source, &target).await.unwrap();
}

#[tokio::test]
async fn a_target_that_holds_something_or_was_used_is_refused_and_left_as_it_is() {
    for to in ALL {
        let source = filled("sqlite", 10).await;
        let (full, used) = (filled(to, 5).await, Place::new(to));
        baton_sql::migrate(&used.url()).await.unwrap();
        let server = databases::open(&used.url()).await;
        server
            .heartbeat(&heartbeat(WorkerId::new(DAWN)), DAWN)
            .await
            .unwrap();
        server.close().await;

        for target in [&full, &used] {
            let refused = copied(&source, target).await.unwrap_err().to_string();

            assert!(
                refused.contains("give an empty database"),
                "{to}: {refused}"
            );
            databases::open(&target.url()).await.close().await;
            databases::open(&source.url()).await.close().await;
        }
    }
}

#[tokio::test]
async fn a_copy_under_way_takes_no_other_target_and_its_target_no_other_source() {
    let (source, other) = (filled("postgres", 10).await, filled("mysql", 10).await);
    let (target, second) = (Place::new("sqlite"), Place::new("sqlite"));
    copied_for(2, &source, &target).await;

    let of_another = copied(&other, &target).await.unwrap_err().to_string();
    let to_another = copied(&source, &second).await.unwrap_err().to_string();

    assert!(
        of_another.contains("holds an unfinished copy"),
        "{of_another}"
    );
    assert!(to_another.contains("is being copied to"), "{to_another}");
    databases::open(&other.url()).await;
    copied(&source, &target).await.unwrap();
}

#[tokio::test]
async fn a_copy_that_is_given_up_leaves_a_database_that_works() {
    for from in ALL {
        let (source, target) = (filled(from, 10).await, Place::new("sqlite"));
        copied_for(2, &source, &target).await;

        baton_sql::reopen(&source.url(), false).await.unwrap();

        let store = databases::open(&source.url()).await;
        store.enqueue(jobs(1, DAWN), Atomicity::All).await.unwrap();
        assert_eq!(claimed(&store).await, 5);
        store.close().await;
        let stale = copied(&source, &target).await.unwrap_err().to_string();
        assert!(stale.contains("was given up since"), "{stale}");
    }
}

async fn claimed(store: &SqlStore) -> usize {
    let worker = WorkerId::new(DAWN);
    store
        .claim(&claim(worker, 5, DAWN + LEASE), DAWN)
        .await
        .unwrap()
        .len()
}

#[tokio::test]
async fn a_database_all_of_which_was_copied_is_reopened_by_force_only() {
    let (source, target) = (filled("postgres", 10).await, Place::new("sqlite"));
    copied(&source, &target).await.unwrap();

    let refused = baton_sql::reopen(&source.url(), false)
        .await
        .unwrap_err()
        .to_string();
    baton_sql::reopen(&source.url(), true).await.unwrap();
    let unsealed = baton_sql::reopen(&source.url(), true)
        .await
        .unwrap_err()
        .to_string();

    assert!(refused.contains("--force"), "{refused}");
    assert!(unsealed.contains("is not sealed"), "{unsealed}");
    assert_eq!(claimed(&databases::open(&source.url()).await).await, 5);
}
