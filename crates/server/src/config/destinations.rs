//! The settings of destinations: receivers that jobs can name.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use baton_domain::duration;
use baton_providers::DestinationConfig;
use serde::{Deserialize, Serialize};

use super::{
    urls::GatewayUrl,
    values::{Hidden, SigningSecrets},
};

/// A receiver that jobs can name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Destination {
    #[serde(default)]
    pub url: GatewayUrl,
    #[serde(default)]
    pub headers: BTreeMap<String, Hidden>,
    #[serde(default)]
    pub secret: SigningSecrets,
    #[serde(
        default,
        with = "duration::option",
        skip_serializing_if = "Option::is_none"
    )]
    pub timeout: Option<Duration>,
    #[serde(default)]
    pub allow_private: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ca: Option<PathBuf>,
}

impl Destination {
    /// Whether there is anything in its settings that others must not see.
    pub fn has_secrets(&self) -> bool {
        !self.secret.is_empty() || !self.headers.is_empty() || self.url.has_secrets()
    }
}

impl From<&Destination> for DestinationConfig {
    fn from(destination: &Destination) -> Self {
        let headers = destination.headers.iter();
        let headers = headers.map(|(name, value)| (name.clone(), value.reveal().to_owned()));
        Self {
            url: destination.url.reveal().to_owned(),
            headers: headers.collect(),
            secrets: destination.secret.all(),
            timeout: destination.timeout,
            allow_private: destination.allow_private,
            ca: destination.ca.clone(),
        }
    }
}
