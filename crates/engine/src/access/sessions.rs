//! Sessions: sign in, sign out.

use std::{net::IpAddr, sync::Arc, time::Duration};

use baton_domain::{
    Timestamp, UserId,
    access::{Actor, Permission, Principal, Secret, Session, User},
    audit::AuditAction,
};
use serde_json::json;

use super::throttle;
use crate::{Caller, Engine, Result, caller::Particulars};

/// How long a session lasts that is not used.
const IDLE: Duration = Duration::from_hours(12);
/// How long a session lasts.
const LONGEST: Duration = Duration::from_hours(7 * 24);
/// How exactly the idle end is kept: a session that is used is written at most so often.
const STEP: Duration = Duration::from_mins(5);

/// Somebody who wants to sign in.
pub struct SignIn {
    /// The name they typed.
    pub name: String,
    /// The password they typed.
    pub password: String,
    /// From where, as limits count it, if that is known.
    pub address: Option<IpAddr>,
    /// The id of the request.
    pub request_id: Option<String>,
}

/// Somebody who has signed in.
#[derive(Debug)]
pub struct SignedIn {
    /// Who.
    pub user: UserId,
    /// What the browser keeps in its cookie.
    pub secret: Secret,
    /// When the session ends at the latest.
    pub ends_at: Timestamp,
}

/// Why somebody could not sign in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignInRefused {
    /// The name or the password is wrong; which one is not told.
    Wrong,
    /// There were too many wrong ones: nobody looks before this moment.
    TooSoon(Timestamp),
}

impl Engine {
    /// Begins a session for whoever has this name and this password.
    pub async fn sign_in(&self, asked: SignIn) -> Result<Result<SignedIn, SignInRefused>> {
        let (now, authenticator) = (self.now(), &self.inner.authenticator);
        let throttle = &authenticator.throttle;
        let user = self.inner.store.user_named(&asked.name).await?;
        let waits = match &user {
            Some(user) => user.retry_at,
            None => throttle.unknown_waits_until(&asked.name),
        };
        let address = asked.address;
        let address_waits = address.and_then(|one| throttle.address_waits_until(one, now));
        let until = [waits, address_waits].into_iter().flatten().max();
        if let Some(until) = until.filter(|until| now < *until) {
            return Ok(Err(SignInRefused::TooSoon(until)));
        }
        let hash = user.as_ref().filter(|user| !user.is_disabled);
        let hash = hash.and_then(|user| user.password.clone());
        if authenticator.passwords.is_right(asked.password, hash).await
            && let Some(user) = &user
            && let Some(signed_in) = self.begin(user, asked.request_id.clone()).await?
        {
            return Ok(Ok(signed_in));
        }
        self.note_failure(user.as_ref(), &asked.name, address, asked.request_id)
            .await?;
        Ok(Err(SignInRefused::Wrong))
    }

    async fn begin(&self, user: &User, request_id: Option<String>) -> Result<Option<SignedIn>> {
        let now = self.now();
        let secret = Secret::draw();
        let session = Session {
            digest: secret.digest(),
            user: user.id,
            created_at: now,
            idle_until: now + IDLE,
            ends_at: now + LONGEST,
        };
        let caller = self.caller(Actor {
            request_id,
            ..Actor::unbounded(
                Principal::User(user.id),
                &user.name,
                user.role.permissions(),
            )
        });
        let store = caller.audited(AuditAction::SignIn, user.id, Particulars::default());
        let has_begun = store.begin_session(&session).await?;
        Ok(has_begun.then_some(SignedIn {
            user: user.id,
            secret,
            ends_at: session.ends_at,
        }))
    }

    async fn note_failure(
        &self,
        user: Option<&User>,
        name: &str,
        address: Option<IpAddr>,
        request_id: Option<String>,
    ) -> Result<()> {
        let now = self.now();
        let throttle = &self.inner.authenticator.throttle;
        if let Some(address) = address {
            throttle.address_failed(address, now);
        }
        match user {
            Some(user) => {
                let retry_at = now + throttle::wait_after(user.failures.saturating_add(1));
                self.inner.store.sign_in_failed(user.id, retry_at).await?;
            }
            None => throttle.unknown_failed(name, now),
        }
        let mut nobody = Actor::nobody();
        nobody.request_id = request_id;
        let after = json!({ "address": address.map(|one| one.to_string()) });
        let object = user.map_or_else(|| "unknown user".to_owned(), |user| user.id.to_string());
        self.caller(nobody)
            .note_denial(object, "wrong name or password", Some(after))
            .await;
        Ok(())
    }

    /// Moves the idle end of a session that is used; nobody waits for it.
    pub(super) fn keep_awake(&self, session: &Session, now: Timestamp) {
        let idle_until = (now + IDLE).min(session.ends_at);
        if idle_until.since(session.idle_until) < STEP {
            return;
        }
        let (store, digest) = (Arc::clone(&self.inner.store), session.digest);
        tokio::spawn(async move {
            if let Err(error) = store.session_used(&digest, idle_until, now).await {
                tracing::debug!(%error, "the use of a session could not be written down");
            }
        });
    }
}

impl Caller {
    /// Ends the session of this secret.
    pub async fn sign_out(&self, secret: &Secret) -> Result<()> {
        let object = &self.actor().principal;
        let store = self.audited(AuditAction::SignOut, object, Particulars::default());
        store.end_session(&secret.digest()).await?;
        self.inner.authenticator.forget(&secret.digest());
        Ok(())
    }

    /// Ends every session of a user: one's own, or anybody's for whoever says who may do what.
    pub async fn sign_out_everywhere(&self, user: UserId) -> Result<u64> {
        if self.actor().principal != Principal::User(user) {
            self.needs(Permission::KeysAdmin)?;
        }
        let store = self.audited(AuditAction::SignOut, user, Particulars::default());
        let ended = store.end_sessions(user).await?;
        self.inner.authenticator.forget_all();
        Ok(ended)
    }
}
