//! One's own password: changed by whoever knows it, while it is theirs.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use async_trait::async_trait;
use baton_domain::{
    ManualClock, Timestamp, UserId,
    access::{Actor, Principal, Role, UserChange},
};
use baton_engine::{Engine, NewUser, Settings, SignInRefused};
use baton_ports::{
    Layer, MemoryStore, Wakeups,
    layer::Hook,
    store::{self, Access, Store, UserChanged},
};

const PASSWORD: &str = "correct horse battery";
const RESET: &str = "$argon2id$reset";

/// An admin resets the password of whoever is about to change it themselves.
#[derive(Default)]
struct ResetMeanwhile(AtomicBool);

#[async_trait]
impl Hook for ResetMeanwhile {
    async fn change_user(
        &self,
        below: &dyn Store,
        id: UserId,
        change: &UserChange,
    ) -> store::Result<UserChanged> {
        if !self.0.swap(true, Ordering::SeqCst) {
            let reset = UserChange {
                password: Some(RESET.to_owned()),
                ..UserChange::default()
            };
            below.change_user(id, &reset).await?;
        }
        below.change_user(id, change).await
    }
}

#[tokio::test]
async fn a_password_that_was_reset_meanwhile_stays_what_it_was_reset_to() {
    let store = Arc::new(MemoryStore::new());
    let engine = Engine::new(
        Layer::over(store.clone(), ResetMeanwhile::default()),
        Arc::new(Wakeups::default()),
        Arc::new(ManualClock::at(Timestamp::from_micros(
            1_800_000_000_000_000,
        ))),
        Vec::new(),
        Settings::default(),
    );
    let kim = NewUser {
        name: "kim".to_owned(),
        role: Role::Admin,
        password: PASSWORD.to_owned(),
    };
    let kim = engine
        .caller(Actor::command_line())
        .add_user(kim)
        .await
        .unwrap();
    let permissions = kim.role.permissions();
    let caller = engine.caller(Actor::unbounded(
        Principal::User(kim.id),
        &kim.name,
        permissions,
    ));

    let new = "another horse battery".to_owned();
    let changed = caller
        .change_own_password(PASSWORD.to_owned(), new, None)
        .await;

    assert!(matches!(changed.unwrap(), Err(SignInRefused::Wrong)));
    let password = store.user(kim.id).await.unwrap().unwrap().password;
    assert_eq!(password.as_deref(), Some(RESET));
}
