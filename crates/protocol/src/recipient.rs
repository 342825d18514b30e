//! Recipients: who is reached.

mod delete;
mod import;

pub use delete::DeleteRecipient;
pub use import::{Import, ImportQuery, ImportStop, RecipientRow, RowErrors};

use std::collections::BTreeMap;

use baton_domain::{Timestamp, recipient};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::schemas;

/// A recipient as it is described from now on; what is not given is empty from now on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PutRecipient {
    /// What it is reached on; any word of your own.
    #[schema(example = "ios")]
    pub platform: String,
    /// Degrees north of the equator; with `lon`, or not at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = -90, maximum = 90)]
    pub lat: Option<f64>,
    /// Degrees east of Greenwich; with `lat`, or not at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = -180, maximum = 180)]
    pub lon: Option<f64>,
    /// What it has opted in to.
    #[serde(default)]
    #[schema(max_items = 100)]
    pub topics: Vec<String>,
    /// Whether anything is sent to it at all; true if nothing is given.
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub enabled: bool,
    /// Where it is reached, by the name of the channel; 16 at most.
    #[serde(default)]
    #[schema(example = json!({"push": "token-4711"}))]
    pub addresses: BTreeMap<String, String>,
    /// The IANA name of its time zone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "Asia/Seoul")]
    pub time_zone: Option<String>,
}

const fn yes() -> bool {
    true
}

impl From<PutRecipient> for recipient::RecipientSpec {
    fn from(put: PutRecipient) -> Self {
        Self {
            platform: put.platform,
            lat: put.lat,
            lon: put.lon,
            topics: put.topics,
            enabled: put.enabled,
            addresses: put.addresses,
            time_zone: put.time_zone,
        }
    }
}

/// A recipient.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Recipient {
    /// Your own id.
    pub id: String,
    /// What it is reached on.
    pub platform: String,
    /// Degrees north of the equator.
    pub lat: Option<f64>,
    /// Degrees east of Greenwich.
    pub lon: Option<f64>,
    /// What it has opted in to.
    pub topics: Vec<String>,
    /// Whether anything is sent to it at all.
    pub enabled: bool,
    /// Where it is reached, by the name of the channel.
    pub addresses: BTreeMap<String, String>,
    /// Channels whose address a provider called dead; a new address is used again.
    #[serde(default)]
    pub dead_addresses: Vec<String>,
    /// The IANA name of its time zone.
    pub time_zone: Option<String>,
    /// When it came.
    #[schema(value_type = schemas::Moment)]
    pub created_at: Timestamp,
    /// When it last changed.
    #[schema(value_type = schemas::Moment)]
    pub updated_at: Timestamp,
}

impl From<recipient::Recipient> for Recipient {
    fn from(recipient: recipient::Recipient) -> Self {
        let dead_addresses = recipient.dead_channels().map(str::to_owned).collect();
        let profile = recipient.profile;
        Self {
            id: profile.id,
            platform: profile.platform,
            lat: profile.location.map(|point| point.lat),
            lon: profile.location.map(|point| point.lon),
            topics: profile.topics.into_iter().collect(),
            enabled: profile.enabled,
            addresses: profile.addresses,
            dead_addresses,
            time_zone: profile.time_zone,
            created_at: recipient.created_at,
            updated_at: recipient.updated_at,
        }
    }
}
