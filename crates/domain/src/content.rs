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
//! A digest starts with its version, and one of the first version has none: see [`former`].

mod asked;
mod former;

use std::{fmt::Write, sync::Arc};

use ring::digest::{Context, SHA256};
use serde::Serialize;

/// The version of the format that digests are made of.
const VERSION: &str = "2";

/// What was asked; nothing where no key was given, for only a key is ever compared by it.
#[derive(Debug, Clone, Default)]
pub struct Content(Option<Arc<Asked>>);

#[derive(Debug)]
struct Asked {
    digest: String,
    /// The JSON that the digest was made of, without the payload.
    text: String,
    /// Makes the digest of the first version out of the JSON and the payload.
    former: fn(&str, &str) -> Option<String>,
}

impl PartialEq for Content {
    fn eq(&self, other: &Self) -> bool {
        self.digest() == other.digest()
    }
}

impl Content {
    fn of(asked: &impl Serialize, payload: &str, former: fn(&str, &str) -> Option<String>) -> Self {
        // What is asked is made of texts and numbers only, and cannot fail to be written.
        let text = serde_json::to_string(asked).unwrap_or_default();
        let mut context = Context::new(&SHA256);
        for part in [VERSION, "\n", &text, "\n", payload] {
            context.update(part.as_bytes());
        }
        let digest = format!("{VERSION}:{}", short(context));
        Self(Some(Arc::new(Asked {
            digest,
            text,
            former,
        })))
    }

    /// A content that is known by its digest only.
    #[must_use]
    pub fn with_digest(digest: &str) -> Self {
        Self(Some(Arc::new(Asked {
            digest: digest.to_owned(),
            text: String::new(),
            former: |_, _| None,
        })))
    }

    /// The digest, as it is kept beside the key.
    #[must_use]
    pub fn digest(&self) -> &str {
        self.0.as_ref().map_or("", |asked| &asked.digest)
    }

    /// Whether a digest that was kept is of the same content, whichever version it is of; `payload` is
    /// the job's, if there is one.
    #[must_use]
    pub fn agrees(&self, kept: &str, payload: &str) -> bool {
        if self.digest() == kept {
            return true;
        }
        let is_former = !kept.contains(':');
        let asked = self.0.as_ref().filter(|_| is_former);
        asked.is_some_and(|asked| (asked.former)(&asked.text, payload).is_some_and(|it| it == kept))
    }
}

/// Half of a digest: enough, where nobody gains by two contents with the same one.
fn short(context: Context) -> String {
    let digest = context.finish();
    let mut text = String::with_capacity(32);
    for byte in &digest.as_ref()[..16] {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests;
