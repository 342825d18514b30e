//! Fixtures: the words in which promises about people are written.

use std::time::Duration;

use baton_domain::{
    UserId,
    access::{Digest, Identity, Role, Session, User, UserChange},
};

use super::super::bench::{Bench, HOUR, SECOND};

/// A digest that follows from a name.
pub fn digest(name: &str) -> Digest {
    let mut digest = [0xa5; 32];
    for (place, byte) in digest.iter_mut().zip(name.bytes()) {
        *place = byte;
    }
    digest
}

pub fn to_role(role: Role) -> UserChange {
    UserChange {
        role: Some(role),
        ..UserChange::default()
    }
}

pub fn disabled(is_disabled: bool) -> UserChange {
    UserChange {
        is_disabled: Some(is_disabled),
        ..UserChange::default()
    }
}

/// Who a provider says somebody is.
pub fn identity(subject: &str) -> Identity {
    Identity {
        issuer: "https://sso.example".to_owned(),
        subject: subject.to_owned(),
    }
}

/// How long a session lasts on the bench, if it is not used.
pub const IDLE: Duration = Duration::from_mins(30);

impl Bench {
    /// A user whom nobody has added: an admin.
    pub(in crate::promises) fn new_user(&self, name: &str) -> User {
        self.pass(SECOND);
        User {
            id: UserId::new(self.now()),
            name: name.to_owned(),
            role: Role::Admin,
            password: Some("$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA".to_owned()),
            is_disabled: false,
            created_at: self.now(),
            signed_in_at: None,
            failures: 0,
            retry_at: None,
            identity: None,
        }
    }

    pub(in crate::promises) async fn added_user(&self, name: &str) -> User {
        let user = self.new_user(name);
        assert!(self.store.add_user(&user).await.expect("add"));
        user
    }

    /// Somebody who signs in at a provider: an admin.
    pub(in crate::promises) fn new_identified(&self, name: &str, subject: &str) -> User {
        User {
            password: None,
            identity: Some(identity(subject)),
            ..self.new_user(name)
        }
    }

    pub(super) async fn added_identified(&self, name: &str, subject: &str) -> User {
        let user = self.new_identified(name, subject);
        assert!(self.store.add_user(&user).await.expect("add"));
        user
    }

    pub(super) async fn user(&self, id: UserId) -> User {
        let user = self.store.user(id).await.expect("user");
        user.expect("there is one")
    }

    /// A session that nobody has begun, of this user.
    pub(in crate::promises) fn new_session(&self, cookie: &str, user: &User) -> Session {
        Session {
            digest: digest(cookie),
            user: user.id,
            created_at: self.now(),
            idle_until: self.now() + IDLE,
            ends_at: self.now() + 8 * HOUR,
        }
    }

    pub(in crate::promises) async fn begun_session(&self, cookie: &str, user: &User) -> Session {
        let session = self.new_session(cookie, user);
        let begun = self.store.begin_session(&session, None).await;
        assert!(begun.expect("begin"));
        session
    }

    pub(super) async fn stands(&self, session: &Session) -> bool {
        let found = self.store.session(&session.digest, self.now()).await;
        found.expect("session").is_some()
    }
}
