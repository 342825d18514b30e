//! Access: who can sign in, and what opens the API.

mod read;

use async_trait::async_trait;
use baton_domain::{
    KeyId, Timestamp, UserId,
    access::{ApiKey, Digest, Identity, Principal, Role, Session, User, UserChange},
    page::{Page, PageRequest},
};
use baton_ports::store::{Access, Result, SignInAttempt, UserChanged};
use uuid::Uuid;

use self::read::{api_key, hex, session, user};
use super::{
    SqlStore,
    audit_log::{has_row, has_rows, says_so},
};
use crate::{
    kernel::{ConnectionPool, Unit},
    row::Row,
    statement as sql,
    value::{Params, params},
};

#[async_trait]
impl Access for SqlStore {
    async fn has_principals(&self) -> Result<bool> {
        let rows = self.read(&sql::access::HAS_PRINCIPALS, params! {}).await?;
        Ok(says_so(&rows, 0))
    }

    async fn add_key(&self, key: &ApiKey) -> Result<()> {
        self.operate_audited(&sql::access::ADD_KEY, key_fields(key), has_rows)
            .await?;
        Ok(())
    }

    async fn key(&self, id: KeyId) -> Result<Option<ApiKey>> {
        let rows = self
            .read(&sql::access::KEY, params! { id: id.uuid() })
            .await?;
        self.the_one("api_keys", rows, api_key)
    }

    async fn keys(&self, page: &PageRequest) -> Result<Page<ApiKey>> {
        let before = page.cursor()?.map_or(Uuid::max(), KeyId::uuid);
        let params = params! { before: before, limit: page.limit + 1 };
        let rows = self.read(&sql::access::KEYS, params).await?;
        let cursor = |row: &Row| {
            let id = row.clone().cells("api_keys").uuid("id")?;
            Ok(KeyId::from_uuid(id).to_string())
        };
        Ok(self.page("api_keys", rows, page.limit, api_key, cursor))
    }

    async fn rotate_key(&self, old: KeyId, ends_at: Timestamp, new: &ApiKey) -> Result<bool> {
        let held = params! { id: old.uuid(), now: new.created_at };
        let followed = params! {
            old: Principal::Key(old).to_string(), name: new.name.clone(), permissions: json(&new.permissions), new: new.id.uuid(),
        };
        let ended = params! { id: old.uuid(), ends_at: ends_at };
        let scripts = vec![
            (&sql::access::HOLD_KEY, held),
            (&sql::access::FOLLOWED, followed),
            (&sql::access::END_KEY, ended),
            (&sql::access::ADD_KEY, key_fields(new)),
        ];
        let is_rotated = self
            .audited_if(scripts, |rows| {
                has_row(rows, 0) && !has_row(rows, 1) && has_row(rows, 3)
            })
            .await?;
        // Asked for again, the key is there.
        Ok(is_rotated || self.key(new.id).await?.is_some())
    }

    async fn revoke_key(&self, id: KeyId, now: Timestamp) -> Result<bool> {
        let params = params! { id: id.uuid(), now: now };
        let revoked = self.operate_audited(&sql::access::REVOKE_KEY, params, has_rows);
        Ok(has_rows(&revoked.await?))
    }

    async fn keys_used(&self, used: &[(KeyId, Timestamp)]) -> Result<()> {
        if used.is_empty() {
            return Ok(());
        }
        // In one order, so that no two nodes wait for each other.
        let mut used = used.to_vec();
        used.sort_unstable();
        let script = |(id, at): (KeyId, Timestamp)| {
            let params = params! { id: id.uuid(), at: at };
            (&sql::access::KEY_USED, params)
        };
        let unit = Unit {
            scripts: used.into_iter().map(script).collect(),
            keep: None,
        };
        self.kernel.transact(ConnectionPool::Front, unit).await?;
        Ok(())
    }

