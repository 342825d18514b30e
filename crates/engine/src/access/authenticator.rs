//! The authenticator: from a credential to the actor whose it is.
//!
//! What it found stands for a few seconds, so that a request costs no look at the store, and what was
//! revoked is worth nothing soon after, on every node.

use std::{collections::HashMap, sync::Arc, time::Duration};

use baton_domain::{
    Timestamp,
    access::{Actor, ApiKey, Digest, KeyToken, Principal, Secret, User},
};
use baton_ports::store;
use parking_lot::Mutex;
use tokio::time::Instant;

use super::{passwords::Passwords, throttle::Throttle};
use crate::Engine;

/// How long what was found stands. A revocation acts within this and a look at the store.
const FRESH: Duration = Duration::from_secs(3);
/// How many credentials are remembered.
const MOST: usize = 10_000;
/// How exactly the last use of a key is known.
const USE: Duration = Duration::from_mins(1);

/// What somebody shows to say who they are.
#[derive(Clone)]
pub enum Credential {
    /// An API key.
    Key(KeyToken),
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
    found: Mutex<HashMap<Digest, Found>>,
    pub(super) throttle: Throttle,
    pub(super) passwords: Passwords,
    /// Whether there was anybody who could say who they are; that stays so for a running server.
    has_principals: Mutex<Option<Instant>>,
}

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
    fn remembered(&self, of: &Digest, now: Timestamp) -> Option<Option<Arc<Authenticated>>> {
        let found = self.found.lock();
        let found = found.get(of).filter(|found| found.at.elapsed() < FRESH)?;
        let stands = |whose: &Arc<Authenticated>| whose.until.is_none_or(|end| now < end);
        Some(found.whose.clone().filter(stands))
    }

    fn remember(&self, of: Digest, whose: Option<Arc<Authenticated>>) {
        let mut found = self.found.lock();
        if found.len() >= MOST {
            found.retain(|_, found| found.at.elapsed() < FRESH);
        }
        if found.len() >= MOST {
            found.clear();
        }
        let at = Instant::now();
        found.insert(of, Found { at, whose });
    }

    /// Forgets a credential that has just ended here.
    pub(super) fn forget(&self, of: &Digest) {
        self.found.lock().remove(of);
    }

    /// Forgets all of them: what somebody may do has just changed here.
    pub(super) fn forget_all(&self) {
        self.found.lock().clear();
    }
}

impl Credential {
    fn digest(&self) -> Digest {
        match self {
            Self::Key(token) => token.secret.digest(),
            Self::Session(secret) => secret.digest(),
        }
    }
}

impl Engine {
    /// Whose a credential is; nobody's if it is worth nothing, any more or at all.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn authenticate(
        &self,
        credential: &Credential,
    ) -> store::Result<Option<Arc<Authenticated>>> {
        let (digest, now) = (credential.digest(), self.now());
        let authenticator = &self.inner.authenticator;
        if let Some(whose) = authenticator.remembered(&digest, now) {
            return Ok(whose);
        }
        let whose = match credential {
            Credential::Key(token) => self.bearer_of(token, now).await?,
            Credential::Session(secret) => self.owner_of(&secret.digest(), now).await?,
        };
        let whose = whose.map(Arc::new);
        authenticator.remember(digest, whose.clone());
        Ok(whose)
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
                request_id: None,
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
        digest: &Digest,
        now: Timestamp,
    ) -> store::Result<Option<Authenticated>> {
        let Some((session, user)) = self.inner.store.session(digest, now).await? else {
            return Ok(None);
        };
        self.keep_awake(&session, now);
        let User { id, name, role, .. } = user;
        Ok(Some(Authenticated {
            until: Some(session.ends_at),
            actor: Actor::unbounded(Principal::User(id), &name, role.permissions()),
        }))
    }

    /// Whether there is anybody who could say who they are.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn has_principals(&self) -> store::Result<bool> {
        let known = &self.inner.authenticator.has_principals;
        if known.lock().is_some() {
            return Ok(true);
        }
        let has = self.inner.store.has_principals().await?;
        if has {
            *known.lock() = Some(Instant::now());
        }
        Ok(has)
    }
}
