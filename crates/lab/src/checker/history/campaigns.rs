//! What is known of campaigns.
//!
//! Whom they could be for, what people told them, and what they said of themselves.

use serde::{Deserialize, Serialize};

use super::{ActAnswer, Posted};
use crate::checker::wire::Campaign;

/// What is known of campaigns.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Campaigns {
    /// Each recipient that was imported.
    pub recipients: Vec<Recipient>,
    /// Each campaign that a client posted, each time it did.
    pub asked: Vec<PostedCampaign>,
    /// What clients told campaigns afterwards.
    pub commands: Vec<Command>,
    /// What campaigns said of themselves on their way.
    pub looks: Vec<CampaignReading>,
    /// Every campaign, as the API showed it at the end.
    pub ends: Vec<Campaign>,
}

/// A recipient that was imported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipient {
    /// Its id.
    pub id: String,
    /// What it has opted in to.
    pub topics: Vec<String>,
    /// Whether anything is to be sent to it.
    pub enabled: bool,
    /// When its import was first sent, in microseconds since 1970.
    pub start_us: i64,
    /// When the import was answered; `None` if it never was.
    pub end_us: Option<i64>,
}

/// A campaign that was posted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PostedCampaign {
    /// When it was sent, in microseconds since 1970.
    pub start_us: i64,
    /// When its answer had come, or was given up.
    pub end_us: i64,
    /// Its key.
    pub key: String,
    /// The topic it is for; `None` if it is for all.
    pub topic: Option<String>,
    /// What came of it.
    pub answer: Posted,
}

/// What a client told a campaign.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    /// What.
    pub kind: CommandKind,
    /// Which campaign.
    pub campaign: String,
    /// When it was sent, in microseconds since 1970.
    pub start_us: i64,
    /// When its answer had come, or was given up.
    pub end_us: i64,
    /// What came of it.
    pub answer: ActAnswer,
}

/// What clients tell campaigns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the calls of the public contract")]
pub enum CommandKind {
    Stop,
    Resume,
    Cancel,
    Rate,
}

/// What a campaign said of itself on its way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CampaignReading {
    /// When it was asked, in microseconds since 1970.
    pub start_us: i64,
    /// When the answer had come.
    pub end_us: i64,
    /// The answer.
    pub campaign: Campaign,
}