    async fn add_user(&self, user: &User) -> Result<bool> {
        let scripts = vec![
            (&sql::access::WITHDRAW_SET_UP, params! {}),
            (&sql::access::ADD_USER, user_fields(user, user.role)),
        ];
        let is_added = self.audited_if(scripts, |rows| has_row(rows, 1)).await?;
        // Asked for again, the user is there.
        Ok(is_added || self.user(user.id).await?.is_some())
    }

    async fn set_up(&self, token: &Digest, user: &User, now: Timestamp) -> Result<bool> {
        let scripts = vec![
            (
                &sql::access::TAKE_SET_UP,
                params! { token: hex(token), now: now },
            ),
            (&sql::access::ADD_FIRST_USER, user_fields(user, Role::Admin)),
        ];
        self.audited_if(scripts, |rows| has_row(rows, 0) && has_row(rows, 1))
            .await
    }

    async fn offer_set_up(&self, token: &Digest, until: Timestamp) -> Result<bool> {
        let params = params! { token: hex(token), until: until };
        Ok(has_rows(
            &self.operate(&sql::access::OFFER_SET_UP, params).await?,
        ))
    }

    async fn user(&self, id: UserId) -> Result<Option<User>> {
        let rows = self
            .read(&sql::access::USER, params! { id: id.uuid() })
            .await?;
        self.the_one("users", rows, |row| user(&mut row.cells("users")))
    }

    async fn user_named(&self, name: &str) -> Result<Option<User>> {
        let rows = self
            .read(&sql::access::USER_NAMED, params! { name: name })
            .await?;
        self.the_one("users", rows, |row| user(&mut row.cells("users")))
    }

    async fn user_of(&self, identity: &Identity) -> Result<Option<User>> {
        let params = params! { identity: hex(&identity.digest()) };
        let rows = self.read(&sql::access::USER_OF, params).await?;
        self.the_one("users", rows, |row| user(&mut row.cells("users")))
    }

    async fn users(&self, page: &PageRequest) -> Result<Page<User>> {
        let after = page.after.as_deref().unwrap_or_default();
        let params = params! { after: after, limit: page.limit + 1 };
        let rows = self.read(&sql::access::USERS, params).await?;
        let read = |row: Row| user(&mut row.cells("users"));
        let cursor = |row: &Row| {
            let mut cells = row.clone().cells("users");
            cells.skip();
            cells.text("name")
        };
        Ok(self.page("users", rows, page.limit, read, cursor))
    }

    async fn change_user(&self, id: UserId, change: &UserChange) -> Result<UserChanged> {
        let params = params! {
            id: id.uuid(), role: change.role.map(Role::as_str), password: change.password.clone(), disabled: change.is_disabled,
            known_by: change.known_by.clone(),
        };
        let scripts = vec![
            (&sql::access::CHANGE_USER, params),
            (&sql::access::END_SESSIONS, params! { user: id.uuid() }),
        ];
        if self.audited_if(scripts, |rows| has_row(rows, 0)).await? {
            return Ok(UserChanged::Changed);
        }
        Ok(match self.user(id).await? {
            None => UserChanged::Missing,
            Some(user) if is_so(&user, change) => UserChanged::Changed,
            Some(user) if !is_known_by(&user, change) => UserChanged::OtherPassword,
            Some(_) => UserChanged::LastAdmin,
        })
    }

    async fn follow_provider(&self, id: UserId, name: &str, role: Role) -> Result<bool> {
        let params = params! { id: id.uuid(), name: name, role: role.as_str() };
        let scripts = vec![
            (&sql::access::FOLLOW_PROVIDER, params),
            (&sql::access::END_SESSIONS, params! { user: id.uuid() }),
        ];
        if self.audited_if(scripts, |rows| has_row(rows, 0)).await? {
            return Ok(true);
        }
        let is_so = |user: User| {
            let follows = user.identity.is_some() && !user.is_disabled;
            follows && user.name == name && user.role == role
        };
        Ok(self.user(id).await?.is_some_and(is_so))
    }

