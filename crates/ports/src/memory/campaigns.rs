//! Campaigns: bulk sends that keep a cursor, and the books of each.

mod expansion;
mod unreached;

use std::collections::BTreeMap;

use async_trait::async_trait;
use baton_domain::{
    CampaignId, Lifecycle, Timestamp, WorkerId,
    campaign::{Campaign, Counts, NewCampaign, State, Transition, Trigger},
    job,
    operation::DeadLetterGroup,
    page::{Page, PageRequest},
    queue::QueueChange,
};

use super::{MemoryStore, Tables, facts::Fact};
use crate::store::{
    self, AWAITS_APPROVAL, Approving, CampaignMove, Chunk, Created, Error, Members, Result,
    Unreached, UnreachedCount,
};

/// Campaigns by id, and which of them has a key.
#[derive(Default)]
pub(super) struct Campaigns {
    pub(super) by_id: BTreeMap<CampaignId, Campaign>,
    pub(super) keys: BTreeMap<String, (CampaignId, String)>,
}

#[async_trait]
impl store::Campaigns for MemoryStore {
    async fn create_campaign(&self, campaign: &NewCampaign) -> Result<Created> {
        let mut tables = self.tables();
        if tables.names_erased(&campaign.plan) {
            return Err(Error::Erasing);
        }
        let created = tables.create_campaign(campaign);
        self.put_down(&mut tables, created == Created::Added);
        Ok(created)
    }

    async fn campaign(&self, id: CampaignId, now: Timestamp) -> Result<Option<Campaign>> {
        let tables = self.tables();
        let known = tables.campaigns.by_id.get(&id);
        Ok(known.map(|campaign| tables.with_books(campaign, now)))
    }

    async fn campaigns(&self, page: &PageRequest, now: Timestamp) -> Result<Page<Campaign>> {
        self.tables().campaigns_page(page, now)
    }

    async fn command(&self, command: &CampaignMove, now: Timestamp) -> Result<bool> {
        let mut tables = self.tables();
        let has_moved = tables.command(command, now);
        self.put_down(&mut tables, has_moved);
        Ok(has_moved)
    }

    async fn approve(&self, approving: &Approving) -> Result<bool> {
        let mut tables = self.tables();
        let is_approved = tables.approve(approving);
        self.put_down(&mut tables, is_approved);
        Ok(is_approved)
    }

    async fn take_expansion(
        &self,
        node: WorkerId,
        until: Timestamp,
        now: Timestamp,
    ) -> Result<Option<Campaign>> {
        Ok(self.tables().take_expansion(node, until, now))
    }

    async fn found_again(&self, id: CampaignId, epoch: i64, node: WorkerId) -> Result<()> {
        self.tables().found_again(id, epoch, node);
        Ok(())
    }

    async fn expect_members(&self, id: CampaignId, members: u64) -> Result<()> {
        if let Some(campaign) = self.tables().campaigns.by_id.get_mut(&id) {
            campaign.expected.get_or_insert(members);
        }
        Ok(())
    }

    async fn expand(&self, chunk: &Chunk, now: Timestamp) -> Result<bool> {
        Ok(self.tables().expand(chunk, now))
    }

    async fn settle_campaigns(&self, now: Timestamp) -> Result<u32> {
        Ok(self.tables().settle_campaigns(now))
    }

    async fn cancel_deliveries(&self, limit: u32, now: Timestamp) -> Result<u32> {
        Ok(self.tables().cancel_deliveries(limit as usize, now))
    }

    async fn delivery_failures(&self, id: CampaignId) -> Result<Vec<DeadLetterGroup>> {
        Ok(self.tables().letters_of(id))
    }

    async fn unreached(&self, walk: &Unreached, limit: u32) -> Result<Members> {
        Ok(self.tables().unreached(walk, limit as usize))
    }

    async fn count_unreached(&self, walk: &Unreached) -> Result<UnreachedCount> {
        Ok(self.tables().count_unreached(walk))
    }
}

