//! What a campaign would do, before it does anything.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::recipient::Recipient;

/// What a campaign would do now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CampaignPreview {
    /// How many members its audience has, exactly.
    pub members: u64,
    /// How many members were looked at one by one, those who came first; 20,000 at most.
    pub looked_at: u64,
    /// How many of those would get nothing, by reason, such as `disabled`, `opted_out`, `no_address`, `address_dead`, `missing_value` or `too_long`.
    pub skipped: BTreeMap<String, u64>,
    /// How many of those would read each translation, by the name of its locale, if they are told anything; all others read the message
    /// as it is.
    #[serde(default)]
    pub translations: BTreeMap<String, u64>,
    /// What some of them would read: each text at least once that any of them would.
    pub samples: Vec<CampaignSample>,
    /// What is missing: a provider that brings it, and what fills the message, for some of those who lack it.
    pub missing: Vec<String>,
}

/// What one recipient would read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CampaignSample {
    /// Who.
    pub recipient: Recipient,
    /// The locale of the translation that it would read; none if it is the message as it is.
    #[serde(default)]
    pub translation: Option<String>,
    /// One line.
    pub title: String,
    /// What there is to say.
    pub body: String,
}
