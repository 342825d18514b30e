//! Access: keys, and whether there is anybody at all.

mod fixtures;
pub(super) mod identities;
pub(super) mod sessions;
pub(super) mod set_up;
pub(super) mod users;

use baton_domain::{
    KeyId,
    access::{ApiKey, Permission, Permissions, Principal, User},
    page::PageRequest,
};
use tokio::task::JoinSet;

pub(super) use self::fixtures::digest;
use super::{
    bench::{Bench, HOUR, SECOND},
    promises,
};

impl Bench {
    /// A key that nobody has added, later than all before.
    pub(in crate::promises) fn new_key(&self, name: &str) -> ApiKey {
        self.pass(SECOND);
        ApiKey {
            id: KeyId::new(self.now()),
            name: name.to_owned(),
            digest: digest(name),
            permissions: Permissions::of(&[Permission::JobsRead, Permission::JobsCreate]),
            kinds: vec!["mail.*".to_owned()],
            queues: Vec::new(),
            created_at: self.now(),
            created_by: Principal::CommandLine,
            expires_at: None,
            revoked_at: None,
            last_used_at: None,
        }
    }

    pub(in crate::promises) async fn added_key(&self, name: &str) -> ApiKey {
        let key = self.new_key(name);
        self.store.add_key(&key).await.expect("add");
        key
    }

    async fn key(&self, id: KeyId) -> ApiKey {
        let key = self.store.key(id).await.expect("key");
        key.expect("there is one")
    }

    async fn revoke(&self, id: KeyId) -> bool {
        let revoked = self.store.revoke_key(id, self.now()).await;
        revoked.expect("revoke")
    }

    async fn has_principals(&self) -> bool {
        let has = self.store.has_principals().await;
        has.expect("has principals")
    }
}

