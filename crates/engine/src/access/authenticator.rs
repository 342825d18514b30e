//! The authenticator: from a credential to the actor whose it is.
//!
//! What it found stands for a few seconds, so that a request costs no look at the store, and what was
//! revoked is worth nothing soon after, on every node.

use std::{collections::HashMap, sync::Arc, time::Duration};

use baton_domain::{
    KeyId, Timestamp,
    access::{
        Actor, ApiKey, Digest, InboxToken, KeyToken, Permission, Permissions, Principal, Secret,
        User,
    },
};
use baton_ports::store;
use parking_lot::Mutex;
use tokio::time::{Instant, sleep};

use super::{passwords::Passwords, provider::Provider, throttle::Throttle};
use crate::Engine;

/// How long what was found stands. A revocation acts within this and a look at the store.
const FRESH: Duration = Duration::from_secs(3);
/// How long what was found is good for who reads the metrics of a node that cannot ask.
const LATELY: Duration = Duration::from_mins(15);
/// How long the store is asked again that was away for a moment, as whoever writes asks it again.
const RETRY_FOR: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(50);
/// How many credentials are remembered.
const MOST: usize = 10_000;
/// How exactly the last use of a key is known.
const USE: Duration = Duration::from_mins(1);

/// What somebody shows to say who they are.
#[derive(Clone)]
pub enum Credential {
    /// An API key.
    Key(KeyToken),
    /// What opens one inbox for a while.
    Inbox(InboxToken),
    /// The secret in the cookie of a session.
    Session(Secret),
}

/// Whose a credential is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authenticated {
    /// In whose name its bearer acts.
    pub actor: Actor,
    /// When it ends, if nobody ends it before.
    pub until: Option<Timestamp>,
}

/// What is remembered of credentials, and of wrong ones.
#[derive(Default)]
pub struct Authenticator {
    found: Mutex<HashMap<Shown, Found>>,
    pub(super) throttle: Throttle,
    pub(super) passwords: Passwords,
    pub(super) provider: Provider,
    /// Whether there was anybody who could say who they are, and when that was asked.
    has_principals: Mutex<Option<(bool, Instant)>>,
}

/// What was shown: of which kind, for which key, and the digest of its secret.
type Shown = (u8, Option<KeyId>, Digest);

struct Found {
    at: Instant,
    whose: Option<Arc<Authenticated>>,
}

impl Default for Passwords {
    fn default() -> Self {
        Self::new()
    }
}

impl Authenticator {
    /// What was found a moment ago, if it still stands.
    fn remembered(&self, of: &Shown, now: Timestamp) -> Option<Option<Arc<Authenticated>>> {
        let found = self.found.lock();
        let found = found.get(of).filter(|found| found.at.elapsed() < FRESH)?;
        let stands = |whose: &Arc<Authenticated>| whose.until.is_none_or(|end| now < end);
        Some(found.whose.clone().filter(stands))
    }

    /// What was found a while ago, if it was any good and has not ended since.
    fn found_lately(&self, of: &Shown, now: Timestamp) -> Option<Arc<Authenticated>> {
        let found = self.found.lock();
        let found = found.get(of).filter(|found| found.at.elapsed() < LATELY)?;
        let stands = |whose: &&Arc<Authenticated>| whose.until.is_none_or(|end| now < end);
        found.whose.as_ref().filter(stands).cloned()
    }

    fn remember(&self, of: Shown, at: Instant, whose: Option<Arc<Authenticated>>) {
        let mut found = self.found.lock();
        if found.len() >= MOST {
            found.retain(|_, found| found.at.elapsed() < FRESH);
        }
        if found.len() >= MOST {
            found.clear();
        }
        found.insert(of, Found { at, whose });
    }

    /// Forgets all of them: what somebody may do has just changed here.
    pub(super) fn forget_all(&self) {
        self.found.lock().clear();
    }
}

impl Credential {
    fn shown(&self) -> Shown {
        match self {
            Self::Key(token) => (0, Some(token.id), token.secret.digest()),
            Self::Inbox(token) => (1, Some(token.key), token.digest()),
            Self::Session(secret) => (2, None, secret.digest()),
        }
    }
}

impl Engine {
    /// Whose a credential is that somebody has shown; nobody's if it is worth nothing, any more or at all.
    pub async fn authenticate(
        &self,
        credential: &Credential,
    ) -> store::Result<Option<Arc<Authenticated>>> {
        self.find_out(credential, true).await
    }

    /// The same of one that was shown a while ago: that it is still good does not keep its session awake.
    pub async fn authenticate_again(
        &self,
        credential: &Credential,
    ) -> store::Result<Option<Arc<Authenticated>>> {
        self.find_out(credential, false).await
    }

    /// Whose a credential was a while ago, for what has to be seen above all while the store does not answer.
    #[must_use]
    pub fn authenticated_lately(&self, credential: &Credential) -> Option<Arc<Authenticated>> {
        let authenticator = &self.inner.authenticator;
        authenticator.found_lately(&credential.shown(), self.now())
    }

