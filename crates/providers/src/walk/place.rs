//! Where a walk is: what its checkpoints keep.

use baton_domain::hex;
use ring::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};

/// How many bytes of an address's digest are kept.
const MARK: usize = 12;

/// Where a walk is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// What the page before said of this one; nothing on the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// How many pages lie behind it.
    pub pages: u64,
    /// How many rows of this page lie behind it.
    #[serde(default)]
    pub row: usize,
    /// How many rows of all pages do.
    pub rows: u64,
    /// An earlier page, to know it by when it comes again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
    /// Whether the last page lies behind it.
    #[serde(default)]
    pub is_over: bool,
}

impl Place {
    /// The mark that is kept on the way on from the page at this address: that of a page whose number is a power
    /// of two, so that every circle is noticed by the time it has been walked a few times.
    pub fn mark_after(&self, address: &str) -> Option<String> {
        match (self.pages + 1).is_power_of_two() {
            true => Some(mark(address)),
            false => self.mark.clone(),
        }
    }
}

/// What an address is known by.
pub fn mark(address: &str) -> String {
    let digest = digest(&SHA256, address.as_bytes());
    hex(&digest.as_ref()[..MARK])
}
