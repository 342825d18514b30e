//! The settings of providers: who brings messages to recipients.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use baton_domain::duration;
use baton_providers::{
    ProviderConfig,
    provider::{self, Gateway, Kind, Rule},
};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::{
    urls::GatewayUrl,
    values::{Hidden, SigningSecret},
};

/// Who brings messages to recipients.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    pub kind: ProviderKind,
    #[serde(default)]
    pub url: GatewayUrl,
    #[serde(default)]
    pub headers: BTreeMap<String, Hidden>,
    pub secret: Option<SigningSecret>,
    pub ca: Option<PathBuf>,
    #[serde(default = "provider_timeout", with = "duration")]
    pub timeout: Duration,
    pub concurrency: Option<u32>,
    pub rate: Option<f64>,
    #[serde(default)]
    pub verdicts: Vec<Rule>,
}

impl Provider {
    /// One that only writes down what it would have sent.
    pub fn log() -> Self {
        Self {
            kind: ProviderKind::Log,
            url: GatewayUrl::default(),
            headers: BTreeMap::new(),
            secret: None,
            ca: None,
            timeout: provider_timeout(),
            concurrency: None,
            rate: None,
            verdicts: Vec::new(),
        }
    }

    /// Whether there is anything in its settings that others must not see.
    pub fn has_secrets(&self) -> bool {
        self.secret.is_some() || !self.headers.is_empty() || self.url.has_secrets()
    }
}

const fn provider_timeout() -> Duration {
    Duration::from_secs(10)
}

/// What a provider does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProviderKind {
    /// Sends JSON to a gateway.
    Http,
    /// Writes a line into the log and accepts.
    Log,
}

impl From<&Provider> for ProviderConfig {
    fn from(provider: &Provider) -> Self {
        let headers = provider.headers.iter();
        let headers = headers.map(|(name, value)| (name.clone(), value.reveal().to_owned()));
        let secrets = provider.secret.iter().map(|signing| signing.secret.clone());
        let kind = match provider.kind {
            ProviderKind::Log => Kind::Log,
            ProviderKind::Http => Kind::Http(Gateway {
                url: provider.url.reveal().to_owned(),
                headers: headers.collect(),
                secrets: secrets.collect(),
                ca: provider.ca.clone(),
                verdicts: provider.verdicts.clone(),
            }),
        };
        Self {
            kind,
            timeout: provider.timeout,
            limits: provider::Limits {
                concurrency: provider.concurrency,
                rate: provider.rate,
            },
        }
    }
}
