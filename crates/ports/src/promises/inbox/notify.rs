//! Notifications: written whole or not at all, and once.

use baton_domain::{LeaseId, content::RequestDigest, job::State};

use super::super::{
    bench::{Bench, HOUR, LEASE, SECOND, ids, paused},
    promises,
};
use super::fixtures::accepted;
use crate::store::{Dispatch, InlineStart, Notified, Retention, SettleOutcome};

/// A notification under this key to a recipient whose number is 1, with an item and a job.
fn keyed(bench: &Bench, key: &str, content: &str) -> Dispatch {
    let dispatch = bench.dispatch(vec![bench.new_item("a", 1, content)]);
    Dispatch {
        key: Some(key.to_owned()),
        content: RequestDigest::with_digest(content),
        ..bench.with_jobs(dispatch)
    }
}

impl Bench {
    /// The same with jobs that the bench's worker takes at once.
    fn started_at_once(&self, dispatch: Dispatch) -> Dispatch {
        let start = InlineStart {
            worker: self.worker,
            queue: "notifications".to_owned(),
            lease: LeaseId::random(),
            until: self.now() + LEASE,
        };
        Dispatch {
            start: Some(start),
            ..self.with_jobs(dispatch)
        }
    }
}

promises! {
    async fn items_jobs_and_facts_are_written_together(bench: Bench) {
        bench.people(&["a", "b"]).await;
        let items = vec![bench.new_item("a", 1, "1"), bench.new_item("b", 2, "1")];
        let dispatch = bench.with_jobs(bench.dispatch(items));

        let notified = bench.notify(&dispatch).await;

        assert_eq!(notified, accepted());
        assert_eq!((bench.unread_count("a").await, bench.unread_count("b").await), (1, 1));
        for job in &dispatch.jobs {
            let found = bench.job(job.id).await;
            assert_eq!((found.state, found.queue.as_str()), (State::Queued, "notifications"));
            assert_eq!(bench.plot(job.id).await, ["job.queued"]);
        }
        let mut wanted = vec![("notification.accepted".to_owned(), dispatch.id.to_string())];
        wanted.extend(dispatch.items.iter().map(|item| ("inbox.added".to_owned(), item.id.to_string())));
        assert_eq!(bench.post_facts().await, wanted);
    }

    async fn it_can_be_items_only_or_jobs_only(bench: Bench) {
        bench.people(&["a"]).await;
        let items = bench.dispatch(vec![bench.new_item("a", 1, "1")]);
        let whole = bench.with_jobs(bench.dispatch(vec![bench.new_item("a", 1, "2")]));
        let jobs = Dispatch { items: Vec::new(), ..whole };

        bench.notify(&items).await;
        bench.notify(&jobs).await;

        assert_eq!(bench.items("a").await.len(), 1);
        assert!(bench.is_there(jobs.jobs[0].id).await);
    }

    async fn asked_again_under_its_id_it_is_written_once(bench: Bench) {
        bench.people(&["a"]).await;
        let dispatch = bench.with_jobs(bench.dispatch(vec![bench.new_item("a", 1, "1")]));
        bench.notify(&dispatch).await;
        let before = (bench.facts().await.len(), bench.unread("a").await);
        bench.pass(SECOND);

        let again = bench.notify(&dispatch).await;

        assert_eq!(again, accepted());
        assert_eq!((bench.facts().await.len(), bench.unread("a").await), before);
    }

    async fn the_same_key_with_the_same_content_is_the_same_notification(bench: Bench) {
        bench.people(&["a"]).await;
        let first = keyed(&bench, "like-1", "content");
        bench.notify(&first).await;
        let before = (bench.facts().await.len(), bench.unread("a").await);
        bench.pass(SECOND);
        let second = keyed(&bench, "like-1", "content");

        let known = bench.notify(&second).await;

        assert_eq!(known, Notified::Known(first.id, first.sent.clone()));
        assert_eq!((bench.facts().await.len(), bench.unread("a").await), before);
        assert!(!bench.is_there(second.jobs[0].id).await);
    }

    async fn the_same_key_with_other_content_is_a_conflict_and_writes_nothing(bench: Bench) {
        bench.people(&["a"]).await;
        let first = keyed(&bench, "like-1", "content");
        bench.notify(&first).await;
        let before = (bench.facts().await.len(), bench.unread("a").await);
        let other = keyed(&bench, "like-1", "other content");

        let conflict = bench.notify(&other).await;

        assert_eq!(conflict, Notified::Conflict(first.id));
        assert_eq!((bench.facts().await.len(), bench.unread("a").await), before);
        assert!(!bench.is_there(other.jobs[0].id).await);
    }

    async fn callers_who_race_with_one_key_are_one_notification(bench: Bench) {
        bench.people(&["a"]).await;
        let callers = (0..6).map(|_| {
            let bench = bench.clone();
            tokio::spawn(async move { bench.notify(&keyed(&bench, "like-1", "content")).await })
        });
        let callers: Vec<_> = callers.collect();
        let mut first = 0;
        for caller in callers {
            first += u32::from(caller.await.unwrap() == accepted());
        }

        assert_eq!((first, bench.unread_count("a").await), (1, 1));
        assert_eq!(bench.queue("notifications").await.queued, 1);
    }

    async fn a_key_is_free_again_after_its_window(bench: Bench) {
        bench.people(&["a"]).await;
        bench.notify(&keyed(&bench, "like-1", "content")).await;
        bench.notify(&bench.dispatch(Vec::new())).await;
        bench.pass(2 * HOUR);
        let retention = Retention { keys: HOUR, ..Retention::default() };

        let pruned = bench.store.prune(&retention, 100, bench.now()).await.unwrap();
        let other = bench.notify(&keyed(&bench, "like-1", "other content")).await;

        assert_eq!((pruned.notifications, other), (2, accepted()));
        assert_eq!(bench.unread_count("a").await, 2);
    }

    async fn its_jobs_are_started_at_once_by_a_worker_that_has_room(bench: Bench) {
        bench.people(&["a", "b"]).await;
        bench.change_queue("notifications", paused(false)).await;
        let items = vec![bench.new_item("a", 1, "1"), bench.new_item("b", 2, "1")];
        let dispatch = bench.started_at_once(bench.dispatch(items));

        let Notified::Accepted(started) = bench.notify(&dispatch).await else { panic!("it is accepted") };

        assert_eq!(ids(&started), dispatch.jobs.iter().map(|job| job.id).collect::<Vec<_>>());
        bench.assert_state(started[0].args.id, State::Running).await;
        assert_eq!(bench.plot(started[0].args.id).await, ["job.queued", "job.running"]);
        assert_eq!(bench.succeed(&started[0]).await, SettleOutcome::Recorded);
        assert_eq!(bench.lose(&started[1]).await, SettleOutcome::Recorded);
    }

    async fn in_a_paused_queue_its_jobs_wait(bench: Bench) {
        bench.people(&["a"]).await;
        bench.change_queue("notifications", paused(true)).await;
        let dispatch = bench.started_at_once(bench.dispatch(vec![bench.new_item("a", 1, "1")]));

        let notified = bench.notify(&dispatch).await;

        assert_eq!(notified, accepted());
        bench.assert_state(dispatch.jobs[0].id, State::Queued).await;
        assert_eq!(bench.unread_count("a").await, 1);
    }

    async fn asked_again_its_jobs_are_started_by_nobody_else(bench: Bench) {
        bench.people(&["a"]).await;
        bench.change_queue("notifications", paused(false)).await;
        let dispatch = bench.started_at_once(bench.dispatch(vec![bench.new_item("a", 1, "1")]));
        bench.notify(&dispatch).await;

        let again = bench.notify(&Dispatch { start: None, ..dispatch.clone() }).await;

        assert_eq!(again, accepted());
        assert_eq!(bench.queue("notifications").await.running, 1);
        assert_eq!(bench.claim_as(bench.worker, "notifications", 10).await, []);
    }

    async fn under_a_key_that_is_taken_nothing_is_started(bench: Bench) {
        bench.people(&["a"]).await;
        bench.change_queue("notifications", paused(false)).await;
        bench.notify(&keyed(&bench, "like-1", "content")).await;
        let second = bench.started_at_once(Dispatch { jobs: Vec::new(), ..keyed(&bench, "like-1", "content") });

        let known = bench.notify(&second).await;

        assert!(matches!(known, Notified::Known(..)));
        assert!(!bench.is_there(second.jobs[0].id).await);
        assert_eq!(bench.store.leases(10).await.unwrap(), []);
    }

    async fn nothing_lies_in_the_inbox_of_somebody_who_has_gone(bench: Bench) {
        bench.people(&["a", "b"]).await;
        let items = vec![bench.new_item("a", 1, "1"), bench.new_item("b", 2, "1")];
        let dispatch = bench.with_jobs(bench.dispatch(items));
        bench.store.delete_recipient("a").await.unwrap();
        bench.people(&["a"]).await;

        let notified = bench.notify(&dispatch).await;

        assert_eq!(notified, accepted());
        assert_eq!((bench.items("a").await.len(), bench.items("b").await.len()), (0, 1));
        assert!(bench.is_there(dispatch.jobs[0].id).await);
    }
}