impl Tables {
    pub(super) fn create_campaign(&mut self, new: &NewCampaign) -> Created {
        if let Some(key) = &new.key {
            if let Some((id, hash)) = self.campaigns.keys.get(key) {
                return match new.content.digest() == hash {
                    true => Created::Known(*id),
                    false => Created::Conflict(*id),
                };
            }
            let holder = (new.id, new.content.digest().to_owned());
            self.campaigns.keys.insert(key.clone(), holder);
        }
        if self.campaigns.by_id.contains_key(&new.id) {
            return Created::Known(new.id);
        }
        let change = QueueChange {
            rate: new.rate.map(Some),
            paused: new.approval.as_ref().map(|_| true),
            ..QueueChange::default()
        };
        self.change_queue(&new.id.to_string(), &change, new.created_at);
        self.campaigns.by_id.insert(new.id, fresh(new));
        let fact = Fact::about("campaign.created", new.id.to_string(), new.created_at);
        self.ledger.tell(vec![fact]);
        if new.approval.is_some() {
            let held = Fact::about("campaign.stopped", new.id.to_string(), new.created_at);
            let held = held.with_any("why", Some(AWAITS_APPROVAL.to_owned()));
            self.ledger.tell(vec![held]);
        }
        Created::Added
    }

    fn campaigns_page(&self, page: &PageRequest, now: Timestamp) -> Result<Page<Campaign>> {
        let after = page.cursor::<CampaignId>()?;
        let newest = self.campaigns.by_id.values().rev();
        let mut older = newest.filter(|campaign| after.is_none_or(|after| campaign.id < after));
        let items = older.by_ref().take(page.limit as usize);
        let items: Vec<_> = items
            .map(|campaign| self.with_books(campaign, now))
            .collect();
        let next = older
            .next()
            .and(items.last())
            .map(|last| last.id.to_string());
        Ok(Page { items, next })
    }

    fn with_books(&self, campaign: &Campaign, now: Timestamp) -> Campaign {
        let line = campaign.id.to_string();
        let mut counts = Counts::default();
        for state in job::State::ALL {
            let count = self.ledger.counted(&line, state);
            counts.set(state, u64::try_from(count).unwrap_or(0));
        }
        let waits = campaign.state == State::Scheduled && campaign.start_at <= now;
        let mut others = self.campaigns.by_id.values();
        let ahead =
            others.find(|other| other.lane == campaign.lane && other.state == State::Expanding);
        Campaign {
            counts,
            rate: self.rate_of(&line),
            per_second: self.ledger.per_second(&line, campaign.ran(now), now),
            waits_for: ahead.filter(|_| waits).map(|other| other.id),
            ..campaign.clone()
        }
    }

    fn command(&mut self, command: &CampaignMove, now: Timestamp) -> bool {
        let transition = command.transition;
        let known = self.campaigns.by_id.get_mut(&command.campaign);
        let is_held = |known: &Campaign| known.awaits_approval() && transition.to().may_send();
        let Some(campaign) = known.filter(|known| {
            known.state == transition.from() && known.epoch == command.epoch && !is_held(known)
        }) else {
            return false;
        };
        campaign.epoch += 1;
        campaign.holder = None;
        campaign.losses = 0;
        campaign.why.clone_from(&command.why);
        self.pass(command.campaign, transition, now);
        let change = QueueChange {
            paused: Some(!transition.to().may_send()),
            ..QueueChange::default()
        };
        self.change_queue(&command.campaign.to_string(), &change, now);
        let kind = transition.fact();
        let fact = Fact::about(kind, command.campaign.to_string(), now);
        let fact = fact.with_any("why", command.why.clone());
        self.ledger.tell(vec![fact]);
        true
    }