promises! {
    async fn a_key_reads_back_as_it_was_made(bench: Bench) {
        let everything = ApiKey {
            permissions: Permissions::ALL,
            queues: vec!["low".to_owned(), "mail-*".to_owned()],
            expires_at: Some(bench.now() + HOUR),
            ..bench.new_key("Büro \"7\"")
        };

        bench.store.add_key(&everything).await.unwrap();

        assert_eq!(bench.key(everything.id).await, everything);
        let other = KeyId::new(bench.now());
        assert_eq!(bench.store.key(other).await.unwrap(), None);
    }

    async fn adding_a_key_is_safe_to_repeat(bench: Bench) {
        let key = bench.added_key("ci").await;
        bench.revoke(key.id).await;

        bench.store.add_key(&key).await.unwrap();

        assert_eq!(bench.key(key.id).await.revoked_at, Some(bench.now()));
    }

    async fn keys_are_listed_page_by_page_the_newest_first(bench: Bench) {
        for name in ["a", "b", "c"] {
            let key = bench.added_key(name).await;
            bench.revoke(key.id).await;
        }
        let mut request = PageRequest::first(2);

        let first = bench.store.keys(&request).await.unwrap();
        request.after.clone_from(&first.next);
        let second = bench.store.keys(&request).await.unwrap();

        let names = |keys: Vec<ApiKey>| keys.into_iter().map(|key| key.name).collect::<Vec<_>>();
        assert_eq!((names(first.items), names(second.items)), (vec!["c".into(), "b".into()], vec!["a".into()]));
        assert_eq!(second.next, None);
    }

    async fn a_key_is_taken_back_once_and_stays_on_the_list(bench: Bench) {
        let key = bench.added_key("ci").await;
        let revoked_at = bench.now();

        let first = bench.revoke(key.id).await;
        bench.pass(SECOND);
        let second = bench.revoke(key.id).await;

        assert_eq!((first, second), (true, false));
        assert_eq!(bench.key(key.id).await.revoked_at, Some(revoked_at));
        assert!(!bench.revoke(KeyId::new(bench.now())).await, "there is no such key");
    }

    async fn a_key_takes_the_place_of_one_that_ends_then_and_not_later_than_it_would(bench: Bench) {
        let (endless, ending) = (bench.added_key("a").await, bench.new_key("b"));
        let ending = ApiKey { expires_at: Some(bench.now() + HOUR), ..ending };
        bench.store.add_key(&ending).await.unwrap();
        let (first, second) = (bench.new_key("a"), bench.new_key("b"));
        let ends_at = bench.now() + 2 * HOUR;

        for (old, new) in [(&endless, &first), (&ending, &second)] {
            assert!(bench.store.rotate_key(old.id, ends_at, new).await.unwrap());
            assert!(bench.store.rotate_key(old.id, ends_at, new).await.unwrap(), "asked again");
        }

        assert_eq!(bench.key(endless.id).await.expires_at, Some(ends_at));
        assert_eq!(bench.key(ending.id).await, ending);
        assert_eq!((bench.key(first.id).await, bench.key(second.id).await), (first, second));
    }

    async fn no_key_takes_the_place_of_one_that_is_worth_nothing(bench: Bench) {
        let (revoked, over) = (bench.added_key("a").await, bench.new_key("b"));
        bench.revoke(revoked.id).await;
        let over = ApiKey { expires_at: Some(bench.now() + SECOND), ..over };
        bench.store.add_key(&over).await.unwrap();
        let new = bench.new_key("new");

        for old in [revoked.id, over.id, KeyId::new(bench.now())] {
            let ends_at = bench.now() + HOUR;
            assert!(!bench.store.rotate_key(old, ends_at, &new).await.unwrap());
        }

        assert_eq!(bench.store.key(new.id).await.unwrap(), None);
        assert_eq!(bench.key(over.id).await, over);
    }

    async fn of_many_who_put_a_key_in_the_place_of_one_at_once_one_does(bench: Bench) {
        let old = bench.added_key("ci").await;
        let ends_at = bench.now() + HOUR;
        let next = |bench: &Bench| ApiKey { created_by: Principal::Key(old.id), ..bench.new_key("ci") };
        let mut tasks = JoinSet::new();

        for _ in 0..4 {
            let (bench, new) = (bench.clone(), next(&bench));
            tasks.spawn(async move { bench.store.rotate_key(old.id, ends_at, &new).await.unwrap() });
        }

        let rotated = tasks.join_all().await;
        assert_eq!(rotated.into_iter().filter(|is_mine| *is_mine).count(), 1);
        assert!(!bench.store.rotate_key(old.id, ends_at, &next(&bench)).await.unwrap(), "later");
    }

    async fn of_many_who_take_a_key_back_at_once_one_does(bench: Bench) {
        let key = bench.added_key("ci").await;
        let mut tasks = JoinSet::new();

        for _ in 0..4 {
            let bench = bench.clone();
            tasks.spawn(async move { bench.revoke(key.id).await });
        }

        let revoked = tasks.join_all().await;
        assert_eq!(revoked.into_iter().filter(|is_mine| *is_mine).count(), 1);
    }

    async fn a_key_was_used_last_at_the_latest_of_all_times(bench: Bench) {
        let (one, other) = (bench.added_key("a").await, bench.added_key("b").await);
        let now = bench.now();

        bench.store.keys_used(&[(other.id, now), (one.id, now + SECOND)]).await.unwrap();
        bench.store.keys_used(&[(one.id, now), (KeyId::new(now), now)]).await.unwrap();
        bench.store.keys_used(&[]).await.unwrap();

        assert_eq!(bench.key(one.id).await.last_used_at, Some(now + SECOND));
        assert_eq!(bench.key(other.id).await.last_used_at, Some(now));
    }

    async fn there_is_somebody_while_a_key_is_not_taken_back(bench: Bench) {
        let before = bench.has_principals().await;
        let expired = ApiKey { expires_at: Some(bench.now()), ..bench.new_key("ci") };
        bench.store.add_key(&expired).await.unwrap();
        let with = bench.has_principals().await;

        bench.revoke(expired.id).await;

        assert_eq!((before, with, bench.has_principals().await), (false, true, false));
    }

    async fn there_is_somebody_once_there_is_a_user_even_one_who_is_kept_out(bench: Bench) {
        let kim = User { is_disabled: true, ..bench.new_user("kim") };

        bench.store.add_user(&kim).await.unwrap();

        assert!(bench.has_principals().await);
    }
}
