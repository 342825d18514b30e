//! Notifications: written whole or not at all, and once.

use baton_domain::job::State;

use super::super::{
    bench::{Bench, HOUR, SECOND},
    promises,
};
use crate::store::{Dispatch, Notified, Retention};

/// A notification under this key to a recipient whose number is 1, with an item and a job.
fn keyed(bench: &Bench, key: &str, content: &str) -> Dispatch {
    let dispatch = bench.dispatch(vec![bench.new_item("a", 1, content)]);
    Dispatch {
        key: Some(key.to_owned()),
        content_hash: content.to_owned(),
        ..bench.with_jobs(dispatch)
    }
}

promises! {
    async fn items_jobs_and_facts_are_written_together(bench: Bench) {
        bench.people(&["a", "b"]).await;
        let items = vec![bench.new_item("a", 1, "1"), bench.new_item("b", 2, "1")];
        let dispatch = bench.with_jobs(bench.dispatch(items));

        let notified = bench.notify(&dispatch).await;

        assert_eq!(notified, Notified::Accepted);
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

        assert_eq!(again, Notified::Accepted);
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
        let mut accepted = 0;
        for caller in callers {
            accepted += u32::from(caller.await.unwrap() == Notified::Accepted);
        }

        assert_eq!((accepted, bench.unread_count("a").await), (1, 1));
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

        assert_eq!((pruned.notifications, other), (2, Notified::Accepted));
        assert_eq!(bench.unread_count("a").await, 2);
    }

    async fn nothing_lies_in_the_inbox_of_somebody_who_has_gone(bench: Bench) {
        bench.people(&["a", "b"]).await;
        let items = vec![bench.new_item("a", 1, "1"), bench.new_item("b", 2, "1")];
        let dispatch = bench.with_jobs(bench.dispatch(items));
        bench.store.delete_recipient("a").await.unwrap();
        bench.people(&["a"]).await;

        let notified = bench.notify(&dispatch).await;

        assert_eq!(notified, Notified::Accepted);
        assert_eq!((bench.items("a").await.len(), bench.items("b").await.len()), (0, 1));
        assert!(bench.is_there(dispatch.jobs[0].id).await);
    }
}
