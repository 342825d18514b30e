//! Access: keys, users, their sessions, and the one token that lets the first of them in.

use std::collections::BTreeMap;

use async_trait::async_trait;
use baton_domain::{
    KeyId, Timestamp, UserId,
    access::{ApiKey, Digest, Identity, Principal, Role, Session, User, UserChange},
    page::{Page, PageRequest},
};

use super::{MemoryStore, schedules::page_of};
use crate::store::{Access, Result, SignInAttempt, UserChanged};

/// Who can say who they are.
#[derive(Default)]
pub(super) struct Accounts {
    keys: BTreeMap<KeyId, ApiKey>,
    users: BTreeMap<UserId, User>,
    sessions: BTreeMap<Digest, Session>,
    /// The set-up token that stands, and until when.
    set_up: Option<(Digest, Timestamp)>,
}

#[async_trait]
impl Access for MemoryStore {
    async fn has_principals(&self) -> Result<bool> {
        let accounts = &self.tables().accounts;
        let mut keys = accounts.keys.values();
        Ok(!accounts.users.is_empty() || keys.any(|key| key.revoked_at.is_none()))
    }

    async fn add_key(&self, key: &ApiKey) -> Result<()> {
        let tables = &mut *self.tables();
        let is_new = !tables.accounts.keys.contains_key(&key.id);
        if is_new {
            tables.accounts.keys.insert(key.id, key.clone());
        }
        self.put_down(tables, is_new);
        Ok(())
    }

    async fn key(&self, id: KeyId) -> Result<Option<ApiKey>> {
        Ok(self.tables().accounts.keys.get(&id).cloned())
    }

    async fn keys(&self, page: &PageRequest) -> Result<Page<ApiKey>> {
        let after = page.cursor::<KeyId>()?;
        let keys = &self.tables().accounts.keys;
        let newest_first = keys.values().rev();
        let older = newest_first.filter(|key| after.is_none_or(|after| key.id < after));
        Ok(page_of(older.cloned(), page.limit, |last| {
            last.id.to_string()
        }))
    }

    async fn rotate_key(&self, old: KeyId, ends_at: Timestamp, new: &ApiKey) -> Result<bool> {
        let tables = &mut *self.tables();
        let keys = &mut tables.accounts.keys;
        if keys.contains_key(&new.id) {
            return Ok(true);
        }
        let is_next = |key: &ApiKey| {
            key.created_by == Principal::Key(old)
                && (&key.name, key.permissions) == (&new.name, new.permissions)
        };
        let is_followed = keys.values().any(is_next);
        let good = keys
            .get_mut(&old)
            .filter(|key| key.is_good(new.created_at) && !is_followed);
        let is_rotated = good.is_some();
        if let Some(key) = good {
            key.expires_at = Some(key.expires_at.map_or(ends_at, |end| end.min(ends_at)));
            keys.insert(new.id, new.clone());
        }
        self.put_down(tables, is_rotated);
        Ok(is_rotated)
    }

    async fn revoke_key(&self, id: KeyId, now: Timestamp) -> Result<bool> {
        let tables = &mut *self.tables();
        let key = tables.accounts.keys.get_mut(&id);
        let good = key.filter(|key| key.revoked_at.is_none());
        let is_revoked = good.map(|key| key.revoked_at = Some(now)).is_some();
        self.put_down(tables, is_revoked);
        Ok(is_revoked)
    }

    async fn keys_used(&self, used: &[(KeyId, Timestamp)]) -> Result<()> {
        let keys = &mut self.tables().accounts.keys;
        for (id, at) in used {
            if let Some(key) = keys.get_mut(id) {
                key.last_used_at = key.last_used_at.max(Some(*at));
            }
        }
        Ok(())
    }

    async fn add_user(&self, user: &User) -> Result<bool> {
        let tables = &mut *self.tables();
        let is_new = !tables.accounts.users.contains_key(&user.id);
        let of = |identity: &Identity| tables.accounts.of(identity).is_some();
        let is_known = user.identity.as_ref().is_some_and(of);
        let is_free = tables.accounts.named(&user.name).is_none() && !is_known;
        let is_added = is_new && is_free;
        if is_added {
            tables.accounts.add(user.clone());
        }
        self.put_down(tables, is_added);
        Ok(is_added || !is_new)
    }

