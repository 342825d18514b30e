//! Texts in templates: the catalogue's own marks stand as they are, and what is put in is made harmless.

use std::fmt;

use askama::filters::HtmlSafe;

use super::{Language, filled, text};
use crate::view::Markup;

/// A text as HTML, in the language of the request.
pub struct Html(String);

/// A text of a template.
pub fn t(english: &'static str) -> Html {
    Html(text(english).to_owned())
}

/// What marks an element whose words come from the engine, on a page in another language than theirs.
pub fn foreign() -> Html {
    Html(match Language::current() {
        Language::English => String::new(),
        Language::Korean => " lang=\"en\"".to_owned(),
    })
}

/// Words of the engine within a sentence of the page.
pub fn quoted(words: &Markup) -> Html {
    Html(match Language::current() {
        Language::English => words.to_string(),
        Language::Korean => format!("<span lang=\"en\">{words}</span>"),
    })
}

impl Html {
    /// Puts a value where its name stands.
    #[must_use]
    pub fn put(self, name: &str, value: impl fmt::Display) -> Self {
        let value = harmless(&value.to_string());
        Self(filled(&self.0, &[(name, &value)]))
    }

    /// The same with what is HTML already.
    #[must_use]
    pub fn set(self, name: &str, value: &Markup) -> Self {
        Self(filled(&self.0, &[(name, value)]))
    }
}

/// As templates write what they are given.
fn harmless(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&#38;"),
            '<' => safe.push_str("&#60;"),
            '>' => safe.push_str("&#62;"),
            '"' => safe.push_str("&#34;"),
            '\'' => safe.push_str("&#39;"),
            c => safe.push(c),
        }
    }
    safe
}

impl fmt::Display for Html {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl HtmlSafe for Html {}
