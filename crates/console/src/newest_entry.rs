//! The newest entry of the audit log: asked for once a second at most for all who watch what is written there.

use std::time::Duration;

use baton_domain::{
    AuditId, Timestamp,
    access::Actor,
    audit::{AuditEntry, AuditFilter},
    page::PageRequest,
};
use baton_engine::{Caller, Engine};
use tokio::{sync::Mutex, time::Instant};

use crate::{errors::PageError, overview_cache::with_timeout};

/// How old a shared look can be.
const FRESH: Duration = Duration::from_millis(900);

/// Where an entry stands in the log.
pub type Place = (Timestamp, AuditId);

/// Where the newest one stands.
pub struct NewestEntry {
    engine: Caller,
    seen: Mutex<Option<(Instant, Option<Place>)>>,
}

impl NewestEntry {
    /// One that has not looked yet.
    pub fn new(engine: &Engine) -> Self {
        Self {
            engine: engine.caller(Actor::system("activity")),
            seen: Mutex::default(),
        }
    }

    /// Where the newest entry stood less than a second ago, if there is any.
    pub async fn look(&self) -> Result<Option<Place>, PageError> {
        let mut seen = self.seen.lock().await;
        if let Some((looked, place)) = &*seen
            && looked.elapsed() < FRESH
        {
            return Ok(*place);
        }
        let one = PageRequest::first(1);
        let all = AuditFilter::default();
        let found = with_timeout(self.engine.audit_entries(&all, &one)).await?;
        let place = found.items.first().map(place_of);
        *seen = Some((Instant::now(), place));
        Ok(place)
    }
}

/// Where an entry stands.
pub const fn place_of(entry: &AuditEntry) -> Place {
    (entry.at, entry.id)
}
