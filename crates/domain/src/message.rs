//! A message: what is said to recipients, with places that each of them fills with a value of its own.
//!
//! Strict: a place that nothing can ever fill is refused when the message is written, and one that a
//! recipient has no value for is an error that names it, not a gap in a sentence.

mod template;
mod translation;
mod worst;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::{job::FieldError, json::text, recipient::Profile, template::plain};

use self::template::{Gap, Placeholder, Template};
pub use self::translation::{MOST_TRANSLATIONS, Translation};

/// How many characters a title can have.
pub const LONGEST_TITLE: usize = 500;
/// How many characters a body can have.
pub const LONGEST_BODY: usize = 10_000;
/// How many bytes the data of a message can have.
pub const LONGEST_DATA: usize = 32 * 1024;
/// How many bytes a title can have once it is filled.
pub const LONGEST_FILLED_TITLE: usize = 32 * 1024;
/// How many bytes a body can have once it is filled.
pub const LONGEST_FILLED_BODY: usize = 128 * 1024;

/// What is said.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Message)]
pub struct MessageSpec {
    /// One line, 500 characters at most; `{{id}}`, `{{platform}}`, `{{time_zone}}`,
    /// `{{addresses.push}}` and `{{data.name}}` are filled in for each recipient.
    #[schema(example = "Your quiz is here")]
    pub title: String,
    /// What there is to say, 10,000 characters at most, filled in the same way.
    #[schema(example = "Good morning, {{id}}!")]
    pub body: String,
    /// What goes along for the receiving app.
    #[serde(
        default,
        with = "text::option",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(value_type = Option<Object>)]
    pub data: Option<String>,
    /// The same in other languages, by their BCP 47 names, 50 at most: a recipient reads the one of its
    /// locale, or else of the language without its region, or else the title and the body above.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(example = json!({"ko": {"title": "퀴즈가 왔어요", "body": "좋은 아침이에요, {{id}} 님!"}}))]
    pub translations: BTreeMap<String, Translation>,
}

/// A message that can be filled: every field checked, every place known.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    spec: MessageSpec,
    texts: Texts,
    /// By the names of their locales, as they are written.
    translations: BTreeMap<String, Texts>,
    values: BTreeMap<String, String>,
}

/// What is said in one language.
#[derive(Debug, Clone, PartialEq)]
struct Texts {
    title: Template,
    body: Template,
}

/// What one recipient reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filled {
    /// One line.
    pub title: String,
    /// What there is to say.
    pub body: String,
}

/// Why a recipient cannot be told what a message says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unfillable {
    /// The recipient has no value for a place.
    #[error(
        "{} asks for {{{{{place}}}}}, and recipient {recipient:?} has no such value; \
         give it one, or leave the recipient or the placeholder out", said_in(translation.as_deref())
    )]
    Missing {
        /// What is asked for, as it is written between the braces.
        place: String,
        /// Who has no such value.
        recipient: String,
        /// In which translation, if in one.
        translation: Option<String>,
    },
    /// What fills the places makes the text longer than one may be.
    #[error(
        "the {field} of {}, filled for recipient {recipient:?}, has more than {most} bytes; \
         use fewer or shorter placeholders", said_in(translation.as_deref())
    )]
    TooLong {
        /// Which text: `title` or `body`.
        field: &'static str,
        /// Whom it would have been for.
        recipient: String,
        /// In which translation, if in one.
        translation: Option<String>,
        /// How many bytes it can have.
        most: usize,
    },
}

impl Message {
    /// Checks what an author wrote down, and that whoever reads it reads no more than may be read.
    pub fn from_spec(spec: MessageSpec) -> Result<Self, Vec<FieldError>> {
        let message = Self::read(spec)?;
        let errors = message.worst_case();
        if errors.is_empty() {
            Ok(message)
        } else {
            Err(errors)
        }
    }

    /// Reads what was once accepted, whatever it can grow to: what [`Message::fill`] makes of it is bounded.
    pub fn read(spec: MessageSpec) -> Result<Self, Vec<FieldError>> {
        let mut errors = Vec::new();
        let values = read_data(spec.data.as_deref(), &mut errors);
        let texts = Texts::read(&spec.title, &spec.body, &values, &mut errors);
        let (named, translations) = translation::read(spec.translations, &values, &mut errors);
        match texts {
            Some(texts) if errors.is_empty() => Ok(Self {
                spec: MessageSpec {
                    translations: named,
                    ..spec
                },
                texts,
                translations,
                values,
            }),
            _ => Err(errors),
        }
    }

    /// The message as its author wrote it down, its locales by their names.
    #[must_use]
    pub const fn spec(&self) -> &MessageSpec {
        &self.spec
    }