    async fn set_up(&self, token: &Digest, user: &User, now: Timestamp) -> Result<bool> {
        let tables = &mut *self.tables();
        let accounts = &mut tables.accounts;
        let offered = accounts.set_up;
        let stands = offered.is_some_and(|(offered, until)| offered == *token && now < until);
        let is_first = stands && accounts.users.is_empty();
        if is_first {
            let role = Role::Admin;
            accounts.add(User {
                role,
                ..user.clone()
            });
        }
        self.put_down(tables, is_first);
        Ok(is_first)
    }

    async fn offer_set_up(&self, token: &Digest, until: Timestamp) -> Result<bool> {
        let accounts = &mut self.tables().accounts;
        let is_offered = accounts.users.is_empty();
        if is_offered {
            accounts.set_up = Some((*token, until));
        }
        Ok(is_offered)
    }

    async fn user(&self, id: UserId) -> Result<Option<User>> {
        Ok(self.tables().accounts.users.get(&id).cloned())
    }

    async fn user_named(&self, name: &str) -> Result<Option<User>> {
        Ok(self.tables().accounts.named(name).cloned())
    }

    async fn user_of(&self, identity: &Identity) -> Result<Option<User>> {
        Ok(self.tables().accounts.of(identity).cloned())
    }

    async fn users(&self, page: &PageRequest) -> Result<Page<User>> {
        let after = page.after.as_deref().unwrap_or_default();
        let tables = self.tables();
        let users = tables.accounts.users.values();
        let by_name: BTreeMap<_, _> = users.map(|user| (user.name.as_str(), user)).collect();
        let later = by_name.into_iter().filter(|(name, _)| *name > after);
        let later = later.map(|(_, user)| user.clone());
        Ok(page_of(later, page.limit, |last| last.name.clone()))
    }

    async fn change_user(&self, id: UserId, change: &UserChange) -> Result<UserChanged> {
        let tables = &mut *self.tables();
        let (answer, has_changed) = tables.accounts.change_user(id, change);
        self.put_down(tables, has_changed);
        Ok(answer)
    }

    async fn follow_provider(&self, id: UserId, name: &str, role: Role) -> Result<bool> {
        let tables = &mut *self.tables();
        let (is_so, has_changed) = tables.accounts.follow_provider(id, name, role);
        self.put_down(tables, has_changed);
        Ok(is_so)
    }

    async fn is_set_up_offered(&self, token: &Digest, now: Timestamp) -> Result<bool> {
        let offered = self.tables().accounts.set_up;
        Ok(offered.is_some_and(|(digest, until)| digest == *token && now < until))
    }

    async fn try_sign_in(&self, attempt: &SignInAttempt) -> Result<bool> {
        let accounts = &mut self.tables().accounts;
        let Some(user) = accounts.users.get_mut(&attempt.user) else {
            return Ok(false);
        };
        let is_too_soon = |until: Timestamp| attempt.now < until && until <= attempt.latest;
        if user.failures != attempt.failures || user.retry_at.is_some_and(is_too_soon) {
            return Ok(false);
        }
        user.failures = user.failures.saturating_add(1);
        user.retry_at = Some(attempt.retry_at);
        Ok(true)
    }

    async fn begin_session(&self, session: &Session, known_by: Option<&str>) -> Result<bool> {
        let tables = &mut *self.tables();
        let is_new = !tables.accounts.sessions.contains_key(&session.digest);
        let is_let_in = tables.accounts.begin_session(session, known_by).is_some();
        self.put_down(tables, is_let_in && is_new);
        Ok(is_let_in)
    }

    async fn session(&self, digest: &Digest, now: Timestamp) -> Result<Option<(Session, User)>> {
        let accounts = &self.tables().accounts;
        let session = accounts.sessions.get(digest);
        Ok(session
            .filter(|session| session.is_good(now))
            .and_then(|session| Some((session.clone(), accounts.admitted(session.user)?.clone()))))
    }

    async fn session_used(
        &self,
        digest: &Digest,
        idle_until: Timestamp,
        now: Timestamp,
    ) -> Result<()> {
        let sessions = &mut self.tables().accounts.sessions;
        let session = sessions.get_mut(digest);
        if let Some(session) = session.filter(|session| session.is_good(now)) {
            let idle_until = idle_until.min(session.ends_at);
            session.idle_until = session.idle_until.max(idle_until);
        }
        Ok(())
    }

