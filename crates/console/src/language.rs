//! The languages of the pages: whose a request is, and what a text is called in it.
//!
//! A text is asked for by its English words, in code with `tr!` and in templates with `crate::t`. A catalogue a language stands
//! in `locales/`; a test sees that it has every text that is asked for, and no other.

mod catalogue;
mod choice;
mod html;

pub use choice::{answer_in, choose};
pub use html::{foreign, quoted, t};

use std::fmt::{Display, Write as _};

use serde_json::{Map, Value};

/// A text in the language of the request, with what is put into it by name.
macro_rules! tr {
    ($text:literal) => { $crate::language::text($text) };
    ($text:literal, $($name:ident = $value:expr),+ $(,)?) => {
        $crate::language::filled(
            $crate::language::text($text),
            &[$((stringify!($name), &$value as &dyn std::fmt::Display)),+],
        )
    };
}

/// A text that is asked for elsewhere, by a name that it has here.
macro_rules! key {
    ($text:literal) => {
        $text
    };
}

/// A language of the pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// What the texts are written in.
    English,
    /// Korean.
    Korean,
}

tokio::task_local! {
    static LANGUAGE: Language;
}

/// What the script says by itself.
const SCRIPT: [&str; 29] = [
    key!("{n} s"),
    key!("{n} m"),
    key!("{n} h"),
    key!("{n} d"),
    key!("now"),
    key!("{span} ago"),
    key!("in {span}"),
    key!("local"),
    key!("Local"),
    key!("The page is stale: {why}"),
    key!("{n} new"),
    key!("not live"),
    key!("paused"),
    key!("stale since {time}"),
    key!("connecting"),
    key!("reconnecting, {span} old"),
    key!("waits for you"),
    key!("live {span}"),
    key!("Live again"),
    key!("The connection is lost; reconnecting"),
    key!("Resume"),
    key!("Pause"),
    key!("Undo"),
    key!("Close"),
    key!(
        "The server does not answer, so it may have been done or not. Look before you press again."
    ),
    key!("Copied."),
    key!("The server does not answer."),
    key!("page of the search"),
    key!("Nothing could be searched: your session may be over. The {page} says more."),
];

impl Language {
    const ALL: [Self; 2] = [Self::English, Self::Korean];

    /// Of the request that is being answered.
    pub fn current() -> Self {
        LANGUAGE
            .try_with(|language| *language)
            .unwrap_or(Self::English)
    }

    /// Answers in this language.
    pub async fn scope<F: Future>(self, answer: F) -> F::Output {
        LANGUAGE.scope(self, answer).await
    }

    /// Its tag, as `lang` has it.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Korean => "ko",
        }
    }

    /// What whoever speaks it calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Korean => "한국어",
        }
    }

    /// The one that can be chosen instead.
    pub const fn other(self) -> Self {
        match self {
            Self::English => Self::Korean,
            Self::Korean => Self::English,
        }
    }

    fn of_tag(tag: &str) -> Option<Self> {
        let primary = tag.split(['-', '_']).next()?;
        let mut all = Self::ALL.into_iter();
        all.find(|language| language.tag().eq_ignore_ascii_case(primary))
    }
}

/// A text in the language of the request.
pub fn text(english: &'static str) -> &'static str {
    match Language::current() {
        Language::English => english,
        Language::Korean => catalogue::korean(english).unwrap_or(english),
    }
}

/// A text with values in the places that bear their names. What a value says is never read as a place.
pub fn filled(text: &str, values: &[(&str, &dyn Display)]) -> String {
    let mut told = String::with_capacity(text.len() + 16 * values.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        told.push_str(before);
        let place = after.split_once('}');
        let value = place.and_then(|(name, _)| values.iter().find(|(given, _)| *given == name));
        if let (Some((_, behind)), Some((_, value))) = (place, value) {
            // Writing to a string does not fail.
            let _ = write!(told, "{value}");
            rest = behind;
        } else {
            told.push('{');
            rest = after;
        }
    }
    told.push_str(rest);
    told
}

/// What the script says by itself, as JSON; it speaks English without.
pub fn words_of_the_script() -> Option<String> {
    if Language::current() == Language::English {
        return None;
    }
    let words = SCRIPT.map(|word| (word.to_owned(), Value::from(text(word))));
    Some(Value::Object(Map::from_iter(words)).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_where_their_names_stand_and_are_not_read_again() {
        let values: [(&str, &dyn Display); 2] = [("a", &"{b}"), ("b", &2)];

        let told = filled("{b} of {a}, {c} {", &values);

        assert_eq!(told, "2 of {b}, {c} {");
    }

    #[tokio::test]
    async fn a_text_is_in_the_language_of_the_request() {
        let spoken = Language::Korean.scope(async { text("Cancel") }).await;

        assert_eq!(spoken, "취소");
        assert_eq!(text("Cancel"), "Cancel");
    }
}
