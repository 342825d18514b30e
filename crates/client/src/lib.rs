//! The Rust client of Baton's HTTP API.
//!
//! ```no_run
//! use baton_client::{Client, EnqueueJob, Json};
//!
//! # async fn example() -> Result<(), baton_client::Error> {
//! let client = Client::new("http://127.0.0.1:7878")?;
//! let payload = Json::from_text(r#"{"url": "https://example.com/hook"}"#);
//! let enqueued = client.enqueue(&EnqueueJob::new("http", payload)).await?;
//! println!("{} is {}", enqueued.job.id, enqueued.job.state);
//! # Ok(())
//! # }
//! ```
//!
//! A call is made once, unless the client was told to retry ([`Client::retrying_for`]); then it
//! is repeated only where a repetition cannot do anything twice. An error says whether the server
//! refused ([`Error::Problem`]), could not be reached, or is no Baton.
//!
//! A server that asks who calls is shown an API key ([`Client::with_key`]).
//!
//! To add a call: its request and response in the `protocol` crate, its method in the file of its word.
#![warn(missing_docs)]

mod access;
mod call;
mod campaigns;
mod dead_letters;
mod dev;
mod error;
mod events;
mod follower;
mod health;
mod inbox;
mod jobs;
mod lines;
mod notifications;
mod queues;
mod recipients;
mod remote;
mod repeat;
mod schedules;
mod sse;
mod transport;

pub use baton_domain::access::{KeyToken, ParseKeyError};
pub use baton_protocol::{
    Json, Problem, ProblemKind,
    access::{
        AddUser, ApiKey, ChangeUser, CreateKey, CreatedKey, RotateKey, RotatedKey, SignedOut, User,
    },
    audience::{AudiencePreview, PreviewAudience},
    audit::{AuditEntry, AuditQuery},
    campaign::{
        Campaign, CampaignPreview, CampaignRest, ChangeCampaign, CommandCampaign, CreateCampaign,
        DeliveriesQuery, RetryFailed, SendToRest,
    },
    dead_letter::DeadLetters,
    dev::Quiet,
    event::{Event, EventPage, EventsQuery, Reset, StreamQuery},
    health::{Alive, Readiness},
    inbox::{InboxItem, InboxToken, Unread},
    job::{Attempt, AttemptsQuery, BatchItem, EnqueueJob, Explanation, Job, JobsQuery, Resolution},
    node::{Node, NodeClock},
    notification::{Message, Notification, Notify, Sent},
    operation::{Operation, OperationState},
    queue::{ChangeQueue, Queue},
    recipient::{Import, PutRecipient, Recipient, RecipientRow},
    schedule::{ChangeSchedule, CreateSchedule, Fire, NextTime, Schedule, ScheduledJob},
    worker::{Kind, RemoteWorker, Worker},
};
pub use error::{Error, Result};
pub use events::FeedMessage;
pub use health::Ready;
pub use inbox::InboxMessage;
pub use jobs::Enqueued;
pub use recipients::RowFormat;
pub use transport::Transport;

use std::{path::Path, sync::Arc, time::Duration};

use baton_protocol::reason;
use reqwest::header::HeaderValue;
use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, pem::PemObject},
};
use url::Url;

/// What an address of a socket in the file system begins with.
const UNIX: &str = "unix:";
/// How long a connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// A server whose machine has vanished says nothing, and neither does one that has nothing to say: a connection on which nothing was said
/// for so long is asked about, so often and so many times, until it counts as lost.
const KEEPALIVE: Duration = Duration::from_secs(10);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(5);
const KEEPALIVE_RETRIES: u32 = 3;
/// How long an answer may take; a little longer than the server itself gives it.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(40);

/// A client of one server; cheap to clone.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    /// What carries its requests instead of connections.
    transport: Option<Arc<dyn Transport>>,
    /// The address as it was told, without a slash at its end.
    address: String,
    base: Url,
    /// The header that shows an API key; `Debug` does not tell it.
    authorization: Option<HeaderValue>,
    /// The header that says why.
    reason: Option<HeaderValue>,
    retry_for: Duration,
}

impl Client {
    /// A client of the server at this address: `http://127.0.0.1:7878`, or `unix:/run/baton/baton.sock`.
    pub fn new(address: &str) -> Result<Self> {
        Self::build(address, &[])
    }

