//! Events: replay and follow.

use baton_domain::event::Event;
use baton_ports::store::{EventBounds, EventFilter};

use crate::{Engine, Result};

impl Engine {
    /// Events numbered above `after`, and the number up to which was looked.
    pub async fn events(
        &self,
        after: i64,
        limit: u32,
        filter: &EventFilter,
    ) -> Result<(Vec<Event>, i64)> {
        Ok(self.store().events(after, limit, filter).await?)
    }

    /// Which events there are.
    pub async fn event_bounds(&self) -> Result<EventBounds> {
        Ok(self.store().bounds().await?)
    }
}
