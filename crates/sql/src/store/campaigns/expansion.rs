//! How a campaign walks its audience, and how its deliveries are canceled.

use baton_domain::{
    CampaignId, Lifecycle, Timestamp, WorkerId,
    campaign::{Campaign, State, Trigger},
    job::NewJob,
    reach::Skip,
};
use baton_ports::store::{CampaignMove, Campaigns, Chunk, Error, Result};
use serde_json::json;

use super::{SqlStore, events, first, id_of, minute, note, read};
use crate::{
    kernel::ConnectionPool,
    row::Rows,
    statement as sql,
    store::{
        inbox,
        jobs::{columns, listed, microseconds, written},
    },
    value::{Params, column, params},
};

/// How many deliveries share a row of the line at the most: about what a worker claims at once.
const MOST: usize = 1_000;
/// How many it is worth it for. A claim takes hold of a few rows, and is to find enough in them.
const LEAST: usize = 250;

/// How many campaigns that cannot be read are stopped in one go.
const ROUNDS: usize = 8;

impl SqlStore {
    pub(super) async fn take_over_or_begin(
        &self,
        node: WorkerId,
        until: Timestamp,
        now: Timestamp,
    ) -> Result<Option<Campaign>> {
        // Mostly one: others shall not wait behind a campaign that cannot be read.
        for _ in 0..ROUNDS {
            let Some(id) = self.take_one(node, until, now).await? else {
                return Ok(None);
            };
            match self.campaign(id, now).await {
                // A command may have come in between.
                Ok(campaign) => return Ok(campaign.filter(|campaign| is_held_by(campaign, node))),
                Err(error @ Error::Corrupt { .. }) => self.stop_unreadable(id, &error, now).await?,
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    async fn take_one(
        &self,
        node: WorkerId,
        until: Timestamp,
        now: Timestamp,
    ) -> Result<Option<CampaignId>> {
        let params = params! { node: node.uuid(), until: until, now: now };
        let latest = until + until.since(now);
        let take_over = params! { node: node.uuid(), until: until, latest: latest, now: now };
        let taken_over = first(self.write(&sql::campaigns::TAKE_OVER, take_over).await?);
        let taken = match taken_over {
            Some(row) => Some(row),
            None => first(self.write(&sql::campaigns::BEGIN, params).await?),
        };
        taken.map(id_of).transpose()
    }

    /// Stops a campaign that nobody can expand, and says why; a person can resume it once it can be read.
    async fn stop_unreadable(&self, id: CampaignId, error: &Error, now: Timestamp) -> Result<()> {
        self.note_unreadable("campaigns", id.uuid().to_string(), error);
        let params = params! { id: id.uuid(), minute: minute(now), now: now };
        let row = first(self.read(&sql::campaigns::FIND, params).await?);
        let Some(Ok(epoch)) = row.map(read::epoch) else {
            return Ok(());
        };
        if let Ok(transition) = State::Expanding.on(Trigger::Stop) {
            let why = "it cannot be read by this version: it is damaged, or a newer one wrote it";
            let command = CampaignMove {
                campaign: id,
                epoch,
                transition,
                why: Some(why.to_owned()),
            };
            self.command(&command, now).await?;
        }
        Ok(())
    }

    pub(super) async fn expand_by(&self, chunk: &Chunk, now: Timestamp) -> Result<bool> {
        let mut scripts = vec![(&sql::campaigns::ADVANCE, self.advanced(chunk, now))];
        if !chunk.deliveries.is_empty() {
            scripts.push((&sql::campaigns::DELIVER, delivered(chunk, now)));
        }
        if !chunk.skipped.is_empty() {
            scripts.push((&sql::campaigns::SKIP, skipped(&chunk.skipped, now)));
        }
        if !chunk.items.is_empty() {
            let items = inbox::of_campaign(&chunk.items, chunk.campaign, &chunk.category, now);
            scripts.push((&sql::inbox::ADD, items));
        }
        let complete = State::Expanding.on(Trigger::Complete);
        if let (true, Ok(transition)) = (chunk.is_last, complete) {
            let note = note(transition.fact(), chunk.campaign, json!({}));
            scripts.push((&sql::events::NOTE, events::noted(&note, now)));
        }
        let permit = self
            .admission
            .bulk(chunk.deliveries.len() + chunk.items.len())
            .await;
        let written = self.all_or_nothing(ConnectionPool::Queue, scripts).await;
        drop(permit);
        match written {
            // SQLite runs the statements behind a fence that held as well: what is there already is refused by its key.
            Err(Error::Refused(_)) if !self.is_next(chunk, now).await? => Ok(false),
            written => written,
        }
    }

    fn advanced(&self, chunk: &Chunk, now: Timestamp) -> Params {
        params! {
            id: chunk.campaign.uuid(), epoch: chunk.epoch, node: chunk.node.uuid(), after: chunk.after,
            cursor: chunk.cursor, is_last: chunk.is_last, until: chunk.until, now: now,
            members: i64::try_from(chunk.members).unwrap_or(i64::MAX),
            items: i64::try_from(chunk.items.len()).unwrap_or(i64::MAX),
            numbers: self.list(&chunk.numbers().collect::<Vec<_>>()),
        }
    }

    /// Whether it is the turn of a chunk.
    async fn is_next(&self, chunk: &Chunk, now: Timestamp) -> Result<bool> {
        let campaign = self.campaign(chunk.campaign, now).await?;
        Ok(campaign.is_some_and(|campaign| {
            campaign.state == State::Expanding
                && (campaign.epoch, campaign.cursor) == (chunk.epoch, chunk.after)
                && campaign
                    .holder
                    .is_some_and(|(holder, _)| holder == chunk.node)
        }))
    }

    pub(super) async fn sweep(&self, limit: u32, now: Timestamp) -> Result<u32> {
        let refused = &self.refused.sweeps;
        while let Some(id) = self.unswept().await? {
            match self.sweep_one(id, limit, now).await {
                Ok(Some(canceled)) => return Ok(canceled),
                // The next one has its turn.
                Ok(None) => refused.pass_by(id),
                Err(error) if !error.is_passing() => refused.leave(id, &error),
                Err(error) => return Err(error),
            }
        }
        Ok(0)
    }

    async fn unswept(&self) -> Result<Option<CampaignId>> {
        let quarantine = self.refused.sweeps.all().into_iter();
        let params = self.others(quarantine.map(CampaignId::uuid), 1);
        let row = first(self.read(&sql::campaigns::UNSWEPT, params).await?);
        row.map(id_of).transpose()
    }

    /// Cancels deliveries of a campaign; `None`: nothing is left of it but what the database refuses to cancel.
    async fn sweep_one(&self, id: CampaignId, limit: u32, now: Timestamp) -> Result<Option<u32>> {
        let (lowest, highest) = id.deliveries();
        let params = params! {
            id: id.uuid(), lowest: lowest.uuid(), highest: highest.uuid(), queue: id.to_string(), now: now,
        };
        let next = (&sql::campaigns::DELIVERIES, params.clone());
        let sweep = |picked: Params| {
            let params = params.iter().cloned().chain(picked).collect();
            async move {
                self.write(&sql::campaigns::SWEEP, params)
                    .await
                    .and_then(swept)
            }
        };
        let pieces = self.take(&self.refused.sweep, limit, next, sweep).await?;
        let canceled = pieces.iter().map(|(canceled, _)| canceled).sum();
        if canceled > 0 || pieces.iter().any(|(_, running)| *running > 0) {
            return Ok(Some(canceled));
        }
        self.write(&sql::campaigns::SWEPT, params).await?;
        let mut refused = self.refused.sweep.all().into_iter();
        let is_refused = refused.any(|job| (lowest..=highest).contains(&job));
        Ok((!is_refused).then_some(0))
    }
}

/// How many deliveries were canceled, and how many run.
fn swept(rows: Rows) -> Result<(u32, u32)> {
    let Some(row) = first(rows) else {
        return Ok((0, 0));
    };
    let mut cells = row.cells("jobs");
    Ok((cells.count("canceled")?, cells.count("running")?))
}

fn is_held_by(campaign: &Campaign, node: WorkerId) -> bool {
    let holder = campaign.holder.map(|(holder, _)| holder);
    campaign.state == State::Expanding && holder == Some(node)
}

/// The deliveries of a chunk as the statement takes them: what they have in common, once, and a column
/// of what they do not.
fn delivered(chunk: &Chunk, now: Timestamp) -> Params {
    let deliveries = &chunk.deliveries;
    let (due, later): (Vec<_>, Vec<_>) = deliveries.iter().partition(|job| job.run_at <= now);
    let Due { batches, singles } = Due::of(&due);
    let mut params = params! {
        campaign: chunk.campaign.uuid(),
        lasts: deliveries.first().and_then(lasts),
        ids: column(deliveries, |job| job.id.uuid()),
        payloads: column(deliveries, |job| job.payload.clone()),
        run_ats: column(deliveries, |job| job.run_at),
        due_ids: column(&due, |job| job.id.uuid()),
        due_payloads: column(&due, |job| job.payload.clone()),
        due: ids_of(&due),
        batch_lows: column(&batches, |batch| batch.low),
        batch_highs: column(&batches, |batch| batch.high),
        batch_ats: column(&batches, |batch| batch.first.run_at),
        batch_firsts: column(&batches, |batch| batch.first.id.uuid()),
        batch_lasts: column(&batches, |batch| batch.last.id.uuid()),
        batch_counts: column(&batches, |batch| batch.high - batch.low + 1),
        single_ids: column(&singles, |job| job.id.uuid()),
        single_ats: column(&singles, |job| job.run_at),
        later_ids: column(&later, |job| job.id.uuid()),
        later_ats: column(&later, |job| job.run_at),
        later: ids_of(&later),
        later_items: times_of(&later),
        now: now,
    };
    params.extend(deliveries.first().into_iter().flat_map(common));
    params
}

/// The deliveries that are due: those that share a row of the line, and the others.
#[derive(Default)]
struct Due<'a> {
    batches: Vec<Batch<'a>>,
    singles: Vec<&'a NewJob>,
}

/// Deliveries that share a row: the first and the last of them, and where they are, counted from 1 on.
struct Batch<'a> {
    low: u32,
    high: u32,
    first: &'a NewJob,
    last: &'a NewJob,
}

impl<'a> Due<'a> {
    /// Puts many together that follow each other and are due at the same time.
    fn of(due: &[&'a NewJob]) -> Self {
        let mut found = Self::default();
        let mut high = 0;
        for same in due.chunk_by(|one, next| one.run_at == next.run_at) {
            // Evenly, so that none is left over: what stands in line by itself is claimed before all batches.
            let batches = same.len().div_ceil(MOST);
            for some in same.chunks(same.len().div_ceil(batches)) {
                let low = high + 1;
                high += u32::try_from(some.len()).unwrap_or(u32::MAX);
                match some {
                    [first, .., last] if some.len() >= LEAST => found.batches.push(Batch {
                        low,
                        high,
                        first,
                        last,
                    }),
                    few => found.singles.extend(few),
                }
            }
        }
        found
    }
}

/// How long after its due moment a delivery makes sense, in microseconds.
fn lasts(job: &NewJob) -> Option<i64> {
    let expires_at = job.expires_at?;
    Some(expires_at.as_micros() - job.run_at.as_micros())
}

/// What the deliveries of a campaign have in common.
fn common(job: &NewJob) -> Params {
    params! {
        kind: job.kind.as_str(), queue: job.queue.as_str(), priority: i64::from(job.priority),
        max_attempts: job.options.max_attempts, backoff: written(&job.options.backoff), timeout: microseconds(job.options.timeout),
        delivery: job.options.delivery.as_str(), tags: listed(&job.options.tags),
    }
}

fn ids_of(jobs: &[&NewJob]) -> String {
    let ids: Vec<_> = jobs.iter().map(|job| job.id.uuid()).collect();
    json!(ids).to_string()
}

/// What the fact about jobs that wait says of each of them.
fn times_of(jobs: &[&NewJob]) -> String {
    let items: Vec<_> = jobs
        .iter()
        .map(|job| json!({ "run_at": job.run_at.as_micros() }))
        .collect();
    json!(items).to_string()
}

fn skipped(skipped: &[(NewJob, Skip)], now: Timestamp) -> Params {
    let jobs: Vec<_> = skipped.iter().map(|(job, _)| job.clone()).collect();
    let mut params = columns(&jobs, now);
    params.push(("reasons", column(skipped, |(_, skip)| skip.as_str())));
    params
}
