//! The kind `http`: one guarded call per attempt, and a verdict from whatever comes of it.

mod address;
mod answer;
mod body;
mod caller;
mod client;
mod connection;
mod connector;
mod destination;
mod exchange;
mod failure;
mod head;
pub(crate) mod headers;
mod origins;
mod outgoing;
mod path;
mod pool;
pub mod reading;
mod request;
mod resolver;
mod retry_after;
mod trust;

use std::{
    collections::{BTreeMap, HashSet},
    net::SocketAddr,
    sync::Arc,
    time::Duration,
};

use async_trait::async_trait;
use baton_domain::{
    Clock,
    job::{Class, Failure, FieldError, Verdict},
};
use baton_ports::{Call, Handler};
use http::HeaderMap;
use ipnet::IpNet;
use parking_lot::Mutex;
use url::Url;

use crate::payload::Fields;

pub(crate) use self::{
    address::Address,
    answer::{BodyLimit, Extent, HttpResponse},
    caller::Caller,
    exchange::MOST_READ,
    request::{HttpRequest, Target},
};
use self::{
    address::Addresses,
    destination::{Destinations, FOR_OTHERS},
    request::{Read, read_place},
};
pub use self::{
    destination::{BadDestination, DestinationConfig},
    origins::OriginLimit,
    trust::{Authorities, BadAuthorities},
};

/// How many calls to one origin are under way at once, where nothing else is said.
pub const CALLS_PER_ORIGIN: usize = 128;

/// How calls are made.
#[derive(Debug, Clone)]
pub struct HttpConfig {
    /// Whether private, loopback, link-local and metadata addresses may be called.
    pub allow_private_targets: bool,
    /// Networks that may be called, private or not.
    pub allowed_networks: Vec<IpNet>,
    /// Receivers that payloads can name. Only calls to them are signed, each with a secret of its own: one
    /// that several receivers know lets each of them forge calls to the others.
    pub destinations: BTreeMap<String, DestinationConfig>,
    /// Who is asked for the addresses of names; those of the system if none is named.
    pub nameservers: Vec<SocketAddr>,
    /// Authorities whose certificates are trusted beside those of the public ones.
    pub ca: Option<Authorities>,
    /// How long a connection may take, from resolving the name to the end of the TLS handshake.
    pub connect_timeout: Duration,
    /// How long an idle connection is kept.
    pub idle_timeout: Duration,
    /// How many idle connections are kept for each origin.
    pub max_idle_per_host: usize,
    /// How many calls to one origin are under way at once; those of all clients count that share this.
    pub origins: Arc<OriginLimit>,
}

impl Default for HttpConfig {
    fn default() -> Self {
        Self {
            allow_private_targets: false,
            allowed_networks: Vec::new(),
            destinations: BTreeMap::new(),
            nameservers: Vec::new(),
            ca: None,
            connect_timeout: Duration::from_secs(10),
            // Common servers close after five idle seconds. Leaving earlier than they do keeps a
            // request from meeting a closing connection, which would leave its outcome unknown.
            idle_timeout: Duration::from_secs(4),
            // Fewer than there are slots would close connections for others to open them again.
            max_idle_per_host: 1_024,
            origins: Arc::new(OriginLimit::new(CALLS_PER_ORIGIN)),
        }
    }
}

