//! What campaigns say to whoever brings their deliveries, remembered for a moment.

use std::{collections::HashMap, sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_domain::{
    CampaignId, Clock, Lifecycle, Timestamp,
    campaign::{Campaign, State, Trigger},
    job::Failure,
    message::Message,
};
use baton_ports::{
    CampaignSnapshots, Store, Wakeup, Wakeups,
    campaign_snapshots::{CampaignSnapshot, CampaignStatus},
    store::{CampaignMove, Error, Result},
};
use parking_lot::Mutex;
use tokio::time::timeout;

/// How old an answer may be: after a stop, a call starts no later than this and the time it takes to
/// start one.
const FRESH: Duration = Duration::from_millis(500);
/// How long an answer may be on its way: a stop could have overtaken one that took longer.
const SLOW: Duration = Duration::from_secs(1);
/// How often it is asked again because the answer took too long.
const TRIES: usize = 3;

/// Asks the store, and remembers the answers for half a second.
pub struct SnapshotCache {
    store: Arc<dyn Store>,
    wakeups: Arc<Wakeups>,
    clock: Arc<dyn Clock>,
    known: Mutex<HashMap<CampaignId, CachedSnapshot>>,
    /// Who holds it looks; the others wait for what it finds, instead of asking the same at once.
    looking: tokio::sync::Mutex<()>,
}

struct CachedSnapshot {
    snapshot: Option<Arc<CampaignSnapshot>>,
    at: Timestamp,
}

impl SnapshotCache {
    /// Asks this store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, wakeups: Arc<Wakeups>, clock: Arc<dyn Clock>) -> Self {
        Self {
            store,
            wakeups,
            clock,
            known: Mutex::default(),
            looking: tokio::sync::Mutex::default(),
        }
    }

    fn remembered(&self, id: CampaignId, now: Timestamp) -> Option<Option<Arc<CampaignSnapshot>>> {
        let known = self.known.lock();
        let known = known.get(&id)?;
        // A clock that was set back makes nothing fresh.
        let is_fresh = known.at <= now && now.since(known.at) < FRESH;
        is_fresh.then(|| known.snapshot.clone())
    }

    fn remember(&self, id: CampaignId, snapshot: Option<Arc<CampaignSnapshot>>, at: Timestamp) {
        let mut known = self.known.lock();
        known.retain(|_, known| known.at <= at && at.since(known.at) < FRESH);
        known.insert(id, CachedSnapshot { snapshot, at });
    }
}

fn snapshot_of(campaign: Campaign) -> Result<CampaignSnapshot> {
    let plan = campaign.plan;
    let message = Message::read(plan.message).map_err(|_| Error::Corrupt {
        table: "campaigns",
        column: "plan",
        message: "the message cannot be read".to_owned(),
    })?;
    Ok(CampaignSnapshot {
        provider: plan.provider.unwrap_or_default(),
        channel: plan.channel,
        topic: plan.topic,
        category: plan.category,
        message,
        standing: match campaign.state {
            State::Stopped => CampaignStatus::Stopped,
            State::Canceled => CampaignStatus::Canceled,
            _ => CampaignStatus::Active,
        },
    })
}

#[async_trait]
impl CampaignSnapshots for SnapshotCache {
    async fn snapshot(&self, id: CampaignId) -> Result<Option<Arc<CampaignSnapshot>>> {
        for _ in 0..TRIES {
            if let Some(snapshot) = self.remembered(id, self.clock.now()) {
                return Ok(snapshot);
            }
            let Ok(_looking) = timeout(SLOW, self.looking.lock()).await else {
                break;
            };
            let now = self.clock.now();
            if let Some(snapshot) = self.remembered(id, now) {
                return Ok(snapshot);
            }
            // Dated before the look: what is younger than the answer may be newer than it.
            let campaign = self.store.campaign(id, now).await?;
            let snapshot = campaign.map(snapshot_of).transpose()?.map(Arc::new);
            if self.clock.now().since(now) < SLOW {
                self.remember(id, snapshot.clone(), now);
                return Ok(snapshot);
            }
        }
        Err(Error::Unavailable(
            "the store takes too long to say whether the campaign was stopped".to_owned(),
        ))
    }

    async fn misconfigured(&self, id: CampaignId, failure: &Failure) -> Result<()> {
        let now = self.clock.now();
        let Some(seen) = self.store.campaign(id, now).await? else {
            return Ok(());
        };
        let Ok(transition) = seen.state.on(Trigger::Stop) else {
            return Ok(());
        };
        let command = CampaignMove {
            campaign: id,
            epoch: seen.epoch,
            transition,
            why: Some(format!(
                "stopped by itself: {} ({})",
                failure.message, failure.code
            )),
        };
        if self.store.command(&command, now).await? {
            tracing::warn!(campaign = %id, code = failure.code, "a campaign stopped itself: its provider cannot work as it is configured");
            self.wakeups.send(Wakeup::Facts);
        }
        self.known.lock().remove(&id);
        Ok(())
    }
}
