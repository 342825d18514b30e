//! Where the server listens: at an address and a port, or at a Unix socket.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
    str::FromStr,
};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::address;

const UNIX: &str = "unix:";

/// Where the server listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Listen {
    /// At an address and a port.
    Tcp(SocketAddr),
    /// At a socket in the file system, which its owner alone may open.
    Unix(PathBuf),
}

impl Listen {
    /// Whether nobody on another machine can reach it.
    pub fn is_local(&self) -> bool {
        self.ip().is_none_or(|ip| ip.is_loopback())
    }

    /// The address, where it has one.
    pub const fn ip(&self) -> Option<IpAddr> {
        match self {
            Self::Tcp(address) => Some(address.ip()),
            Self::Unix(_) => None,
        }
    }

    /// How a client is told of it that has nothing but this server.
    pub fn url(&self, speaks_tls: bool) -> String {
        match self {
            Self::Tcp(address) if speaks_tls => format!("https://{address}"),
            Self::Tcp(address) => format!("http://{address}"),
            Self::Unix(_) => self.to_string(),
        }
    }
}

impl Default for Listen {
    fn default() -> Self {
        Self::Tcp(SocketAddr::from((Ipv4Addr::LOCALHOST, 7878)))
    }
}

impl fmt::Display for Listen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => address.fmt(f),
            Self::Unix(path) => write!(f, "{UNIX}{}", path.display()),
        }
    }
}

impl FromStr for Listen {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix(UNIX).map(PathBuf::from) {
            Some(path) if path.is_absolute() => Ok(Self::Unix(path)),
            Some(_) => Err(
                "a socket is named by its whole path, such as unix:/run/baton/baton.sock"
                    .to_owned(),
            ),
            None => address(text).map(Self::Tcp),
        }
    }
}

impl Serialize for Listen {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Listen {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_and_a_socket_read_back_as_they_were_written() {
        for text in ["127.0.0.1:7878", "[::1]:0", "unix:/run/baton/baton.sock"] {
            assert_eq!(text.parse::<Listen>().unwrap().to_string(), text);
        }
        assert_eq!(
            "localhost:1".parse(),
            Ok(Listen::Tcp(([127, 0, 0, 1], 1).into()))
        );
    }

    #[test]
    fn a_socket_without_its_whole_path_is_refused_with_what_to_write() {
        for text in ["unix:", "unix:baton.sock", "unix:./baton.sock"] {
            let refused = text.parse::<Listen>().unwrap_err();

            assert!(
                refused.contains("unix:/run/baton/baton.sock"),
                "{text}: {refused}"
            );
        }
    }

    #[test]
    fn a_socket_and_loopback_are_for_this_machine_alone() {
        let is_local = |text: &str| text.parse::<Listen>().unwrap().is_local();

        assert!(is_local("unix:/run/baton.sock") && is_local("[::1]:1"));
        assert!(!is_local("0.0.0.0:1") && !is_local("10.0.0.7:1"));
    }
}
