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
    Place(Place),
}

/// What a place is filled with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
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
            parts.push(Part::Place(Place::read(name.trim())?));
            rest = after;
        }
        parts.extend((!rest.is_empty()).then(|| Part::Text(rest.to_owned())));
        Ok(Self(parts))
    }

    /// The places of the text, first to last.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        self.0.iter().filter_map(|part| match part {
            Part::Text(_) => None,
            Part::Place(place) => Some(place),
        })
    }

    /// The text with every place filled, or the first place that has no value. What fills a place is
    /// text and nothing else: braces in it mean nothing.
    pub fn fill<'a>(&self, value: impl Fn(&Place) -> Option<&'a str>) -> Result<String, &Place> {
        let mut text = String::new();
        for part in &self.0 {
            match part {
                Part::Text(words) => text.push_str(words),
                Part::Place(place) => text.push_str(value(place).ok_or(place)?),
            }
        }
        Ok(text)
    }
}

impl Place {
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

impl fmt::Display for Place {
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
