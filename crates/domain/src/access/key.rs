//! API keys: `bat_<id>_<secret>_<checksum>`, shown once.

use std::fmt;

use serde::Serialize;
use uuid::Uuid;

use super::{Digest, Permission, Permissions, Principal, Secret};
use crate::{KeyId, Timestamp, hex, queue};

/// What every key begins with, so that scanners of leaked secrets know one.
const PREFIX: &str = "bat";
/// How many kinds, and how many queues, a key can be bounded to.
const MOST_PATTERNS: usize = 100;

/// A key as its owner has it.
#[derive(Clone, PartialEq, Eq)]
pub struct KeyToken {
    /// Which key it is.
    pub id: KeyId,
    /// What proves it.
    pub secret: Secret,
}

/// Why a text is no API key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ParseKeyError {
    /// It has another shape.
    #[error("an API key looks like bat_<id>_<secret>_<checksum>")]
    Shape,
    /// Its checksum is wrong.
    #[error("the checksum does not fit: a part of the key was lost or mistyped")]
    Checksum,
}

impl KeyToken {
    /// Draws the secret of a new key.
    #[must_use]
    pub fn draw(now: Timestamp) -> Self {
        Self {
            id: KeyId::new(now),
            secret: Secret::draw(),
        }
    }

    /// Reads a key.
    pub fn read(text: &str) -> Result<Self, ParseKeyError> {
        let parts: Vec<_> = text.split('_').collect();
        let [PREFIX, id, secret, checksum] = parts[..] else {
            return Err(ParseKeyError::Shape);
        };
        let body = text.len() - checksum.len() - 1;
        if checksum_of(&text[..body]) != checksum {
            return Err(ParseKeyError::Checksum);
        }
        let id = Uuid::try_parse(id).map_err(|_| ParseKeyError::Shape)?;
        Ok(Self {
            id: KeyId::from_uuid(id),
            secret: Secret::read(secret).map_err(|_| ParseKeyError::Shape)?,
        })
    }

    /// The key in full, for the one who is to have it.
    #[must_use]
    pub fn reveal(&self) -> String {
        let id = self.id.uuid().simple();
        let body = format!("{PREFIX}_{id}_{}", self.secret.reveal());
        format!("{body}_{}", checksum_of(&body))
    }
}

impl fmt::Debug for KeyToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyToken({})", self.id)
    }
}

/// Eight digits that tell a mistyped key from a wrong one. They prove nothing.
fn checksum_of(body: &str) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, body.as_bytes());
    hex(&digest.as_ref()[..4])
}

/// A key as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ApiKey {
    /// Which one.
    pub id: KeyId,
    /// What people call it; any text of 1 to 100 letters.
    pub name: String,
    /// The digest of its secret.
    #[serde(skip)]
    pub digest: Digest,
    /// What its bearer may do.
    pub permissions: Permissions,
    /// The kinds of jobs its bearer may enqueue, as names or patterns; empty means all.
    pub kinds: Vec<String>,
    /// The queues its bearer may enqueue to, as names or patterns; empty means all.
    pub queues: Vec<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// By whom.
    pub created_by: Principal,
    /// From when on it is worth nothing, if ever.
    pub expires_at: Option<Timestamp>,
    /// When it was taken back, if it was.
    pub revoked_at: Option<Timestamp>,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Timestamp>,
}

impl ApiKey {
    /// Whether it opens anything at this moment.
    #[must_use]
    pub fn is_good(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }

    /// What is wrong with it, as sentences; nothing if it can be kept.
    #[must_use]
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        if !(1..=100).contains(&self.name.chars().count()) || self.name.trim().is_empty() {
            faults.push("name must have 1 to 100 letters".to_owned());
        }
        if self.permissions == Permissions::NONE {
            faults.push("permissions must name at least one".to_owned());
        }
        for (what, patterns) in [("kinds", &self.kinds), ("queues", &self.queues)] {
            if patterns.len() > MOST_PATTERNS {
                faults.push(format!("{what} must name {MOST_PATTERNS} at most"));
            }
        }
        let patterns = self.kinds.iter().chain(&self.queues);
        for pattern in patterns.filter(|one| !queue::is_name(&one.replace('*', "x"))) {
            faults.push(format!("{pattern:?} can be no kind or queue"));
        }
        let is_bounded = !self.kinds.is_empty() || !self.queues.is_empty();
        // What else makes jobs would pass the bounds by.
        let unbounded = [
            Permission::SchedulesWrite,
            Permission::CampaignsSend,
            Permission::KeysAdmin,
            Permission::Operate,
        ];
        for other in unbounded
            .into_iter()
            .filter(|one| self.permissions.has(*one))
        {
            if is_bounded {
                faults.push(format!("{other} cannot be bounded by kinds or queues"));
            }
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_reads_back_as_it_was_shown() {
        let token = KeyToken::draw(Timestamp::from_micros(1));

        assert_eq!(KeyToken::read(&token.reveal()), Ok(token.clone()));
        assert!(token.reveal().starts_with("bat_"));
    }

    #[test]
    fn a_mistyped_key_is_told_from_another_text() {
        let shown = KeyToken::draw(Timestamp::from_micros(1)).reveal();
        let cut = &shown[..shown.len() - 1];

        assert_eq!(KeyToken::read(cut), Err(ParseKeyError::Checksum));
        assert_eq!(KeyToken::read("secret"), Err(ParseKeyError::Shape));
    }

    #[test]
    fn a_key_is_not_told_by_accident() {
        let token = KeyToken::draw(Timestamp::from_micros(1));
        let secret = token.secret.reveal();

        assert!(!format!("{token:?}").contains(&secret));
    }
}
