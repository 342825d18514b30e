//! Providers: who brings messages to recipients, as the configuration names them.
//!
//! To add a kind: a module beside [`http`], a variant of [`Kind`], its line in [`Providers::new`].

mod gate;
mod http;
mod log;
mod rule;
mod telemetry;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_domain::{CampaignId, Clock, NotificationId, job::Verdict, queue};
use baton_ports::Call;

use crate::http::{HttpConfig, StartError};

use self::{gate::Gate, http::HttpProvider, log::LogProvider};
pub use self::{
    gate::Limits,
    http::Gateway,
    rule::{Rule, Statuses, Word},
    telemetry::begin as begin_to_measure,
};

/// A provider as the configuration describes it.
#[derive(Debug, Clone)]
pub struct ProviderConfig {
    /// What it does.
    pub kind: Kind,
    /// How long one call may take.
    pub timeout: Duration,
    /// How much of it one process asks.
    pub limits: Limits,
}

/// What a provider does.
#[derive(Debug, Clone)]
pub enum Kind {
    /// Sends JSON to a gateway.
    Http(Gateway),
    /// Writes a line into the log and accepts, for trying out.
    Log,
}

/// Why a provider cannot be used as it is configured.
#[derive(Debug, thiserror::Error)]
pub enum BadProvider {
    /// A setting is wrong.
    #[error("providers.{provider}.{setting} {message}")]
    Setting {
        /// The provider's name.
        provider: String,
        /// The setting, as a path: `url`, `verdicts[2].field`.
        setting: String,
        /// What is wrong with it, and what would be right.
        message: String,
    },
    /// A provider cannot be called that.
    #[error("a provider cannot be called {0:?}: its name {rule}", rule = queue::NAME_RULE)]
    Name(String),
    /// The outgoing client cannot be built.
    #[error(transparent)]
    Start(#[from] StartError),
}

/// What a provider is to bring.
#[derive(Debug, Clone, Copy)]
pub struct OutboundMessage<'a> {
    /// Where to.
    pub to: &'a str,
    /// The channel that is an address of.
    pub channel: &'a str,
    /// What the recipient is reached on.
    pub platform: &'a str,
    /// One line.
    pub title: &'a str,
    /// What there is to say.
    pub body: &'a str,
    /// What goes along for the receiving app: the text of a JSON object.
    pub data: Option<&'a str>,
    /// Who it is for.
    pub recipient_id: &'a str,
    /// What sort of thing it is.
    pub category: &'a str,
    /// What the recipient has opted in to.
    pub topic: Option<&'a str>,
    /// The notification it belongs to.
    pub notification_id: Option<NotificationId>,
    /// The campaign it belongs to.
    pub campaign_id: Option<CampaignId>,
}

/// Brings one message to one recipient, once.
#[async_trait]
trait Provider: Send + Sync {
    async fn send(&self, call: &Call, outbound: OutboundMessage<'_>) -> Verdict;
}

/// The providers there are, by name.
#[derive(Clone, Default)]
pub struct Providers {
    by_name: BTreeMap<String, Arc<Guarded>>,
}

/// A provider behind its gate.
struct Guarded {
    provider: Box<dyn Provider>,
    gate: Gate,
    timeout: Duration,
}

impl Providers {
    /// Builds every provider, or says which of them cannot be. Their calls are made as `http` says, but for
    /// where they may go: the operator has named each target, so it may be anywhere.
    pub fn new(
        configs: BTreeMap<String, ProviderConfig>,
        http: &HttpConfig,
        clock: &Arc<dyn Clock>,
    ) -> Result<Self, BadProvider> {
        let mut by_name = BTreeMap::new();
        for (name, config) in configs {
            if !queue::is_name(&name) {
                return Err(BadProvider::Name(name));
            }
            if config.timeout.is_zero() {
                return Err(BadProvider::Setting {
                    provider: name,
                    setting: "timeout".to_owned(),
                    message: "must be longer than nothing, or no call is ever answered".to_owned(),
                });
            }
            let gate = Gate::new(&name, config.limits)?;
            let provider: Box<dyn Provider> = match config.kind {
                Kind::Http(gateway) => {
                    Box::new(HttpProvider::new(&name, gateway, http, clock.clone())?)
                }
                Kind::Log => Box::new(LogProvider::new(&name)),
            };
            let guarded = Guarded {
                provider,
                gate,
                timeout: config.timeout,
            };
            by_name.insert(name, Arc::new(guarded));
        }
        Ok(Self { by_name })
    }

    /// The names of the providers there are.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }

    /// Whether there is a provider of this name.
    #[must_use]
    pub fn knows(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// Has a provider bring a message; `None` if there is no provider of this name. Where the provider
    /// is busy, a short wait holds the slot, and a long one is answered as throttled.
    pub(crate) async fn send(
        &self,
        name: &str,
        call: Call,
        outbound: OutboundMessage<'_>,
    ) -> Option<Verdict> {
        let guarded = self.by_name.get(name)?;
        let _pass = match guarded.gate.enter(&call).await {
            Ok(pass) => pass,
            Err(verdict) => return Some(verdict),
        };
        let call = Call {
            timeout: call.timeout.min(guarded.timeout),
            ..call
        };
        Some(guarded.provider.send(&call, outbound).await)
    }
}
