//! Recipients: written down, found, changed, forgotten.

pub(super) mod fixtures;
pub(super) mod walk;

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::RangeInclusive,
};

use baton_domain::{
    globe::Point,
    page::PageRequest,
    recipient::{MOST_TOPICS, Profile, Recipient},
};

use self::fixtures::{everything, somebody, with_address, with_topics};
use super::{
    bench::{Bench, SECOND},
    promises,
};
use crate::store::{Error, UpsertOutcome, Urgency};

impl Bench {
    async fn put(&self, profiles: &[Profile]) -> Vec<UpsertOutcome> {
        let put = self.store.put_recipients(profiles, self.now()).await;
        put.expect("put")
    }

    async fn recipient(&self, id: &str) -> Option<Recipient> {
        let mut found = self
            .store
            .find_recipients(&[id.to_owned()], Urgency::Bulk)
            .await
            .expect("find");
        assert!(found.len() < 2, "{found:?}");
        found.pop()
    }

    async fn between(&self, numbers: RangeInclusive<i64>) -> Vec<String> {
        let found = self.store.recipients_between(numbers).await;
        let ids = found
            .expect("between")
            .into_iter()
            .map(|one| one.profile.id);
        let mut ids: Vec<_> = ids.collect();
        ids.sort_unstable();
        ids
    }

    async fn profile(&self, id: &str) -> Profile {
        self.recipient(id).await.expect("there is one").profile
    }

    async fn switch(&self, id: &str, topic: &str, on: bool) -> bool {
        let switched = self.store.switch_topic(id, topic, on, self.now()).await;
        switched.expect("switch")
    }

    async fn bury(&self, id: &str, address: &str) -> bool {
        let buried = self
            .store
            .bury_address(id, "push", address, self.now())
            .await;
        buried.expect("bury")
    }

    async fn recipients_page(
        &self,
        limit: u32,
        after: Option<String>,
    ) -> (Vec<String>, Option<String>) {
        let page = self
            .store
            .recipients(&PageRequest { limit, after })
            .await
            .expect("page");
        let ids = page.items.into_iter().map(|recipient| recipient.profile.id);
        (ids.collect(), page.next)
    }
}

