//! Campaigns: bulk sends that keep a cursor, and the books of each.

mod expansion;
mod read;
mod unreached;

use async_trait::async_trait;
use baton_domain::{
    CampaignId, Lifecycle, Timestamp, WorkerId,
    campaign::{Approval, Campaign, NewCampaign, State, Trigger},
    operation::DeadLetterGroup,
    page::{Page, PageRequest},
    queue::QueueChange,
};
use baton_ports::{
    bisect::{one_by_one, silence},
    store::{
        AWAITS_APPROVAL, Approving, CampaignMove, Campaigns, Chunk, Created, Error, Members,
        NewEvent, Result, Unreached, UnreachedCount,
    },
};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{
    SqlStore,
    audit_log::has_row,
    dead_letters, events, first,
    queues::{changed, minute},
};
use crate::{
    kernel::{ConnectionPool, Unit},
    row::{Row, Rows},
    statement::{self as sql, Script},
    value::{Params, params},
};

/// How many campaigns end in one go.
const SETTLED: u32 = 100;

#[async_trait]
impl Campaigns for SqlStore {
    async fn create_campaign(&self, campaign: &NewCampaign) -> Result<Created> {
        let scripts = creation(campaign);
        if self.audited_if(scripts, |rows| has_row(rows, 0)).await? {
            return Ok(Created::Added);
        }
        let params = params! { id: campaign.id.uuid(), key: campaign.key.clone() };
        let holder = first(self.read(&sql::campaigns::HOLDER, params).await?);
        let Some(holder) = holder else {
            return Err(self.why_absent(campaign).await?);
        };
        let mut cells = holder.cells("campaigns");
        let id = CampaignId::from_uuid(cells.uuid("id")?);
        Ok(match cells.text("content_hash")? {
            // It was added, and nobody said so.
            _ if id == campaign.id => Created::Added,
            kept if campaign.content.digest() == kept => Created::Known(id),
            _ => Created::Conflict(id),
        })
    }

    async fn campaign(&self, id: CampaignId, now: Timestamp) -> Result<Option<Campaign>> {
        let params = params! { id: id.uuid(), minute: minute(now), now: now };
        let rows = self.read(&sql::campaigns::FIND, params).await?;
        self.the_one("campaigns", rows, |row| read::campaign(row, now))
    }

    async fn campaigns(&self, page: &PageRequest, now: Timestamp) -> Result<Page<Campaign>> {
        let before = page.cursor()?.map_or(Uuid::max(), CampaignId::uuid);
        let params = params! {
            before: before, limit: page.limit + 1, minute: minute(now), now: now,
        };
        let rows = self.read(&sql::campaigns::LIST, params).await?;
        let cursor = |row: &Row| Ok(id_of(row.clone())?.to_string());
        let read = |row| read::campaign(row, now);
        Ok(self.page("campaigns", rows, page.limit, read, cursor))
    }

    async fn command(&self, command: &CampaignMove, now: Timestamp) -> Result<bool> {
        let scripts = moving(command, now);
        self.audited_if(scripts, |rows| has_row(rows, 0)).await
    }

    async fn approve(&self, approving: &Approving) -> Result<bool> {
        let mut scripts = vec![(&sql::campaigns::APPROVE, approved(approving))];
        scripts.extend(moving(&approving.command, approving.signature.at));
        let stands = |rows: &[Rows]| has_row(rows, 0) && has_row(rows, 1);
        self.audited_if(scripts, stands).await
    }

    async fn take_expansion(
        &self,
        node: WorkerId,
        until: Timestamp,
        now: Timestamp,
    ) -> Result<Option<Campaign>> {
        self.take_over_or_begin(node, until, now).await
    }

    async fn found_again(&self, id: CampaignId, epoch: i64, node: WorkerId) -> Result<()> {
        let params = params! { id: id.uuid(), epoch: epoch, node: node.uuid() };
        self.write(&sql::campaigns::FOUND_AGAIN, params).await?;
        Ok(())
    }

