//! The fleet: who is there, and what is wanted of them.

use std::collections::BTreeMap;

use baton_domain::{
    Timestamp, WorkerId,
    fleet::{Heartbeat, RemoteWorker},
};

use super::{
    bench::{Bench, HOUR, MINUTE, SECOND, spec},
    promises,
};
use crate::store::Wish;

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

    async fn what_many_workers_say_again_is_written_at_once_and_brings_nobody_back(bench: Bench) {
        let started_at = bench.now();
        let remote = |free| RemoteWorker { free, ..RemoteWorker::default() };
        let mut told = Vec::new();
        for name in ["host:1", "host:2", "host:3", "host:4"] {
            let worker = bench.another_worker();
            told.push(Heartbeat { remote: Some(remote(0)), ..heartbeat(worker, name, started_at) });
        }
        for one in &told[..3] {
            bench.store.heartbeat(one, bench.now()).await.unwrap();
        }
        bench.store.leave(told[2].worker, bench.now()).await.unwrap();
        bench.pass(MINUTE);

        let again = |one: &Heartbeat| Heartbeat { running: 1, remote: Some(remote(7)), ..one.clone() };
        let said: Vec<_> = told.iter().map(|one| (again(one), bench.now())).collect();
        bench.pass(MINUTE);
        bench.store.heartbeats(&said, bench.now()).await.unwrap();
        bench.store.heartbeats(&[], bench.now()).await.unwrap();

        let workers = bench.store.workers(started_at).await.unwrap();
        let seen: Vec<_> = workers.iter().map(|one| (one.heartbeat.clone(), one.seen_at)).collect();
        assert_eq!(seen[..2], said[..2]);
        assert_eq!((workers.len(), workers[2].left_at), (3, Some(workers[2].seen_at)));
        assert!(workers[2].seen_at < said[2].1);
    }

    async fn what_many_workers_said_is_not_written_over_what_one_has_said_since(bench: Bench) {
        let started_at = bench.now();
        let early = heartbeat(bench.worker, "host:1", started_at);
        bench.store.heartbeat(&early, bench.now()).await.unwrap();
        bench.pass(MINUTE);
        let said = [(early.clone(), bench.now())];
        bench.pass(MINUTE);
        let busy = Heartbeat { running: 9, ..early.clone() };
        bench.store.heartbeat(&busy, bench.now()).await.unwrap();

        bench.store.heartbeats(&said, bench.now()).await.unwrap();
        let kept = bench.store.workers(started_at).await.unwrap();
        // The clock is put back: what was seen "later" is not.
        bench.store.heartbeats(&said, said[0].1).await.unwrap();
        let anew = bench.store.workers(started_at).await.unwrap();

        assert_eq!((&kept[0].heartbeat, kept[0].seen_at), (&busy, bench.now()));
        assert_eq!((&anew[0].heartbeat, anew[0].seen_at), (&early, said[0].1));
    }

    async fn workers_that_wait_were_seen_now_and_hear_what_is_wanted_of_them(bench: Bench) {
        let started_at = bench.now();
        let remote = RemoteWorker { kinds: vec!["größe \"1\"".to_owned()], free: 3, asked_at: Some(started_at), ..RemoteWorker::default() };
        let mut workers = Vec::new();
        for name in ["host:1", "host:2", "host:3", "host:4"] {
            let one = Heartbeat { remote: Some(remote.clone()), ..heartbeat(bench.another_worker(), name, started_at) };
            bench.store.heartbeat(&one, bench.now()).await.unwrap();
            workers.push(one.worker);
        }
        let (drains, left, unknown) = (workers[1], workers[2], bench.another_worker());
        bench.store.drain_worker(drains, true, bench.now()).await.unwrap();
        bench.store.leave(left, bench.now()).await.unwrap();
        bench.pass(MINUTE);

        let (now, wait) = (bench.now(), [workers[0], drains, left, unknown]);
        let wishes = bench.store.note_waiting(&wait, SECOND, now).await.unwrap();
        let of_nobody = bench.store.note_waiting(&[], SECOND, now).await.unwrap();

        let wished: BTreeMap<_, _> = wishes.into_iter().filter(|(_, wish)| *wish != Wish::default()).collect();
        let has_left = || Wish { has_left: true, ..Wish::default() };
        let drain = Wish { drain: true, ..Wish::default() };
        assert_eq!(wished, BTreeMap::from([(drains, drain), (left, has_left()), (unknown, has_left())]));
        assert_eq!(of_nobody, []);
        let shown = bench.store.workers(started_at).await.unwrap();
        let said: Vec<_> = shown.iter().map(|one| (one.seen_at == now, one.heartbeat.remote.clone().unwrap())).collect();
        let asked = RemoteWorker { asked_at: Some(now), ..remote.clone() };
        assert_eq!(said, [(true, asked.clone()), (true, asked), (false, remote.clone()), (false, remote)]);
    }

    async fn that_a_worker_waits_is_not_written_of_one_that_was_seen_lately_unless_its_clock_was_ahead(bench: Bench) {
        let started_at = bench.now();
        let worker = bench.another_worker();
        let one = Heartbeat { remote: Some(RemoteWorker::default()), ..heartbeat(worker, "host:1", started_at) };
        bench.store.heartbeat(&one, started_at).await.unwrap();
        bench.pass(2 * SECOND);

        let now = bench.now();
        bench.store.note_waiting(&[worker], MINUTE, now).await.unwrap();
        let lately = bench.store.workers(started_at).await.unwrap();
        bench.store.heartbeat(&one, now + HOUR).await.unwrap();
        bench.store.note_waiting(&[worker], MINUTE, now).await.unwrap();
        let ahead = bench.store.workers(started_at).await.unwrap();

        assert_eq!((lately[0].seen_at, lately[0].heartbeat.remote.as_ref().unwrap().asked_at), (started_at, None));
        assert_eq!(ahead[0].seen_at, now);
    }

    async fn a_remote_worker_shows_what_it_says_besides(bench: Bench) {
        let started_at = bench.now();
        let remote = RemoteWorker {
            kinds: vec!["resize".to_owned()],
            queues: vec!["resize".to_owned(), "images".to_owned()],
            slots: 8,
            sdk: "python/0.1.0".to_owned(),
            app_version: Some("shop \"7\"".to_owned()),
            labels: BTreeMap::from([("zone".to_owned(), "ä".to_owned())]),
            free: 3,
            asked_at: Some(bench.now()),
        };
        let heartbeat = Heartbeat { remote: Some(remote), ..heartbeat(bench.worker, "far:1", started_at) };

        bench.store.heartbeat(&heartbeat, bench.now()).await.unwrap();

        let workers = bench.store.workers(started_at).await.unwrap();
        assert_eq!(workers[0].heartbeat, heartbeat);
    }

    async fn a_worker_hears_that_it_is_to_drain_and_that_it_is_not_any_more(bench: Bench) {
        let worker = beats(&bench, "host:1").await;
        let heartbeat = heartbeat(worker, "host:1", bench.now());
        let beat = || bench.store.heartbeat(&heartbeat, bench.now());

        let mut heard = vec![beat().await.unwrap().drain];
        for drain in [true, false] {
            assert!(bench.store.drain_worker(worker, drain, bench.now()).await.unwrap());
            heard.push(beat().await.unwrap().drain);
            heard.push(beat().await.unwrap().drain);
            let workers = bench.store.workers(bench.now() - HOUR).await.unwrap();
            assert_eq!(workers[0].drain, drain);
        }

        assert_eq!(heard, [false, true, true, false, false]);
    }

    async fn a_wish_is_a_fact_once(bench: Bench) {
        let worker = beats(&bench, "host:1").await;
        for drain in [false, true, true, false] {
            assert!(bench.store.drain_worker(worker, drain, bench.now()).await.unwrap());
        }

        let facts = bench.facts().await;

        let asked = facts.iter().filter(|fact| fact.kind == "worker.drain_asked");
        let told: Vec<_> = asked.map(|fact| (fact.subject.clone(), fact.data["drain"].clone())).collect();
        let subject = worker.to_string();
        assert_eq!(told, [(subject.clone(), true.into()), (subject, false.into())]);
    }

    async fn nothing_is_asked_of_a_worker_that_left_or_never_came(bench: Bench) {
        let worker = beats(&bench, "host:1").await;
        bench.store.leave(worker, bench.now()).await.unwrap();

        let of_gone = bench.store.drain_worker(worker, true, bench.now()).await.unwrap();
        let of_nobody = bench.store.drain_worker(bench.worker, true, bench.now()).await.unwrap();
        let heartbeat = heartbeat(worker, "host:1", bench.now());
        let heard = bench.store.heartbeat(&heartbeat, bench.now()).await.unwrap();

        assert!(!of_gone && !of_nobody);
        assert_eq!(heard, Wish { has_left: true, ..Wish::default() });
    }

    async fn wishes_of_many_workers_are_found_in_one_look(bench: Bench) {
        let (drains, idle) = (beats(&bench, "host:1").await, beats(&bench, "host:2").await);
        bench.store.drain_worker(drains, true, bench.now()).await.unwrap();
        let stops = bench.claimed(spec()).await;
        bench.heartbeat_of(bench.worker, None).await;
        let left = beats(&bench, "host:3").await;
        bench.store.leave(left, bench.now()).await.unwrap();
        let asked = bench.store.request_cancel(stops.args.id, None, bench.now()).await.unwrap();
        assert!(asked);

        let all = [drains, idle, bench.worker, left];
        let wishes = bench.store.wishes(&all).await.unwrap();
        let none = bench.store.wishes(&[idle]).await.unwrap();

        let wished: BTreeMap<_, _> = wishes.into_iter().filter(|(_, wish)| *wish != Wish::default()).collect();
        let expected = BTreeMap::from([
            (drains, Wish { drain: true, ..Wish::default() }),
            (bench.worker, Wish { cancels: vec![stops.args.id], ..Wish::default() }),
            (left, Wish { has_left: true, ..Wish::default() }),
        ]);
        assert_eq!(wished, expected);
        assert!(none.iter().all(|(_, wish)| *wish == Wish::default()));
    }

    async fn a_job_that_has_ended_is_asked_of_nobody(bench: Bench) {
        bench.enqueue_many(2, spec()).await;
        let batch = bench.claim(2).await;
        bench.heartbeat_of(bench.worker, None).await;
        for claimed in &batch {
            bench.store.request_cancel(claimed.args.id, None, bench.now()).await.unwrap();
        }
        bench.succeed(&batch[0]).await;

        let wishes = bench.store.wishes(&[bench.worker]).await.unwrap();

        assert_eq!(wishes[0].1.cancels, [batch[1].args.id]);
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
        assert_eq!(facts[1].data, serde_json::json!({}));
    }

    async fn a_worker_that_never_came_cannot_leave(bench: Bench) {
        bench.store.leave(bench.worker, bench.now()).await.unwrap();

        assert_eq!(bench.facts().await, []);
        assert_eq!(
            names(&bench, bench.now() - HOUR).await,
            Vec::<String>::new()
        );
    }
}