promises! {
    async fn a_recipient_reads_back_as_it_was_written_down(bench: Bench) {
        let profiles = [everything("a"), somebody("b")];

        let put = bench.put(&profiles).await;

        assert_eq!(put, [UpsertOutcome::Added, UpsertOutcome::Added]);
        for profile in profiles {
            assert_eq!(bench.profile(&profile.id).await, profile);
        }
    }

    async fn recipients_are_found_between_two_numbers(bench: Bench) {
        let profiles = ["a", "b", "c", "d", "e"].map(somebody);
        bench.put(&profiles).await;
        let number = bench.recipient("a").await.unwrap().number;
        assert!(bench.store.delete_recipient("c").await.unwrap());

        let between = |numbers| async { bench.between(numbers).await };

        assert_eq!(between(number + 1..=number + 3).await, ["b", "d"]);
        assert_eq!(between(number..=number).await, ["a"]);
        assert_eq!(between(0..=number + 1).await, ["a", "b"]);
        assert_eq!(between(number + 5..=i64::MAX).await, [""; 0]);
    }

    async fn any_text_can_be_an_id_an_address_or_nothing_but_itself(bench: Bench) {
        let odd = ["a'b", "a\"b", "a\\b", "김철수", "%", "a/b", "😀", "NULL", "{}", "A"];
        let profiles = odd.map(|text| with_address(text, text));

        bench.put(&profiles).await;

        for profile in profiles {
            assert_eq!(bench.profile(&profile.id).await, profile);
        }
        assert_eq!(bench.recipient("null").await, None);
    }

    async fn numbers_are_kept_to_the_last_digit(bench: Bench) {
        let points = [(0.1 + 0.2, 1e-300), (-90.0, -180.0), (-0.0, 179.999_999_999_999_97)];
        let profiles = points.map(|(lat, lon)| Profile {
            location: Some(Point { lat, lon }),
            ..somebody(&format!("{lat} {lon}"))
        });

        bench.put(&profiles).await;
        let again = bench.put(&profiles).await;

        assert_eq!(again, [UpsertOutcome::Unchanged; 3]);
        for profile in profiles {
            assert_eq!(bench.profile(&profile.id).await.location, profile.location);
        }
    }

    async fn writing_it_down_again_changes_nothing(bench: Bench) {
        bench.put(&[everything("a")]).await;
        let before = bench.recipient("a").await;
        bench.pass(SECOND);

        let put = bench.put(&[everything("a")]).await;

        assert_eq!(put, [UpsertOutcome::Unchanged]);
        assert_eq!(bench.recipient("a").await, before);
    }

    async fn each_field_can_change_and_the_number_stays(bench: Bench) {
        bench.put(&[somebody("a")]).await;
        let first = bench.recipient("a").await.unwrap();
        let everything = everything("a");
        let steps: [fn(&mut Profile, &Profile); 7] = [
            |profile, wanted| profile.platform.clone_from(&wanted.platform),
            |profile, wanted| profile.location = wanted.location,
            |profile, wanted| profile.topics.clone_from(&wanted.topics),
            |profile, wanted| profile.enabled = wanted.enabled,
            |profile, wanted| profile.addresses.clone_from(&wanted.addresses),
            |profile, wanted| profile.time_zone.clone_from(&wanted.time_zone),
            |profile, wanted| profile.locale.clone_from(&wanted.locale),
        ];

        let mut profile = first.profile.clone();
        for step in steps {
            step(&mut profile, &everything);
            bench.pass(SECOND);
            assert_eq!(bench.put(&[profile.clone()]).await, [UpsertOutcome::Changed]);
            let now = bench.recipient("a").await.unwrap();
            assert_eq!((now.profile, now.updated_at), (profile.clone(), bench.now()));
            assert_eq!((now.number, now.created_at), (first.number, first.created_at));
        }
        assert_eq!(profile, everything);
    }

    async fn a_batch_answers_for_each_in_its_order(bench: Bench) {
        bench.put(&[somebody("b"), somebody("c")]).await;

        let batch = [somebody("d"), with_topics("c", &["x"]), somebody("a"), somebody("b")];
        let put = bench.put(&batch).await;

        assert_eq!(put, [UpsertOutcome::Added, UpsertOutcome::Changed, UpsertOutcome::Added, UpsertOutcome::Unchanged]);
    }

    async fn a_batch_of_nobody_is_no_mistake(bench: Bench) {
        assert_eq!(bench.put(&[]).await, []);
    }

    async fn numbers_grow_in_the_order_of_a_batch_without_a_gap(bench: Bench) {
        bench.put(&["d", "b", "z"].map(somebody)).await;
        bench.put(&["a", "d"].map(somebody)).await;

        let mut numbers = Vec::new();
        for id in ["d", "b", "z", "a"] {
            numbers.push(bench.recipient(id).await.unwrap().number);
        }

        assert_eq!(numbers, [1, 2, 3, 4]);
        assert_eq!(bench.store.joined().await.unwrap(), 4);
    }

    async fn who_comes_back_is_somebody_new(bench: Bench) {
        bench.put(&["a", "b"].map(somebody)).await;

        let deleted = bench.store.delete_recipient("a").await.unwrap();
        let again = bench.store.delete_recipient("a").await.unwrap();
        let gone = bench.recipient("a").await;
        let put = bench.put(&[somebody("a")]).await;

        assert_eq!((deleted, again, gone), (true, false, None));
        assert_eq!(put, [UpsertOutcome::Added]);
        assert_eq!(bench.recipient("a").await.unwrap().number, 3);
    }

    async fn the_list_shows_the_newest_first_page_by_page(bench: Bench) {
        bench.put(&["a", "b", "c", "d", "e"].map(somebody)).await;
        bench.store.delete_recipient("d").await.unwrap();

        let (first, next) = bench.recipients_page(2, None).await;
        let (second, end) = bench.recipients_page(2, next).await;

        assert_eq!((first, second), (vec!["e".into(), "c".into()], vec!["b".into(), "a".into()]));
        assert_eq!(end, None);
        let odd = PageRequest { after: Some("x".into()), limit: 2 };
        assert!(matches!(bench.store.recipients(&odd).await, Err(Error::BadCursor)));
    }

    async fn ids_are_told_in_their_order_from_any_text_on(bench: Bench) {
        bench.put(&["ann", "B", "anna", "ben", "an-1", "김"].map(somebody)).await;
        bench.store.delete_recipient("ann").await.unwrap();

        let from = async |text: &str, limit| bench.store.recipient_ids(text, limit).await.unwrap();

        assert_eq!(from("", 2).await, ["B", "an-1"]);
        assert_eq!(from("an", 9).await, ["an-1", "anna", "ben", "김"]);
        assert_eq!(from("ann", 2).await, ["anna", "ben"]);
        assert_eq!(from("힣", 2).await, [""; 0]);
    }

    async fn a_topic_is_switched_on_and_off(bench: Bench) {
        bench.put(&[with_topics("a", &["news"])]).await;
        bench.pass(SECOND);

        let on = bench.switch("a", "quiz", true).await;
        let off = bench.switch("a", "news", false).await;

        assert!(on && off);
        let now = bench.recipient("a").await.unwrap();
        assert_eq!((now.profile, now.updated_at), (with_topics("a", &["quiz"]), bench.now()));
    }

    async fn a_topic_that_is_so_already_changes_nothing(bench: Bench) {
        bench.put(&[with_topics("a", &["news"])]).await;
        let before = bench.recipient("a").await;
        bench.pass(SECOND);

        let on = bench.switch("a", "news", true).await;
        let off = bench.switch("a", "quiz", false).await;
        let nobody = bench.switch("b", "news", true).await;

        assert!(!on && !off && !nobody);
        assert_eq!(bench.recipient("a").await, before);
    }

    async fn who_has_as_many_topics_as_can_be_gets_none_more(bench: Bench) {
        let topics: Vec<_> = (0..MOST_TOPICS).map(|i| format!("t{i:03}")).collect();
        let topics: BTreeSet<_> = topics.into_iter().collect();
        bench.put(&[Profile { topics: topics.clone(), ..somebody("a") }]).await;

        let switched = bench.switch("a", "one-more", true).await;

        assert!(!switched);
        assert_eq!(bench.profile("a").await.topics, topics);
    }

    async fn a_dead_address_is_out_of_use_until_there_is_another_one(bench: Bench) {
        bench.put(&[with_address("a", "old")]).await;
        bench.pass(SECOND);

        let buried = bench.bury("a", "old").await;
        let dead = bench.recipient("a").await.unwrap();
        let put = bench.put(&[with_address("a", "old")]).await;
        let still = bench.recipient("a").await.unwrap();
        bench.put(&[with_address("a", "new")]).await;
        let new = bench.recipient("a").await.unwrap();

        assert!(buried);
        assert_eq!((dead.address("push"), dead.updated_at), (None, bench.now()));
        assert_eq!((put, still.address("push")), (vec![UpsertOutcome::Unchanged], None));
        assert_eq!(new.address("push"), Some("new"));
    }

    async fn only_the_address_that_was_called_dead_is_taken_out_of_use(bench: Bench) {
        bench.put(&[with_address("a", "new")]).await;
        let before = bench.recipient("a").await;
        bench.pass(SECOND);

        let old = bench.bury("a", "old").await;
        let nobody = bench.bury("b", "new").await;

        assert!(!old && !nobody);
        assert_eq!(bench.recipient("a").await, before);
        let twice = (bench.bury("a", "new").await, bench.bury("a", "new").await);
        assert_eq!(twice, (true, false));
    }

    async fn several_channels_die_one_by_one(bench: Bench) {
        let addresses = [("push", "p"), ("e.mail", "m"), ("sms", "s")];
        let addresses = addresses.map(|(channel, text)| (channel.to_owned(), text.to_owned()));
        let addresses = BTreeMap::from(addresses);
        bench.put(&[Profile { addresses, ..somebody("a") }]).await;

        let mail = bench.store.bury_address("a", "e.mail", "m", bench.now()).await;
        let push = bench.bury("a", "p").await;

        let now = bench.recipient("a").await.unwrap();
        assert!(mail.unwrap() && push);
        assert_eq!(now.dead_channels().collect::<Vec<_>>(), ["e.mail", "push"]);
        assert_eq!(now.address("sms"), Some("s"));
    }

    async fn callers_who_race_write_each_recipient_once(bench: Bench) {
        let ids: Vec<_> = (0..40).map(|i| format!("r{i:02}")).collect();
        let forth: Vec<_> = ids.iter().map(|id| somebody(id)).collect();
        let back: Vec<_> = forth.iter().rev().cloned().collect();

        let callers = (0..4).map(|i| {
            let (bench, batch) = (bench.clone(), if i % 2 == 0 { forth.clone() } else { back.clone() });
            tokio::spawn(async move { bench.put(&batch).await })
        });
        let callers: Vec<_> = callers.collect();
        let mut added = 0;
        for caller in callers {
            added += caller.await.unwrap().into_iter().filter(|put| *put == UpsertOutcome::Added).count();
        }

        assert_eq!(added, 40);
        let (listed, _) = bench.recipients_page(100, None).await;
        assert_eq!((listed.len(), bench.store.joined().await.unwrap()), (40, 40));
    }
}
