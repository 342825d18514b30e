//! Destinations: receivers that the configuration names, with credentials that no payload needs to hold.

use std::{collections::BTreeMap, fmt, path::PathBuf, sync::Arc, time::Duration};

use baton_domain::{Clock, duration, job::Verdict, queue};
use baton_ports::Call;
use http::header::HeaderMap;
use url::Url;

use crate::signature::Secret;

use super::{
    Authorities, HttpConfig, StartError, address::Address, answer::HttpResponse, caller::Caller,
    headers, path, request::HttpRequest,
};

/// A destination as the configuration describes it.
#[derive(Clone, Default)]
pub struct DestinationConfig {
    /// What every address of it begins with.
    pub url: String,
    /// What else each request says, credentials above all. It goes before what a payload says.
    pub headers: BTreeMap<String, String>,
    /// What requests are signed with, the newest first. They are known to this receiver alone.
    pub secrets: Vec<Secret>,
    /// How long one call may take, if that is less than what the job allows.
    pub timeout: Option<Duration>,
    /// Whether it may be at a private address.
    pub allow_private: bool,
    /// A PEM file of authorities that are trusted for it, in place of those for all calls.
    pub ca: Option<PathBuf>,
}

impl fmt::Debug for DestinationConfig {
    /// Its address and its headers can hold credentials.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DestinationConfig").finish_non_exhaustive()
    }
}

/// Why a destination cannot be used as it is configured.
#[derive(Debug, thiserror::Error)]
#[error("destinations.{destination}{setting} {message}")]
pub struct BadDestination {
    destination: String,
    /// With a dot before it; nothing for the destination as a whole.
    setting: String,
    message: String,
}

/// The destinations there are, by name.
#[derive(Default)]
pub struct Destinations(BTreeMap<String, Destination>);

/// A receiver with a client of its own: what one destination may reach is nothing to another.
pub struct Destination {
    name: String,
    prefix: Url,
    headers: HeaderMap,
    caller: Caller,
    timeout: Option<Duration>,
}

impl Destinations {
    /// Builds every destination, or says which of them cannot be.
    pub fn new(config: &HttpConfig, clock: &Arc<dyn Clock>) -> Result<Self, StartError> {
        let configured = config.destinations.iter();
        let built = configured.map(|(name, destination)| {
            let built = Destination::new(name, destination, config, clock.clone())?;
            Ok((name.clone(), built))
        });
        Ok(Self(built.collect::<Result<_, StartError>>()?))
    }

    /// The destination of a name, if this node has it.
    pub fn get(&self, name: &str) -> Option<&Destination> {
        self.0.get(name)
    }

    /// The names there are, as a sentence says them.
    pub fn known(&self) -> String {
        let names: Vec<_> = self.0.keys().map(String::as_str).collect();
        match names.as_slice() {
            [] => "there is none".to_owned(),
            names => format!("there is: {}", names.join(", ")),
        }
    }
}

impl Destination {
    fn new(
        name: &str,
        wanted: &DestinationConfig,
        config: &HttpConfig,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, StartError> {
        let wrong = |setting: &str, message: String| BadDestination {
            destination: name.to_owned(),
            setting: setting.to_owned(),
            message,
        };
        if !queue::is_name(name) {
            let message = format!("cannot be called that: its name {}", queue::NAME_RULE);
            return Err(wrong("", message).into());
        }
        let prefix = read_prefix(&wanted.url).map_err(|message| wrong(".url", message))?;
        let headers = headers::read_all(&wanted.headers)
            .map_err(|(header, message)| wrong(&format!(".headers.{header}"), message.into()))?;
        if wanted.timeout.is_some_and(|timeout| timeout.is_zero()) {
            let message = "must be longer than nothing, or no call is ever answered";
            return Err(wrong(".timeout", message.to_owned()).into());
        }
        let own_ca = |file| {
            let setting = format!("destinations.{name}.ca");
            Some(Authorities { setting, file })
        };
        let config = HttpConfig {
            allow_private_targets: config.allow_private_targets || wanted.allow_private,
            ca: wanted.ca.clone().map_or_else(|| config.ca.clone(), own_ca),
            destinations: BTreeMap::new(),
            ..config.clone()
        };
        Ok(Self {
            name: name.to_owned(),
            prefix,
            headers,
            caller: Caller::new(config, wanted.secrets.clone(), clock)?,
            timeout: wanted.timeout,
        })
    }

    /// The address of a path below it, or what is wrong with the path.
    pub fn address(&self, path: &str) -> Result<Address, String> {
        path::below(&self.prefix, path)
    }

    /// The address of a whole URL below it, or what is wrong with that.
    pub fn address_of(&self, url: &Url) -> Result<Address, String> {
        let below = url
            .as_str()
            .strip_prefix(self.prefix.as_str().trim_end_matches('/'));
        let is_below = |rest: &&str| rest.is_empty() || rest.starts_with(['/', '?']);
        match below.filter(is_below) {
            Some(rest) if rest.starts_with('?') => Address::read(url.as_str()),
            Some(rest) => self.address(rest),
            None => Err(format!("does not lie below the destination {}", self.name)),
        }
    }

    /// Calls it; the answer comes with what it means. Its own headers go before those that a payload asks for.
    pub async fn call(
        &self,
        call: Call,
        mut asked: HttpRequest,
    ) -> Result<(HttpResponse, Verdict), Verdict> {
        for (name, value) in &self.headers {
            asked.headers.insert(name, value.clone());
        }
        let timeout = self.timeout.unwrap_or(call.timeout).min(call.timeout);
        let call = Call { timeout, ..call };
        let answer = self.caller.call(&call, &asked).await?;
        let verdict = answer.verdict_at(&self.name, &asked.address.url, self.caller.now());
        Ok((answer, verdict))
    }
}

fn read_prefix(url: &str) -> Result<Url, String> {
    if url.is_empty() {
        return Err(
            "is missing: say what its addresses begin with, such as \"https://api.example/v1\""
                .to_owned(),
        );
    }
    if url.contains(['?', '#']) {
        return Err("must be a prefix, without ? and #: payloads say what follows".to_owned());
    }
    Ok(Address::read(url)?.url)
}

/// How long a job is left to other nodes before this one looks at it again.
pub const FOR_OTHERS: Duration = Duration::from_secs(10);

/// What is told once of a destination that jobs ask for and this node does not have.
pub fn tell_missing(name: &str) {
    tracing::warn!(
        destination = name,
        "no destination {name} is configured here: its jobs are put off for {} at a time, for a node that has it",
        duration::format(FOR_OTHERS)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_destination_needs_to_know_is_not_told() {
        let shop = DestinationConfig {
            url: "https://me:canary@shop.example/canary".to_owned(),
            headers: [("Authorization".to_owned(), "Bearer canary".to_owned())].into(),
            secrets: vec!["whsec_Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5".parse().unwrap()],
            ..DestinationConfig::default()
        };

        let config = HttpConfig {
            destinations: [("shop".to_owned(), shop.clone())].into(),
            ..HttpConfig::default()
        };

        for told in [format!("{shop:?} {shop:#?}"), format!("{config:?}")] {
            assert!(told.contains("DestinationConfig"), "{told}");
            assert!(!told.contains("canary") && !told.contains("Y2Fu"), "{told}");
        }
    }
}
