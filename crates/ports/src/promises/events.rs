//! Events: every change is one fact, densely numbered, replayable without a gap.

use std::collections::BTreeMap;

use baton_domain::{
    event::Event,
    job::{Class, State, Trigger},
};
use serde_json::json;
use tokio::task::JoinSet;

use super::{
    bench::{ALL, Bench, HOUR, WAIT, delayed, in_queue, paused, spec},
    promises,
};
use crate::store::{EventFilter, NewEvent};

/// Jobs that go every way there is.
async fn work(bench: &Bench) {
    for state in State::ALL {
        bench.job_in(state).await;
    }
    let lost = bench.claimed(spec()).await;
    bench.lose(&lost).await;
    bench.succeed(&lost).await;
    let retried = bench.claimed(in_queue("slow")).await;
    bench.fail(&retried, Class::Retry).await;
    bench.pass(WAIT);
    bench.release().await;
    bench.claim_as(bench.worker, "slow", 1).await;
    let dead = bench.job_in(State::Failed).await;
    bench
        .transition(dead, State::Failed, Trigger::Redrive)
        .await;
}

fn word(fact: &Event, field: &str) -> Option<String> {
    fact.data.get(field)?.as_str().map(str::to_owned)
}

async fn note(bench: &Bench, kind: &str, subject: &str) {
    let note = NewEvent {
        kind: kind.to_owned(),
        subject: subject.to_owned(),
        data: json!({"queue": "slow", "deep": {"list": [1, "ü'\"", null]}}),
    };
    bench.store.note(&note, bench.now()).await.expect("note");
}