    async fn find_out(
        &self,
        credential: &Credential,
        is_used: bool,
    ) -> store::Result<Option<Arc<Authenticated>>> {
        let (shown, now) = (credential.shown(), self.now());
        let authenticator = &self.inner.authenticator;
        if let Some(whose) = authenticator.remembered(&shown, now) {
            return Ok(whose);
        }
        // What is found is as old as the question.
        let asked = Instant::now();
        let end = asked + RETRY_FOR;
        let whose = loop {
            // A request that could be served is not refused at the gate for a moment's absence.
            match self.look_up(credential, is_used, now).await {
                Err(error) if error.is_passing() && Instant::now() < end => sleep(PAUSE).await,
                answer => break answer?,
            }
        };
        let whose = whose.map(Arc::new);
        authenticator.remember(shown, asked, whose.clone());
        Ok(whose)
    }

    async fn look_up(
        &self,
        credential: &Credential,
        is_used: bool,
        now: Timestamp,
    ) -> store::Result<Option<Authenticated>> {
        match credential {
            Credential::Key(token) => self.bearer_of(token, now).await,
            Credential::Inbox(token) => self.holder_of(token, now).await,
            Credential::Session(secret) => self.owner_of(secret, is_used, now).await,
        }
    }

    async fn bearer_of(
        &self,
        token: &KeyToken,
        now: Timestamp,
    ) -> store::Result<Option<Authenticated>> {
        let key = self.inner.store.key(token.id).await?;
        let is_it = |key: &ApiKey| token.secret.is_kept_as(&key.digest) && key.is_good(now);
        let Some(key) = key.filter(is_it) else {
            return Ok(None);
        };
        self.note_use(&key, now);
        Ok(Some(Authenticated {
            until: key.expires_at,
            actor: Actor {
                principal: Principal::Key(key.id),
                name: key.name,
                permissions: key.permissions,
                kinds: key.kinds,
                queues: key.queues,
                recipient: None,
                request_id: None,
                reason: None,
            },
        }))
    }

    /// Who holds an inbox token: the key that signed it, for one recipient and no longer than it lasts.
    async fn holder_of(
        &self,
        token: &InboxToken,
        now: Timestamp,
    ) -> store::Result<Option<Authenticated>> {
        let key = self.inner.store.key(token.key).await?;
        let signed = |key: &ApiKey| {
            let is_good = key.is_good(now) && now < token.expires_at;
            is_good && key.permissions.has(Permission::Inbox) && token.is_signed_by(&key.digest)
        };
        let Some(key) = key.filter(signed) else {
            return Ok(None);
        };
        let end = key
            .expires_at
            .map_or(token.expires_at, |end| end.min(token.expires_at));
        let inbox = Permissions::of(&[Permission::Inbox]);
        Ok(Some(Authenticated {
            until: Some(end),
            actor: Actor {
                recipient: Some(token.recipient.clone()),
                ..Actor::unbounded(Principal::Key(key.id), &key.name, inbox)
            },
        }))
    }

    /// Writes down that a key was used, once a minute; nobody waits for it.
    fn note_use(&self, key: &ApiKey, now: Timestamp) {
        if key.last_used_at.is_some_and(|last| now.since(last) < USE) {
            return;
        }
        let (store, id) = (Arc::clone(&self.inner.store), key.id);
        tokio::spawn(async move {
            if let Err(error) = store.keys_used(&[(id, now)]).await {
                tracing::debug!(%error, key = %id, "the use of a key could not be written down");
            }
        });
    }

    async fn owner_of(
        &self,
        secret: &Secret,
        is_used: bool,
        now: Timestamp,
    ) -> store::Result<Option<Authenticated>> {
        let found = self.inner.store.session(&secret.digest(), now).await?;
        let Some((session, user)) = found else {
            return Ok(None);
        };
        if is_used {
            self.keep_awake(&session, now);
        }
        let User { id, name, role, .. } = user;
        Ok(Some(Authenticated {
            until: Some(session.ends_at),
            actor: Actor::unbounded(Principal::User(id), &name, role.permissions()),
        }))
    }

    /// Whether there is anybody who could say who they are.
    pub async fn has_principals(&self) -> store::Result<bool> {
        let known = &self.inner.authenticator.has_principals;
        // Once there is somebody, a running server does not open itself again.
        let remembered = *known.lock();
        if let Some((has, at)) = remembered
            && (has || at.elapsed() < FRESH)
        {
            return Ok(has);
        }
        let asked = Instant::now();
        match (self.inner.store.has_principals().await, remembered) {
            (Ok(has), _) => {
                *known.lock() = Some((has, asked));
                Ok(has)
            }
            // A database that is away for a moment closes nothing and opens nothing.
            (Err(_), Some((has, _))) => Ok(has),
            (Err(error), None) => Err(error),
        }
    }
}
