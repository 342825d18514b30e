//! Fixtures: the words in which promises about campaigns are written.

use std::{collections::BTreeMap, time::Duration};

use baton_domain::{
    CampaignId, Lifecycle, WorkerId,
    campaign::{Campaign, CampaignSpec, NewCampaign, Trigger},
    job::{Job, State},
    message::MessageSpec,
    page::PageRequest,
    recipient::{Profile, RecipientSpec},
};
use serde_json::{Value, json};

use super::super::bench::{ALL, Bench};
use crate::store::{AudienceRange, CampaignMove, Chunk, JobFilter};

/// How long an expansion is held on the bench.
pub const HOLD: Duration = Duration::from_secs(10);
const TICK: Duration = Duration::from_millis(1);

/// A campaign for everybody, by push.
pub fn quiz() -> CampaignSpec {
    CampaignSpec {
        name: "Daily quiz".to_owned(),
        category: "question".to_owned(),
        action: "push".to_owned(),
        audience: json!({ "all": true }),
        message: MessageSpec {
            title: "Quiz".to_owned(),
            body: "For {{id}}".to_owned(),
            ..MessageSpec::default()
        },
        ..CampaignSpec::default()
    }
}

/// Whom deliveries are for, in their order.
pub fn ids_of(deliveries: &[Job]) -> Vec<String> {
    let id = |job: &Job| {
        let payload: Value = serde_json::from_str(&job.payload).unwrap();
        payload["recipient_id"].as_str().unwrap().to_owned()
    };
    deliveries.iter().map(id).collect()
}

impl Bench {
    pub(in super::super) fn new_campaign(&self, spec: CampaignSpec) -> NewCampaign {
        self.pass(TICK);
        NewCampaign::from_spec(spec, self.now()).expect("the campaign can be had")
    }

    pub(in super::super) async fn create(&self, spec: CampaignSpec) -> CampaignId {
        let new = self.new_campaign(spec);
        self.store.create_campaign(&new).await.expect("create");
        new.id
    }

    pub(in super::super) async fn campaign(&self, id: CampaignId) -> Campaign {
        let campaign = self.store.campaign(id, self.now()).await.expect("campaign");
        campaign.unwrap_or_else(|| panic!("there is no {id}"))
    }

    pub(in super::super) async fn campaigns(&self) -> Vec<CampaignId> {
        self.campaigns_page(ALL, None).await.0
    }

    pub(super) async fn two_pages(&self, limit: u32) -> (Vec<CampaignId>, Vec<CampaignId>) {
        let (first, next) = self.campaigns_page(limit, None).await;
        let (rest, end) = self.campaigns_page(limit, next).await;
        assert_eq!(end, None);
        (first, rest)
    }

    async fn campaigns_page(
        &self,
        limit: u32,
        after: Option<String>,
    ) -> (Vec<CampaignId>, Option<String>) {
        let page = PageRequest { limit, after };
        let page = self.store.campaigns(&page, self.now()).await;
        let page = page.expect("campaigns");
        (
            page.items.iter().map(|campaign| campaign.id).collect(),
            page.next,
        )
    }

    /// Writes down `p1`, `p2` and so on.
    pub(in super::super) async fn crowd(&self, count: usize) {
        for number in 1..=count {
            self.person(&format!("p{number}"), true).await;
        }
    }

    pub(super) async fn person(&self, id: &str, enabled: bool) {
        let spec = RecipientSpec {
            enabled,
            addresses: BTreeMap::from([("push".to_owned(), format!("token-{id}"))]),
            ..RecipientSpec::on("ios")
        };
        let profile = Profile::from_spec(id.to_owned(), spec).expect("a profile");
        let put = self.store.put_recipients(&[profile], self.now()).await;
        put.expect("put");
    }

    pub(in super::super) async fn take(&self) -> Option<Campaign> {
        self.take_as(self.worker).await
    }

    pub(super) async fn take_as(&self, node: WorkerId) -> Option<Campaign> {
        let until = self.now() + HOLD;
        let taken = self.store.take_expansion(node, until, self.now()).await;
        taken.expect("take")
    }

    pub(in super::super) async fn chunk(&self, campaign: &Campaign, limit: u32) -> Chunk {
        self.chunk_as(self.worker, campaign, limit).await
    }

