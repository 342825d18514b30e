//! API keys: make, look at, take back.

use baton_domain::{
    KeyId, Timestamp,
    access::{ApiKey, KeyToken, Permission, Permissions},
    audit::AuditAction,
    job::FieldError,
    page::{Page, PageRequest},
};
use serde_json::json;

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
        let key = ApiKey {
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
        };
        check(&key, now)?;
        let particulars = Particulars {
            after: Some(json!({
                "name": key.name, "permissions": key.permissions, "kinds": key.kinds,
                "queues": key.queues, "expires_at": key.expires_at.map(|at| at.to_string()),
            })),
            ..Particulars::default()
        };
        self.audited(AuditAction::KeyCreate, key.id, particulars)
            .add_key(&key)
            .await?;
        Ok((key, token))
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
