//! Values that are checked where they are read.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, SocketAddr},
};

use baton_providers::{IpNet, Secret, SecretError};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::written::{TextOrFile, TextsOrFile};

/// A network, or one address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network(pub IpNet);

impl Network {
    /// Reads one: `10.1.0.0/16`, `fd00::/8`, `10.1.0.7`.
    pub fn read(text: &str) -> Result<Self, String> {
        let network = text.parse();
        let address = || text.parse::<IpAddr>().map(IpNet::from);
        network.or_else(|_| address()).map(Self).map_err(|_| {
            format!(
                "{text:?} is neither a network such as 10.1.0.0/16 or fd00::/8 nor an address such as 10.1.0.7"
            )
        })
    }
}

impl Serialize for Network {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Network {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::read(&String::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

/// What calls are signed with; never written anywhere.
#[derive(Clone)]
pub struct SigningSecret {
    text: String,
    pub secret: Secret,
}

impl fmt::Debug for SigningSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(hidden)")
    }
}

impl PartialEq for SigningSecret {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for SigningSecret {}

impl Serialize for SigningSecret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str("(hidden)")
    }
}

impl<'de> Deserialize<'de> for SigningSecret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let TextOrFile(text) = TextOrFile::deserialize(deserializer)?;
        Self::read(text).map_err(de::Error::custom)
    }
}

impl SigningSecret {
    fn read(text: String) -> Result<Self, SecretError> {
        let secret = text.parse()?;
        Ok(Self { text, secret })
    }
}

/// What calls are signed with, the newest first; several while they are rotated.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct SigningSecrets(Vec<SigningSecret>);

impl SigningSecrets {
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them: for signing, not for telling.
    pub fn all(&self) -> Vec<Secret> {
        self.0
            .iter()
            .map(|signing| signing.secret.clone())
            .collect()
    }
}

impl<'de> Deserialize<'de> for SigningSecrets {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let TextsOrFile(texts) = TextsOrFile::deserialize(deserializer)?;
        let secrets = texts.into_iter().map(SigningSecret::read);
        let secrets: Result<_, _> = secrets.collect();
        secrets.map(Self).map_err(de::Error::custom)
    }
}

/// A text that is never written anywhere: a header that may carry credentials.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "TextOrFile")]
pub struct Hidden(String);

impl From<TextOrFile> for Hidden {
    fn from(written: TextOrFile) -> Self {
        Self(written.0)
    }
}

impl Hidden {
    /// What is hidden from here on.
    pub const fn new(text: String) -> Self {
        Self(text)
    }

    /// The text: for sending, not for telling.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(hidden)")
    }
}

impl Serialize for Hidden {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str("(hidden)")
    }
}

/// Reads an address to listen on: `127.0.0.1:7878`, `[::1]:7878`, `localhost:7878`.
pub fn address(text: &str) -> Result<SocketAddr, String> {
    if let Some(port) = text.strip_prefix("localhost:")
        && let Ok(port) = port.parse::<u16>()
    {
        return Ok(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    }
    text.parse().map_err(|_| {
        "expected an address and a port, such as 127.0.0.1:7878 or [::1]:7878".to_owned()
    })
}
