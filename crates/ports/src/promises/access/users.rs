//! Users: added, found, changed; and one of them can always say who may do what.

use baton_domain::{
    Timestamp, UserId,
    access::{Role, User, UserChange},
    page::PageRequest,
};
use tokio::task::JoinSet;

use super::{
    super::{
        bench::{Bench, HOUR, SECOND},
        promises,
    },
    fixtures::{disabled, to_role},
};
use crate::store::{SignInAttempt, UserChanged};

impl Bench {
    /// A password that is about to be looked at, the next one before which nobody looks.
    pub(in crate::promises) fn attempt(&self, user: &User, retry_at: Timestamp) -> SignInAttempt {
        SignInAttempt {
            user: user.id,
            failures: user.failures,
            now: self.now(),
            retry_at,
            latest: self.now() + 2 * HOUR,
        }
    }

    async fn change_user(&self, user: &User, change: &UserChange) -> UserChanged {
        let changed = self.store.change_user(user.id, change).await;
        changed.expect("change")
    }

    async fn named(&self, name: &str) -> Option<UserId> {
        let user = self.store.user_named(name).await.expect("user");
        user.map(|user| user.id)
    }
}

promises! {
    async fn a_user_reads_back_as_they_were_added(bench: Bench) {
        let everything = User {
            role: Role::Sender,
            is_disabled: true,
            signed_in_at: Some(bench.now()),
            failures: u32::MAX,
            retry_at: Some(bench.now() + SECOND),
            ..bench.new_user("kim.lee@example.org")
        };
        let nothing = User { password: None, ..bench.new_user("7") };

        let added = [bench.store.add_user(&everything).await, bench.store.add_user(&nothing).await];

        assert_eq!(added.map(Result::unwrap), [true, true]);
        assert!(bench.user(everything.id).await == everything);
        assert!(bench.user(nothing.id).await == nothing);
        assert_eq!(bench.named("7").await, Some(nothing.id));
        assert_eq!(bench.named("8").await, None);
        assert!(bench.store.user(UserId::new(bench.now() + SECOND)).await.unwrap().is_none());
    }

    async fn a_name_belongs_to_one_user(bench: Bench) {
        let kim = bench.added_user("kim").await;
        let other = bench.new_user("kim");

        let added = bench.store.add_user(&other).await.unwrap();

        assert!(!added);
        assert_eq!(bench.named("kim").await, Some(kim.id));
        assert!(bench.store.user(other.id).await.unwrap().is_none());
    }

    async fn adding_a_user_is_safe_to_repeat(bench: Bench) {
        let kim = bench.added_user("kim").await;

        let again = bench.store.add_user(&kim).await.unwrap();

        assert!(again);
        assert_eq!(bench.named("kim").await, Some(kim.id));
    }

    async fn of_many_who_take_a_name_at_once_one_has_it(bench: Bench) {
        let users: Vec<_> = (0..4).map(|_| bench.new_user("kim")).collect();
        let mut tasks = JoinSet::new();

        for user in users {
            let store = bench.store.clone();
            tasks.spawn(async move { store.add_user(&user).await.unwrap() });
        }

        let added = tasks.join_all().await;
        assert_eq!(added.into_iter().filter(|is_added| *is_added).count(), 1);
    }

    async fn names_that_differ_by_case_are_two_names(bench: Bench) {
        let kim = bench.added_user("kim").await;

        let other = bench.added_user("Kim").await;

        assert_eq!((bench.named("kim").await, bench.named("Kim").await), (Some(kim.id), Some(other.id)));
        assert_eq!(bench.named("KIM").await, None);
    }

    async fn users_are_listed_page_by_page_by_name(bench: Bench) {
        for name in ["kim", "ann", "bo"] {
            bench.added_user(name).await;
        }
        let mut request = PageRequest::first(2);

        let first = bench.store.users(&request).await.unwrap();
        request.after.clone_from(&first.next);
        let second = bench.store.users(&request).await.unwrap();

        let names = |users: Vec<User>| users.into_iter().map(|user| user.name).collect::<Vec<_>>();
        assert_eq!((names(first.items), names(second.items)), (vec!["ann".into(), "bo".into()], vec!["kim".into()]));
        assert_eq!(second.next, None);
    }

    async fn a_change_leaves_the_rest_as_it_was(bench: Bench) {
        bench.added_user("ann").await;
        let kim = bench.added_user("kim").await;
        let password = Some("$argon2id$other".to_owned());
        let change = UserChange { password: password.clone(), ..UserChange::default() };

        let changed = bench.change_user(&kim, &change).await;
        let nothing = bench.change_user(&kim, &UserChange::default()).await;

        assert_eq!((changed, nothing), (UserChanged::Changed, UserChanged::Changed));
        assert!(bench.user(kim.id).await == User { password, ..kim });
    }

    async fn a_change_by_a_password_is_made_only_while_it_is_still_theirs(bench: Bench) {
        bench.added_user("ann").await;
        let kim = bench.added_user("kim").await;
        let to = |hash: &str, known_by| UserChange { password: Some(hash.to_owned()), known_by, ..UserChange::default() };

        let reset = bench.change_user(&kim, &to("$argon2id$reset", None)).await;
        let own = bench.change_user(&kim, &to("$argon2id$own", kim.password.clone())).await;
        let after = bench.user(kim.id).await;
        let known = bench.change_user(&kim, &to("$argon2id$own", after.password.clone())).await;

        assert_eq!((reset, own, known), (UserChanged::Changed, UserChanged::OtherPassword, UserChanged::Changed));
        assert_eq!(after.password.as_deref(), Some("$argon2id$reset"));
        assert_eq!(bench.user(kim.id).await.password.as_deref(), Some("$argon2id$own"));
    }

    async fn a_change_of_everything_is_made(bench: Bench) {
        bench.added_user("ann").await;
        let kim = bench.added_user("kim").await;
        let password = Some("$argon2id$other".to_owned());
        let change = UserChange { role: Some(Role::Viewer), password: password.clone(), is_disabled: Some(true), known_by: None };

        bench.change_user(&kim, &change).await;

        assert!(bench.user(kim.id).await == User { role: Role::Viewer, password, is_disabled: true, ..kim });
    }

    async fn nobody_is_changed_who_is_not_there(bench: Bench) {
        let kim = bench.new_user("kim");

        let changed = bench.change_user(&kim, &to_role(Role::Viewer)).await;

        assert_eq!(changed, UserChanged::Missing);
    }

    async fn the_last_admin_who_is_not_kept_out_stays_one(bench: Bench) {
        let ann = User { is_disabled: true, ..bench.new_user("ann") };
        bench.store.add_user(&ann).await.unwrap();
        let bo = User { role: Role::Operator, ..bench.new_user("bo") };
        bench.store.add_user(&bo).await.unwrap();
        let kim = bench.added_user("kim").await;

        let demoted = bench.change_user(&kim, &to_role(Role::Operator)).await;
        let kept_out = bench.change_user(&kim, &disabled(true)).await;

        assert_eq!((demoted, kept_out), (UserChanged::LastAdmin, UserChanged::LastAdmin));
        assert!(bench.user(kim.id).await == kim);
        assert_eq!(bench.change_user(&bo, &to_role(Role::Viewer)).await, UserChanged::Changed);
        assert_eq!(bench.change_user(&ann, &to_role(Role::Viewer)).await, UserChanged::Changed);
    }

    async fn an_admin_goes_once_there_is_another(bench: Bench) {
        let kim = bench.added_user("kim").await;
        bench.added_user("ann").await;

        let changed = bench.change_user(&kim, &to_role(Role::Viewer)).await;

        assert_eq!(changed, UserChanged::Changed);
        assert_eq!(bench.user(kim.id).await.role, Role::Viewer);
    }

    async fn of_two_admins_who_demote_each_other_at_once_one_stays(bench: Bench) {
        let (ann, kim) = (bench.added_user("ann").await, bench.added_user("kim").await);
        for _ in 0..8 {
            let mut tasks = JoinSet::new();

            for (admin, change) in [(&ann, to_role(Role::Viewer)), (&kim, disabled(true))] {
                let (bench, admin) = (bench.clone(), admin.clone());
                tasks.spawn(async move { bench.change_user(&admin, &change).await });
            }

            let mut answers = tasks.join_all().await;
            answers.sort_unstable_by_key(|answer| *answer == UserChanged::LastAdmin);
            assert_eq!(answers, [UserChanged::Changed, UserChanged::LastAdmin]);
            bench.change_user(&ann, &to_role(Role::Admin)).await;
            bench.change_user(&kim, &disabled(false)).await;
        }
    }

    async fn a_password_counts_as_wrong_before_it_is_looked_at(bench: Bench) {
        let kim = bench.added_user("kim").await;
        let now = bench.now();
        let first = bench.attempt(&kim, now + 2 * SECOND);
        let nobody = SignInAttempt { user: UserId::new(now + SECOND), ..first };

        assert!(bench.store.try_sign_in(&first).await.unwrap());
        assert!(!bench.store.try_sign_in(&nobody).await.unwrap());

        let found = bench.user(kim.id).await;
        assert_eq!((found.failures, found.retry_at), (1, Some(now + 2 * SECOND)));
    }

    async fn of_many_passwords_at_once_one_is_looked_at(bench: Bench) {
        let kim = bench.added_user("kim").await;
        let attempt = bench.attempt(&kim, bench.now());
        let mut tasks = JoinSet::new();
        for _ in 0..8 {
            let store = bench.store.clone();
            tasks.spawn(async move { store.try_sign_in(&attempt).await.unwrap() });
        }

        let looked_at = tasks.join_all().await.into_iter().filter(|is| *is).count();

        assert_eq!((looked_at, bench.user(kim.id).await.failures), (1, 1));
    }

    async fn no_password_is_looked_at_too_soon_unless_a_clock_was_wrong(bench: Bench) {
        let kim = bench.added_user("kim").await;
        bench.store.try_sign_in(&bench.attempt(&kim, bench.now() + 2 * SECOND)).await.unwrap();
        let kim = bench.user(kim.id).await;
        let too_soon = bench.attempt(&kim, bench.now() + SECOND);
        let after_a_step = SignInAttempt { latest: bench.now() + SECOND, ..too_soon };

        assert!(!bench.store.try_sign_in(&too_soon).await.unwrap());
        assert!(bench.store.try_sign_in(&after_a_step).await.unwrap());
    }

    async fn a_new_password_waits_for_nothing(bench: Bench) {
        let kim = bench.added_user("kim").await;
        bench.store.try_sign_in(&bench.attempt(&kim, bench.now() + HOUR)).await.unwrap();
        let change = UserChange { password: Some("$argon2id$new".to_owned()), ..UserChange::default() };

        bench.change_user(&kim, &change).await;

        let found = bench.user(kim.id).await;
        assert_eq!((found.failures, found.retry_at), (0, None));
    }
}
