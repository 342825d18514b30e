//! How a campaign walks its audience, and how its deliveries are canceled.

use std::collections::BTreeMap;

use baton_domain::{
    CampaignId, JobId, Lifecycle, Timestamp, WorkerId,
    campaign::{Campaign, State, Trigger},
    job::{self, AttemptCounters, NewJob},
    operation::DeadLetterGroup,
    reach::Skip,
};

use super::super::{Tables, counting::Counting, facts::Fact, inbox::Origin, moves::Arrival};
use crate::store::Chunk;

impl Tables {
    pub(super) fn take_expansion(
        &mut self,
        node: WorkerId,
        until: Timestamp,
        now: Timestamp,
    ) -> Option<Campaign> {
        let id = self.orphan(until, now).or_else(|| self.begin_next(now))?;
        let campaign = self.campaigns.by_id.get_mut(&id)?;
        let is_lost = |(holder, held): (WorkerId, Timestamp)| holder != node && held < now;
        campaign.losses += u32::from(campaign.holder.is_some_and(is_lost));
        campaign.holder = Some((node, until));
        Some(self.with_books(&self.campaigns.by_id[&id], now))
    }

    /// A campaign that expands, and whose node went silent.
    fn orphan(&self, until: Timestamp, now: Timestamp) -> Option<CampaignId> {
        // Who holds it for longer than two terms did so by a clock that was put back since.
        let latest = until + until.since(now);
        let mut expanding: Vec<_> = self.campaigns.by_id.values().collect();
        expanding.sort_by_key(|campaign| (campaign.start_at, campaign.id));
        let is_free = |campaign: &&Campaign| {
            campaign.state == State::Expanding
                && campaign
                    .holder
                    .is_none_or(|(_, held)| held < now || held > latest)
        };
        expanding.into_iter().find(is_free).map(|found| found.id)
    }

    fn begin_next(&mut self, now: Timestamp) -> Option<CampaignId> {
        let all = &self.campaigns.by_id;
        let is_taken = |lane: &str| {
            let mut others = all.values();
            others.any(|other| other.lane == lane && other.state == State::Expanding)
        };
        let due = all.values().filter(|campaign| {
            campaign.state == State::Scheduled
                && campaign.start_at <= now
                && !is_taken(&campaign.lane)
        });
        let id = due
            .min_by_key(|campaign| (campaign.start_at, campaign.id))?
            .id;
        let joined = self.recipients.last();
        let campaign = self.campaigns.by_id.get_mut(&id)?;
        campaign.until.get_or_insert(joined);
        campaign.began_at.get_or_insert(now);
        let transition = State::Scheduled.on(Trigger::Begin).ok()?;
        self.pass(id, transition, now);
        let fact = Fact::about(transition.fact(), id.to_string(), now);
        self.ledger.tell(vec![fact]);
        Some(id)
    }

    pub(super) fn found_again(&mut self, id: CampaignId, epoch: i64, node: WorkerId) {
        let is_with_another = |campaign: &&mut Campaign| {
            campaign.state == State::Expanding
                && campaign.epoch == epoch
                && campaign.holder.is_some_and(|(holder, _)| holder != node)
        };
        let campaign = self.campaigns.by_id.get_mut(&id);
        if let Some(campaign) = campaign.filter(is_with_another) {
            campaign.losses = campaign.losses.saturating_sub(1);
        }
    }