/// Why the outgoing client cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The TLS settings contradict each other.
    #[error("the TLS settings of outgoing calls do not work: {0}")]
    Tls(#[from] rustls::Error),
    /// The authorities of outgoing calls cannot be read.
    #[error(transparent)]
    Authorities(#[from] BadAuthorities),
    /// A destination cannot be used as it is configured.
    #[error(transparent)]
    Destination(#[from] BadDestination),
}

/// Does the work of kind `http`: calls the payload's URL, or its destination, once per attempt.
pub struct HttpHandler {
    caller: Caller,
    addresses: Addresses,
    destinations: Destinations,
    /// Those that jobs ask for and that this node does not have; each is told once.
    missing: Mutex<HashSet<String>>,
}

impl HttpHandler {
    /// A handler with a client, and so a pool of connections, of its own.
    pub fn new(config: HttpConfig, clock: Arc<dyn Clock>) -> Result<Self, StartError> {
        Ok(Self {
            destinations: Destinations::new(&config, &clock)?,
            caller: Caller::new(config, Vec::new(), clock)?,
            addresses: Addresses::default(),
            missing: Mutex::default(),
        })
    }

    /// Does what a job of this kind with this payload does, and tells its receiver more, in headers that no payload can set.
    pub async fn run_telling(&self, call: &Call, headers: HeaderMap) -> Verdict {
        match self.read(&call.args.payload) {
            Ok(Read::Anywhere(mut asked)) => {
                asked.headers.extend(headers);
                self.call(call, &asked).await
            }
            Ok(Read::Destination(name, _) | Read::Missing(name)) => self.leave_to_others(&name),
            Err(errors) => crate::payload::refusal(&errors),
        }
    }

    async fn call(&self, call: &Call, asked: &HttpRequest) -> Verdict {
        match self.caller.call(call, asked).await {
            Ok(answer) => answer.verdict(&asked.address.url, self.caller.now()),
            Err(verdict) => verdict,
        }
    }
}

/// For kinds that read what they call.
impl HttpHandler {
    /// Takes the address that a payload names, or its destination and path.
    pub(crate) fn target(&self, fields: &mut Fields<'_>) -> Option<Target> {
        read_place(fields, &self.addresses, &self.destinations)
    }

    /// The same when nothing is called yet: a destination has to be there.
    pub(crate) fn refusal(&self, destination: &str) -> FieldError {
        FieldError::new("payload.destination", self.no_such(destination))
    }

    /// The address of a page that another page of the same walk has named, or what is wrong with it.
    pub(crate) fn address_of(
        &self,
        destination: Option<&str>,
        first: &Address,
        url: &Url,
    ) -> Result<Address, String> {
        match destination.and_then(|name| self.destinations.get(name)) {
            Some(destination) => destination.address_of(url),
            None if url.origin() == first.url.origin() => Address::read(url.as_str()),
            None => Err(format!("does not lie at {}", first.origin())),
        }
    }

    /// Calls once, and waits for all of the answer; an answer other than 2xx is the verdict it comes to.
    pub(crate) async fn fetch(
        &self,
        call: &Call,
        destination: Option<&str>,
        asked: HttpRequest,
    ) -> Result<HttpResponse, Verdict> {
        let (answer, verdict) = if let Some(name) = destination {
            let Some(destination) = self.destinations.get(name) else {
                return Err(self.leave_to_others(name));
            };
            destination.call(call.clone(), asked).await?
        } else {
            let answer = self.caller.call(call, &asked).await?;
            let verdict = answer.verdict(&asked.address.url, self.caller.now());
            (answer, verdict)
        };
        match verdict {
            Verdict::Accepted { .. } => Ok(answer),
            verdict => Err(verdict),
        }
    }
}

impl HttpHandler {
    fn read(&self, payload: &str) -> Result<Read, Vec<FieldError>> {
        HttpRequest::read(payload, &self.addresses, &self.destinations)
    }

    fn no_such(&self, name: &str) -> String {
        format!(
            "no destination {name:?} is configured here; {}",
            self.destinations.known()
        )
    }

    /// Nodes need not have the same destinations: whoever has this one calls it.
    pub(crate) fn leave_to_others(&self, name: &str) -> Verdict {
        if self.missing.lock().insert(name.to_owned()) {
            destination::tell_missing(name);
        }
        let message = format!(
            "nothing was sent: no destination {name} is configured where this ran, and it waits for a node that has it; {}",
            self.destinations.known()
        );
        Verdict::Failed {
            failure: Failure::new(Class::Throttled, "no_destination", message),
            retry_after: Some(FOR_OTHERS),
        }
    }

    async fn call_destination(&self, call: Call, name: &str, asked: HttpRequest) -> Verdict {
        match self.destinations.get(name) {
            Some(destination) => match destination.call(call, asked).await {
                Ok((_, verdict)) | Err(verdict) => verdict,
            },
            None => self.leave_to_others(name),
        }
    }
}

#[async_trait]
impl Handler for HttpHandler {
    fn kind(&self) -> &'static str {
        "http"
    }

    fn check(&self, payload: &str) -> Result<(), Vec<FieldError>> {
        match self.read(payload)? {
            Read::Missing(name) => Err(vec![FieldError::new(
                "payload.destination",
                self.no_such(&name),
            )]),
            Read::Anywhere(_) | Read::Destination(..) => Ok(()),
        }
    }

    async fn run(&self, call: Call) -> Verdict {
        match self.read(&call.args.payload) {
            Ok(Read::Anywhere(asked)) => self.call(&call, &asked).await,
            // Rarer, so it has a place of its own.
            Ok(Read::Destination(name, asked)) => {
                Box::pin(self.call_destination(call, &name, asked)).await
            }
            Ok(Read::Missing(name)) => self.leave_to_others(&name),
            Err(errors) => crate::payload::refusal(&errors),
        }
    }
}