    async fn is_set_up_offered(&self, token: &Digest, now: Timestamp) -> Result<bool> {
        let params = params! { digest: hex(token), now: now };
        Ok(!self
            .read(&sql::access::SET_UP_OFFERED, params)
            .await?
            .is_empty())
    }

    async fn try_sign_in(&self, attempt: &SignInAttempt) -> Result<bool> {
        let params = params! {
            id: attempt.user.uuid(), failures: i64::from(attempt.failures), now: attempt.now,
            retry_at: attempt.retry_at, latest: attempt.latest,
        };
        Ok(!self
            .operate(&sql::access::TRY_SIGN_IN, params)
            .await?
            .is_empty())
    }

    async fn begin_session(&self, session: &Session, known_by: Option<&str>) -> Result<bool> {
        let params = params! {
            digest: hex(&session.digest), user: session.user.uuid(), created_at: session.created_at,
            idle_until: session.idle_until, ends_at: session.ends_at, known_by: known_by,
        };
        let scripts = vec![
            (&sql::access::BEGIN_SESSION, params.clone()),
            (&sql::access::LET_IN, params),
        ];
        if self.audited_if(scripts, |rows| has_row(rows, 0)).await? {
            return Ok(true);
        }
        // Asked for again, the session is there.
        let begun = self.session(&session.digest, session.created_at).await?;
        Ok(begun.is_some_and(|(begun, _)| begun.user == session.user))
    }

    async fn session(&self, digest: &Digest, now: Timestamp) -> Result<Option<(Session, User)>> {
        let params = params! { digest: hex(digest), now: now };
        let rows = self.read(&sql::access::SESSION, params).await?;
        self.the_one("sessions", rows, session)
    }

    async fn session_used(
        &self,
        digest: &Digest,
        idle_until: Timestamp,
        now: Timestamp,
    ) -> Result<()> {
        let params = params! { digest: hex(digest), idle_until: idle_until, now: now };
        self.operate(&sql::access::SESSION_USED, params)
            .await
            .map(drop)
    }

    async fn end_session(&self, digest: &Digest) -> Result<bool> {
        let params = params! { digest: hex(digest) };
        let ended = self.operate_audited(&sql::access::END_SESSION, params, has_rows);
        Ok(has_rows(&ended.await?))
    }

    async fn end_sessions(&self, user: UserId) -> Result<u64> {
        let params = params! { user: user.uuid() };
        let ended = self.operate_audited(&sql::access::END_SESSIONS, params, has_rows);
        Ok(ended.await?.len() as u64)
    }
}

/// Whether nothing of a user would become another.
fn is_known_by(user: &User, change: &UserChange) -> bool {
    change.known_by.is_none() || change.known_by == user.password
}

fn is_so(user: &User, change: &UserChange) -> bool {
    change.role.is_none_or(|role| role == user.role)
        && change.is_disabled.is_none_or(|is| is == user.is_disabled)
        && (change.password.is_none() || change.password == user.password)
}

fn key_fields(key: &ApiKey) -> Params {
    params! {
        id: key.id.uuid(), name: key.name.clone(), digest: hex(&key.digest), permissions: json(&key.permissions),
        kinds: json(&key.kinds), queues: json(&key.queues), created_at: key.created_at, created_by: key.created_by.to_string(),
        expires_at: key.expires_at, revoked_at: key.revoked_at, last_used_at: key.last_used_at,
    }
}

fn user_fields(user: &User, role: Role) -> Params {
    params! {
        id: user.id.uuid(), name: user.name.clone(), role: role.as_str(), password: user.password.clone(),
        disabled: user.is_disabled, created_at: user.created_at, signed_in_at: user.signed_in_at, failures: user.failures,
        retry_at: user.retry_at, identity: user.identity.as_ref().map(|one| hex(&one.digest())),
        issuer: user.identity.as_ref().map(|one| one.issuer.clone()),
        subject: user.identity.as_ref().map(|one| one.subject.clone()),
    }
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
