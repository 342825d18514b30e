//! Inboxes: what lies in them, what is read, and how many are not.

mod fixtures;
pub(super) mod notify;

use baton_domain::{InboxItemId, inbox::Unread, page::PageRequest};

use self::fixtures::titles;
use super::{
    bench::{Bench, HOUR, SECOND},
    promises,
};
use crate::store::{Error, Reading, Retention};

promises! {
    async fn an_item_reads_back_as_it_was_written(bench: Bench) {
        bench.people(&["a"]).await;
        let odd = "O'Brien \"said\" \\ 김철수 😀 {{id}} NULL %";
        let mut new = bench.new_item("a", 1, odd);
        new.data = Some(r#"{"n":1.10,"s":"'"}"#.to_owned());
        let dispatch = bench.dispatch(vec![new.clone()]);

        bench.notify(&dispatch).await;

        let items = bench.items("a").await;
        let item = &items[0];
        assert_eq!((items.len(), item.id, item.read_at), (1, new.id, None));
        assert_eq!((&item.title, &item.body, &item.data), (&new.title, &new.body, &new.data));
        assert_eq!((item.notification, item.campaign), (Some(dispatch.id), None));
        assert_eq!((item.category.as_str(), item.created_at), ("activity", bench.now()));
    }

    async fn an_inbox_shows_the_newest_first_page_by_page(bench: Bench) {
        bench.people(&["a"]).await;
        for title in ["1", "2", "3"] {
            bench.tell("a", 1, title).await;
        }

        let page = |after| PageRequest { limit: 2, after };
        let first = bench.store.inbox("a", &page(None)).await.unwrap().unwrap();
        let second = bench.store.inbox("a", &page(first.next.clone())).await.unwrap().unwrap();
        let odd = bench.store.inbox("a", &page(Some("x".to_owned()))).await;

        assert_eq!((titles(&first.items), first.next.is_some()), (vec!["3", "2"], true));
        assert_eq!((titles(&second.items), second.next), (vec!["1"], None));
        assert!(matches!(odd, Err(Error::BadCursor)));
    }

    async fn an_inbox_is_empty_at_first_and_nobody_has_none(bench: Bench) {
        bench.people(&["a"]).await;

        let page = bench.store.inbox("a", &PageRequest::default()).await.unwrap().unwrap();

        assert_eq!((page.items, page.next), (vec![], None));
        assert_eq!(bench.unread("a").await, Unread::default());
        assert_eq!(bench.read_all("a").await, Unread::default());
        assert_eq!(bench.news("a", 0, 10).await.items, []);
        assert_eq!(bench.store.inbox("b", &PageRequest::default()).await.unwrap(), None);
        assert_eq!(bench.store.news("b", 0, 10).await.unwrap(), None);
        assert_eq!(bench.store.unread("b").await.unwrap(), None);
        assert_eq!(bench.store.read_all("b", bench.now()).await.unwrap(), None);
        let item = InboxItemId::new(bench.now());
        assert_eq!(bench.store.read_item("b", item, bench.now()).await.unwrap(), None);
    }

    async fn the_count_follows_what_comes_and_what_is_read(bench: Bench) {
        bench.people(&["a", "b"]).await;
        let first = bench.tell("a", 1, "1").await;
        bench.tell("a", 1, "2").await;
        bench.tell("b", 2, "3").await;
        let before = bench.unread("a").await;
        bench.pass(SECOND);

        let reading = bench.read("a", first).await;

        let after = bench.unread("a").await;
        assert_eq!((before.count, after.count), (2, 1));
        assert!(after.version > before.version);
        let Reading::Read(item, unread) = reading else { panic!("there is such an item") };
        assert_eq!((item.id, item.read_at, unread), (first, Some(bench.now()), after));
        assert_eq!(bench.items("a").await[1], *item);
        assert_eq!(bench.unread_count("b").await, 1);
    }

    async fn what_is_read_twice_counts_once(bench: Bench) {
        bench.people(&["a"]).await;
        let item = bench.tell("a", 1, "1").await;
        let first = bench.read("a", item).await;
        let facts = bench.post_facts().await;
        bench.pass(SECOND);

        let second = bench.read("a", item).await;

        assert_eq!(first, second);
        assert_eq!(bench.post_facts().await, facts);
    }

    async fn nobody_reads_the_items_of_others(bench: Bench) {
        bench.people(&["a", "b"]).await;
        let item = bench.tell("a", 1, "1").await;

        let others = bench.read("b", item).await;
        let none = bench.read("a", InboxItemId::new(bench.now())).await;

        assert_eq!((others, none), (Reading::NoItem, Reading::NoItem));
        assert_eq!((bench.unread_count("a").await, bench.unread_count("b").await), (1, 0));
    }

    async fn everything_is_read_at_once_and_then_nothing_is_left(bench: Bench) {
        bench.people(&["a", "b"]).await;
        let first = bench.tell("a", 1, "1").await;
        for (recipient, number) in [("a", 1), ("a", 1), ("b", 2)] {
            bench.tell(recipient, number, "more").await;
        }
        bench.read("a", first).await;
        let read = bench.items("a").await[2].read_at;
        bench.pass(SECOND);

        let all = bench.read_all("a").await;
        let again = bench.read_all("a").await;

        assert_eq!((all.count, again), (0, all));
        let read_at: Vec<_> = bench.items("a").await.iter().map(|item| item.read_at).collect();
        assert_eq!(read_at, [Some(bench.now()), Some(bench.now()), read]);
        assert_eq!(bench.unread_count("b").await, 1);
    }

    async fn news_are_what_came_after_a_version_in_order(bench: Bench) {
        bench.people(&["a", "b"]).await;
        bench.tell("a", 1, "1").await;
        let seen = bench.unread("a").await.version;
        let second = bench.tell("a", 1, "2").await;
        bench.tell("b", 2, "not mine").await;
        bench.read("a", second).await;
        bench.tell("a", 1, "3").await;

        let news = bench.news("a", seen, 10).await;
        let some = bench.news("a", seen, 1).await;
        let none = bench.news("a", news.unread.version, 10).await;

        assert_eq!(titles(&news.items), ["2", "3"]);
        assert_eq!(news.unread, bench.unread("a").await);
        assert_eq!((titles(&some.items), none.items), (vec!["2"], vec![]));
        let seqs: Vec<_> = news.items.iter().map(|item| item.seq).collect();
        assert!(seen < seqs[0] && seqs[0] < seqs[1] && seqs[1] <= news.unread.version);
    }

    async fn each_change_of_an_inbox_is_a_fact(bench: Bench) {
        bench.people(&["a"]).await;
        let first = bench.tell("a", 1, "1").await;
        let second = bench.tell("a", 1, "2").await;
        bench.read("a", first).await;
        bench.read_all("a").await;

        let facts = bench.facts().await;

        let items = facts.iter().filter(|fact| fact.kind.starts_with("inbox."));
        let items: Vec<_> = items.map(|fact| (fact.kind.as_str(), fact.subject.clone())).collect();
        let wanted = [
            ("inbox.added", first), ("inbox.added", second), ("inbox.read", first), ("inbox.read", second),
        ];
        assert_eq!(items, wanted.map(|(kind, item)| (kind, item.to_string())));
        let mut items = facts.iter().filter(|fact| fact.kind.starts_with("inbox."));
        assert!(items.all(|fact| fact.data["recipient_id"] == "a"));
    }

    async fn an_inbox_goes_with_its_recipient(bench: Bench) {
        bench.people(&["a", "b"]).await;
        bench.tell("a", 1, "1").await;
        bench.tell("b", 2, "2").await;

        bench.store.delete_recipient("a").await.unwrap();
        let gone = bench.store.unread("a").await.unwrap();
        bench.people(&["a"]).await;

        assert_eq!(gone, None);
        assert_eq!((bench.unread("a").await, bench.items("a").await), (Unread::default(), vec![]));
        assert_eq!(bench.unread_count("b").await, 1);
    }

    async fn old_items_are_forgotten_and_no_longer_unread(bench: Bench) {
        bench.people(&["a", "b"]).await;
        let read = bench.tell("a", 1, "old, read").await;
        bench.tell("a", 1, "old").await;
        bench.tell("b", 2, "old").await;
        bench.read("a", read).await;
        bench.pass(2 * HOUR);
        bench.tell("a", 1, "new").await;
        let before = bench.unread("a").await;

        let retention = Retention { inbox: HOUR, ..Retention::default() };
        let some = bench.store.prune(&retention, 2, bench.now()).await.unwrap();
        let rest = bench.store.prune(&retention, 100, bench.now()).await.unwrap();
        let none = bench.store.prune(&retention, 100, bench.now()).await.unwrap();

        assert_eq!((some.items, rest.items, none.items), (2, 1, 0));
        assert_eq!(titles(&bench.items("a").await), ["new"]);
        let after = bench.unread("a").await;
        assert_eq!((before.count, after.count), (2, 1));
        assert!(after.version > before.version);
        assert_eq!(bench.unread_count("b").await, 0);
    }

    async fn writers_and_readers_who_race_leave_an_exact_count(bench: Bench) {
        bench.people(&["a", "b"]).await;
        let mut tasks = Vec::new();
        for writer in 0..4 {
            let bench = bench.clone();
            tasks.push(tokio::spawn(async move {
                for i in 0..12 {
                    let item = bench.tell("a", 1, &format!("{writer} {i}")).await;
                    bench.tell("b", 2, "for b").await;
                    if i % 3 == writer % 3 {
                        bench.read("a", item).await;
                    }
                    if i == 6 {
                        bench.read_all(if writer % 2 == 0 { "a" } else { "b" }).await;
                    }
                }
            }));
        }
        for task in tasks {
            task.await.unwrap();
        }

        for recipient in ["a", "b"] {
            let items = bench.items(recipient).await;
            let unread = items.iter().filter(|item| item.read_at.is_none()).count();
            assert_eq!((items.len(), bench.unread_count(recipient).await), (48, unread as u64));
            assert!(items.is_sorted_by(|newer, older| newer.seq > older.seq));
        }
    }

    async fn who_follows_an_inbox_misses_nothing_that_comes_meanwhile(bench: Bench) {
        bench.people(&["a"]).await;
        let writers = (0..4).map(|writer| {
            let bench = bench.clone();
            tokio::spawn(async move {
                for i in 0..10 {
                    bench.tell("a", 1, &format!("{writer} {i}")).await;
                }
            })
        });
        let writers: Vec<_> = writers.collect();

        let (mut seen, mut place) = (Vec::new(), 0);
        loop {
            let is_over = writers.iter().all(tokio::task::JoinHandle::is_finished);
            let news = bench.news("a", place, 7).await;
            let is_all = news.items.len() < 7;
            place = news.items.last().map_or(place, |last| last.seq);
            if is_all {
                // From here on whatever comes has a higher number than this version.
                place = place.max(news.unread.version);
            }
            seen.extend(news.items.into_iter().map(|item| item.title));
            if is_over && is_all {
                break;
            }
            tokio::task::yield_now().await;
        }

        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 40);
    }
}