    /// The same, which trusts the authorities of this text in PEM beside the public ones.
    pub fn trusting(address: &str, authorities: &str) -> Result<Self> {
        let all = CertificateDer::pem_slice_iter(authorities.as_bytes());
        let all: std::result::Result<Vec<_>, _> = all.collect();
        match all {
            Ok(all) if !all.is_empty() => Self::build(address, &all),
            Ok(_) => Err(Error::BadAuthority("it holds no certificate".to_owned())),
            Err(error) => Err(Error::BadAuthority(error.to_string())),
        }
    }

    fn build(address: &str, authorities: &[CertificateDer<'static>]) -> Result<Self> {
        let socket = address.strip_prefix(UNIX).map(Path::new);
        Ok(Self {
            base: base_of(match socket {
                // What is asked of a socket is asked of this machine.
                Some(_) => "http://localhost",
                None => address,
            })?,
            http: build(authorities, socket)?,
            address: address.trim_end_matches('/').to_owned(),
            transport: None,
            authorization: None,
            reason: None,
            retry_for: Duration::ZERO,
        })
    }

    /// The same client, which shows this API key with every call, to its own server and nobody else.
    #[must_use]
    pub fn with_key(self, key: &KeyToken) -> Self {
        let shown = HeaderValue::from_str(&format!("Bearer {}", key.reveal()));
        let authorization = shown.ok().map(|mut shown| {
            shown.set_sensitive(true);
            shown
        });
        Self {
            authorization,
            ..self
        }
    }

    /// The same client, which says with every call why it is made: the audit log of the server keeps that beside what it did. The
    /// server takes 500 characters at most.
    #[must_use]
    pub fn because(self, reason: &str) -> Self {
        let reason = HeaderValue::from_str(&reason::to_header(reason)).ok();
        Self { reason, ..self }
    }

    /// The same client, which repeats for so long what can be repeated safely: a read, or an enqueue
    /// with a key, after a lost connection or an answer that says to come back.
    #[must_use]
    pub fn retrying_for(self, retry_for: Duration) -> Self {
        Self { retry_for, ..self }
    }

    /// The same client, whose requests this carries: it opens no connection.
    #[must_use]
    pub fn carried_by(self, transport: Arc<dyn Transport>) -> Self {
        Self {
            transport: Some(transport),
            ..self
        }
    }

    /// The address of the server.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }
}

fn base_of(address: &str) -> Result<Url> {
    let bad = |why: String| Error::BadAddress {
        address: address.to_owned(),
        why,
    };
    let mut url = Url::parse(address).map_err(|error| bad(error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
        return Err(bad("it must begin with http:// or https://, or name a socket as unix:/run/baton/baton.sock".to_owned()));
    }
    if !url.path().ends_with('/') {
        let path = format!("{}/", url.path());
        url.set_path(&path);
    }
    Ok(url)
}

fn build(
    authorities: &[CertificateDer<'static>],
    socket: Option<&Path>,
) -> Result<reqwest::Client> {
    let mut roots = RootCertStore {
        roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
    };
    for authority in authorities {
        let added = roots.add(authority.clone());
        added.map_err(|error| Error::BadAuthority(error.to_string()))?;
    }
    connecting_by(roots, socket).map_err(Error::Start)
}

fn connecting_by(
    roots: RootCertStore,
    socket: Option<&Path>,
) -> std::result::Result<reqwest::Client, Box<dyn std::error::Error + Send + Sync>> {
    let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    #[expect(
        clippy::disallowed_methods,
        reason = "the guard is for targets that strangers name; this address is the user's own"
    )]
    let builder = reqwest::Client::builder();
    let builder = match socket {
        Some(path) => builder.unix_socket(path),
        None => builder,
    };
    Ok(builder
        .tls_backend_preconfigured(tls)
        .no_proxy()
        // Where else a server would have a request go, its key does not go.
        .redirect(reqwest::redirect::Policy::none())
        // What may be repeated is decided here, not below.
        .retry(reqwest::retry::never())
        .user_agent(concat!("baton-client/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_TIMEOUT)
        .tcp_keepalive(KEEPALIVE)
        .tcp_keepalive_interval(KEEPALIVE_INTERVAL)
        .tcp_keepalive_retries(KEEPALIVE_RETRIES)
        .build()?)
}
