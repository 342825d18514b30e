//! A text with places: `Hello {{id}}`.

use std::fmt;

use crate::queue::is_name;

const KNOWN: &str =
    "there are {{id}}, {{platform}}, {{time_zone}}, {{addresses.CHANNEL}} and {{data.NAME}}";

/// A text with places, read.
#[derive(Debug, Clone, PartialEq)]
pub struct Template(Vec<Part>);

#[derive(Debug, Clone, PartialEq)]
enum Part {
    Text(String),
    Placeholder(Placeholder),
}

/// What a place is filled with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Placeholder {
    /// The recipient's id.
    Id,
    /// What the recipient is reached on.
    Platform,
    /// The IANA name of the recipient's time zone.
    TimeZone,
    /// The recipient's address on a channel.
    Address(String),
    /// A value that came with the message.
    Data(String),
}

impl Template {
    /// Reads a text, or says what is wrong with it.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            let (name, after) = after
                .split_once("}}")
                .ok_or("has a '{{' without a '}}' after it")?;
            parts.extend((!before.is_empty()).then(|| Part::Text(before.to_owned())));
            parts.push(Part::Placeholder(Placeholder::read(name.trim())?));
            rest = after;
        }
        parts.extend((!rest.is_empty()).then(|| Part::Text(rest.to_owned())));
        Ok(Self(parts))
    }

    /// The places of the text, first to last.
    pub fn places(&self) -> impl Iterator<Item = &Placeholder> {
        self.0.iter().filter_map(|part| match part {
            Part::Text(_) => None,
            Part::Placeholder(place) => Some(place),
        })
    }

    /// How long the text can become in bytes, when the longest value of each place is so long.
    pub fn longest(&self, value: impl Fn(&Placeholder) -> usize) -> usize {
        let part = |part: &Part| match part {
            Part::Text(words) => words.len(),
            Part::Placeholder(place) => value(place),
        };
        self.0.iter().map(part).sum()
    }

    /// The text with every place filled, of so many bytes at most. What fills a place is text and nothing
    /// else: braces in it mean nothing.
    pub fn fill<'a, 'p>(
        &'p self,
        most: usize,
        value: impl Fn(&Placeholder) -> Option<&'a str>,
    ) -> Result<String, Gap<'p>> {
        let mut text = String::new();
        for part in &self.0 {
            let words = match part {
                Part::Text(words) => words,
                Part::Placeholder(place) => value(place).ok_or(Gap::Missing(place))?,
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
#[derive(Debug)]
pub enum Gap<'a> {
    /// The first place that has no value.
    Missing(&'a Placeholder),
    /// It would be longer than it may be.
    TooLong,
}

impl Placeholder {
    fn read(name: &str) -> Result<Self, String> {
        match name.split_once('.') {
            None if name == "id" => Ok(Self::Id),
            None if name == "platform" => Ok(Self::Platform),
            None if name == "time_zone" => Ok(Self::TimeZone),
            Some(("addresses", channel)) if is_name(channel) => {
                Ok(Self::Address(channel.to_owned()))
            }
            Some(("data", name)) if !name.is_empty() => Ok(Self::Data(name.to_owned())),
            _ => Err(format!(
                "asks for {{{{{name}}}}}, which nothing can fill; {KNOWN}"
            )),
        }
    }
}

impl fmt::Display for Placeholder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id => f.write_str("id"),
            Self::Platform => f.write_str("platform"),
            Self::TimeZone => f.write_str("time_zone"),
            Self::Address(channel) => write!(f, "addresses.{channel}"),
            Self::Data(name) => write!(f, "data.{name}"),
        }
    }
}
