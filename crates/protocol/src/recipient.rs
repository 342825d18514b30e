//! Recipients: who is reached.

mod delete;
mod import;

pub use delete::DeleteRecipient;
pub use import::{Import, ImportQuery, ImportStop, RecipientRow, RowErrors};

use std::collections::BTreeMap;

pub use baton_domain::recipient::RecipientSpec as PutRecipient;
use baton_domain::{Timestamp, recipient};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

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
    /// The language it reads, by its BCP 47 name.
    #[serde(default)]
    pub locale: Option<String>,
    /// When it came.
    pub created_at: Timestamp,
    /// When it last changed.
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
            locale: profile.locale,
            created_at: recipient.created_at,
            updated_at: recipient.updated_at,
        }
    }
}
