//! What was asked under a key, as a digest: the same key with other content is a conflict.
//!
//! A digest outlives the program that made it, so what it is taken over is a format. It is written here
//! and nowhere else, and `content/tests.rs` holds it by golden values:
//!
//! - the version of the format, on a line of its own;
//! - what was asked as JSON on one line: members in the order of the alphabet, and only those that were given, so
//!   that a member that is added later changes nothing for those who do not give it;
//! - the payload of a job, to the letter.
//!
//! A digest starts with its version.

mod asked;

use std::sync::Arc;

use ring::digest::{Context, SHA256};
use serde_json::Value;

use crate::hex;

/// The version of the format that digests are made of.
const VERSION: &str = "2";

/// The digest of what was asked; nothing where no key was given, for only a key is ever compared by it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequestDigest(Option<Arc<str>>);

impl RequestDigest {
    fn of(asked: Value, payload: &str) -> Self {
        let mut context = Context::new(&SHA256);
        for part in [VERSION, "\n", &text(asked), "\n", payload] {
            context.update(part.as_bytes());
        }
        Self(Some(format!("{VERSION}:{}", short(context)).into()))
    }

    /// A content that is known by its digest only.
    #[must_use]
    pub fn with_digest(digest: &str) -> Self {
        Self(Some(digest.into()))
    }

    /// The digest, as it is kept beside the key.
    #[must_use]
    pub fn digest(&self) -> &str {
        self.0.as_deref().unwrap_or_default()
    }
}

/// A map of `serde_json` is sorted.
fn text(asked: Value) -> String {
    asked::given(asked).to_string()
}

/// Half of a digest: enough, where nobody gains by two contents with the same one.
fn short(context: Context) -> String {
    hex(&context.finish().as_ref()[..16])
}

#[cfg(test)]
mod tests;
