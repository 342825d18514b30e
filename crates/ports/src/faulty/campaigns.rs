//! Campaigns over a connection that fails.

use async_trait::async_trait;
use baton_domain::{
    CampaignId, Timestamp, WorkerId, campaign::Campaign, campaign::NewCampaign,
    operation::DeadLetterGroup, page::Page, page::PageRequest,
};

use super::Faulty;
use crate::store::{Campaigns, Chunk, Command, Created, Result, Store};

#[async_trait]
impl<S: Store + ?Sized> Campaigns for Faulty<S> {
    async fn create_campaign(&self, campaign: &NewCampaign) -> Result<Created> {
        self.write(self.store.create_campaign(campaign)).await
    }

    async fn campaign(&self, id: CampaignId, now: Timestamp) -> Result<Option<Campaign>> {
        self.read(self.store.campaign(id, now)).await
    }

    async fn campaigns(&self, page: &PageRequest, now: Timestamp) -> Result<Page<Campaign>> {
        self.read(self.store.campaigns(page, now)).await
    }

    async fn command(&self, command: &Command, now: Timestamp) -> Result<bool> {
        self.write(self.store.command(command, now)).await
    }

    async fn take_expansion(
        &self,
        node: WorkerId,
        until: Timestamp,
        now: Timestamp,
    ) -> Result<Option<Campaign>> {
        self.write(self.store.take_expansion(node, until, now))
            .await
    }

    async fn expect_members(&self, id: CampaignId, members: u64) -> Result<()> {
        self.write(self.store.expect_members(id, members)).await
    }

    async fn expand(&self, chunk: &Chunk, now: Timestamp) -> Result<bool> {
        self.write(self.store.expand(chunk, now)).await
    }

    async fn settle_campaigns(&self, now: Timestamp) -> Result<u32> {
        self.write(self.store.settle_campaigns(now)).await
    }

    async fn cancel_deliveries(&self, limit: u32, now: Timestamp) -> Result<u32> {
        self.write(self.store.cancel_deliveries(limit, now)).await
    }

    async fn delivery_failures(&self, id: CampaignId) -> Result<Vec<DeadLetterGroup>> {
        self.read(self.store.delivery_failures(id)).await
    }
}
