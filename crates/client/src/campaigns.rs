//! Campaigns: create, look, stop, resume, and send again what failed.

use baton_domain::CampaignId;
use baton_protocol::{
    List, PageQuery,
    campaign::{
        Campaign, CampaignPreview, CampaignRest, ChangeCampaign, CommandCampaign, CreateCampaign,
        DeliveriesQuery, RetryFailed, SendToRest,
    },
    dead_letter::DeadLetters,
    operation::Operation,
};
use reqwest::Method;

use crate::{Client, Job, Result, repeat::Repeat};

impl Client {
    /// Creates a campaign. With a key, a repeated call finds what the first one made.
    pub async fn create_campaign(&self, campaign: &CreateCampaign) -> Result<Campaign> {
        let repeat = Repeat::if_keyed(campaign.key.is_some());
        self.send(Method::POST, &["campaigns"], campaign, repeat)
            .await
    }

    /// What a campaign would do if it were created now.
    pub async fn preview_campaign(&self, campaign: &CreateCampaign) -> Result<CampaignPreview> {
        self.post(&["campaigns", "preview"], campaign).await
    }

    /// One page of campaigns, the newest first.
    pub async fn campaigns(&self, page: &PageQuery) -> Result<List<Campaign>> {
        self.get_with(&["campaigns"], page).await
    }

    /// One campaign.
    pub async fn campaign(&self, id: CampaignId) -> Result<Campaign> {
        self.get(&["campaigns", &id.to_string()]).await
    }

    /// One page of the deliveries of a campaign, the last recipient first.
    pub async fn deliveries(&self, id: CampaignId, query: &DeliveriesQuery) -> Result<List<Job>> {
        self.get_with(&["campaigns", &id.to_string(), "deliveries"], query)
            .await
    }

    /// Why deliveries of a campaign failed, the most frequent cause first.
    pub async fn campaign_failures(&self, id: CampaignId) -> Result<Vec<DeadLetters>> {
        self.all_pages(self.url(&["campaigns", &id.to_string(), "failures"]))
            .await
    }

    /// Changes how many deliveries of a campaign may start each second.
    pub async fn change_campaign(
        &self,
        id: CampaignId,
        change: &ChangeCampaign,
    ) -> Result<Campaign> {
        self.patch(&["campaigns", &id.to_string()], change).await
    }

    /// Stops a campaign.
    pub async fn stop_campaign(&self, id: CampaignId, why: &CommandCampaign) -> Result<Campaign> {
        self.command_campaign(id, "stop", why).await
    }

    /// Resumes a campaign.
    pub async fn resume_campaign(&self, id: CampaignId, why: &CommandCampaign) -> Result<Campaign> {
        self.command_campaign(id, "resume", why).await
    }

    /// Cancels a campaign.
    pub async fn cancel_campaign(&self, id: CampaignId, why: &CommandCampaign) -> Result<Campaign> {
        self.command_campaign(id, "cancel", why).await
    }

    /// Approves a campaign that somebody else has asked for, which starts it.
    ///
    /// # Errors
    /// When whoever approves has asked for it, its state does not allow it, or no answer came.
    pub async fn approve_campaign(&self, id: CampaignId) -> Result<Campaign> {
        let nothing = CommandCampaign::default();
        self.command_campaign(id, "approve", &nothing).await
    }

    async fn command_campaign(
        &self,
        id: CampaignId,
        command: &str,
        why: &CommandCampaign,
    ) -> Result<Campaign> {
        // Who wants what is so already has it.
        // Who wants what is so already has it.
        self.post(&["campaigns", &id.to_string(), command], why)
            .await
    }

    /// How many recipients of its audience a campaign that has ended has not reached.
    pub async fn rest_of_campaign(&self, id: CampaignId) -> Result<CampaignRest> {
        self.get(&["campaigns", &id.to_string(), "rest"]).await
    }

    /// Says the same to those whom a campaign that has ended has not reached. A repeated call finds the
    /// campaign that the first one made.
    pub async fn send_to_rest(&self, id: CampaignId, wanted: &SendToRest) -> Result<Campaign> {
        self.post(&["campaigns", &id.to_string(), "send-to-rest"], wanted)
            .await
    }

    /// Begins to run the failed deliveries of a campaign again.
    pub async fn retry_failed(&self, id: CampaignId, retry: &RetryFailed) -> Result<Operation> {
        self.post_once(&["campaigns", &id.to_string(), "retry-failed"], retry)
            .await
    }
}
