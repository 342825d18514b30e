//! A text with places: `Hello {{id}}`. What a place can be is for whoever reads the text to say.

/// A text with places, read.
#[derive(Debug, Clone, PartialEq)]
pub struct Template<P>(Vec<Part<P>>);

#[derive(Debug, Clone, PartialEq)]
enum Part<P> {
    Text(String),
    Place(P),
}

impl<P> Template<P> {
    /// Reads a text, and each place in it by `place`; or says what is wrong with it.
    ///
    /// # Errors
    /// The first thing that is wrong, as a sentence without its subject.
    pub fn read(text: &str, place: impl Fn(&str) -> Result<P, String>) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            let (name, after) = after
                .split_once("}}")
                .ok_or("has a '{{' without a '}}' after it")?;
            parts.extend((!before.is_empty()).then(|| Part::Text(before.to_owned())));
            parts.push(Part::Place(place(name.trim())?));
            rest = after;
        }
        parts.extend((!rest.is_empty()).then(|| Part::Text(rest.to_owned())));
        Ok(Self(parts))
    }

    /// The places of the text, first to last.
    pub fn places(&self) -> impl Iterator<Item = &P> {
        self.0.iter().filter_map(|part| match part {
            Part::Text(_) => None,
            Part::Place(place) => Some(place),
        })
    }

    /// How long the text can become in bytes, when the longest value of each place is so long.
    pub fn longest(&self, value: impl Fn(&P) -> usize) -> usize {
        let part = |part: &Part<P>| match part {
            Part::Text(words) => words.len(),
            Part::Place(place) => value(place),
        };
        self.0.iter().map(part).sum()
    }

    /// The text with every place filled, of so many bytes at most. What fills a place is text and nothing
    /// else: braces in it mean nothing.
    pub fn fill<V: AsRef<str>>(
        &self,
        most: usize,
        value: impl Fn(&P) -> Option<V>,
    ) -> Result<String, Gap<'_, P>> {
        let mut text = String::new();
        for part in &self.0 {
            let filled;
            let words = match part {
                Part::Text(words) => words,
                Part::Place(place) => {
                    filled = value(place).ok_or(Gap::Missing(place))?;
                    filled.as_ref()
                }
            };
            if text.len() + words.len() > most {
                return Err(Gap::TooLong);
            }
            text.push_str(words);
        }
        Ok(text)
    }
}

/// Why a text cannot be filled.
#[derive(Debug, PartialEq, Eq)]
pub enum Gap<'a, P> {
    /// The first place that has no value.
    Missing(&'a P),
    /// It would be longer than it may be.
    TooLong,
}

/// A JSON value as it reads in a sentence: a text, a number or a truth.
#[must_use]
pub fn plain(json: &str) -> Option<String> {
    match json.as_bytes().first()? {
        b'"' => serde_json::from_str(json).ok(),
        b'{' | b'[' | b'n' => None,
        _ => Some(json.to_owned()),
    }
}
