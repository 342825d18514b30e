//! Whom a campaign has written down and not reached.

use baton_domain::{CampaignId, JobId, job::State, recipient::Recipient};

use super::super::Tables;
use crate::store::{Members, Unreached, UnreachedCount};

impl Tables {
    pub(super) fn unreached(&self, walk: &Unreached, limit: usize) -> Members {
        let mut members = Members::default();
        for (looked_at, job) in self.written(walk).into_iter().enumerate() {
            if looked_at == limit {
                return members;
            }
            // Only those that are not reached are looked at, so that each page comes on.
            members.next = job.recipient_of(walk.campaign);
            let Some(recipient) = self.recipient_of(job, walk.campaign) else {
                continue;
            };
            if !self.was_passed_over(job) {
                members.told.insert(recipient.number);
            }
            members.recipients.push(recipient.clone());
        }
        members.next = None;
        members
    }

    pub(super) fn count_unreached(&self, walk: &Unreached) -> UnreachedCount {
        let mut count = UnreachedCount::default();
        for job in self.deliveries_of(walk) {
            count.written += 1;
            if self.recipient_of(job, walk.campaign).is_none() {
                continue;
            }
            match self.state(job) {
                Some(State::Failed) => count.failed += 1,
                Some(State::Canceled) => count.canceled += 1,
                Some(State::Skipped) => count.skipped += 1,
                Some(State::Uncertain) => count.uncertain += 1,
                _ => {}
            }
        }
        count
    }

    /// The deliveries that were written down, and did not reach anybody.
    fn written(&self, walk: &Unreached) -> Vec<JobId> {
        let jobs = self.deliveries_of(walk);
        let is_unreached = |job: &JobId| {
            let state = self.state(*job);
            matches!(
                state,
                Some(State::Failed | State::Canceled | State::Skipped)
            )
        };
        jobs.filter(is_unreached).collect()
    }

    /// The deliveries to these numbers: none, of a campaign that was never walked.
    fn deliveries_of(&self, walk: &Unreached) -> impl Iterator<Item = JobId> {
        let (lowest, highest) = range(walk);
        let jobs = (lowest <= highest).then(|| self.jobs.range(lowest..=highest));
        jobs.into_iter().flatten().map(|(job, _)| *job)
    }

    fn recipient_of(&self, job: JobId, campaign: CampaignId) -> Option<&Recipient> {
        self.recipients.numbered(job.recipient_of(campaign)?)
    }

    /// Whether its recipient was skipped when the chunk was written, and got nothing at all.
    fn was_passed_over(&self, job: JobId) -> bool {
        let row = self.finished.get(&job);
        row.is_some_and(|row| row.state == State::Skipped && row.counters.attempt == 0)
    }
}

/// The first and the last delivery to these numbers.
const fn range(walk: &Unreached) -> (JobId, JobId) {
    let campaign = walk.campaign;
    (
        campaign.delivery(walk.after + 1),
        campaign.delivery(walk.until),
    )
}
