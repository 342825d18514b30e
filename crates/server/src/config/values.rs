//! Values that are checked where they are read.

use std::{
    fmt,
    net::{Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
};

use baton_providers::{IpNet, Secret};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Where a database is. Written anywhere, it hides its password.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct DatabaseUrl(String);

impl DatabaseUrl {
    pub fn new(url: impl Into<String>) -> Self {
        Self(url.into())
    }

    /// The file of the data folder.
    pub fn in_folder(folder: &Path) -> Self {
        Self(format!("sqlite://{}", folder.join("baton.db").display()))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The whole URL, password included: for connecting, not for telling.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    pub fn scheme(&self) -> &str {
        self.0.split_once(':').map_or("", |(scheme, _)| scheme)
    }

    /// The file, if it is one of SQLite.
    pub fn file(&self) -> Option<PathBuf> {
        let path = self.0.strip_prefix("sqlite:")?;
        let path = path.strip_prefix("//").unwrap_or(path);
        Some(PathBuf::from(path.split('?').next().unwrap_or(path)))
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_without_password(&self.0, f)
    }
}

/// Where a Redis is; empty for none. Written anywhere, it hides its password.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct RedisUrl(String);

impl RedisUrl {
    pub fn new(url: impl Into<String>) -> Self {
        Self(url.into())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The whole URL, password included: for connecting, not for telling.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RedisUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_without_password(&self.0, f)
    }
}

impl fmt::Debug for RedisUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for RedisUrl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

fn write_without_password(url: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Some((scheme, rest)) = url.split_once("://") else {
        return f.write_str(url);
    };
    // A password can hold any sign but the last @ before the host.
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    match authority.rsplit_once('@') {
        Some((user, host)) => {
            let name = user.split(':').next().unwrap_or(user);
            write!(f, "{scheme}://{name}@{host}/{}", without_secrets(path))
        }
        None => write!(f, "{scheme}://{}", without_secrets(rest)),
    }
}

/// Drivers also take a password from the query.
fn without_secrets(path: &str) -> &str {
    match path.split_once('?') {
        Some((path, query)) if query.contains("password") => path,
        _ => path,
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for DatabaseUrl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Networks that may be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network(pub IpNet);

impl Serialize for Network {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Network {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Self).map_err(|_| {
            de::Error::custom(format!(
                "{text:?} is not a network such as \"10.1.0.0/16\" or \"fd00::/8\""
            ))
        })
    }
}

/// What calls are signed with; never written anywhere.
#[derive(Debug, Clone)]
pub struct SigningSecret {
    text: String,
    pub secret: Secret,
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
        let text = String::deserialize(deserializer)?;
        let secret = text.parse().map_err(de::Error::custom)?;
        Ok(Self { text, secret })
    }
}

/// A text that is never written anywhere: a header that may carry credentials.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Hidden(String);

impl Hidden {
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
///
/// # Errors
/// When the text is none.
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

pub fn read_address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SocketAddr, D::Error> {
    address(&String::deserialize(deserializer)?).map_err(de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_url_is_told_without_its_password() {
        let told = |url: &str| DatabaseUrl::new(url).to_string();

        assert_eq!(
            told("postgres://baton:p@ss@db:5432/jobs"),
            "postgres://baton@db:5432/jobs"
        );
        assert_eq!(
            told("postgres://db/jobs?password=secret"),
            "postgres://db/jobs"
        );
        assert_eq!(told("sqlite://a/b.db"), "sqlite://a/b.db");
    }

    #[test]
    fn a_sqlite_url_names_its_file() {
        let file = |url: &str| DatabaseUrl::new(url).file();

        assert_eq!(file("sqlite://a/b.db"), Some(PathBuf::from("a/b.db")));
        assert_eq!(file("sqlite:///a/b.db"), Some(PathBuf::from("/a/b.db")));
        assert_eq!(file("postgres://a/b"), None);
    }
}
