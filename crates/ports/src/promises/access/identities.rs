//! Identities: who signs in at a provider is found by who they are there, and follows what it says.

use baton_domain::{
    UserId,
    access::{Identity, Role, User},
};
use tokio::task::JoinSet;

use super::{
    super::{bench::Bench, promises},
    fixtures::identity,
};

impl Bench {
    async fn of(&self, identity: &Identity) -> Option<UserId> {
        let user = self.store.user_of(identity).await.expect("user");
        user.map(|user| user.id)
    }

    async fn follow(&self, user: &User, name: &str, role: Role) -> bool {
        let followed = self.store.follow_provider(user.id, name, role).await;
        followed.expect("follow")
    }
}

promises! {
    async fn somebody_is_found_by_who_they_are_at_their_provider(bench: Bench) {
        let kim = bench.added_identified("kim", "größe 🎺").await;
        bench.added_user("ann").await;
        let elsewhere = Identity { issuer: "https://other.example".to_owned(), ..identity("größe 🎺") };

        let found = bench.store.user_of(&identity("größe 🎺")).await.unwrap();

        assert!(found == Some(kim));
        assert_eq!(bench.of(&elsewhere).await, None);
    }

    async fn who_somebody_is_is_told_apart_by_each_letter(bench: Bench) {
        let kim = bench.added_identified("kim", "a1").await;

        let others = ["A1", "a1 ", " a1", "á1", "a"].map(identity);

        for other in others {
            assert_eq!(bench.of(&other).await, None, "{other:?}");
        }
        assert_eq!(bench.of(&identity("a1")).await, Some(kim.id));
    }

    async fn an_identity_belongs_to_one_user(bench: Bench) {
        let kim = bench.added_identified("kim", "7").await;
        let other = bench.new_identified("lee", "7");

        let added = bench.store.add_user(&other).await.unwrap();
        let again = bench.store.add_user(&kim).await.unwrap();

        assert_eq!((added, again), (false, true));
        assert_eq!(bench.of(&identity("7")).await, Some(kim.id));
        assert!(bench.store.user(other.id).await.unwrap().is_none());
    }

    async fn of_many_who_come_for_the_first_time_at_once_one_is_added(bench: Bench) {
        let users = (0..4).map(|n| bench.new_identified(&format!("kim-{n}"), "7"));
        let mut tasks = JoinSet::new();

        for user in users.collect::<Vec<_>>() {
            let store = bench.store.clone();
            tasks.spawn(async move { store.add_user(&user).await.unwrap() });
        }

        let added = tasks.join_all().await;
        assert_eq!(added.into_iter().filter(|is_added| *is_added).count(), 1);
    }

    async fn whoever_signs_in_at_a_provider_follows_what_it_says_and_signs_in_again(bench: Bench) {
        let kim = bench.added_identified("kim", "7").await;
        let session = bench.begun_session("cookie", &kim).await;
        let (_, other) = bench.signed_in("ann").await;

        let followed = bench.follow(&kim, "kim.lee", Role::Viewer).await;

        assert!(followed);
        let signed_in_at = Some(session.created_at);
        let expected = User { name: "kim.lee".to_owned(), role: Role::Viewer, signed_in_at, ..kim };
        assert!(bench.user(expected.id).await == expected);
        assert!(!bench.stands(&session).await && bench.stands(&other).await);
    }

    async fn following_what_is_so_already_ends_no_session(bench: Bench) {
        let kim = bench.added_identified("kim", "7").await;
        let session = bench.begun_session("cookie", &kim).await;

        let followed = bench.follow(&kim, "kim", kim.role).await;

        assert!(followed && bench.stands(&session).await);
    }

    async fn even_the_last_admin_is_none_any_more_if_the_provider_says_so(bench: Bench) {
        let kim = bench.added_identified("kim", "7").await;

        let followed = bench.follow(&kim, "kim", Role::Viewer).await;

        assert!(followed);
        assert_eq!(bench.user(kim.id).await.role, Role::Viewer);
    }

    async fn nobody_follows_a_provider_who_is_kept_out_or_has_a_password_or_is_not_there(bench: Bench) {
        let kim = User { is_disabled: true, ..bench.new_identified("kim", "7") };
        bench.store.add_user(&kim).await.unwrap();
        let ann = bench.added_user("ann").await;
        let nobody = bench.new_identified("bo", "8");

        for user in [&kim, &ann, &nobody] {
            assert!(!bench.follow(user, "another", Role::Viewer).await, "{user:?}");
            assert!(!bench.follow(user, &user.name, user.role).await, "{user:?}");
        }
        assert!(bench.user(kim.id).await == kim && bench.user(ann.id).await == ann);
    }

    async fn nobody_takes_a_name_that_is_anothers_by_following(bench: Bench) {
        bench.added_user("ann").await;
        let kim = bench.added_identified("kim", "7").await;

        let followed = bench.follow(&kim, "ann", Role::Viewer).await;

        assert!(!followed);
        assert!(bench.user(kim.id).await == kim);
    }
}
