//! Who may do what: permissions, roles, accounts, API keys, and the actor that every use case is asked by.

mod actor;
mod claimed_role;
mod identity;
mod inbox_token;
mod key;
mod permission;
mod secret;
mod session;
mod user;

pub use actor::{Actor, Principal};
pub use claimed_role::ClaimedRole;
pub use identity::Identity;
pub use inbox_token::{InboxToken, ParseInboxTokenError};
pub use key::{ApiKey, KeyToken, ParseKeyError};
pub use permission::{Permission, Permissions, Requirement, Requirements, Role};
pub use secret::{ParseSecretError, Secret};
pub use session::{Browser, Session};
pub use user::{NAME_RULE, NewUser, PASSWORD, User, UserChange, UserPatch, is_name};

/// The SHA-256 of a secret that was drawn at random, which is all that a store keeps of it.
pub type Digest = [u8; 32];
