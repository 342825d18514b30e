//! Sessions of people who have signed in.

use std::net::IpAddr;

use super::{Digest, Secret};
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

/// What pages know of the browser that asks for them.
#[derive(Debug, Clone, Default)]
pub struct Browser {
    /// Whether nobody between can have read what it sent.
    pub is_over_tls: bool,
    /// What proves its session, if it has one.
    pub session: Option<Secret>,
    /// Where it is, as limits count it.
    pub address: Option<IpAddr>,
}

impl Browser {
    /// The name of the cookie that a session is kept in. Over TLS nobody but this very host can set it.
    #[must_use]
    pub const fn cookie(&self) -> &'static str {
        match self.is_over_tls {
            true => "__Host-baton_session",
            false => "baton_session",
        }
    }
}

impl Session {
    /// Whether it still stands.
    #[must_use]
    pub fn is_good(&self, now: Timestamp) -> bool {
        now < self.idle_until && now < self.ends_at
    }
}
