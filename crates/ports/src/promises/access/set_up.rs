//! Setting up: the first user is added by a token, once.

use std::time::Duration;

use baton_domain::{
    Timestamp,
    access::{Role, User},
    page::PageRequest,
};
use tokio::task::JoinSet;

use super::{
    super::{
        bench::{Bench, HOUR, SECOND},
        promises,
        upkeep::{FOR_LONG, prune},
    },
    fixtures::digest,
};

const MICROSECOND: Duration = Duration::from_micros(1);

impl Bench {
    /// Offers a token for an hour; says until when.
    pub(in crate::promises) async fn offer(&self, token: &str) -> Timestamp {
        let until = self.now() + HOUR;
        let offered = self.store.offer_set_up(&digest(token), until).await;
        assert!(offered.expect("offer"));
        until
    }

    async fn set_up(&self, token: &str, user: &User) -> bool {
        let set_up = self.store.set_up(&digest(token), user, self.now()).await;
        set_up.expect("set up")
    }
}

promises! {
    async fn the_first_user_is_an_admin_and_the_token_is_gone(bench: Bench) {
        bench.offer("token").await;
        let kim = User { role: Role::Viewer, ..bench.new_user("kim") };

        let first = bench.set_up("token", &kim).await;
        let second = bench.set_up("token", &bench.new_user("ann")).await;

        assert_eq!((first, second), (true, false));
        assert!(bench.user(kim.id).await == User { role: Role::Admin, ..kim });
        assert!(bench.store.user_named("ann").await.unwrap().is_none());
    }

    async fn another_token_adds_nobody(bench: Bench) {
        bench.offer("token").await;

        let is_added = bench.set_up("other", &bench.new_user("kim")).await;

        assert!(!is_added && !bench.store.has_principals().await.unwrap());
        assert!(bench.set_up("token", &bench.new_user("kim")).await, "the right one still stands");
    }

    async fn of_many_who_set_up_at_once_one_wins(bench: Bench) {
        bench.offer("token").await;
        let users: Vec<_> = ["ann", "bo", "kim", "kim"].map(|name| bench.new_user(name)).into();
        let mut tasks = JoinSet::new();

        for user in users {
            let bench = bench.clone();
            tasks.spawn(async move { bench.set_up("token", &user).await });
        }

        let won = tasks.join_all().await;
        assert_eq!(won.into_iter().filter(|is_mine| *is_mine).count(), 1);
        let users = bench.store.users(&PageRequest::default()).await.unwrap();
        assert_eq!(users.items.len(), 1);
    }

    async fn a_token_is_worth_nothing_from_its_end_on(bench: Bench) {
        let until = bench.offer("token").await;
        let kim = bench.new_user("kim");
        let token = digest("token");

        let at_its_end = bench.store.set_up(&token, &kim, until).await.unwrap();
        let just_before = bench.store.set_up(&token, &kim, until - MICROSECOND).await.unwrap();

        assert_eq!((at_its_end, just_before), (false, true));
    }

    async fn a_token_takes_the_place_of_all_others(bench: Bench) {
        bench.offer("first").await;
        bench.offer("second").await;
        bench.offer("second").await;

        let kim = bench.new_user("kim");

        assert!(!bench.set_up("first", &kim).await);
        assert!(bench.set_up("second", &kim).await);
    }

    async fn no_token_is_offered_once_there_is_a_user(bench: Bench) {
        bench.added_user("kim").await;

        let offered = bench.store.offer_set_up(&digest("token"), bench.now() + HOUR).await;

        assert!(!offered.unwrap());
        assert!(!bench.set_up("token", &bench.new_user("ann")).await);
    }

    async fn a_token_is_worth_nothing_once_there_is_a_user(bench: Bench) {
        bench.offer("token").await;
        bench.added_user("kim").await;

        let other = bench.set_up("token", &bench.new_user("ann")).await;
        let same = bench.set_up("token", &bench.new_user("kim")).await;

        assert_eq!((other, same), (false, false));
        assert!(bench.store.user_named("ann").await.unwrap().is_none());
    }

    async fn a_token_past_its_end_is_forgotten(bench: Bench) {
        bench.offer("token").await;
        let early = prune(&bench, &FOR_LONG).await;
        bench.pass(HOUR);

        let late = prune(&bench, &FOR_LONG).await;

        assert_eq!((early.sessions, late.sessions), (0, 1));
        bench.pass(SECOND);
        assert!(prune(&bench, &FOR_LONG).await.is_empty());
    }
}
