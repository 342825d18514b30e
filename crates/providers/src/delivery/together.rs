//! What is learned at once for deliveries that start together.

use std::{mem, sync::Arc, time::Duration};

use baton_domain::{CampaignId, JobId, delivery::Parcel, job::Verdict, recipient::Recipient};
use baton_ports::{Briefs, store::Order};
use tokio::time::Instant;

use super::{
    errand::{self, Errand},
    lookup::Lookup,
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
    known: Vec<(JobId, Known)>,
}

/// What is known of a delivery before its call.
#[derive(Clone)]
pub struct Known {
    /// To whom it goes, if there is such a recipient.
    pub recipient: Option<Arc<Recipient>>,
    /// What is to be done; a verdict if that is nothing, or nothing now.
    pub errand: Result<Errand, Verdict>,
}

impl Together {
    /// Reads what they bring, and looks up to whom.
    pub async fn learn(orders: &[&Order], lookup: &Lookup, briefs: &dyn Briefs) -> Option<Self> {
        let at = Instant::now();
        let read = |order: &&Order| Some((order.id, serde_json::from_str(&order.payload).ok()?));
        let mut parcels: Vec<(JobId, Parcel)> = orders.iter().filter_map(read).collect();
        if parcels.is_empty() {
            return None;
        }
        let ids = parcels.iter_mut();
        let ids = ids.map(|(_, parcel)| mem::take(&mut parcel.recipient_id));
        let found = lookup.find_all(ids.collect()).await.ok()?;
        let mut errands = Errands { briefs, last: None };
        let mut known = Vec::with_capacity(parcels.len());
        for ((job, parcel), recipient) in parcels.into_iter().zip(found) {
            let errand = errands.of(parcel).await;
            known.push((job, Known { recipient, errand }));
        }
        known.sort_unstable_by_key(|(job, _)| *job);
        Some(Self { at, known })
    }

    /// What one of them brings and to whom, unless that may have changed.
    pub fn of(&self, job: JobId) -> Option<&Known> {
        let place = self
            .known
            .binary_search_by_key(&job, |(job, _)| *job)
            .ok()?;
        let (_, known) = self.known.get(place)?;
        (self.at.elapsed() < FRESH).then_some(known)
    }
}

/// What parcels ask for: those of one campaign the same.
struct Errands<'a> {
    briefs: &'a dyn Briefs,
    last: Option<(CampaignId, Result<Errand, Verdict>)>,
}

impl Errands<'_> {
    async fn of(&mut self, parcel: Parcel) -> Result<Errand, Verdict> {
        let campaign = parcel.campaign_id;
        if let Some((known, errand)) = &self.last
            && campaign == Some(*known)
        {
            return errand.clone();
        }
        let errand = errand::of(parcel, self.briefs).await;
        self.last = campaign.map(|campaign| (campaign, errand.clone()));
        errand
    }
}
