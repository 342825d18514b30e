//! The translations of a message as a form has them: a language, a title and a body each, under a number.

use std::{borrow::Cow, collections::BTreeMap};

use baton_domain::message::{MOST_TRANSLATIONS, MessageSpec, Translation};
use serde::{Deserialize, Deserializer, de::Error};

use super::{draft::given, reading::Errors, reading::written};

/// What the names of the fields begin with.
const PREFIX: &str = "translation_";

/// The translations that were typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TranslationsForm(Vec<One>);

/// One of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct One {
    /// The locale.
    pub locale: String,
    /// The first line.
    pub title: String,
    /// The rest.
    pub body: String,
}

impl<'de> Deserialize<'de> for TranslationsForm {
    /// Reads them out of all that was typed.
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut typed = BTreeMap::<u16, One>::new();
        for (name, text) in BTreeMap::<String, String>::deserialize(from)? {
            let Some((nth, part)) = name
                .strip_prefix(PREFIX)
                .and_then(|rest| rest.split_once('_'))
            else {
                continue;
            };
            let nth = nth.parse().ok().filter(|n: &u16| n.to_string() == nth);
            let Some(nth) = nth.filter(|n| usize::from(*n) < MOST_TRANSLATIONS) else {
                return Err(D::Error::custom(format_args!("there is no field {name}")));
            };
            let one = typed.entry(nth).or_default();
            match part {
                "locale" => one.locale = text,
                "title" => one.title = text,
                "body" => one.body = text,
                _ => return Err(D::Error::custom(format_args!("there is no field {name}"))),
            }
        }
        let typed = typed.into_values().filter(|one| !one.is_empty());
        Ok(Self(typed.collect()))
    }
}

impl TranslationsForm {
    /// Those of a message.
    pub fn of(message: &MessageSpec) -> Self {
        let typed = message.translations.iter().map(|(locale, one)| One {
            locale: locale.clone(),
            title: one.title.clone(),
            body: one.body.clone(),
        });
        Self(typed.collect())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What the form shows: those that there are, and room for one more if there may be.
    pub fn shown(&self) -> impl Iterator<Item = One> {
        let shown = self.0.iter().cloned().chain([One::default()]);
        shown.take(MOST_TRANSLATIONS)
    }

    /// The fields that the next step needs, by their names.
    pub fn fields(&self) -> impl Iterator<Item = (Cow<'static, str>, &str)> {
        self.0.iter().enumerate().flat_map(|(nth, one)| {
            [
                ("locale", &one.locale),
                ("title", &one.title),
                ("body", &one.body),
            ]
            .map(|(part, text)| (format!("{PREFIX}{nth}_{part}").into(), text.as_str()))
        })
    }

    /// Reads what was typed.
    pub(super) fn read(&self, errors: &mut Errors) -> BTreeMap<String, Translation> {
        let mut read = BTreeMap::new();
        for one in &self.0 {
            let Some(locale) = given(&one.locale) else {
                let why = tr!("has a text of no language: say which, such as ko");
                errors.add("translations", why);
                continue;
            };
            let translation = Translation {
                title: written(&one.title).unwrap_or_default(),
                body: written(&one.body).unwrap_or_default(),
            };
            if read.insert(locale.clone(), translation).is_some() {
                let why = tr!("has {locale} twice", locale = locale);
                errors.add("translations", why);
            }
        }
        read
    }
}

impl One {
    fn is_empty(&self) -> bool {
        [&self.locale, &self.title, &self.body]
            .iter()
            .all(|text| text.trim().is_empty())
    }
}
