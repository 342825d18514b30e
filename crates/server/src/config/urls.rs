//! URLs that hold secrets: of a database, a Redis, a gateway. Written anywhere, they hide them.

use std::{
    convert::Infallible,
    fmt,
    path::{Path, PathBuf},
};

use baton_sql::without_password;
use serde::{Deserialize, Serialize, Serializer};

use super::written::TextOrFile;

/// Where a database is. Written anywhere, it hides its password.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "TextOrFile")]
pub struct DatabaseUrl(String);

impl From<TextOrFile> for DatabaseUrl {
    fn from(written: TextOrFile) -> Self {
        Self(written.0)
    }
}

impl DatabaseUrl {
    pub fn new(url: impl Into<String>) -> Self {
        Self(url.into())
    }

    /// The file of the data folder.
    pub fn in_folder(folder: &Path) -> Self {
        Self(format!("sqlite://{}", folder.join("baton.db").display()))
    }

    /// The same from a flag or a variable; it is judged when all layers are known.
    pub fn read(url: &str) -> Result<Self, Infallible> {
        Ok(Self::new(url))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The whole URL, password included: for connecting, not for telling.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether it holds a password.
    pub fn has_password(&self) -> bool {
        has_password(&self.0)
    }

    /// The same with a password that is told apart from it, or why that cannot be.
    pub fn with_password(&self, password: &str) -> Result<Self, &'static str> {
        with_password(&self.0, password).map(Self)
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
        f.write_str(&without_password(&self.0))
    }
}

/// Where a Redis is; empty for none. Written anywhere, it hides its password.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "TextOrFile")]
pub struct RedisUrl(String);

impl From<TextOrFile> for RedisUrl {
    fn from(written: TextOrFile) -> Self {
        Self(written.0)
    }
}

impl RedisUrl {
    pub fn new(url: impl Into<String>) -> Self {
        Self(url.into())
    }

    /// The same from a flag or a variable; it is judged when all layers are known.
    pub fn read(url: &str) -> Result<Self, Infallible> {
        Ok(Self::new(url))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether it holds a password.
    pub fn has_password(&self) -> bool {
        has_password(&self.0)
    }

    /// The same with a password that is told apart from it, or why that cannot be.
    pub fn with_password(&self, password: &str) -> Result<Self, &'static str> {
        with_password(&self.0, password).map(Self)
    }

    /// The whole URL, password included: for connecting, not for telling.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RedisUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&without_password(&self.0))
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

/// Puts a password behind the name of the user.
fn with_password(url: &str, password: &str) -> Result<String, &'static str> {
    let Some((scheme, rest)) = url
        .split_once("://")
        .filter(|(scheme, _)| *scheme != "sqlite")
    else {
        return Err(
            "has no password to be given: it goes with a URL such as postgres://user@host/name",
        );
    };
    if has_password(url) {
        return Err("is given twice: the URL has one as well");
    }
    let (user, place) = rest.rsplit_once('@').unwrap_or(("", rest));
    let password: String = password.bytes().map(encoded).collect();
    Ok(format!("{scheme}://{user}:{password}@{place}"))
}

/// A byte as it may stand in any part of a URL.
fn encoded(byte: u8) -> String {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    }
}

/// Whether a password stands in a URL, by the way it is written.
fn has_password(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.contains("password")
        || rest
            .rsplit_once('@')
            .is_some_and(|(user, _)| user.contains(':'))
}

/// The URL of a gateway. Its path and its query can hold a token; written anywhere, it hides them.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "TextOrFile")]
pub struct GatewayUrl(String);

impl From<TextOrFile> for GatewayUrl {
    fn from(written: TextOrFile) -> Self {
        Self(written.0)
    }
}

impl GatewayUrl {
    /// The whole URL: for calling, not for telling.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether there is anything in it beside the host.
    pub fn has_secrets(&self) -> bool {
        self.to_string() != self.0
    }
}

impl fmt::Display for GatewayUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((scheme, rest)) = self.0.split_once("://") else {
            return f.write_str(if self.0.is_empty() { "" } else { "(hidden)" });
        };
        let (place, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        let host = place.rsplit_once('@').map_or(place, |(_, host)| host);
        let hidden = if path.len() > 1 { "/(hidden)" } else { path };
        write!(f, "{scheme}://{host}{hidden}")
    }
}

impl fmt::Debug for GatewayUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for GatewayUrl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
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
        assert_eq!(told("sqlite://a/b@c:d.db"), "sqlite://a/b@c:d.db");
    }

    #[test]
    fn a_password_that_is_told_apart_is_put_into_the_url_and_not_told() {
        let url = DatabaseUrl::new("postgres://baton@db:5432,db2/jobs?sslmode=require");
        let redis = RedisUrl::new("redis://cache:6379/1");

        let url = url.with_password("hu/h@ 1").unwrap();
        let redis = redis.with_password("hush").unwrap();

        assert_eq!(
            url.reveal(),
            "postgres://baton:hu%2Fh%40%201@db:5432,db2/jobs?sslmode=require"
        );
        assert_eq!(redis.reveal(), "redis://:hush@cache:6379/1");
        assert!(!format!("{url} {url:?} {redis} {redis:?}").contains("hu"));
        assert!(url.with_password("twice").is_err());
        assert!(
            DatabaseUrl::new("sqlite://a.db")
                .with_password("hush")
                .is_err()
        );
    }

    #[test]
    fn no_way_to_write_a_password_shows_it() {
        for url in [
            "postgres://baton:hush/hush@db/jobs",
            "postgres://baton:hu?hush@db/jobs",
            "postgres://baton:hush?password@db/jobs",
            "postgres://baton:h@hush@db/jobs?sslmode=require",
            "postgres://db/jobs?user=a&password=hu@hush",
            "host=db user=baton password=hush",
            "redis:hush",
        ] {
            let told = DatabaseUrl::new(url).to_string();

            assert!(!told.contains("hu"), "{url} is told as {told}");
        }
    }

    #[test]
    fn a_gateway_is_told_without_what_can_be_a_token() {
        let told = |url: &str| GatewayUrl(url.to_owned()).to_string();

        assert_eq!(told("https://gateway.example"), "https://gateway.example");
        assert_eq!(
            told("https://u:hush@gateway.example/"),
            "https://gateway.example/"
        );
        assert_eq!(
            told("https://gateway.example/hush?t=1"),
            "https://gateway.example/(hidden)"
        );
        assert_eq!(told("gateway.example/hush"), "(hidden)");
    }

    #[test]
    fn a_sqlite_url_names_its_file() {
        let file = |url: &str| DatabaseUrl::new(url).file();

        assert_eq!(file("sqlite://a/b.db"), Some(PathBuf::from("a/b.db")));
        assert_eq!(file("sqlite:///a/b.db"), Some(PathBuf::from("/a/b.db")));
        assert_eq!(file("postgres://a/b"), None);
    }
}
