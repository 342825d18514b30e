//! The fleet: who is there, and who leads.

use std::collections::BTreeMap;

use baton_domain::{Timestamp, WorkerId, fleet::Heartbeat};
use tokio::task::JoinSet;

use super::{
    bench::{Bench, HOUR, MINUTE, SECOND},
    promises,
};

fn heartbeat(worker: WorkerId, name: &str, started_at: Timestamp) -> Heartbeat {
    Heartbeat {
        remote: None,
        worker,
        name: name.to_owned(),
        version: "0.1.0".to_owned(),
        lease: Some(MINUTE),
        slots: BTreeMap::from([("default".to_owned(), 50), ("slow \"1\"".to_owned(), 2)]),
        running: 3,
        draining: false,
        started_at,
    }
}

async fn beats(bench: &Bench, name: &str) -> WorkerId {
    let worker = bench.another_worker();
    let heartbeat = heartbeat(worker, name, bench.now());
    bench
        .store
        .heartbeat(&heartbeat, bench.now())
        .await
        .expect("heartbeat");
    worker
}

async fn names(bench: &Bench, since: Timestamp) -> Vec<String> {
    let workers = bench.store.workers(since).await.expect("workers");
    workers
        .into_iter()
        .map(|worker| worker.heartbeat.name)
        .collect()
}

async fn lead(bench: &Bench, node: WorkerId) -> bool {
    let is_leader = bench.store.lead(node, MINUTE, bench.now()).await;
    is_leader.expect("lead")
}

async fn leader(bench: &Bench) -> Option<WorkerId> {
    bench.store.leader(bench.now()).await.expect("leader")
}

