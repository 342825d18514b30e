//! The catalogue of a language: its words for the English ones.

use std::{collections::HashMap, sync::LazyLock};

static KOREAN: LazyLock<HashMap<String, String>> =
    LazyLock::new(|| read(include_str!("../../locales/ko.toml")));

/// What an English text is called in Korean.
pub fn korean(english: &str) -> Option<&'static str> {
    KOREAN.get(english).map(String::as_str)
}

/// A test reads the same file, so one that cannot be read goes to nobody.
fn read(file: &str) -> HashMap<String, String> {
    toml::from_str(file).unwrap_or_else(|error| {
        tracing::error!(%error, "the catalogue of a language cannot be read");
        HashMap::new()
    })
}
