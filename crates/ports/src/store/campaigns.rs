//! Campaigns: bulk sends that keep a cursor, and the books of each.

use async_trait::async_trait;
use baton_domain::{
    CampaignId, InboxItemId, Timestamp, WorkerId,
    access::Principal,
    campaign::{Campaign, NewCampaign, Signature, Transition},
    job::NewJob,
    message::{Filled, Message},
    operation::DeadLetterGroup,
    page::{Page, PageRequest},
    reach::Skip,
    recipient::Recipient,
};

use super::{Members, NewItem, Result};

/// Campaigns: bulk sends that keep a cursor, and the books of each.
#[async_trait]
pub trait Campaigns: Send + Sync {
    /// Adds a campaign, its line and its fact. One whose key is taken is not added. One that somebody has to
    /// approve is stopped, and its line paused.
    async fn create_campaign(&self, campaign: &NewCampaign) -> Result<Created>;

    /// One campaign, with its books.
    async fn campaign(&self, id: CampaignId, now: Timestamp) -> Result<Option<Campaign>>;

    /// Campaigns, the newest first.
    async fn campaigns(&self, page: &PageRequest, now: Timestamp) -> Result<Page<Campaign>>;

    /// Moves a campaign, if it is where the transition starts and no other command came since the
    /// epoch; its line is paused or opened in the same transaction. Nothing starts one that somebody has to
    /// approve. `false`: the race was lost.
    async fn command(&self, command: &CampaignMove, now: Timestamp) -> Result<bool>;

    /// Writes down that somebody has approved a campaign, and moves it as [`command`](Self::command) does, in one
    /// transaction. `false`: the race was lost, nobody has to approve it any more, or it was asked for by that person.
    async fn approve(&self, approving: &Approving) -> Result<bool>;

    /// Takes over an expansion whose node went silent, which is then counted as lost over its next chunk, or
    /// begins the next campaign whose time has come and whose lane is free; the end of its audience is frozen
    /// when it first begins. Nobody is given it again before `until`.
    async fn take_expansion(
        &self,
        node: WorkerId,
        until: Timestamp,
        now: Timestamp,
    ) -> Result<Option<Campaign>>;

    /// Takes back that a node was lost over the next chunk: it lives, and another one holds the campaign by now.
    async fn found_again(&self, id: CampaignId, epoch: i64, node: WorkerId) -> Result<()>;

    /// Writes down how many members the audience has; the first count stays.
    async fn expect_members(&self, id: CampaignId, members: u64) -> Result<()>;

    /// Writes a chunk: its deliveries, its skipped rows, their facts, the cursor and the counters, all or
    /// nothing, and only while the campaign expands in this epoch, by this node, from this cursor.
    /// `false`: it does not, and nothing was written.
    async fn expand(&self, chunk: &Chunk, now: Timestamp) -> Result<bool>;

    /// Ends the campaigns whose deliveries are all terminal, as of the facts that are numbered, and takes
    /// up those again whose deliveries run again. Says how many moved. One that cannot be moved holds up no other.
    async fn settle_campaigns(&self, now: Timestamp) -> Result<u32>;

    /// Cancels deliveries of campaigns that were canceled, `limit` at most, and asks those that run to
    /// stop. Says how many there were. One that cannot be canceled holds up no other, and no other campaign.
    async fn cancel_deliveries(&self, limit: u32, now: Timestamp) -> Result<u32>;

    /// The dead letters of a campaign by cause, the most first.
    async fn delivery_failures(&self, id: CampaignId) -> Result<Vec<DeadLetterGroup>>;

    /// The next recipients that a campaign has written down and not reached, after a number and up to
    /// another one, in the order of their numbers: their deliveries have failed, were canceled or
    /// skipped. Who was forgotten is not among them. A page looks at `limit` deliveries, so it can be
    /// short, even empty, and yet have a next one.
    async fn unreached(&self, walk: &Unreached, limit: u32) -> Result<Members>;

    /// How many those are, exactly, and what else is known of the deliveries to these numbers.
    async fn count_unreached(&self, walk: &Unreached) -> Result<UnreachedCount>;
}

/// What became of a campaign that was to be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Created {
    /// It was added.
    Added,
    /// Its key was taken, with the same content: this is the campaign.
    Known(CampaignId),
    /// Its key was taken, with other content, by this campaign.
    Conflict(CampaignId),
}

/// Why a campaign is stopped that nobody has approved yet, as its fact says it.
pub const AWAITS_APPROVAL: &str = "it waits for somebody else to approve it";

/// What somebody wants of a campaign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CampaignMove {
    /// The campaign.
    pub campaign: CampaignId,
    /// The epoch that was seen.
    pub epoch: i64,
    /// The move.
    pub transition: Transition,
    /// Why, as the campaign will show it.
    pub why: Option<String>,
}

/// What somebody does who approves a campaign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approving {
    /// How the campaign moves with it.
    pub command: CampaignMove,
    /// Who approves it, and when.
    pub signature: Signature,
    /// Who must not have asked for it; nobody where one person is enough.
    pub other_than: Option<Principal>,
}

/// Recipients that a campaign has written down, and of whom it is to be said whom it has not reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unreached {
    /// The campaign.
    pub campaign: CampaignId,
    /// The number after which it begins.
    pub after: i64,
    /// The number it ends with, itself included.
    pub until: i64,
}

