//! What campaigns say to whoever brings their deliveries.

use std::sync::Arc;

use async_trait::async_trait;
use baton_domain::{CampaignId, job::Failure, message::Message};

use crate::store::Result;

/// What campaigns say to whoever brings their deliveries. It is asked before each call, so it answers
/// from memory and is a second old at most.
#[async_trait]
pub trait CampaignSnapshots: Send + Sync + 'static {
    /// What a campaign says; `None` if there is no such campaign.
    async fn snapshot(&self, campaign: CampaignId) -> Result<Option<Arc<CampaignSnapshot>>>;

    /// Tells a campaign that its provider cannot work as it is configured, so that it stops itself.
    async fn misconfigured(&self, campaign: CampaignId, failure: &Failure) -> Result<()>;
}

/// What is said, how, and whether it is to be said now.
#[derive(Debug, Clone, PartialEq)]
pub struct CampaignSnapshot {
    /// Who brings it.
    pub provider: String,
    /// On which channel of a recipient.
    pub channel: String,
    /// What a recipient has to have opted in to.
    pub topic: Option<String>,
    /// What sort of thing it is.
    pub category: String,
    /// What is said.
    pub message: Message,
    /// Whether it is to be said now.
    pub standing: CampaignStatus,
}

/// Whether a campaign's deliveries are to be made now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CampaignStatus {
    /// They are.
    Active,
    /// Not now: somebody stopped it.
    Stopped,
    /// Never: somebody canceled it.
    Canceled,
}

/// No campaigns at all.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoSnapshots;

#[async_trait]
impl CampaignSnapshots for NoSnapshots {
    async fn snapshot(&self, _: CampaignId) -> Result<Option<Arc<CampaignSnapshot>>> {
        Ok(None)
    }

    async fn misconfigured(&self, _: CampaignId, _: &Failure) -> Result<()> {
        Ok(())
    }
}