    async fn expect_members(&self, id: CampaignId, members: u64) -> Result<()> {
        let members = i64::try_from(members).unwrap_or(i64::MAX);
        let params = params! { id: id.uuid(), members: members };
        self.write(&sql::campaigns::EXPECT, params).await.map(drop)
    }

    async fn expand(&self, chunk: &Chunk, now: Timestamp) -> Result<bool> {
        self.expand_by(chunk, now).await
    }

    async fn settle_campaigns(&self, now: Timestamp) -> Result<u32> {
        let refused = &self.refused.settle;
        let quarantine = refused.all().into_iter().map(CampaignId::uuid);
        let params = self.others(quarantine, SETTLED);
        let rows = self.read(&sql::campaigns::SETTLED, params).await?;
        let ended = self.readable("campaigns", rows, |row| {
            let mut cells = row.cells("campaigns");
            let id = CampaignId::from_uuid(cells.uuid("id")?);
            Ok((id, cells.int("epoch")?, cells.word::<State>("state")?))
        });
        let settle = |(id, epoch, state)| self.settle_one(id, epoch, state, now);
        let settled = one_by_one(&ended, refused.is_suspect(), settle).await;
        refused.hear(silence(&settled));
        let moved = refused.taken(settled?, |(id, ..)| *id)?;
        Ok(moved.into_iter().map(u32::from).sum())
    }

    async fn cancel_deliveries(&self, limit: u32, now: Timestamp) -> Result<u32> {
        self.sweep(limit, now).await
    }

    async fn delivery_failures(&self, id: CampaignId) -> Result<Vec<DeadLetterGroup>> {
        let (lowest, highest) = id.deliveries();
        let params = params! { lowest: lowest.uuid(), highest: highest.uuid() };
        let rows = self.read(&sql::campaigns::FAILURES, params).await?;
        Ok(self.readable("dead_letter_groups", rows, dead_letters::group))
    }

    async fn unreached(&self, walk: &Unreached, limit: u32) -> Result<Members> {
        self.walk_unreached(walk, limit).await
    }

    async fn count_unreached(&self, walk: &Unreached) -> Result<UnreachedCount> {
        self.tell_unreached(walk).await
    }
}

