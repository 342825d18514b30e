//! Events: replay and follow.

use baton_domain::{access::Permission, event::Event};
use baton_ports::store::{EventBounds, EventFilter};

use crate::{Caller, Result};

impl Caller {
    /// Events numbered above `after`, and the number up to which was looked.
    pub async fn events(
        &self,
        after: i64,
        limit: u32,
        filter: &EventFilter,
    ) -> Result<(Vec<Event>, i64)> {
        self.needs(Permission::JobsRead)?;
        let (events, seen) = self.store().events(after, limit, filter).await?;
        let shown = events.into_iter().map(|event| self.shown_event(event));
        Ok((shown.collect(), seen))
    }

    /// What the system did by itself, newest first, and where to go on.
    pub async fn recoveries(&self, before: i64, limit: u32) -> Result<(Vec<Event>, Option<i64>)> {
        self.needs(Permission::JobsRead)?;
        let (events, next) = self.store().recoveries(before, limit).await?;
        let shown = events.into_iter().map(|event| self.shown_event(event));
        Ok((shown.collect(), next))
    }

    /// Which events there are.
    pub async fn event_bounds(&self) -> Result<EventBounds> {
        self.needs_one_of(&[Permission::JobsRead, Permission::Inbox])?;
        Ok(self.store().bounds().await?)
    }
}
