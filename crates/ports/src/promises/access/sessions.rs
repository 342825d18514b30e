//! Sessions: begun, used, and ended; by their time, by their user, by a change of their user.

use std::time::Duration;

use baton_domain::access::{Role, Session, User, UserChange};

use super::{
    super::{
        bench::{Bench, HOUR, MINUTE, SECOND},
        promises,
        upkeep::{FOR_LONG, prune},
    },
    fixtures::{IDLE, digest, disabled, to_role},
};

const MICROSECOND: Duration = Duration::from_micros(1);

impl Bench {
    /// Somebody beside the last admin, with a session.
    pub(super) async fn signed_in(&self, name: &str) -> (User, Session) {
        let user = self.added_user(name).await;
        let session = self.begun_session(name, &user).await;
        (user, session)
    }

    async fn use_session(&self, session: &Session, idle_until: baton_domain::Timestamp) {
        let used = self
            .store
            .session_used(&session.digest, idle_until, self.now());
        used.await.expect("use");
    }

    async fn idle_until(&self, session: &Session) -> baton_domain::Timestamp {
        let found = self.store.session(&session.digest, self.now()).await;
        found.expect("session").expect("it stands").0.idle_until
    }
}

promises! {
    async fn a_session_reads_back_with_its_user(bench: Bench) {
        let kim = bench.added_user("kim").await;
        bench.signed_in("ann").await;
        bench.pass(SECOND);

        let session = bench.begun_session("cookie", &kim).await;

        let (found, user) = bench.store.session(&session.digest, bench.now()).await.unwrap().unwrap();
        assert_eq!(found, session);
        assert!(user == User { signed_in_at: Some(session.created_at), ..kim });
        assert!(bench.store.session(&digest("other"), bench.now()).await.unwrap().is_none());
    }

    async fn whoever_signs_in_has_their_wrong_passwords_forgotten(bench: Bench) {
        let kim = bench.added_user("kim").await;
        let attempt = bench.attempt(&kim, bench.now() + HOUR);
        assert!(bench.store.try_sign_in(&attempt).await.unwrap());

        bench.begun_session("cookie", &kim).await;

        let found = bench.user(kim.id).await;
        assert_eq!((found.failures, found.retry_at), (0, None));
    }

    async fn a_session_begins_by_the_password_that_is_still_theirs(bench: Bench) {
        let kim = bench.added_user("kim").await;
        let known_by = kim.password.as_deref();
        let change = UserChange { password: Some("$argon2id$new".to_owned()), ..UserChange::default() };
        let first = bench.new_session("first", &kim);
        assert!(bench.store.begin_session(&first, known_by).await.unwrap());

        bench.store.change_user(kim.id, &change).await.unwrap();
        let second = bench.new_session("second", &kim);
        let begun = bench.store.begin_session(&second, known_by).await.unwrap();

        assert!(!begun && !bench.stands(&first).await && !bench.stands(&second).await);
    }

    async fn beginning_a_session_is_safe_to_repeat(bench: Bench) {
        let (_, session) = bench.signed_in("kim").await;

        let again = bench.store.begin_session(&session, None).await.unwrap();

        assert!(again && bench.stands(&session).await);
    }

    async fn nobody_begins_a_session_who_is_kept_out_or_not_there(bench: Bench) {
        bench.added_user("ann").await;
        let kim = User { is_disabled: true, failures: 3, ..bench.new_user("kim") };
        bench.store.add_user(&kim).await.unwrap();
        let (theirs, nobodys) = (bench.new_session("a", &kim), bench.new_session("b", &bench.new_user("bo")));

        let begun = [bench.store.begin_session(&theirs, None).await, bench.store.begin_session(&nobodys, None).await];

        assert_eq!(begun.map(Result::unwrap), [false, false]);
        assert!(!bench.stands(&theirs).await && !bench.stands(&nobodys).await);
        assert!(bench.user(kim.id).await == kim);
    }

    async fn a_session_that_is_not_used_ends_to_the_microsecond(bench: Bench) {
        let (_, session) = bench.signed_in("kim").await;

        bench.pass(IDLE - MICROSECOND);
        let before = bench.stands(&session).await;
        bench.pass(MICROSECOND);

        assert!(before && !bench.stands(&session).await);
    }

    async fn a_session_ends_in_any_case_to_the_microsecond(bench: Bench) {
        let (_, session) = bench.signed_in("kim").await;
        bench.use_session(&session, session.ends_at + HOUR).await;

        bench.pass(8 * HOUR - MICROSECOND);
        let before = bench.stands(&session).await;
        bench.pass(MICROSECOND);

        assert!(before && !bench.stands(&session).await);
    }

    async fn a_use_moves_the_idle_end_never_back_and_never_past_the_end(bench: Bench) {
        let (_, session) = bench.signed_in("kim").await;

        bench.use_session(&session, session.idle_until - MINUTE).await;
        let stays = bench.idle_until(&session).await;
        bench.use_session(&session, session.idle_until + MINUTE).await;
        let later = bench.idle_until(&session).await;
        bench.use_session(&session, session.ends_at + MINUTE).await;

        let last = bench.idle_until(&session).await;
        assert_eq!((stays, later, last), (session.idle_until, session.idle_until + MINUTE, session.ends_at));
    }

    async fn a_session_that_has_ended_is_not_woken_by_a_use(bench: Bench) {
        let (_, session) = bench.signed_in("kim").await;
        bench.pass(IDLE);

        bench.use_session(&session, bench.now() + HOUR).await;

        assert!(!bench.stands(&session).await);
    }

    async fn an_idle_end_past_the_end_is_the_end(bench: Bench) {
        let kim = bench.added_user("kim").await;
        let ends_at = bench.now() + MINUTE;
        let session = Session { ends_at, ..bench.new_session("cookie", &kim) };

        bench.store.begin_session(&session, None).await.unwrap();

        assert_eq!(bench.idle_until(&session).await, ends_at);
    }

    async fn sessions_end_with_a_change_of_their_user(bench: Bench) {
        let password = UserChange { password: Some("$argon2id$other".to_owned()), ..UserChange::default() };
        for (change, name) in [(to_role(Role::Viewer), "ann"), (password, "bo"), (disabled(true), "cy")] {
            let (_, other) = bench.signed_in(&format!("other-{name}")).await;
            let (user, session) = bench.signed_in(name).await;
            let second = bench.begun_session("second", &user).await;

            bench.store.change_user(user.id, &change).await.unwrap();

            assert!(!bench.stands(&session).await && !bench.stands(&second).await, "{name}");
            assert!(bench.stands(&other).await, "that of somebody else goes on");
        }
    }

    async fn a_change_to_what_is_so_already_ends_no_session(bench: Bench) {
        let (kim, session) = bench.signed_in("kim").await;
        let change = UserChange { role: Some(kim.role), password: kim.password.clone(), is_disabled: Some(false), known_by: None };

        bench.store.change_user(kim.id, &change).await.unwrap();

        assert!(bench.stands(&session).await);
    }

    async fn a_change_that_is_refused_ends_no_session(bench: Bench) {
        let (kim, session) = bench.signed_in("kim").await;

        bench.store.change_user(kim.id, &disabled(true)).await.unwrap();

        assert!(bench.stands(&session).await);
    }

    async fn a_session_is_ended_once(bench: Bench) {
        let (kim, session) = bench.signed_in("kim").await;
        let other = bench.begun_session("other", &kim).await;

        let first = bench.store.end_session(&session.digest).await.unwrap();
        let second = bench.store.end_session(&session.digest).await.unwrap();

        assert_eq!((first, second), (true, false));
        assert!(!bench.stands(&session).await && bench.stands(&other).await);
    }

    async fn all_sessions_of_a_user_are_ended_and_nobody_elses(bench: Bench) {
        let (kim, session) = bench.signed_in("kim").await;
        bench.begun_session("second", &kim).await;
        let (_, other) = bench.signed_in("ann").await;

        let first = bench.store.end_sessions(kim.id).await.unwrap();
        let second = bench.store.end_sessions(kim.id).await.unwrap();

        assert_eq!((first, second), (2, 0));
        assert!(!bench.stands(&session).await && bench.stands(&other).await);
    }

    async fn sessions_that_have_ended_are_forgotten_and_keys_are_not(bench: Bench) {
        let (kim, _) = bench.signed_in("kim").await;
        let key = bench.added_key("ci").await;
        bench.store.revoke_key(key.id, bench.now()).await.unwrap();
        bench.pass(MINUTE);
        let later = bench.begun_session("later", &kim).await;
        bench.pass(IDLE - MINUTE);

        let pruned = prune(&bench, &FOR_LONG).await;

        assert_eq!(pruned.sessions, 1);
        assert!(bench.stands(&later).await);
        assert!(bench.store.key(key.id).await.unwrap().is_some());
    }
}