promises! {
    async fn what_the_system_did_by_itself_is_told_newest_first(bench: Bench) {
        work(&bench).await;
        note(&bench, "leader.changed", "wrk_1").await;
        note(&bench, "hints.away", "hints").await;
        bench.facts().await;

        let (all, next) = bench.store.recoveries(i64::MAX, 50).await.unwrap();

        let told: Vec<_> = all.iter().map(|event| event.kind.as_str()).collect();
        let expected = ["hints.away", "leader.changed", "job.succeeded", "job.retry_wait"];
        assert_eq!((told, next), (expected.to_vec(), None));
        assert_eq!((&all[2].data["late"], &all[3].data["class"]), (&json!(true), &json!("lost")));
    }

    async fn recoveries_are_told_page_by_page(bench: Bench) {
        for node in ["a", "b", "c"] {
            note(&bench, "leader.changed", node).await;
            note(&bench, "worker.joined", node).await;
        }
        bench.facts().await;

        let (first, next) = bench.store.recoveries(i64::MAX, 2).await.unwrap();
        let (second, end) = bench.store.recoveries(next.unwrap(), 2).await.unwrap();

        let all = first.iter().chain(&second).map(|event| event.subject.as_str());
        assert_eq!((all.collect::<Vec<_>>(), end), (vec!["c", "b", "a"], None));
    }

    async fn numbers_are_dense_and_begin_with_one(bench: Bench) {
        work(&bench).await;

        let facts = bench.facts().await;

        let numbers: Vec<_> = facts.iter().map(|fact| fact.id.seq).collect();
        let expected: Vec<_> = (1..=facts.len() as i64).collect();
        assert_eq!(numbers, expected);
        let bounds = bench.store.bounds().await.unwrap();
        assert_eq!((bounds.first, bounds.last), (1, facts.len() as i64));
        assert!(facts.iter().all(|fact| fact.id.epoch == bounds.epoch));
    }

    async fn a_fact_has_no_number_until_it_is_sequenced(bench: Bench) {
        let id = bench.enqueue(spec()).await;

        let before = bench.store.bounds().await.unwrap();
        let unnumbered = bench.store.job_events(id).await.unwrap();
        let sequenced = bench.store.sequence(ALL, bench.now()).await.unwrap();
        let after = bench.store.bounds().await.unwrap();

        assert_eq!((before.first, before.last, unnumbered), (1, 0, vec![]));
        assert_eq!((sequenced.count, sequenced.last, after.last), (1, 1, 1));
    }

    async fn with_nothing_new_nothing_is_numbered(bench: Bench) {
        work(&bench).await;
        bench.sequence().await;
        let last = bench.store.bounds().await.unwrap().last;

        let idle = bench.store.sequence(ALL, bench.now()).await.unwrap();

        assert_eq!((idle.count, idle.last), (0, last));
    }

    async fn a_sequencer_with_a_small_limit_gets_there(bench: Bench) {
        for _ in 0..10 {
            bench.enqueue(spec()).await;
        }
        let mut turns = 0;
        while bench.store.sequence(3, bench.now()).await.unwrap().count > 0 {
            turns += 1;
        }

        assert!(turns > 1, "a limit of 3 lets 10 facts through at once");
        assert_eq!(bench.facts().await.len(), 10);
    }

    async fn a_second_sequencer_does_no_harm(bench: Bench) {
        let mut writers = JoinSet::new();
        for _ in 0..4 {
            let bench = bench.clone();
            writers.spawn(async move {
                for _ in 0..20 {
                    bench.enqueue_many(3, spec()).await;
                    bench.sequence().await;
                }
            });
        }
        writers.join_all().await;

        let facts = bench.facts().await;

        let numbers: Vec<_> = facts.iter().map(|fact| fact.id.seq).collect();
        assert_eq!(numbers, (1..=240).collect::<Vec<_>>());
        assert_eq!(bench.queue("default").await.queued, 240);
    }

    async fn what_is_numbered_side_by_side_is_counted_once(bench: Bench) {
        bench.enqueue_many(60, spec()).await;
        for _ in 0..60 {
            bench.enqueue(spec()).await;
        }
        let mut sequencers = JoinSet::new();
        for _ in 0..8 {
            let bench = bench.clone();
            sequencers.spawn(async move {
                let mut counted = 0;
                for _ in 0..20 {
                    counted += bench.store.sequence(1, bench.now()).await.unwrap().count;
                }
                counted
            });
        }

        let counted: u32 = sequencers.join_all().await.into_iter().sum();

        let last = bench.store.bounds().await.unwrap().last;
        assert_eq!((i64::from(counted), last), (120, 120));
    }

    async fn a_reader_who_follows_the_numbers_misses_nothing(bench: Bench) {
        let mut writers = JoinSet::new();
        for _ in 0..3 {
            let bench = bench.clone();
            writers.spawn(async move {
                for _ in 0..20 {
                    bench.enqueue_many(2, spec()).await;
                    bench.sequence().await;
                }
            });
        }
        let (mut seen, mut after) = (Vec::new(), 0);
        while !writers.is_empty() {
            let filter = EventFilter::default();
            let (facts, looked_at) = bench.store.events(after, 7, &filter).await.unwrap();
            seen.extend(facts.iter().map(|fact| fact.id.seq));
            after = looked_at;
            while writers.try_join_next().is_some() {}
            tokio::task::yield_now().await;
        }
        let rest = bench.facts().await;
        seen.extend(
            rest.iter()
                .map(|fact| fact.id.seq)
                .filter(|seq| *seq > after),
        );

        assert_eq!(seen, (1..=120).collect::<Vec<_>>());
    }

    async fn every_change_is_one_fact_and_the_facts_are_a_chain(bench: Bench) {
        work(&bench).await;

        let mut stories: BTreeMap<String, Vec<Event>> = BTreeMap::new();
        for fact in bench.facts().await {
            stories.entry(fact.subject.clone()).or_default().push(fact);
        }

        for (subject, story) in stories {
            let mut place = None;
            for fact in story.iter().filter(|fact| fact.data.get("to").is_some()) {
                assert_eq!(word(fact, "from"), place, "{subject}: {fact:?}");
                place = word(fact, "to");
                assert_eq!(fact.kind, format!("job.{}", place.as_deref().unwrap_or("")));
                assert!(word(fact, "queue").is_some());
            }
        }
    }

    async fn a_replay_of_the_facts_ends_where_the_jobs_are(bench: Bench) {
        work(&bench).await;

        let mut places = BTreeMap::new();
        for fact in bench.facts().await {
            if let Some(to) = word(&fact, "to") {
                places.insert(fact.subject, to);
            }
        }

        let page = bench
            .store
            .jobs(&Default::default(), &Default::default())
            .await
            .unwrap();
        let jobs = page.items.iter();
        let there: BTreeMap<_, _> = jobs
            .map(|job| (job.id.to_string(), job.state.to_string()))
            .collect();
        assert_eq!((places, page.next), (there, None));
    }

    async fn the_first_fact_of_a_job_comes_from_nowhere(bench: Bench) {
        let queued = bench.enqueue(in_queue("a")).await;
        let pending = bench.enqueue(delayed(HOUR)).await;

        let queued = bench.story(queued).await.remove(0);
        let waiting = bench.story(pending).await.remove(0);

        assert_eq!(queued.data["queue"], "a");
        assert_eq!(
            (&queued.data["from"], &queued.data["to"]),
            (&json!(null), &json!("queued"))
        );
        assert_eq!(
            (&waiting.data["from"], &waiting.data["to"]),
            (&json!(null), &json!("pending"))
        );
        assert_eq!(
            waiting.data["run_at"],
            bench.job(pending).await.run_at.to_string()
        );
    }

    async fn the_events_of_a_job_are_its_own_and_in_order(bench: Bench) {
        bench.enqueue(spec()).await;
        let claimed = bench.claimed(in_queue("a")).await;
        bench.enqueue(spec()).await;
        bench.succeed(&claimed).await;
        let subject = claimed.args.id.to_string();

        let story = bench.story(claimed.args.id).await;

        let kinds: Vec<_> = story.iter().map(|fact| fact.kind.as_str()).collect();
        assert_eq!(kinds, ["job.queued", "job.running", "job.succeeded"]);
        assert!(story.iter().all(|fact| fact.subject == subject));
        assert!(story.is_sorted_by_key(|fact| fact.id.seq));
        let all = bench.facts().await;
        assert!(story.iter().all(|fact| all.contains(fact)));
    }

    async fn events_are_read_from_where_the_reader_is(bench: Bench) {
        bench.enqueue_many(10, spec()).await;
        bench.sequence().await;

        let filter = EventFilter::default();
        let (some, looked_at) = bench.store.events(4, 3, &filter).await.unwrap();
        let (none, stays_at) = bench.store.events(10, 3, &filter).await.unwrap();

        let numbers: Vec<_> = some.iter().map(|fact| fact.id.seq).collect();
        assert_eq!((numbers, looked_at), (vec![5, 6, 7], 7));
        assert_eq!((none, stays_at), (vec![], 10));
    }

    async fn a_filter_lets_through_what_it_names(bench: Bench) {
        let claimed = bench.claimed(in_queue("slow")).await;
        bench.enqueue(spec()).await;
        bench.change_queue("slow", paused(true)).await;
        bench.sequence().await;
        let of_types = |types: &[&str]| EventFilter {
            types: types.iter().map(|kind| (*kind).to_owned()).collect(),
            ..EventFilter::default()
        };
        let of_queue = EventFilter {
            queue: Some("slow".to_owned()),
            ..of_types(&["job."])
        };
        let of_subject = EventFilter {
            subject: Some(claimed.args.id.to_string()),
            ..EventFilter::default()
        };

        let family = bench.facts_that(&of_types(&["queue."])).await;
        let exact = bench
            .facts_that(&of_types(&["job.running", "queue.paused"]))
            .await;
        let no_prefix = bench.facts_that(&of_types(&["job.run"])).await;
        let queue = bench.facts_that(&of_queue).await;
        let subject = bench.facts_that(&of_subject).await;

        let kinds = |facts: &[Event]| {
            facts
                .iter()
                .map(|fact| fact.kind.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(kinds(&family), ["queue.paused"]);
        assert_eq!(kinds(&exact), ["job.running", "queue.paused"]);
        assert_eq!(kinds(&no_prefix), Vec::<String>::new());
        assert_eq!(kinds(&queue), ["job.queued", "job.running"]);
        assert_eq!(kinds(&subject), ["job.queued", "job.running"]);
    }

    async fn a_filter_that_lets_nothing_through_still_looks_on(bench: Bench) {
        bench.enqueue_many(30, spec()).await;
        bench.sequence().await;
        let filter = EventFilter {
            types: vec!["worker.".to_owned()],
            ..EventFilter::default()
        };

        let (none, looked_at) = bench.store.events(0, 5, &filter).await.unwrap();

        assert_eq!(none, []);
        assert!(looked_at > 0, "it has looked at events");
        assert_eq!(bench.facts_that(&filter).await, []);
    }

    async fn a_note_is_an_event_as_it_was_written(bench: Bench) {
        note(&bench, "counters.repaired", "slow").await;

        let facts = bench.facts().await;

        assert_eq!(facts.len(), 1);
        assert_eq!(
            (facts[0].kind.as_str(), facts[0].subject.as_str()),
            ("counters.repaired", "slow")
        );
        assert_eq!(
            facts[0].data,
            json!({"queue": "slow", "deep": {"list": [1, "ü'\"", null]}})
        );
        assert_eq!(facts[0].at, bench.now());
    }

    async fn facts_written_later_are_numbered_later(bench: Bench) {
        for n in 0..5 {
            note(&bench, "test.note", &n.to_string()).await;
            if n == 2 {
                bench.sequence().await;
            }
        }

        let facts = bench.facts().await;

        let order: Vec<_> = facts.iter().map(|fact| fact.subject.as_str()).collect();
        assert_eq!(order, ["0", "1", "2", "3", "4"]);
    }
}
