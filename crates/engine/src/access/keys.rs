//! API keys: make, look at, take back.

use std::time::Duration;

use baton_domain::{
    KeyId, Timestamp,
    access::{ApiKey, KeyToken, Permission, Permissions, Principal},
    audit::AuditAction,
    job::FieldError,
    page::{Page, PageRequest},
};
use baton_ports::store;
use serde_json::{Value, json};

use crate::{Caller, Error, Result, caller::Particulars};

/// A key that somebody wants.
#[derive(Debug, Clone, Default)]
pub struct KeySpec {
    /// What people call it.
    pub name: String,
    /// What its bearer may do.
    pub permissions: Permissions,
    /// The kinds of jobs its bearer may enqueue; empty means all.
    pub kinds: Vec<String>,
    /// The queues its bearer may enqueue to; empty means all.
    pub queues: Vec<String>,
    /// From when on it is worth nothing.
    pub expires_at: Option<Timestamp>,
}

/// A key in the place of another.
#[derive(Debug)]
pub struct RotatedKey {
    /// The new one.
    pub key: ApiKey,
    /// What its bearer shows; it is told this once.
    pub token: KeyToken,
    /// The old one, with its end.
    pub old: ApiKey,
}

/// How long both keys can be good.
const LONGEST_OVERLAP: Duration = Duration::from_hours(90 * 24);
const NOT_ROTATED: &str =
    "names a key that is revoked, has expired or was rotated before; make a new one";

impl Caller {
    /// Makes an API key. The token is told this once; nobody can find it out again.
    pub async fn create_key(&self, spec: KeySpec) -> Result<(ApiKey, KeyToken)> {
        self.needs(Permission::KeysAdmin)?;
        if !self.actor().permissions.include(spec.permissions) {
            // Nobody grants what they lack.
            return Err(self.refused(Error::Forbidden(spec.permissions)));
        }
        let now = self.now();
        let token = KeyToken::draw(now);
        let key = self.key_of(spec, &token, now);
        check(&key, now)?;
        let particulars = Particulars {
            after: Some(shown(&key)),
            ..Particulars::default()
        };
        let store = self.audited(AuditAction::KeyCreate, key.id, particulars);
        let is_added = store.add_key(&key).await.map(|()| true);
        self.is_made(key.id, is_added).await?;
        Ok((key, token))
    }

    /// Whether a new key was made. Where nobody could say so, the key itself does: its token could not be told again.
    async fn is_made(&self, id: KeyId, made: store::Result<bool>) -> store::Result<bool> {
        match made {
            Err(store::Error::Unconfirmed(why)) => match self.store().key(id).await {
                Ok(Some(_)) => Ok(true),
                Ok(None) | Err(_) => Err(store::Error::Unconfirmed(why)),
            },
            made => made,
        }
    }

    fn key_of(&self, spec: KeySpec, token: &KeyToken, now: Timestamp) -> ApiKey {
        ApiKey {
            id: token.id,
            name: spec.name,
            digest: token.secret.digest(),
            permissions: spec.permissions,
            kinds: spec.kinds,
            queues: spec.queues,
            created_at: now,
            created_by: self.actor().principal.clone(),
            expires_at: spec.expires_at,
            revoked_at: None,
            last_used_at: None,
        }
    }

    /// Puts a key with a new secret in the place of one that is good: with the name, the permissions and the bounds of that, good for
    /// as long as that was made for. The old one ends after `overlap`, if it does not end before.
    pub async fn rotate_key(&self, id: KeyId, overlap: Duration) -> Result<RotatedKey> {
        let old = self.key(id).await?;
        if !self.actor().permissions.include(old.permissions) {
            return Err(self.refused(Error::Forbidden(old.permissions)));
        }
        if overlap > LONGEST_OVERLAP {
            return Err(refusal("overlap", "must be 90d at most"));
        }
        let now = self.now();
        let lasts = old.expires_at.map(|end| end.since(old.created_at));
        let token = KeyToken::draw(now);
        let spec = KeySpec {
            name: old.name,
            permissions: old.permissions,
            kinds: old.kinds,
            queues: old.queues,
            expires_at: lasts.map(|span| now + span),
        };
        // Whoever bears it is whoever bore the old one, whoever rotated it.
        let key = ApiKey {
            created_by: Principal::Key(id),
            ..self.key_of(spec, &token, now)
        };
        let ends_at = old
            .expires_at
            .map_or(now + overlap, |end| end.min(now + overlap));
        let mut after = shown(&key);
        after["new_key"] = json!(key.id.to_string());
        after["old_ends_at"] = json!(ends_at.to_string());
        let particulars = Particulars {
            after: Some(after),
            ..Particulars::default()
        };
        let store = self.audited(AuditAction::KeyRotate, id, particulars);
        let is_rotated = store.rotate_key(id, ends_at, &key).await;
        if !self.is_made(key.id, is_rotated).await? {
            return Err(refusal("id", NOT_ROTATED));
        }
        self.inner.authenticator.forget_all();
        let old = self.key(id).await?;
        Ok(RotatedKey { key, token, old })
    }

    /// One API key.
    pub async fn key(&self, id: KeyId) -> Result<ApiKey> {
        self.needs(Permission::KeysAdmin)?;
        let key = self.store().key(id).await?;
        key.ok_or_else(|| missing(id))
    }

    /// Every API key, the newest first.
    pub async fn keys(&self, page: &PageRequest) -> Result<Page<ApiKey>> {
        self.needs(Permission::KeysAdmin)?;
        Ok(self.store().keys(page).await?)
    }

    /// Takes a key back: within seconds it is worth nothing on any node. Taken back before, it stays so.
    pub async fn revoke_key(&self, id: KeyId) -> Result<ApiKey> {
        self.needs(Permission::KeysAdmin)?;
        let store = self.audited(AuditAction::KeyRevoke, id, Particulars::default());
        store.revoke_key(id, self.now()).await?;
        self.inner.authenticator.forget_all();
        self.key(id).await
    }
}

/// A key as the audit log is told of it.
fn shown(key: &ApiKey) -> Value {
    json!({
        "name": key.name, "permissions": key.permissions, "kinds": key.kinds,
        "queues": key.queues, "expires_at": key.expires_at.map(|at| at.to_string()),
    })
}

fn refusal(field: &str, rule: &str) -> Error {
    Error::Invalid(vec![FieldError::new(field, rule)])
}

fn check(key: &ApiKey, now: Timestamp) -> Result<()> {
    let mut errors: Vec<_> = key
        .faults()
        .into_iter()
        .map(|fault| match fault.split_once(' ') {
            Some((field @ ("name" | "permissions" | "kinds" | "queues"), rule)) => {
                FieldError::new(field, rule)
            }
            _ => FieldError::new("permissions", fault),
        })
        .collect();
    if key.expires_at.is_some_and(|end| end <= now) {
        errors.push(FieldError::new("expires_at", "must lie in the future"));
    }
    match errors.is_empty() {
        true => Ok(()),
        false => Err(Error::Invalid(errors)),
    }
}

fn missing(id: KeyId) -> Error {
    Error::NotFound {
        what: "API key",
        id: id.to_string(),
    }
}