promises! {
    async fn a_worker_shows_what_it_last_said(bench: Bench) {
        let started_at = bench.now();
        let mut heartbeat = heartbeat(bench.worker, "host:1", started_at);
        bench.store.heartbeat(&heartbeat, bench.now()).await.unwrap();
        bench.pass(MINUTE);
        heartbeat.running = 9;
        heartbeat.draining = true;
        bench.store.heartbeat(&heartbeat, bench.now()).await.unwrap();

        let workers = bench.store.workers(started_at).await.unwrap();

        assert_eq!(workers.len(), 1);
        assert_eq!((&workers[0].heartbeat, workers[0].seen_at), (&heartbeat, bench.now()));
        assert_eq!(workers[0].left_at, None);
    }

    async fn workers_are_listed_by_name(bench: Bench) {
        for name in ["b:1", "a:2", "c:3", "a:1"] {
            beats(&bench, name).await;
        }

        assert_eq!(
            names(&bench, bench.now() - HOUR).await,
            ["a:1", "a:2", "b:1", "c:3"]
        );
    }

    async fn workers_not_seen_for_long_are_not_listed(bench: Bench) {
        beats(&bench, "old:1").await;
        bench.pass(HOUR);
        beats(&bench, "new:1").await;

        assert_eq!(names(&bench, bench.now() - MINUTE).await, ["new:1"]);
        assert_eq!(
            names(&bench, bench.now() - 2 * HOUR).await,
            ["new:1", "old:1"]
        );
    }

    async fn a_worker_says_goodbye_once(bench: Bench) {
        let worker = beats(&bench, "host:1").await;
        bench.pass(SECOND);
        let left_at = bench.now();

        bench.store.leave(worker, left_at).await.unwrap();
        bench.pass(SECOND);
        bench.store.leave(worker, bench.now()).await.unwrap();

        let workers = bench.store.workers(left_at - MINUTE).await.unwrap();
        assert_eq!(workers[0].left_at, Some(left_at));
    }

    async fn joining_and_leaving_are_facts_and_beating_is_not(bench: Bench) {
        let worker = beats(&bench, "host:1").await;
        for _ in 0..3 {
            let heartbeat = heartbeat(worker, "host:1", bench.now());
            bench.store.heartbeat(&heartbeat, bench.now()).await.unwrap();
        }
        bench.store.leave(worker, bench.now()).await.unwrap();
        bench.store.leave(worker, bench.now()).await.unwrap();

        let facts = bench.facts().await;

        let told: Vec<_> = facts
            .iter()
            .map(|f| (f.kind.as_str(), f.subject.clone()))
            .collect();
        let subject = worker.to_string();
        assert_eq!(
            told,
            [("worker.joined", subject.clone()), ("worker.left", subject)]
        );
    }

    async fn a_worker_that_never_came_cannot_leave(bench: Bench) {
        bench.store.leave(bench.worker, bench.now()).await.unwrap();

        assert_eq!(bench.facts().await, []);
        assert_eq!(
            names(&bench, bench.now() - HOUR).await,
            Vec::<String>::new()
        );
    }

    async fn one_node_leads(bench: Bench) {
        let other = bench.another_worker();
        let before = leader(&bench).await;

        let answers = (lead(&bench, bench.worker).await, lead(&bench, other).await);

        assert_eq!((before, answers), (None, (true, false)));
        assert_eq!(leader(&bench).await, Some(bench.worker));
    }

    async fn of_many_who_want_to_lead_one_does(bench: Bench) {
        let mut nodes = JoinSet::new();
        for _ in 0..8 {
            let (node, bench) = (bench.another_worker(), bench.clone());
            nodes.spawn(async move { (node, lead(&bench, node).await) });
        }

        let answers = nodes.join_all().await;

        let winners: Vec<_> = answers
            .iter()
            .filter(|(_, is)| *is)
            .map(|(node, _)| *node)
            .collect();
        assert_eq!(winners.len(), 1);
        assert_eq!(leader(&bench).await, Some(winners[0]));
    }

    async fn a_leader_keeps_its_term_by_asking_again(bench: Bench) {
        let other = bench.another_worker();
        lead(&bench, bench.worker).await;
        bench.pass(MINUTE - SECOND);

        let kept = lead(&bench, bench.worker).await;
        bench.pass(MINUTE - SECOND);

        assert_eq!((kept, lead(&bench, other).await), (true, false));
        assert_eq!(leader(&bench).await, Some(bench.worker));
    }

    async fn a_term_ends_and_another_node_leads(bench: Bench) {
        let other = bench.another_worker();
        lead(&bench, bench.worker).await;
        bench.pass(MINUTE + SECOND);

        let between = leader(&bench).await;
        let won = lead(&bench, other).await;

        assert_eq!((between, won), (None, true));
        assert_eq!(leader(&bench).await, Some(other));
        assert!(!lead(&bench, bench.worker).await);
    }

    async fn a_term_from_a_clock_that_was_put_back_since_is_not_waited_for(bench: Bench) {
        let other = bench.another_worker();
        lead(&bench, bench.worker).await;

        bench.clock.set(bench.now() - HOUR);
        let won = lead(&bench, other).await;

        assert!(won);
        assert_eq!(leader(&bench).await, Some(other));
    }

    async fn a_leader_whose_clock_is_ahead_by_less_than_a_term_keeps_it(bench: Bench) {
        let other = bench.another_worker();
        lead(&bench, bench.worker).await;

        bench.clock.set(bench.now() - MINUTE / 2);
        let won = lead(&bench, other).await;

        assert!(!won);
    }

    async fn a_leader_that_resigns_leads_no_more(bench: Bench) {
        let other = bench.another_worker();
        lead(&bench, bench.worker).await;

        bench.store.resign(bench.worker, bench.now()).await.unwrap();

        assert_eq!(leader(&bench).await, None);
        assert!(lead(&bench, other).await);
    }

    async fn nobody_resigns_for_another(bench: Bench) {
        let other = bench.another_worker();
        lead(&bench, bench.worker).await;

        bench.store.resign(other, bench.now()).await.unwrap();

        assert_eq!(leader(&bench).await, Some(bench.worker));
    }

    async fn a_change_of_leader_is_a_fact_and_keeping_it_is_not(bench: Bench) {
        let other = bench.another_worker();
        lead(&bench, bench.worker).await;
        lead(&bench, bench.worker).await;
        lead(&bench, other).await;
        bench.pass(HOUR);
        lead(&bench, other).await;

        let facts = bench.facts().await;

        let told: Vec<_> = facts
            .iter()
            .map(|f| (f.kind.as_str(), f.subject.clone()))
            .collect();
        let (first, second) = (bench.worker.to_string(), other.to_string());
        assert_eq!(
            told,
            [("leader.changed", first), ("leader.changed", second)]
        );
    }
}