    pub(super) async fn chunk_as(&self, node: WorkerId, campaign: &Campaign, limit: u32) -> Chunk {
        let walk = AudienceRange {
            audience: &campaign.plan.audience,
            after: campaign.cursor,
            until: campaign.until.expect("it has begun"),
        };
        let members = self.store.members(&walk, limit).await.expect("members");
        Chunk::of(campaign, &members, node, self.now() + HOLD, self.now())
    }

    pub(super) fn with_cursor(&self, campaign: &Campaign, cursor: i64) -> Campaign {
        Campaign {
            cursor,
            ..campaign.clone()
        }
    }

    pub(super) async fn expand(&self, chunk: &Chunk) -> bool {
        self.store.expand(chunk, self.now()).await.expect("expand")
    }

    pub(super) async fn expand_at_once(&self, chunk: &Chunk, times: usize) -> Vec<bool> {
        let tasks = (0..times).map(|_| {
            let (bench, chunk) = (self.clone(), chunk.clone());
            tokio::spawn(async move { bench.expand(&chunk).await })
        });
        let mut written = Vec::new();
        for task in tasks.collect::<Vec<_>>() {
            written.push(task.await.expect("no panic"));
        }
        written
    }

    /// Takes what there is to expand and walks to its end.
    pub(in super::super) async fn walk_through(&self, limit: u32) {
        let taken = match self.take().await {
            Some(campaign) => campaign,
            None => self.held_by_us().await,
        };
        loop {
            let campaign = self.campaign(taken.id).await;
            if campaign.is_complete() {
                return;
            }
            let chunk = self.chunk(&campaign, limit).await;
            assert!(self.expand(&chunk).await, "the chunk is written");
        }
    }

    async fn held_by_us(&self) -> Campaign {
        for id in self.campaigns().await {
            let campaign = self.campaign(id).await;
            if campaign.holder.is_some_and(|(node, _)| node == self.worker) {
                return campaign;
            }
        }
        panic!("there is nothing to expand");
    }

    /// The deliveries of a campaign, the last first.
    pub(in super::super) async fn deliveries(&self, id: CampaignId) -> Vec<Job> {
        self.deliveries_in(id, None).await
    }

    pub(super) async fn deliveries_in(&self, id: CampaignId, state: Option<State>) -> Vec<Job> {
        let filter = JobFilter {
            campaign: Some(id),
            state,
            ..JobFilter::default()
        };
        let page = PageRequest::first(ALL);
        self.store.jobs(&filter, &page).await.expect("jobs").items
    }

    /// Gives a command, as somebody who has just looked.
    pub(in super::super) async fn order(&self, id: CampaignId, trigger: Trigger) -> bool {
        let seen = self.campaign(id).await;
        self.order_seen(&seen, trigger, None).await
    }

    pub(super) async fn order_seen(
        &self,
        seen: &Campaign,
        trigger: Trigger,
        why: Option<&str>,
    ) -> bool {
        let command = CampaignMove {
            campaign: seen.id,
            epoch: seen.epoch,
            transition: seen.state.on(trigger).expect("a legal move"),
            why: why.map(str::to_owned),
        };
        let moved = self.store.command(&command, self.now()).await;
        moved.expect("command")
    }

    /// Claims deliveries of a campaign and settles them as succeeded.
    pub(in super::super) async fn send(&self, id: CampaignId, limit: u32) -> usize {
        let claimed = self.claim_as(self.worker, &id.to_string(), limit).await;
        for one in &claimed {
            self.succeed(one).await;
        }
        claimed.len()
    }

    pub(in super::super) async fn settle_campaigns(&self) -> u32 {
        let moved = self.store.settle_campaigns(self.now()).await;
        moved.expect("settle campaigns")
    }

    pub(in super::super) async fn sweep(&self, limit: u32) -> u32 {
        let swept = self.store.cancel_deliveries(limit, self.now()).await;
        swept.expect("cancel deliveries")
    }

    /// What lies in an inbox: from which campaign, and what it says.
    pub(super) async fn inbox_of(&self, id: &str) -> Vec<(Option<CampaignId>, String)> {
        let page = PageRequest::first(ALL);
        let page = self.store.inbox(id, &page).await.expect("inbox");
        let items = page.expect("there is a recipient").items.into_iter();
        items.map(|item| (item.campaign, item.body)).collect()
    }
}
