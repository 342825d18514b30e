//! JSON pointers (RFC 6901) into text that is not parsed further than they lead: what is found is to the letter.

use std::fmt;

use baton_domain::entries::Entries;
use serde_json::value::RawValue;

/// How long one can be, in bytes.
const LONGEST: usize = 255;

/// What a pointer is, as a sentence without its subject.
pub const RULE: &str = "must be a JSON pointer such as \"/data/items\", or \"\" for the whole";

/// A place in a JSON document.
#[derive(Debug, Clone, PartialEq)]
pub struct Pointer {
    text: String,
    tokens: Vec<String>,
}

impl Pointer {
    /// Reads one, or says what it has to be.
    pub fn read(text: &str) -> Result<Self, &'static str> {
        let is_begun = text.is_empty() || text.starts_with('/');
        if !is_begun || text.len() > LONGEST {
            return Err(RULE);
        }
        let tokens = text.split('/').skip(1);
        let tokens = tokens.map(|token| token.replace("~1", "/").replace("~0", "~"));
        Ok(Self {
            text: text.to_owned(),
            tokens: tokens.collect(),
        })
    }

    /// What stands there, if anything does.
    pub fn find<'a>(&self, document: &'a RawValue) -> Option<&'a RawValue> {
        self.tokens.iter().try_fold(document, |value, token| {
            let text = value.get();
            match text.as_bytes().first()? {
                b'{' => {
                    let members = serde_json::from_str::<Entries<'_>>(text).ok()?.0;
                    let mut named = members.into_iter().rev();
                    named.find(|(name, _)| name == token).map(|(_, raw)| raw)
                }
                b'[' => {
                    let items = serde_json::from_str::<Vec<&RawValue>>(text).ok()?;
                    items.get(token.parse::<usize>().ok()?).copied()
                }
                _ => None,
            }
        })
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(document: &str, pointer: &str) -> Option<String> {
        let document: &RawValue = serde_json::from_str(document).unwrap();
        let found = Pointer::read(pointer).unwrap().find(document);
        found.map(|raw| raw.get().to_owned())
    }

    #[test]
    fn what_is_found_is_to_the_letter() {
        let document =
            r#"{"a": [{"n": 12345678901234567890.10}, null], "x/y~": {"": "z"}, "a/0": 7}"#;

        for (pointer, wanted) in [
            ("/a/0/n", Some("12345678901234567890.10")),
            ("/a/1", Some("null")),
            ("/x~1y~0/", Some("\"z\"")),
            ("/a~10", Some("7")),
            ("/a/2", None),
            ("/a/-", None),
            ("/b", None),
            ("/a/0/n/m", None),
        ] {
            assert_eq!(found(document, pointer).as_deref(), wanted, "{pointer}");
        }
        assert_eq!(found("[1, 2]", "").as_deref(), Some("[1, 2]"));
    }

    #[test]
    fn what_does_not_begin_with_a_slash_is_none() {
        assert!(Pointer::read("items").is_err());
        assert!(Pointer::read(&"/a".repeat(200)).is_err());
    }
}
