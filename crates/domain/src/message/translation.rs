//! A message in other languages, and which of them a recipient reads.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use super::{Message, MessageSpec, Texts};
use crate::{job::FieldError, locale, recipient::Profile};

/// How many translations a message can have.
pub const MOST_TRANSLATIONS: usize = 50;
/// How many bytes they can have together.
const LONGEST: usize = 256 * 1024;

/// What a message says in one language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Translation {
    /// One line, as the title of the message.
    pub title: String,
    /// What there is to say, as the body of the message.
    pub body: String,
}

/// A translation as a client says it: with no other field.
#[derive(Deserialize)]
#[serde(remote = "Translation", deny_unknown_fields)]
struct Said {
    title: String,
    body: String,
}

/// Reads translations as a client says them.
pub(super) fn said<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<BTreeMap<String, Translation>, D::Error> {
    #[derive(Deserialize)]
    struct One(#[serde(with = "Said")] Translation);
    let said = BTreeMap::<String, One>::deserialize(from)?.into_iter();
    Ok(said.map(|(name, One(one))| (name, one)).collect())
}

/// Reads translations, and gives each locale its name.
pub(super) fn read(
    written: BTreeMap<String, Translation>,
    values: &BTreeMap<String, String>,
    errors: &mut Vec<FieldError>,
) -> (BTreeMap<String, Translation>, BTreeMap<String, Texts>) {
    let (mut named, mut texts) = (BTreeMap::new(), BTreeMap::new());
    check_size(&written, errors);
    for (text, one) in written {
        let field = format!("translations.{text}");
        let Some(name) = locale::name(&text) else {
            errors.push(FieldError::new(&field, locale::RULE));
            continue;
        };
        let mut wrong = Vec::new();
        let read = Texts::read(&one.title, &one.body, values, &mut wrong);
        errors.extend(wrong.into_iter().map(|error| error.within(&field)));
        texts.extend(read.map(|read| (name.clone(), read)));
        if named.insert(name.clone(), one).is_some() {
            let message = format!("is there already: {name} can have one translation");
            errors.push(FieldError::new(&field, message));
        }
    }
    (named, texts)
}

fn check_size(written: &BTreeMap<String, Translation>, errors: &mut Vec<FieldError>) {
    if written.len() > MOST_TRANSLATIONS {
        let message = format!(
            "can be {MOST_TRANSLATIONS} at most and are {}",
            written.len()
        );
        errors.push(FieldError::new("translations", message));
    }
    let bytes = written.values().map(|one| one.title.len() + one.body.len());
    let bytes: usize = bytes.sum();
    if bytes > LONGEST {
        let message = format!("can have {LONGEST} bytes together at most and have {bytes}");
        errors.push(FieldError::new("translations", message));
    }
}

impl Message {
    /// The locales that it is translated for.
    pub fn translations(&self) -> impl Iterator<Item = &str> {
        self.translations.keys().map(String::as_str)
    }

    /// The locale of the translation that a recipient reads. `None`: it reads the message as it is.
    #[must_use]
    pub fn translation_of(&self, profile: &Profile) -> Option<&str> {
        let mut tried = locale::lookup(profile.locale.as_deref()?);
        tried.find_map(|name| Some(self.translations.get_key_value(name)?.0.as_str()))
    }

    /// The message as a recipient reads it, without what others read.
    #[must_use]
    pub fn spec_of(&self, profile: &Profile) -> MessageSpec {
        let own = self.translation_of(profile);
        let own = own.and_then(|name| self.spec.translations.get(name).cloned());
        let texts = own.unwrap_or_else(|| Translation {
            title: self.spec.title.clone(),
            body: self.spec.body.clone(),
        });
        MessageSpec {
            title: texts.title,
            body: texts.body,
            data: self.spec.data.clone(),
            translations: BTreeMap::new(),
        }
    }

    pub(super) fn texts_of(&self, profile: &Profile) -> &Texts {
        let own = self.translation_of(profile);
        let own = own.and_then(|name| self.translations.get(name));
        own.unwrap_or(&self.texts)
    }
}
