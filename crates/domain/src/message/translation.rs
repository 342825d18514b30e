//! A message in other languages, and which of them a recipient reads.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
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

/// Reads translations, and gives each locale its name.
pub(super) fn read(
    written: BTreeMap<String, Translation>,
    values: &BTreeMap<String, String>,
    errors: &mut Vec<FieldError>,
) -> (BTreeMap<String, Translation>, BTreeMap<String, Texts>) {
    let (mut named, mut texts) = (BTreeMap::new(), BTreeMap::new());
    if let Some(error) = size_error(&written) {
        errors.push(error);
        return (named, texts);
    }
    for (text, one) in written {
        let shown: String = text.chars().take(locale::LONGEST).collect();
        let field = format!("translations.{shown}");
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

fn size_error(written: &BTreeMap<String, Translation>) -> Option<FieldError> {
    let bytes = written.values().map(|one| one.title.len() + one.body.len());
    let (count, bytes) = (written.len(), bytes.sum::<usize>());
    let message = if count > MOST_TRANSLATIONS {
        format!("can be {MOST_TRANSLATIONS} at most and are {count}")
    } else if bytes > LONGEST {
        format!("can have {LONGEST} bytes together at most and have {bytes}")
    } else {
        return None;
    };
    Some(FieldError::new("translations", message))
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