    /// What goes along for the receiving app: the text of a JSON object.
    #[must_use]
    pub fn data(&self) -> Option<&str> {
        self.spec.data.as_deref()
    }

    /// What this recipient reads.
    pub fn fill(&self, profile: &Profile) -> Result<Filled, Unfillable> {
        let fill = |field, template: &Template, most| {
            let filled = template.fill(most, |place| self.value(place, profile));
            filled.map_err(|why| self.unfillable(&why, field, most, profile))
        };
        let texts = self.texts_of(profile);
        Ok(Filled {
            title: fill("title", &texts.title, LONGEST_FILLED_TITLE)?,
            body: fill("body", &texts.body, LONGEST_FILLED_BODY)?,
        })
    }

    /// How many bytes of memory and of the store what a recipient reads takes, the data included.
    #[must_use]
    pub fn weight(&self, filled: &Filled) -> usize {
        filled.title.len() + filled.body.len() + self.data().map_or(0, str::len)
    }

    fn unfillable(
        &self,
        why: &Gap<'_>,
        field: &'static str,
        most: usize,
        profile: &Profile,
    ) -> Unfillable {
        let recipient = profile.id.clone();
        let translation = self.translation_of(profile).map(str::to_owned);
        match why {
            Gap::Missing(place) => Unfillable::Missing {
                place: place.to_string(),
                recipient,
                translation,
            },
            Gap::TooLong => Unfillable::TooLong {
                field,
                recipient,
                translation,
                most,
            },
        }
    }

    fn value<'a>(&'a self, place: &Placeholder, profile: &'a Profile) -> Option<&'a str> {
        match place {
            Placeholder::Id => Some(&profile.id),
            Placeholder::Platform => Some(&profile.platform),
            Placeholder::TimeZone => profile.time_zone.as_deref(),
            Placeholder::Address(channel) => profile.addresses.get(channel).map(String::as_str),
            Placeholder::Data(name) => self.values.get(name).map(String::as_str),
        }
    }
}

/// The text that somebody reads, as a sentence begins with it.
fn said_in(translation: Option<&str>) -> String {
    let own = || "the message".to_owned();
    translation.map_or_else(own, |name| format!("the translation {name} of the message"))
}

impl Texts {
    fn read(
        title: &str,
        body: &str,
        values: &BTreeMap<String, String>,
        errors: &mut Vec<FieldError>,
    ) -> Option<Self> {
        check_length("title", title, LONGEST_TITLE, errors);
        if title.chars().any(char::is_control) {
            let message = "must be one line, without control characters";
            errors.push(FieldError::new("title", message));
        }
        check_length("body", body, LONGEST_BODY, errors);
        if body.contains('\0') {
            errors.push(FieldError::new("body", "cannot hold the character U+0000"));
        }
        let title = read_template("title", title, values, errors);
        let body = read_template("body", body, values, errors);
        Some(Self {
            title: title?,
            body: body?,
        })
    }
}

fn check_length(field: &str, text: &str, most: usize, errors: &mut Vec<FieldError>) {
    let has = text.chars().count();
    if !(1..=most).contains(&has) {
        let message = format!("must have 1 to {most} characters and has {has}");
        errors.push(FieldError::new(field, message));
    }
}

/// The values of the data that can stand in a text: those that are texts, numbers and truths.
fn read_data(data: Option<&str>, errors: &mut Vec<FieldError>) -> BTreeMap<String, String> {
    let Some(data) = data else {
        return BTreeMap::new();
    };
    if data.len() > LONGEST_DATA {
        let message = format!("can be {LONGEST_DATA} bytes at most and has {}", data.len());
        errors.push(FieldError::new("data", message));
        return BTreeMap::new();
    }
    let Ok(members) = serde_json::from_str::<BTreeMap<String, &RawValue>>(data) else {
        let message = "must be a JSON object, such as {\"order\": 4711}";
        errors.push(FieldError::new("data", message));
        return BTreeMap::new();
    };
    let values = members.into_iter();
    values
        .filter_map(|(name, value)| Some((name, plain(value.get())?)))
        .collect()
}

fn read_template(
    field: &str,
    text: &str,
    values: &BTreeMap<String, String>,
    errors: &mut Vec<FieldError>,
) -> Option<Template> {
    let template = match Template::read(text, Placeholder::read) {
        Ok(template) => template,
        Err(message) => {
            errors.push(FieldError::new(field, message));
            return None;
        }
    };
    for place in template.places() {
        if matches!(place, Placeholder::Data(name) if !values.contains_key(name)) {
            let message = format!(
                "asks for {{{{{place}}}}}, and message.data has no such text, number or truth"
            );
            errors.push(FieldError::new(field, message));
        }
    }
    Some(template)
}

#[cfg(test)]
mod tests;
