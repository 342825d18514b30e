//! What is learned at once for deliveries that start together.

use std::{mem, ops::RangeInclusive, sync::Arc, time::Duration};

use baton_domain::{
    CampaignId, JobId, delivery::DeliveryPayload, job::Verdict, recipient::Recipient,
};
use baton_ports::{CampaignSnapshots, store::JobArgs};
use tokio::time::Instant;

use super::{
    lookup::Lookup,
    resolved::{self, ResolvedDelivery},
};

/// How many deliveries are prepared at once: those after the first wait until those before them have been sent, or
/// have begun to wait for their answers.
pub const MOST: usize = 128;
/// How old it may be what is known of a delivery when it begins: nobody who opted out before that is reached.
const FRESH: Duration = Duration::from_millis(50);

/// What was learned for deliveries that start together.
pub struct Together {
    /// Before the look.
    at: Instant,
    /// In the order of the jobs.
    known: Vec<(JobId, DeliveryContext)>,
}

/// What is known of a delivery before its call.
#[derive(Clone)]
pub struct DeliveryContext {
    /// To whom it goes, if there is such a recipient.
    pub recipient: Option<Arc<Recipient>>,
    /// What is to be done; a verdict if that is nothing, or nothing now.
    pub resolved: Result<ResolvedDelivery, Verdict>,
}

impl Together {
    /// Reads what they bring, and looks up to whom.
    pub async fn learn(
        jobs: &[&JobArgs],
        lookup: &Lookup,
        snapshots: &dyn CampaignSnapshots,
    ) -> Option<Self> {
        let at = Instant::now();
        let read = |args: &&JobArgs| Some((args.id, serde_json::from_str(&args.payload).ok()?));
        let mut payloads: Vec<(JobId, DeliveryPayload)> = jobs.iter().filter_map(read).collect();
        if payloads.is_empty() {
            return None;
        }
        let numbers = numbers(&payloads);
        let ids = payloads.iter_mut();
        let ids = ids.map(|(_, delivery_payload)| mem::take(&mut delivery_payload.recipient_id));
        let found = lookup.find_all(ids.collect(), numbers).await.ok()?;
        let mut resolved = ResolvedDeliveries {
            snapshots,
            last: None,
        };
        let mut known = Vec::with_capacity(payloads.len());
        for ((job, delivery_payload), recipient) in payloads.into_iter().zip(found) {
            let resolved = resolved.of(delivery_payload).await;
            known.push((
                job,
                DeliveryContext {
                    recipient,
                    resolved,
                },
            ));
        }
        known.sort_unstable_by_key(|(job, _)| *job);
        Some(Self { at, known })
    }

    /// What one of them brings and to whom, unless that may have changed.
    pub fn of(&self, job: JobId) -> Option<&DeliveryContext> {
        let place = self
            .known
            .binary_search_by_key(&job, |(job, _)| *job)
            .ok()?;
        let (_, known) = self.known.get(place)?;
        (self.at.elapsed() < FRESH).then_some(known)
    }
}

/// Between which numbers the recipients of deliveries are, if all of these belong to campaigns.
fn numbers(payloads: &[(JobId, DeliveryPayload)]) -> Option<RangeInclusive<i64>> {
    let number = |(job, payload): &(JobId, DeliveryPayload)| job.recipient_of(payload.campaign_id?);
    let numbers: Option<Vec<_>> = payloads.iter().map(number).collect();
    let numbers = numbers?;
    Some(*numbers.iter().min()?..=*numbers.iter().max()?)
}

/// What payloads ask for: those of one campaign the same.
struct ResolvedDeliveries<'a> {
    snapshots: &'a dyn CampaignSnapshots,
    last: Option<(CampaignId, Result<ResolvedDelivery, Verdict>)>,
}

impl ResolvedDeliveries<'_> {
    async fn of(&mut self, delivery_payload: DeliveryPayload) -> Result<ResolvedDelivery, Verdict> {
        let campaign = delivery_payload.campaign_id;
        if let Some((known, resolved)) = &self.last
            && campaign == Some(*known)
        {
            return resolved.clone();
        }
        let resolved = resolved::of(delivery_payload, self.snapshots).await;
        self.last = campaign.map(|campaign| (campaign, resolved.clone()));
        resolved
    }
}
