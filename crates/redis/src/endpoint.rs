//! Where Redis is: at one address, or wherever the Sentinels of a service say that its primary is.

use futures::{FutureExt, future::select_ok};
use redis::{
    AsyncConnectionConfig, Client, ConnectionAddr, ConnectionInfo, ErrorKind, RedisError,
    RedisResult, cmd,
};

use crate::options::{UrlError, address, tuned};

const SCHEME: &str = "redis+sentinel://";
const SENTINELS_PORT: u16 = 26379;

/// Where Redis is.
pub enum Endpoint {
    Fixed(Client),
    Watched(Watched),
}

/// A service whose primary may be another each time.
pub struct Watched {
    sentinels: Vec<Client>,
    service: String,
    /// All but the address of the primary.
    primary: ConnectionInfo,
}

impl Endpoint {
    /// The place that a URL names, and its address without anything secret.
    pub fn of(url: &str) -> Result<(Self, String), UrlError> {
        if let Some(rest) = url.strip_prefix(SCHEME) {
            return watched(rest);
        }
        let info = tuned(url)?;
        let address = address(&info);
        let client = Client::open(info).map_err(UrlError::from)?;
        Ok((Self::Fixed(client), address))
    }

    /// A client for who is the primary now.
    pub async fn client(&self) -> RedisResult<Client> {
        match self {
            Self::Fixed(client) => Ok(client.clone()),
            Self::Watched(watched) => watched.client().await,
        }
    }
}

/// Reads `[user:password@]host:port,host:port/service[/database]`.
fn watched(rest: &str) -> Result<(Endpoint, String), UrlError> {
    let (login, place) = match rest.rsplit_once('@') {
        Some((login, place)) => (format!("{login}@"), place),
        None => (String::new(), rest),
    };
    let (hosts, path) = place.split_once('/').unwrap_or((place, ""));
    let (service, database) = path.split_once('/').unwrap_or((path, ""));
    if service.is_empty() {
        return Err(UrlError::of_sentinels("it names no service"));
    }
    let sentinels = hosts.split(',').map(|host| {
        let is_named = host
            .rsplit_once(':')
            .is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        let port = if is_named {
            String::new()
        } else {
            format!(":{SENTINELS_PORT}")
        };
        Client::open(tuned(&format!("redis://{host}{port}"))?).map_err(UrlError::from)
    });
    let watched = Watched {
        sentinels: sentinels.collect::<Result<_, _>>()?,
        service: service.to_owned(),
        primary: tuned(&format!("redis://{login}primary/{database}"))?,
    };
    let address = format!("{service} (Sentinels {hosts})");
    Ok((Endpoint::Watched(watched), address))
}

impl Watched {
    /// All Sentinels are asked at once, and the first who knows is believed: one that is gone or silent costs nothing.
    async fn client(&self) -> RedisResult<Client> {
        let asked = self.sentinels.iter();
        let asked = asked.map(|sentinel| ask(sentinel, &self.service).boxed());
        let ((host, port), _) = select_ok(asked).await?;
        let info = self.primary.clone();
        Client::open(info.set_addr(ConnectionAddr::Tcp(host, port)))
    }
}

/// Whoever asks has a deadline for the whole.
async fn ask(sentinel: &Client, service: &str) -> RedisResult<(String, u16)> {
    let config = AsyncConnectionConfig::new()
        .set_connection_timeout(None)
        .set_response_timeout(None);
    let connecting = sentinel.get_multiplexed_async_connection_with_config(&config);
    let mut connection = connecting.await?;
    let mut question = cmd("SENTINEL");
    question.arg("get-master-addr-by-name").arg(service);
    let found: Option<(String, u16)> = question.query_async(&mut connection).await?;
    found.ok_or_else(|| {
        RedisError::from((
            ErrorKind::InvalidClientConfig,
            "the Sentinels know no service of this name",
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_is_named_with_its_sentinels() {
        let url = "redis+sentinel://:secret@one:1,two/jobs/3";

        let (endpoint, address) = Endpoint::of(url).unwrap();

        let Endpoint::Watched(watched) = endpoint else {
            panic!("expected Sentinels");
        };
        let hosts = watched.sentinels.iter();
        let hosts: Vec<_> = hosts
            .map(|one| one.get_connection_info().addr().to_string())
            .collect();
        assert_eq!(hosts, ["one:1", "two:26379"]);
        assert_eq!(watched.service, "jobs");
        assert_eq!(watched.primary.redis_settings().db(), 3);
        assert_eq!(address, "jobs (Sentinels one:1,two)");
    }

    #[test]
    fn sentinels_without_a_service_are_refused_with_how_to_name_one() {
        for url in ["redis+sentinel://one:1", "redis+sentinel://one:1,two:2/"] {
            let refused = Endpoint::of(url).err().unwrap().to_string();

            assert!(refused.contains("redis+sentinel://host:26379"), "{refused}");
        }
    }
}
