//! What is learned at once for deliveries that start together.

use std::{collections::HashMap, sync::Arc, time::Duration};

use baton_domain::{JobId, delivery::Parcel, recipient::Recipient};
use baton_ports::store::Order;
use tokio::time::Instant;

use super::lookup::Lookup;

/// How many deliveries are prepared at once: those after the first wait until those before them have been sent, or
/// have begun to wait for their answers.
pub const MOST: usize = 128;
/// How old it may be what is known of a recipient when its delivery begins: nobody who opted out before that is reached.
const FRESH: Duration = Duration::from_millis(50);

/// What was learned for deliveries that start together.
pub struct Together {
    /// Before the look.
    at: Instant,
    known: HashMap<JobId, Known>,
}

struct Known {
    parcel: Parcel,
    recipient: Option<Arc<Recipient>>,
}

impl Together {
    /// Reads what they bring, and looks up to whom.
    pub async fn learn(orders: &[&Order], lookup: &Lookup) -> Option<Self> {
        let at = Instant::now();
        let read = |order: &&Order| Some((order.id, serde_json::from_str(&order.payload).ok()?));
        let parcels: Vec<(JobId, Parcel)> = orders.iter().filter_map(read).collect();
        if parcels.is_empty() {
            return None;
        }
        let ids = parcels
            .iter()
            .map(|(_, parcel)| parcel.recipient_id.clone());
        let found = lookup.find_all(ids.collect()).await.ok()?;
        let known = parcels.into_iter().zip(found);
        let known = known.map(|((job, parcel), recipient)| (job, Known { parcel, recipient }));
        Some(Self {
            at,
            known: known.collect(),
        })
    }

    /// What one of them brings and to whom, unless that may have changed.
    pub fn of(&self, job: JobId) -> Option<(Parcel, Option<Arc<Recipient>>)> {
        let known = self.known.get(&job)?;
        (self.at.elapsed() < FRESH).then(|| (known.parcel.clone(), known.recipient.clone()))
    }
}