    fn approve(&mut self, approving: &Approving) -> bool {
        let (command, signature) = (&approving.command, &approving.signature);
        let known = self.campaigns.by_id.get_mut(&command.campaign);
        let Some(approval) = known.and_then(|known| known.approval.as_mut()) else {
            return false;
        };
        let is_theirs = approving.other_than.as_ref() == Some(&approval.person);
        if !approval.is_awaited() || is_theirs {
            return false;
        }
        approval.approved = Some(signature.clone());
        let has_moved = self.command(command, signature.at);
        let known = self.campaigns.by_id.get_mut(&command.campaign);
        let approval = known.and_then(|known| known.approval.as_mut());
        if let Some(approval) = approval.filter(|_| !has_moved) {
            approval.approved = None;
        }
        has_moved
    }

    /// Writes the new state of a campaign down, and when it came.
    fn pass(&mut self, id: CampaignId, transition: Transition, now: Timestamp) {
        if let Some(campaign) = self.campaigns.by_id.get_mut(&id) {
            campaign.state = transition.to();
            campaign.updated_at = now;
            match transition.trigger() {
                Trigger::Complete => campaign.completed_at = Some(now),
                Trigger::Finish => campaign.finished_at = Some(now),
                Trigger::Reopen => campaign.finished_at = None,
                _ => {}
            }
        }
    }

    fn settle_campaigns(&mut self, now: Timestamp) -> u32 {
        let ids: Vec<_> = self.campaigns.by_id.keys().copied().collect();
        let moves: Vec<_> = ids
            .into_iter()
            .filter_map(|id| {
                let trigger = if self.is_live(id) {
                    Trigger::Reopen
                } else {
                    Trigger::Finish
                };
                let transition = self.campaigns.by_id[&id].state.on(trigger).ok()?;
                Some((id, transition))
            })
            .collect();
        for (id, transition) in &moves {
            self.pass(*id, *transition, now);
            let fact = Fact::about(transition.fact(), id.to_string(), now);
            self.ledger.tell(vec![fact]);
        }
        u32::try_from(moves.len()).unwrap_or(u32::MAX)
    }

    /// Forgets campaigns that ended long ago and of which no delivery is left, with their lines and books.
    pub(super) fn prune_campaigns(&mut self, before: Timestamp, limit: usize) -> u32 {
        let ended = self.campaigns.by_id.values().filter(|campaign| {
            campaign.finished_at.is_some_and(|at| at < before)
                && !self.has_deliveries(campaign.id)
                && !self.is_live(campaign.id)
        });
        let old: Vec<_> = ended.map(|campaign| campaign.id).take(limit).collect();
        for id in &old {
            self.campaigns.by_id.remove(id);
            self.campaigns.keys.retain(|_, (holder, _)| holder != id);
            self.forget_line(&id.to_string());
        }
        old.len() as u32
    }

    fn has_deliveries(&self, id: CampaignId) -> bool {
        let (lowest, highest) = id.deliveries();
        self.jobs.range(lowest..=highest).next().is_some()
    }

    /// Whether a delivery is not terminal, or a fact about one has no number yet.
    fn is_live(&self, id: CampaignId) -> bool {
        let line = id.to_string();
        let live = job::State::ALL.into_iter().filter(|s| !s.is_terminal());
        live.into_iter()
            .any(|state| self.ledger.counted(&line, state) > 0)
            || job::State::ALL
                .into_iter()
                .any(|state| self.ledger.unfolded(&line, state) != 0)
    }
}

fn fresh(new: &NewCampaign) -> Campaign {
    Campaign {
        id: new.id,
        key: new.key.clone(),
        plan: new.plan.clone(),
        lane: new.lane.clone(),
        state: new.state(),
        approval: new.approval.clone(),
        why: None,
        epoch: 0,
        rate: new.rate,
        start_at: new.start_at,
        cursor: 0,
        until: new.until,
        expected: None,
        expanded: 0,
        items: 0,
        chunks: 0,
        holder: None,
        counts: Counts::default(),
        per_second: 0.0,
        losses: 0,
        waits_for: None,
        created_at: new.created_at,
        updated_at: new.created_at,
        began_at: None,
        completed_at: None,
        finished_at: None,
    }
}