    async fn end_session(&self, digest: &Digest) -> Result<bool> {
        let tables = &mut *self.tables();
        let is_ended = tables.accounts.sessions.remove(digest).is_some();
        self.put_down(tables, is_ended);
        Ok(is_ended)
    }

    async fn end_sessions(&self, user: UserId) -> Result<u64> {
        let tables = &mut *self.tables();
        let ended = tables.accounts.end_sessions(user);
        self.put_down(tables, ended > 0);
        Ok(ended)
    }
}

impl Accounts {
    fn named(&self, name: &str) -> Option<&User> {
        self.users.values().find(|user| user.name == name)
    }

    fn of(&self, identity: &Identity) -> Option<&User> {
        let mut users = self.users.values();
        users.find(|user| user.identity.as_ref() == Some(identity))
    }

    /// Adds a user. From the first one on no set-up token stands.
    fn add(&mut self, user: User) {
        self.set_up = None;
        self.users.insert(user.id, user);
    }

    /// A user who is not kept out.
    fn admitted(&self, id: UserId) -> Option<&User> {
        self.users.get(&id).filter(|user| !user.is_disabled)
    }

    /// What became of the change, and whether anything is another way now.
    fn change_user(&mut self, id: UserId, change: &UserChange) -> (UserChanged, bool) {
        let Some(known) = self.users.get(&id) else {
            return (UserChanged::Missing, false);
        };
        let changed = User {
            role: change.role.unwrap_or(known.role),
            password: change.password.clone().or_else(|| known.password.clone()),
            is_disabled: change.is_disabled.unwrap_or(known.is_disabled),
            ..known.clone()
        };
        if changed == *known {
            return (UserChanged::Changed, false);
        }
        if change.known_by.is_some() && change.known_by != known.password {
            return (UserChanged::OtherPassword, false);
        }
        // A new password begins anew.
        let changed = match change.password {
            Some(_) => User {
                failures: 0,
                retry_at: None,
                ..changed
            },
            None => changed,
        };
        let is_dropped = rules(known) && !rules(&changed);
        let mut others = self.users.values().filter(|user| user.id != id);
        if is_dropped && !others.any(rules) {
            return (UserChanged::LastAdmin, false);
        }
        self.users.insert(id, changed);
        self.end_sessions(id);
        (UserChanged::Changed, true)
    }

    /// Whether the user is so now, and whether they were not before.
    fn follow_provider(&mut self, id: UserId, name: &str, role: Role) -> (bool, bool) {
        let is_taken = self.named(name).is_some_and(|other| other.id != id);
        let user = self.users.get_mut(&id);
        let follows = |user: &&mut User| user.identity.is_some() && !user.is_disabled && !is_taken;
        let Some(user) = user.filter(follows) else {
            return (false, false);
        };
        if user.name == name && user.role == role {
            return (true, false);
        }
        (user.name, user.role) = (name.to_owned(), role);
        self.end_sessions(id);
        (true, true)
    }

    fn begin_session(&mut self, session: &Session, known_by: Option<&str>) -> Option<()> {
        self.admitted(session.user)?;
        let user = self.users.get_mut(&session.user)?;
        if known_by.is_some() && user.password.as_deref() != known_by {
            return None;
        }
        user.failures = 0;
        user.retry_at = None;
        user.signed_in_at = user.signed_in_at.max(Some(session.created_at));
        let place = self.sessions.entry(session.digest);
        place.or_insert_with(|| Session {
            idle_until: session.idle_until.min(session.ends_at),
            ..session.clone()
        });
        Some(())
    }

    fn end_sessions(&mut self, user: UserId) -> u64 {
        let before = self.sessions.len();
        self.sessions.retain(|_, session| session.user != user);
        (before - self.sessions.len()) as u64
    }

    /// Forgets sessions that have ended; a set-up token past its end goes along.
    pub(super) fn prune_sessions(&mut self, limit: usize, now: Timestamp) -> u32 {
        let ended = self.sessions.values().filter(|one| !one.is_good(now));
        let old: Vec<_> = ended.map(|one| one.digest).take(limit).collect();
        for digest in &old {
            self.sessions.remove(digest);
        }
        let offer = self.set_up.take_if(|(_, until)| *until <= now);
        old.len() as u32 + u32::from(offer.is_some())
    }
}

/// Whether a user can say who may do what.
fn rules(user: &User) -> bool {
    user.role == Role::Admin && !user.is_disabled
}
