//! Queues: their counters, their limits, and which can be claimed from.

use baton_domain::{
    job::{Class, JobSpec, NewJob, State, Trigger},
    page::PageRequest,
    queue::{QueueChange, WorkedBy},
};

use super::{
    bench::{Bench, HOUR, MINUTE, SECOND, at_most, delayed, in_queue, paused, spec},
    promises,
};
use crate::store::{Atomicity, ReadyQueue, Retention};

async fn ready_queues(bench: &Bench) -> Vec<ReadyQueue> {
    bench.store.ready_queues().await.expect("ready queues")
}

fn ready(queue: &str, limited: bool) -> ReadyQueue {
    ReadyQueue {
        name: queue.to_owned(),
        limited,
        worked_by: WorkedBy::Server,
    }
}

promises! {
    async fn a_queue_is_there_once_a_job_has_named_it(bench: Bench) {
        for name in ["b", "a", "c"] {
            bench.enqueue(in_queue(name)).await;
        }
        bench.sequence().await;

        let queues = bench.store.queues(bench.now()).await.unwrap();

        let names: Vec<_> = queues.iter().map(|queue| queue.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "c"]);
    }

    async fn queues_are_listed_page_by_page_by_name(bench: Bench) {
        for name in ["Z", "a", "b", "c:1", "c:2"] {
            bench.enqueue(in_queue(name)).await;
        }
        let mut request = PageRequest::first(2);
        let mut pages = Vec::new();

        loop {
            let page = bench.store.queue_page(&request, bench.now()).await.unwrap();
            pages.push(page.items.into_iter().map(|queue| queue.name).collect::<Vec<_>>());
            match page.next {
                Some(next) => request.after = Some(next),
                None => break,
            }
        }

        assert_eq!(pages, [vec!["Z", "a"], vec!["b", "c:1"], vec!["c:2"]]);
    }

    async fn a_new_queue_is_open_and_unlimited(bench: Bench) {
        bench.enqueue(in_queue("a")).await;

        let queue = bench.queue("a").await;

        assert_eq!(
            (queue.paused, queue.max_running, queue.rate),
            (false, None, None)
        );
    }

    async fn counters_follow_the_facts(bench: Bench) {
        for state in State::ALL {
            bench.job_in(state).await;
        }

        let queue = bench.queue("default").await;

        assert_eq!((queue.pending, queue.queued, queue.running), (1, 1, 1));
        assert_eq!((queue.retry_wait, queue.succeeded, queue.failed), (1, 1, 1));
        assert_eq!(queue.uncertain, 1);
    }

    async fn counters_are_kept_for_each_queue(bench: Bench) {
        bench.enqueue(in_queue("a")).await;
        let claimed = bench.claimed(in_queue("b")).await;
        bench.succeed(&claimed).await;

        let (a, b) = (bench.queue("a").await, bench.queue("b").await);

        assert_eq!((a.queued, a.succeeded), (1, 0));
        assert_eq!((b.queued, b.running, b.succeeded), (0, 0, 1));
    }

    async fn a_full_circle_leaves_the_counters_where_they_were(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.fail(&claimed, Class::Permanent).await;
        let dead = bench.queue("default").await;
        bench
            .transition(claimed.args.id, State::Failed, Trigger::Redrive)
            .await;
        let redriven = bench.queue("default").await;

        assert_eq!((dead.failed, dead.queued, dead.running), (1, 0, 0));
        assert_eq!(
            (redriven.failed, redriven.queued, redriven.running),
            (0, 1, 0)
        );
    }

    async fn the_oldest_queued_job_is_the_one_that_is_due_longest(bench: Bench) {
        bench.enqueue(delayed(MINUTE)).await;
        bench.pass(HOUR);
        let late = bench.enqueue(delayed(MINUTE)).await;
        let due = bench.job(late).await.run_at;
        bench.enqueue(in_queue("empty")).await;
        bench.claim_as(bench.worker, "empty", 1).await;
        let before = bench.queue("default").await.oldest_queued_at;
        bench.release().await;
        bench.claim(1).await;
        bench.pass(HOUR);
        bench.release().await;

        assert_eq!(before, None);
        assert_eq!(bench.queue("default").await.oldest_queued_at, Some(due));
        assert_eq!(bench.queue("empty").await.oldest_queued_at, None);
    }

    async fn late_jobs_are_those_due_before_a_moment_counted_to_a_bound(bench: Bench) {
        bench.enqueue_many(3, in_queue("line")).await;
        bench.enqueue(JobSpec { priority: Some(7), ..in_queue("line") }).await;
        bench.enqueue(in_queue("another")).await;
        bench.pass(MINUTE);
        let since = bench.now();
        bench.enqueue_many(2, in_queue("line")).await;
        bench.claim_as(bench.worker, "line", 1).await;

        let late = bench.store.late_jobs("line", since, 100).await.unwrap();
        let all = bench.store.late_jobs("line", since + HOUR, 100).await.unwrap();
        let bounded = bench.store.late_jobs("line", since + HOUR, 2).await.unwrap();
        let nowhere = bench.store.late_jobs("nowhere", since, 100).await.unwrap();

        assert_eq!((late, all, bounded, nowhere), (3, 5, 2, 0));
    }

    async fn throughput_is_that_of_the_last_minute(bench: Bench) {
        bench.enqueue_many(6, spec()).await;
        for claimed in bench.claim(6).await {
            bench.succeed(&claimed).await;
        }
        let at_once = bench.queue("default").await.per_second;
        bench.pass(MINUTE);
        let a_minute_on = bench.queue("default").await.per_second;
        bench.pass(MINUTE);
        let two_minutes_on = bench.queue("default").await.per_second;

        // Of the minute before, what is left of it counts.
        let left = 1.0 - bench.now().as_micros().rem_euclid(60_000_000) as f64 / 60_000_000.0;
        assert!((at_once - 0.1).abs() < 1e-9, "{at_once}");
        assert!((a_minute_on - 0.1 * left).abs() < 1e-9, "{a_minute_on}, {left}");
        assert!(two_minutes_on.abs() < 1e-9, "{two_minutes_on}");
    }

    async fn a_change_changes_what_it_names(bench: Bench) {
        let change = QueueChange {
            paused: Some(true),
            max_running: Some(Some(7)),
            rate: Some(Some(2.5)),
        };

        let changed = bench.change_queue("new", change).await;
        let resumed = bench.change_queue("new", paused(false)).await;
        let lifted = bench.change_queue("new", at_most(None)).await;

        let limits =
            |queue: &baton_domain::queue::Queue| (queue.paused, queue.max_running, queue.rate);
        assert_eq!(limits(&changed), (true, Some(7), Some(2.5)));
        assert_eq!(limits(&resumed), (false, Some(7), Some(2.5)));
        assert_eq!(limits(&lifted), (false, None, Some(2.5)));
        assert_eq!(limits(&bench.queue("new").await), (false, None, Some(2.5)));
        assert_eq!(changed.name, "new");
    }

    async fn a_pause_and_its_end_are_facts(bench: Bench) {
        bench.change_queue("a", paused(true)).await;
        bench.change_queue("a", paused(true)).await;
        bench.change_queue("a", paused(false)).await;

        let facts = bench.facts().await;

        let told: Vec<_> = facts
            .iter()
            .map(|f| (f.kind.as_str(), f.subject.as_str()))
            .collect();
        assert_eq!(told, [("queue.paused", "a"), ("queue.resumed", "a")]);
    }

    async fn a_new_limit_is_a_fact(bench: Bench) {
        bench.change_queue("a", at_most(Some(3))).await;

        let facts = bench.facts().await;

        assert_eq!((facts.len(), facts[0].kind.as_str()), (1, "queue.changed"));
        assert_eq!(
            (facts[0].subject.as_str(), &facts[0].data["queue"]),
            ("a", &"a".into())
        );
    }

    async fn a_line_is_an_open_queue_with_something_claimable(bench: Bench) {
        bench.enqueue(in_queue("ready")).await;
        bench.enqueue(in_queue("limited")).await;
        bench.enqueue(in_queue("paused")).await;
        bench.claimed(in_queue("running")).await;
        let pending = baton_domain::job::JobSpec {
            queue: Some("pending".to_owned()),
            ..delayed(HOUR)
        };
        bench.enqueue(pending).await;
        bench.change_queue("limited", at_most(Some(1))).await;
        bench.change_queue("paused", paused(true)).await;

        let mut seen = ready_queues(&bench).await;

        seen.sort_by(|a, b| a.name.cmp(&b.name));
        assert_eq!(seen, [ready("limited", true), ready("ready", false)]);
    }

    async fn a_rate_makes_a_line_limited_and_its_end_unlimited(bench: Bench) {
        bench.enqueue(in_queue("a")).await;
        let rate = |rate| QueueChange {
            rate: Some(rate),
            ..QueueChange::default()
        };
        bench.change_queue("a", rate(Some(5.0))).await;

        let limited = ready_queues(&bench).await;
        bench.change_queue("a", rate(None)).await;

        assert_eq!(
            (limited, ready_queues(&bench).await),
            (vec![ready("a", true)], vec![ready("a", false)])
        );
    }

    async fn a_line_ends_when_its_last_job_is_claimed(bench: Bench) {
        bench.enqueue(spec()).await;
        let before = ready_queues(&bench).await.len();

        bench.claim(1).await;
        bench.pass(SECOND);

        assert_eq!((before, ready_queues(&bench).await), (1, vec![]));
    }

    async fn who_names_a_queue_first_says_who_works_it_off(bench: Bench) {
        let of = |queue: &str, worked_by| NewJob { worked_by, ..bench.new_job(in_queue(queue)) };
        bench.add(vec![of("remote", WorkedBy::Remote), of("server", WorkedBy::Server)], Atomicity::All).await;
        bench.add(vec![of("server", WorkedBy::Remote), of("remote", WorkedBy::Server)], Atomicity::All).await;
        bench.change_queue("changed", paused(false)).await;

        let names: Vec<_> = ["changed", "nobody's", "remote", "server"].map(str::to_owned).into();
        let sides = bench.store.worked_by(&names).await.unwrap();

        let [changed, _, remote, server] = names.try_into().unwrap();
        let expected = [
            (changed, WorkedBy::Server), (remote, WorkedBy::Remote), (server, WorkedBy::Server),
        ];
        assert_eq!(sides, expected);
        assert_eq!(bench.queue("remote").await.worked_by, WorkedBy::Remote);
        let mut ready = ready_queues(&bench).await;
        ready.sort_by(|a, b| a.name.cmp(&b.name));
        let sides: Vec<_> = ready.iter().map(|queue| queue.worked_by).collect();
        assert_eq!(sides, [WorkedBy::Remote, WorkedBy::Server]);
    }

    async fn a_queue_of_remote_workers_is_never_forgotten(bench: Bench) {
        for (queue, worked_by) in [("remote", WorkedBy::Remote), ("server", WorkedBy::Server)] {
            let job = NewJob { worked_by, ..bench.new_job(in_queue(queue)) };
            bench.add(vec![job], Atomicity::All).await;
            let claimed = bench.claim_as(bench.worker, queue, 1).await;
            bench.succeed(&claimed[0]).await;
        }
        bench.sequence().await;
        bench.pass(10_000 * HOUR);
        for _ in 0..3 {
            bench.store.prune(&Retention::default(), 100, bench.now()).await.unwrap();
            bench.sequence().await;
        }

        let queues = bench.store.queues(bench.now()).await.unwrap();

        let names: Vec<_> = queues.iter().map(|queue| queue.name.as_str()).collect();
        assert_eq!(names, ["remote"]);
    }
}
