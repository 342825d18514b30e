//! The places of a message: `{{id}}`, `{{data.name}}`.

use std::fmt;

use crate::{queue::is_name, template};

const KNOWN: &str =
    "there are {{id}}, {{platform}}, {{time_zone}}, {{addresses.CHANNEL}} and {{data.NAME}}";

/// A text of a message.
pub type Template = template::Template<Placeholder>;

/// Why a text of a message cannot be filled.
pub type Gap<'a> = template::Gap<'a, Placeholder>;

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

impl Placeholder {
    /// Reads what stands between the braces.
    pub fn read(name: &str) -> Result<Self, String> {
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
