//! Who can sign in, what opens the API, and what was done: two of each thing, and each read of them.

use std::time::Duration;

use baton_domain::{
    AuditId, KeyId, Timestamp, UserId,
    access::{ApiKey, Digest, Permissions, Principal, Role, Session, User},
    audit::{AuditAction, AuditEntry, AuditFilter},
};
use baton_ports::store::{Access, AuditLog};
use baton_sql::SqlStore;
use serde_json::json;

use super::reads::{Reader, page};
use crate::hands::DAWN;

const HOUR: Duration = Duration::from_hours(1);

/// By what it is asked for.
pub struct AccessStock {
    keys: Vec<KeyId>,
    users: Vec<UserId>,
    sessions: Vec<Digest>,
}

pub async fn fill(store: &SqlStore) -> AccessStock {
    let mut stock = AccessStock {
        keys: Vec::new(),
        users: Vec::new(),
        sessions: Vec::new(),
    };
    for (nth, name) in [(1, "ann"), (2, "kim")] {
        let now = DAWN + Duration::from_millis(nth);
        let (key, user) = (key(name, now), user(name, now));
        let session = session(&user, now);
        store.add_key(&key).await.unwrap();
        store.add_user(&user).await.unwrap();
        store.begin_session(&session, None).await.unwrap();
        store.append_audit(&[entry(&user, now)]).await.unwrap();
        stock.keys.push(key.id);
        stock.users.push(user.id);
        stock.sessions.push(session.digest);
    }
    stock
}

pub async fn read(store: &SqlStore, stock: &AccessStock, to: &mut Reader) {
    let (keys, users) = (store.keys(&page()).await, store.users(&page()).await);
    to.many("keys", keys.map(|page| page.items.len()));
    to.many("users", users.map(|page| page.items.len()));
    for id in &stock.keys {
        to.one("key", id, store.key(*id).await);
    }
    for id in &stock.users {
        to.one("user", id, store.user(*id).await);
    }
    for (digest, id) in stock.sessions.iter().zip(&stock.users) {
        to.one("session of", id, store.session(digest, DAWN).await);
    }
    let entries = store.audit_entries(&AuditFilter::default(), &page()).await;
    to.many("audit_entries", entries.map(|page| page.items.len()));
}

fn key(name: &str, now: Timestamp) -> ApiKey {
    ApiKey {
        id: KeyId::new(now),
        name: name.to_owned(),
        digest: [7; 32],
        permissions: Permissions::ALL,
        kinds: vec!["mail".to_owned()],
        queues: vec!["low".to_owned()],
        created_at: now,
        created_by: Principal::CommandLine,
        expires_at: None,
        revoked_at: None,
        last_used_at: None,
    }
}

pub fn user(name: &str, now: Timestamp) -> User {
    User {
        id: UserId::new(now),
        name: name.to_owned(),
        role: Role::Admin,
        password: Some("$argon2id$".to_owned()),
        is_disabled: false,
        created_at: now,
        signed_in_at: None,
        failures: 0,
        retry_at: None,
        identity: None,
    }
}

pub fn session(user: &User, now: Timestamp) -> Session {
    let mut digest = [1; 32];
    digest[..16].copy_from_slice(user.id.uuid().as_bytes());
    Session {
        digest,
        user: user.id,
        created_at: now,
        idle_until: now + HOUR,
        ends_at: now + HOUR,
    }
}

pub fn entry(user: &User, now: Timestamp) -> AuditEntry {
    AuditEntry {
        id: AuditId::new(now),
        at: now,
        principal: Principal::User(user.id),
        name: user.name.clone(),
        action: AuditAction::QueueChange,
        object: "mail".to_owned(),
        before: Some(json!({ "paused": false })),
        after: Some(json!({ "paused": true })),
        reason: Some("too late".to_owned()),
        count: Some(1),
        request_id: Some("req-1".to_owned()),
    }
}
