//! Sessions: sign in, sign out.

use std::{net::IpAddr, sync::Arc, time::Duration};

use baton_domain::{
    Timestamp, UserId,
    access::{Actor, PASSWORD, Permission, Principal, Secret, Session, User, is_name},
    audit::AuditAction,
};
use baton_ports::store::SignInAttempt;
use serde_json::{Value, json};
use tracing::Instrument;

use super::throttle;
use crate::{Caller, Engine, Result, caller::Particulars};

/// How long a session lasts that is not used.
const IDLE: Duration = Duration::from_hours(12);
/// How long a session lasts.
const LONGEST: Duration = Duration::from_hours(7 * 24);
/// What somebody waits who was not looked at because others were.
const A_MOMENT: Duration = Duration::from_secs(1);
/// No password has more bytes.
const LONGEST_PASSWORD: usize = 4 * *PASSWORD.end();
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
    /// Begins a session for whoever has this name and this password. It comes to its end whoever hangs up meanwhile.
    pub async fn sign_in(&self, asked: SignIn) -> Result<Result<SignedIn, SignInRefused>> {
        let engine = self.clone();
        let done = tokio::spawn(async move { engine.let_in(asked).await }.in_current_span());
        done.await
            .unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))
    }

    async fn let_in(&self, asked: SignIn) -> Result<Result<SignedIn, SignInRefused>> {
        let user = match self.recognize(&asked).await? {
            Ok(user) => user,
            Err(refused) => return Ok(Err(refused)),
        };
        if let Some(signed_in) = self.begin(&user, asked.request_id.clone(), None).await? {
            return Ok(Ok(signed_in));
        }
        self.note_failure(Some(&user), asked.address, asked.request_id)
            .await;
        Ok(Err(SignInRefused::Wrong))
    }

    /// Whose name and password these are. One that is wrong counts against the name and the address.
    pub(super) async fn recognize(&self, asked: &SignIn) -> Result<Result<User, SignInRefused>> {
        let authenticator = &self.inner.authenticator;
        let could_be = is_name(&asked.name) && asked.password.len() <= LONGEST_PASSWORD;
        let user = match could_be {
            true => self.inner.store.user_named(&asked.name).await?,
            false => None,
        };
        if let Err(until) = self.count(asked, user.as_ref(), could_be).await? {
            return Ok(Err(SignInRefused::TooSoon(until)));
        }
        let hash = user.as_ref().filter(|user| !user.is_disabled);
        let hash = hash.and_then(|user| user.password.clone());
        let password = asked.password.clone();
        let Ok(is_right) = authenticator.passwords.is_right(password, hash).await else {
            return Ok(Err(SignInRefused::TooSoon(self.now() + A_MOMENT)));
        };
        if let (true, Some(user)) = (is_right, &user) {
            asked
                .address
                .into_iter()
                .for_each(|address| authenticator.throttle.forgive(address));
            return Ok(Ok(user.clone()));
        }
        self.note_failure(user.as_ref(), asked.address, asked.request_id.clone())
            .await;
        Ok(Err(SignInRefused::Wrong))
    }

    /// Counts a password as a wrong one before it is looked at, so that many at once are not looked at; until when none is, if
    /// it is too soon.
    async fn count(
        &self,
        asked: &SignIn,
        user: Option<&User>,
        could_be: bool,
    ) -> Result<Result<(), Timestamp>> {
        let (now, throttle) = (self.now(), &self.inner.authenticator.throttle);
        if let Some(address) = asked.address
            && let Err(until) = throttle.try_address(address, now)
        {
            return Ok(Err(until));
        }
        let Some(user) = user else {
            let remembered = could_be.then(|| throttle.try_unknown(&asked.name, now));
            return Ok(remembered.unwrap_or(Ok(())));
        };
        let latest = now + throttle::LONGEST;
        if let Some(until) = user
            .retry_at
            .filter(|until| now < *until && *until <= latest)
        {
            return Ok(Err(until));
        }
        let attempt = SignInAttempt {
            user: user.id,
            failures: user.failures,
            now,
            retry_at: now + throttle::wait_after(user.failures.saturating_add(1)),
            latest,
        };
        let is_counted = self.inner.store.try_sign_in(&attempt).await?;
        Ok(is_counted.then_some(()).ok_or(now + A_MOMENT))
    }

    /// Begins a session, and tells the audit log by what; by a password if nothing is said.
    pub(super) async fn begin(
        &self,
        user: &User,
        request_id: Option<String>,
        by: Option<Value>,
    ) -> Result<Option<SignedIn>> {
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
        let particulars = Particulars {
            after: by,
            ..Particulars::default()
        };
        let store = caller.audited(AuditAction::SignIn, user.id, particulars);
        let has_begun = store
            .begin_session(&session, user.password.as_deref())
            .await?;
        Ok(has_begun.then_some(SignedIn {
            user: user.id,
            secret,
            ends_at: session.ends_at,
        }))
    }

    async fn note_failure(
        &self,
        user: Option<&User>,
        address: Option<IpAddr>,
        request_id: Option<String>,
    ) {
        let mut nobody = Actor::nobody();
        nobody.request_id = request_id;
        let after = json!({ "address": address.map(|one| one.to_string()) });
        let object = user.map_or_else(|| "unknown user".to_owned(), |user| user.id.to_string());
        self.caller(nobody)
            .note_denial(object, "wrong name or password", Some(after))
            .await;
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
    /// Ends the session of this secret. Says whether its user had signed in at the provider, where a session may go on.
    pub async fn sign_out(&self, secret: &Secret) -> Result<bool> {
        let object = &self.actor().principal;
        let store = self.audited(AuditAction::SignOut, object, Particulars::default());
        store.end_session(&secret.digest()).await?;
        self.inner.authenticator.forget_all();
        let Principal::User(id) = self.actor().principal else {
            return Ok(false);
        };
        // The session is over, whether or not it can be said who had it.
        let user = self.store().user(id).await;
        Ok(user.is_ok_and(|user| user.is_some_and(|user| user.identity.is_some())))
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