impl SqlStore {
    /// Runs some scripts as one transaction that stands if the first of them found its row.
    async fn all_or_nothing(
        &self,
        pool: ConnectionPool,
        scripts: Vec<(&'static Script, Params)>,
    ) -> Result<bool> {
        let unit = Unit {
            scripts,
            keep: Some(Box::new(|rows| {
                rows.first().is_some_and(|rows| !rows.is_empty())
            })),
        };
        let rows = self.kernel.transact(pool, unit).await?;
        Ok(rows.first().is_some_and(|rows| !rows.is_empty()))
    }

    /// Why a campaign is not there that was to be added: it names somebody who is being erased, or who had
    /// its key has gone since.
    async fn why_absent(&self, campaign: &NewCampaign) -> Result<Error> {
        let gone = || Error::Unconfirmed("a campaign with this key went away meanwhile".to_owned());
        let is_erasing = self.names_erased(&campaign.plan).await?;
        Ok(if is_erasing { Error::Erasing } else { gone() })
    }

    async fn settle_one(
        &self,
        id: CampaignId,
        epoch: i64,
        state: State,
        now: Timestamp,
    ) -> Result<bool> {
        let trigger = match state {
            State::Done => Trigger::Reopen,
            _ => Trigger::Finish,
        };
        let Ok(transition) = state.on(trigger) else {
            return Ok(false);
        };
        let params = params! {
            id: id.uuid(), queue: id.to_string(), epoch: epoch, now: now,
            from: transition.from().as_str(), to: transition.to().as_str(),
        };
        let note = note(transition.fact(), id, json!({}));
        let scripts = vec![
            (&sql::campaigns::SETTLE, params),
            (&sql::events::NOTE, events::noted(&note, now)),
        ];
        self.all_or_nothing(ConnectionPool::Queue, scripts).await
    }
}

fn note(kind: &str, campaign: CampaignId, data: Value) -> NewEvent {
    NewEvent {
        kind: kind.to_owned(),
        subject: campaign.to_string(),
        data,
    }
}

/// What adds a campaign: its row, its line and its fact; nothing if its id or key is taken.
pub(super) fn creation(campaign: &NewCampaign) -> Vec<(&'static Script, Params)> {
    let (line, now) = (campaign.id.to_string(), campaign.created_at);
    let change = QueueChange {
        rate: campaign.rate.map(Some),
        paused: campaign.approval.as_ref().map(|_| true),
        ..QueueChange::default()
    };
    let name = json!({ "name": campaign.plan.name });
    let note = note("campaign.created", campaign.id, name);
    let mut scripts = vec![
        (&sql::campaigns::CREATE, created(campaign)),
        (&sql::queues::CHANGE, changed(&line, &change, now)),
        (&sql::events::NOTE, events::noted(&note, now)),
    ];
    if let Some(approval) = &campaign.approval {
        scripts.extend(asking(campaign.id, approval));
    }
    scripts
}

/// What moves a campaign, opens or pauses its line, and tells of it.
fn moving(command: &CampaignMove, now: Timestamp) -> Vec<(&'static Script, Params)> {
    let (id, transition) = (command.campaign, command.transition);
    let may_send = transition.to().may_send();
    let change = QueueChange {
        paused: Some(!may_send),
        ..QueueChange::default()
    };
    let mut data = Map::new();
    if let Some(why) = &command.why {
        data.insert("why".to_owned(), why.clone().into());
    }
    let note = note(transition.fact(), id, Value::Object(data));
    let params = params! {
        id: id.uuid(), from: transition.from().as_str(), to: transition.to().as_str(),
        epoch: command.epoch, why: command.why.clone(), starts: may_send, now: now,
    };
    vec![
        (&sql::campaigns::COMMAND, params),
        (&sql::queues::CHANGE, changed(&id.to_string(), &change, now)),
        (&sql::events::NOTE, events::noted(&note, now)),
    ]
}

/// What has a campaign wait for somebody's approval: who asked for it, and the fact that it is stopped.
fn asking(id: CampaignId, approval: &Approval) -> [(&'static Script, Params); 2] {
    let asked = &approval.asked;
    let recipients = i64::try_from(approval.recipients).unwrap_or(i64::MAX);
    let params = params! {
        id: id.uuid(), recipients: recipients, by: asked.by.to_string(), name: asked.name.clone(),
        person: approval.person.to_string(), at: asked.at,
    };
    let stopped = note("campaign.stopped", id, json!({ "why": AWAITS_APPROVAL }));
    [
        (&sql::campaigns::ASK_APPROVAL, params),
        (&sql::events::NOTE, events::noted(&stopped, asked.at)),
    ]
}

fn approved(approving: &Approving) -> Params {
    let signature = &approving.signature;
    let other_than = approving.other_than.as_ref().map(ToString::to_string);
    params! {
        id: approving.command.campaign.uuid(), by: signature.by.to_string(), name: signature.name.clone(),
        at: signature.at, other_than: other_than.unwrap_or_default(),
    }
}

fn created(campaign: &NewCampaign) -> Params {
    params! {
        id: campaign.id.uuid(), key: campaign.key.clone(), hash: campaign.content.digest(),
        plan: serde_json::to_string(&campaign.plan).unwrap_or_default(), lane: campaign.lane.clone(),
        state: campaign.state().as_str(),
        until: campaign.until, start_at: campaign.start_at, now: campaign.created_at,
    }
}

/// The id in the first cell of a row.
fn id_of(row: Row) -> Result<CampaignId> {
    Ok(CampaignId::from_uuid(row.cells("campaigns").uuid("id")?))
}
