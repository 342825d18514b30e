//! Access: who can sign in, and what opens the API.

use async_trait::async_trait;
use baton_domain::{
    KeyId, Timestamp, UserId,
    access::{ApiKey, Digest, Identity, Role, Session, User, UserChange},
    page::{Page, PageRequest},
};

use super::Result;

/// Access: who can sign in, and what opens the API.
#[async_trait]
pub trait Access: Send + Sync {
    /// Whether there is anybody who can say who they are: a user, or a key that is not revoked.
    async fn has_principals(&self) -> Result<bool>;

    /// Adds a key.
    async fn add_key(&self, key: &ApiKey) -> Result<()>;

    /// One key.
    async fn key(&self, id: KeyId) -> Result<Option<ApiKey>>;

    /// Every key, the newest first, those that are worth nothing any more among them.
    async fn keys(&self, page: &PageRequest) -> Result<Page<ApiKey>>;

    /// Adds a key in the place of one that is good as it is made, and ends that one at a moment if it does not end before.
    /// `false`, and nothing is done, if that one is not good, or another key with its name and permissions has come into its place before.
    async fn rotate_key(&self, old: KeyId, ends_at: Timestamp, new: &ApiKey) -> Result<bool>;

    /// Takes a key back. `false` if there is none, or it was taken back before.
    async fn revoke_key(&self, id: KeyId, now: Timestamp) -> Result<bool>;

    /// Writes down when keys were used last; never an earlier time over a later one.
    async fn keys_used(&self, used: &[(KeyId, Timestamp)]) -> Result<()>;

    /// Adds a user. `false` if the name is taken, or another user has the identity.
    async fn add_user(&self, user: &User) -> Result<bool>;

    /// Adds the first user, an admin, by the set-up token of this digest: only while the token stands at `now`, and it is
    /// gone after. Of two who use it at once one wins; nothing is done if the name is taken.
    async fn set_up(&self, token: &Digest, user: &User, now: Timestamp) -> Result<bool>;

    /// Puts a set-up token in the place of all others, until its end. `false`, and nothing is done, if there is a user.
    async fn offer_set_up(&self, token: &Digest, until: Timestamp) -> Result<bool>;

    /// One user.
    async fn user(&self, id: UserId) -> Result<Option<User>>;

    /// The user of this name.
    async fn user_named(&self, name: &str) -> Result<Option<User>>;

    /// The user whom a provider of sign-ins knows as this.
    async fn user_of(&self, identity: &Identity) -> Result<Option<User>>;

    /// Every user, by name.
    async fn users(&self, page: &PageRequest) -> Result<Page<User>>;

    /// Changes a user. Their sessions end with the change, all of them.
    async fn change_user(&self, id: UserId, change: &UserChange) -> Result<UserChanged>;

    /// Gives a user who signs in at a provider the name and the role that it says, even if they were the last admin. Their sessions end
    /// with the change. `false`, and nothing is done, if they are kept out, sign in at none, or another has the name.
    async fn follow_provider(&self, id: UserId, name: &str, role: Role) -> Result<bool>;

    /// Whether a set-up token stands at `now`.
    async fn is_set_up_offered(&self, token: &Digest, now: Timestamp) -> Result<bool>;

    /// Counts a password that is about to be looked at as a wrong one, the next after `failures` in a row, and has no other looked at
    /// before `retry_at`; a session that begins takes it back. `false`, and nothing is counted, if another was counted meanwhile or
    /// it is too soon. A wait that ends after `latest` is none: some clock was wrong.
    async fn try_sign_in(&self, attempt: &SignInAttempt) -> Result<bool>;

    /// Begins a session of a user who is not kept out, and forgets their wrong passwords. With the hash of the password that they
    /// were known by only while it is still theirs: a change that came between ends this session too. `false` if there is no such user.
    async fn begin_session(&self, session: &Session, known_by: Option<&str>) -> Result<bool>;

    /// A session that stands at `now`, and whose it is; nothing if they are kept out.
    async fn session(&self, digest: &Digest, now: Timestamp) -> Result<Option<(Session, User)>>;

    /// Moves the idle end of a session that stands at `now`; never to an earlier time, never past its end.
    async fn session_used(
        &self,
        digest: &Digest,
        idle_until: Timestamp,
        now: Timestamp,
    ) -> Result<()>;

    /// Ends one session. `false` if there is none.
    async fn end_session(&self, digest: &Digest) -> Result<bool>;

    /// Ends every session of a user; tells how many there were.
    async fn end_sessions(&self, user: UserId) -> Result<u64>;
}

/// A password that is about to be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignInAttempt {
    /// Whose.
    pub user: UserId,
    /// How many wrong ones in a row there were, as far as is known.
    pub failures: u32,
    /// Now.
    pub now: Timestamp,
    /// Before when no other is looked at.
    pub retry_at: Timestamp,
    /// No wait can be longer.
    pub latest: Timestamp,
}

/// What became of a change of a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserChanged {
    /// It was made.
    Changed,
    /// There is no such user.
    Missing,
    /// Nobody would be left who may say who may do what: the last admin who is not kept out stays one.
    LastAdmin,
    /// They have another password than the one that they were known by.
    OtherPassword,
}
