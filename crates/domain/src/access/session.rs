//! Sessions of people who have signed in.

use super::Digest;
use crate::{Timestamp, UserId};

/// A browser that somebody has signed in with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The digest of the secret in the browser's cookie.
    pub digest: Digest,
    /// Who.
    pub user: UserId,
    /// Since when.
    pub created_at: Timestamp,
    /// When it ends unless it is used before.
    pub idle_until: Timestamp,
    /// When it ends in any case.
    pub ends_at: Timestamp,
}

impl Session {
    /// Whether it still stands.
    #[must_use]
    pub fn is_good(&self, now: Timestamp) -> bool {
        now < self.idle_until && now < self.ends_at
    }
}