/// How many recipients a campaign has not reached, and why.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UnreachedCount {
    /// Their deliveries have failed for good.
    pub failed: u64,
    /// Their deliveries were canceled.
    pub canceled: u64,
    /// Their deliveries were skipped.
    pub skipped: u64,
    /// How many besides may have been reached: a person is to decide.
    pub uncertain: u64,
    /// How many deliveries there are at all, whatever became of them and of whom they were for.
    pub written: u64,
}

impl UnreachedCount {
    /// All who were not reached.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.failed + self.canceled + self.skipped
    }
}

/// The next step of an expansion.
#[derive(Debug, Clone, PartialEq)]
pub struct Chunk {
    /// The campaign.
    pub campaign: CampaignId,
    /// Its epoch when the expansion was taken.
    pub epoch: i64,
    /// Who expands.
    pub node: WorkerId,
    /// Until when the others leave it to that node.
    pub until: Timestamp,
    /// The cursor it goes on from.
    pub after: i64,
    /// The cursor it comes to.
    pub cursor: i64,
    /// Whether it is the last one.
    pub is_last: bool,
    /// The deliveries. They differ in who they are for and when they are due, and in nothing else.
    pub deliveries: Vec<NewJob>,
    /// The members of the audience that get nothing, each with the job that says so.
    pub skipped: Vec<(NewJob, Skip)>,
    /// What lies in inboxes.
    pub items: Vec<NewItem>,
    /// What sort of message it is.
    pub category: String,
    /// How many members of the audience it is about.
    pub members: u64,
}

/// How many bytes what a chunk lays into inboxes has, about, at the most.
pub const LARGEST_CHUNK: usize = 4 * 1024 * 1024;

impl Chunk {
    /// The chunk that these members of its audience make, when a campaign goes on from its cursor: all of
    /// them, or the first of them, when what they are to read is [too much](LARGEST_CHUNK) for one chunk.
    #[must_use]
    pub fn of(
        campaign: &Campaign,
        members: &Members,
        node: WorkerId,
        until: Timestamp,
        now: Timestamp,
    ) -> Self {
        let mut chunk = Self::about(campaign, members, node, until);
        // What was accepted can be read; if not, nobody can be told anything.
        let message = Message::read(campaign.plan.message.clone()).ok();
        let mut weight = 0;
        for (i, member) in members.recipients.iter().enumerate() {
            if weight >= LARGEST_CHUNK {
                chunk.end_before(i, members);
                break;
            }
            let delivery = campaign.plan.delivery_to(campaign.id, member, now);
            let filled = message
                .as_ref()
                .ok_or(Skip::MissingValue)
                .and_then(|message| Ok((message, campaign.plan.fill(member, message)?)));
            let (message, filled) = match filled {
                Ok(filled) => filled,
                Err(skip) => {
                    chunk.skipped.push((delivery, skip));
                    continue;
                }
            };
            if campaign.plan.action.has_push() {
                chunk.deliveries.push(delivery);
            }
            if campaign.plan.action.has_inbox() && !members.told.contains(&member.number) {
                weight += message.weight(&filled);
                chunk.items.push(item_for(member, message, filled, now));
            }
        }
        chunk
    }

    /// The chunk that passes over these members of its audience, whose rows the store refuses.
    #[must_use]
    pub fn passing_over(
        campaign: &Campaign,
        members: &Members,
        node: WorkerId,
        until: Timestamp,
        now: Timestamp,
    ) -> Self {
        let delivery_to = |member| campaign.plan.delivery_to(campaign.id, member, now);
        let deliveries = members.recipients.iter().map(delivery_to);
        Self {
            skipped: deliveries.map(|job| (job, Skip::Unwritable)).collect(),
            ..Self::about(campaign, members, node, until)
        }
    }

    /// A chunk for these members that says nothing of any of them yet.
    fn about(campaign: &Campaign, members: &Members, node: WorkerId, until: Timestamp) -> Self {
        Self {
            campaign: campaign.id,
            epoch: campaign.epoch,
            node,
            until,
            after: campaign.cursor,
            cursor: members.next.or(campaign.until).unwrap_or(campaign.cursor),
            is_last: members.next.is_none(),
            deliveries: Vec::with_capacity(members.recipients.len()),
            skipped: Vec::new(),
            items: Vec::new(),
            category: campaign.plan.category.clone(),
            members: u64::try_from(members.recipients.len()).unwrap_or(u64::MAX),
        }
    }

    /// The numbers of those it is about.
    pub fn numbers(&self) -> impl Iterator<Item = i64> {
        let skipped = self.skipped.iter().map(|(job, _)| job);
        let jobs = self.deliveries.iter().chain(skipped);
        let numbers = jobs.filter_map(|job| job.id.recipient_of(self.campaign));
        numbers.chain(self.items.iter().map(|item| item.number))
    }

    /// Whether it is about whoever has this number.
    #[must_use]
    pub fn has(&self, number: i64) -> bool {
        self.numbers().any(|one| one == number)
    }

    /// Leaves a member and all after it to the next chunk.
    fn end_before(&mut self, member: usize, members: &Members) {
        self.cursor = members.recipients[member - 1].number;
        self.is_last = false;
        self.members = u64::try_from(member).unwrap_or(u64::MAX);
    }
}

/// What lies in a member's inbox.
fn item_for(member: &Recipient, message: &Message, filled: Filled, now: Timestamp) -> NewItem {
    NewItem {
        id: InboxItemId::new(now),
        number: member.number,
        recipient: member.profile.id.clone(),
        title: filled.title,
        body: filled.body,
        data: message.data().map(str::to_owned),
    }
}
