//! The approval of a large campaign: who asked for it, and the second person who has said yes.

use crate::{Timestamp, access::Principal};

/// What a campaign waits for that is larger than one person may send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    /// How many recipients it had when it was asked for.
    pub recipients: u64,
    /// Who asked for it, and when.
    pub asked: Signature,
    /// Whom they count as: the bearer of a key counts as the user who made it.
    pub person: Principal,
    /// Who has approved it, and when.
    pub approved: Option<Signature>,
}

/// Who has put their name to something, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// Who.
    pub by: Principal,
    /// What people called them at that time.
    pub name: String,
    /// When.
    pub at: Timestamp,
}

impl Approval {
    /// Whether nobody has approved it yet.
    #[must_use]
    pub const fn is_awaited(&self) -> bool {
        self.approved.is_none()
    }
}
