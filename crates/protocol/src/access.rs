//! API keys and users: who may do what.

use std::time::Duration;

pub use baton_domain::access::{NewUser as AddUser, UserPatch as ChangeUser};
use baton_domain::{
    KeyId, Timestamp, UserId,
    access::{self, Permission, Permissions, Principal, Role},
    duration,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A key that is asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateKey {
    /// What people call it: 1 to 100 letters.
    #[schema(example = "billing service")]
    pub name: String,
    /// What its bearer may do. Nobody can grant what they lack.
    #[schema(value_type = Vec<Permission>, example = json!(["jobs:create", "jobs:read"]))]
    pub permissions: Permissions,
    /// The kinds of jobs its bearer may enqueue, as names or patterns with `*`; all if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<String>,
    /// The queues its bearer may enqueue to, as names or patterns with `*`; all if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub queues: Vec<String>,
    /// How long it is worth something; for ever if that is not given.
    #[serde(
        default,
        with = "duration::option",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(value_type = Option<String>, example = "90d")]
    pub expires_in: Option<Duration>,
}

/// How a key is rotated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RotateKey {
    /// How long the old key stays good beside the new one, 90 days at most; `0s` ends it now.
    #[serde(default = "a_day", with = "duration")]
    #[schema(value_type = String, default = "1d", example = "1d")]
    pub overlap: Duration,
}

const fn a_day() -> Duration {
    Duration::from_hours(24)
}

impl Default for RotateKey {
    fn default() -> Self {
        Self { overlap: a_day() }
    }
}

/// An API key, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ApiKey {
    /// Its id, which is also the second part of the key.
    #[schema(value_type = String, example = "key_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")]
    pub id: KeyId,
    /// What people call it.
    pub name: String,
    /// What its bearer may do.
    #[schema(value_type = Vec<Permission>)]
    pub permissions: Permissions,
    /// The kinds of jobs its bearer may enqueue; all if there are none.
    pub kinds: Vec<String>,
    /// The queues its bearer may enqueue to; all if there are none.
    pub queues: Vec<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// By whom.
    #[schema(value_type = String, example = "usr_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")]
    pub created_by: Principal,
    /// From when on it is worth nothing.
    pub expires_at: Option<Timestamp>,
    /// When it was taken back.
    pub revoked_at: Option<Timestamp>,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Timestamp>,
}

impl From<access::ApiKey> for ApiKey {
    fn from(key: access::ApiKey) -> Self {
        Self {
            id: key.id,
            name: key.name,
            permissions: key.permissions,
            kinds: key.kinds,
            queues: key.queues,
            created_at: key.created_at,
            created_by: key.created_by,
            expires_at: key.expires_at,
            revoked_at: key.revoked_at,
            last_used_at: key.last_used_at,
        }
    }
}

/// A key that was made.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CreatedKey {
    /// What is kept of it.
    #[serde(flatten)]
    pub key: ApiKey,
    /// The key itself, told this once.
    pub token: String,
}

impl std::fmt::Debug for CreatedKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "CreatedKey({})", self.key.id)
    }
}

/// A key that was put in the place of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RotatedKey {
    /// The new key.
    #[serde(flatten)]
    pub created: CreatedKey,
    /// The old key, with its end.
    pub replaces: ApiKey,
}

/// A user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct User {
    /// Their id, as the audit log has it.
    #[schema(value_type = String, example = "usr_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")]
    pub id: UserId,
    /// What they type, and are called by.
    pub name: String,
    /// What they may do.
    pub role: Role,
    /// Whether they are kept out.
    pub disabled: bool,
    /// When they were added.
    pub created_at: Timestamp,
    /// When they signed in last.
    pub signed_in_at: Option<Timestamp>,
    /// The identity provider that they sign in at, as it calls itself; `null` for whoever has a password here.
    #[serde(default)]
    #[schema(example = "https://sso.example/realms/ours")]
    pub issuer: Option<String>,
}

impl From<access::User> for User {
    fn from(user: access::User) -> Self {
        Self {
            id: user.id,
            name: user.name,
            role: user.role,
            disabled: user.is_disabled,
            created_at: user.created_at,
            signed_in_at: user.signed_in_at,
            issuer: user.identity.map(|identity| identity.issuer),
        }
    }
}

/// How many sessions have ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SignedOut {
    /// How many.
    pub sessions: u64,
}
