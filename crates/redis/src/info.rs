//! Reads what INFO answers.

use std::collections::HashMap;

/// Fields of INFO by name.
pub struct Info(HashMap<String, String>);

impl Info {
    pub fn read(text: &str) -> Self {
        let fields = text.lines().filter_map(|line| line.trim().split_once(':'));
        Self(
            fields
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
        )
    }

    pub fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    pub fn number(&self, name: &str) -> u64 {
        self.get(name).parse().unwrap_or(0)
    }
}