    pub(super) fn expand(&mut self, chunk: &Chunk, now: Timestamp) -> bool {
        let Some(campaign) = self.campaigns.by_id.get_mut(&chunk.campaign) else {
            return false;
        };
        if self.erased.iter().any(|number| chunk.has(*number)) {
            return false;
        }
        let holds = campaign
            .holder
            .is_some_and(|(holder, _)| holder == chunk.node);
        if campaign.state != State::Expanding
            || (campaign.epoch, campaign.cursor) != (chunk.epoch, chunk.after)
            || !holds
        {
            return false;
        }
        campaign.cursor = chunk.cursor;
        campaign.expanded += chunk.members;
        campaign.items += chunk.items.len() as u64;
        campaign.chunks += 1;
        campaign.losses = 0;
        campaign.holder = Some((chunk.node, chunk.until));
        campaign.updated_at = now;
        let deliveries = chunk.deliveries.iter().cloned();
        let mut facts: Vec<_> = deliveries.map(|job| self.add(job)).collect();
        let skipped = chunk.skipped.iter().cloned();
        facts.extend(skipped.map(|(job, skip)| self.add_skipped(job, skip)));
        for item in &chunk.items {
            self.lay(item, Origin::Campaign(chunk.campaign), &chunk.category, now);
        }
        let complete = State::Expanding.on(Trigger::Complete);
        if let (true, Ok(transition)) = (chunk.is_last, complete) {
            self.pass(chunk.campaign, transition, now);
            facts.push(Fact::about(
                transition.fact(),
                chunk.campaign.to_string(),
                now,
            ));
        }
        self.ledger.tell(facts);
        true
    }

    fn add_skipped(&mut self, job: NewJob, skip: Skip) -> Fact {
        let (id, now, run_at) = (job.id, job.created_at, job.run_at);
        let queue = job.queue.clone();
        self.jobs.insert(id, job);
        let arrival = Arrival {
            reason: Some(skip.as_str().to_owned()),
            ..Arrival::new(AttemptCounters::before_the_first(), run_at)
        };
        self.put(id, job::State::Skipped, arrival, now);
        Fact::moved(id, &queue, None, job::State::Skipped, now).with("reason", skip.as_str())
    }

    pub(super) fn cancel_deliveries(&mut self, limit: usize, now: Timestamp) -> u32 {
        let mut canceled = self.campaigns.by_id.values();
        let Some(id) = canceled
            .find(|campaign| campaign.state == State::Canceled && campaign.finished_at.is_none())
            .map(|campaign| campaign.id)
        else {
            return 0;
        };
        let (lowest, highest) = id.deliveries();
        let deliveries = self.jobs.range(lowest..=highest).map(|(job, _)| *job);
        let deliveries: Vec<_> = deliveries.collect();
        let (mut moved, mut running) = (0, 0);
        for job in deliveries {
            if moved as usize >= limit {
                return moved;
            }
            match self.state(job) {
                Some(job::State::Running) => {
                    running += 1;
                    self.request_cancel(job, None, now);
                }
                Some(state) => moved += u32::from(self.cancel(job, state, now)),
                None => {}
            }
        }
        if moved + running == 0
            && let Some(campaign) = self.campaigns.by_id.get_mut(&id)
        {
            campaign.finished_at = Some(now);
        }
        moved
    }

    fn cancel(&mut self, job: JobId, from: job::State, now: Timestamp) -> bool {
        let Ok(transition) = from.on(job::Trigger::Cancel) else {
            return false;
        };
        let fact = self.transition(job, transition, None, now);
        let has_moved = fact.is_some();
        self.ledger.tell(fact.into_iter().collect());
        has_moved
    }

    pub(super) fn letters_of(&self, id: CampaignId) -> Vec<DeadLetterGroup> {
        let (lowest, highest) = id.deliveries();
        let mut groups: BTreeMap<String, DeadLetterGroup> = BTreeMap::new();
        for (job, row) in self.finished.range(lowest..=highest) {
            let Some(letter) = row.letter.as_ref().filter(|letter| !letter.is_discarded) else {
                continue;
            };
            let group =
                groups
                    .entry(letter.fingerprint.clone())
                    .or_insert_with(|| DeadLetterGroup {
                        fingerprint: letter.fingerprint.clone(),
                        kind: self.jobs[job].kind.clone(),
                        reason: row.reason.clone().unwrap_or_default(),
                        sample: letter.failure.clone(),
                        sample_job: *job,
                        count: 0,
                        first_at: row.at,
                        last_at: row.at,
                    });
            group.count += 1;
            group.first_at = group.first_at.min(row.at);
            group.last_at = group.last_at.max(row.at);
        }
        let mut groups: Vec<_> = groups.into_values().collect();
        groups.sort_by(|a, b| (b.count, &a.fingerprint).cmp(&(a.count, &b.fingerprint)));
        groups
    }
}
