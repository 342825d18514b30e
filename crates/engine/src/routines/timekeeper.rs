//! The timekeeper measures how far this node's clock is from the store's.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use async_trait::async_trait;
use baton_domain::time::StoreClock;
use baton_ports::{Store, store};

use crate::{Next, Routine};

/// How long a measurement is good for.
const PAUSE: Duration = Duration::from_secs(10);

/// Measures how far this node's clock is from the store's.
pub struct Timekeeper {
    store: Arc<dyn Store>,
    clock: Arc<StoreClock>,
}

impl Timekeeper {
    /// A timekeeper of `clock`.
    #[must_use]
    pub const fn new(store: Arc<dyn Store>, clock: Arc<StoreClock>) -> Self {
        Self { store, clock }
    }
}

#[async_trait]
impl Routine for Timekeeper {
    fn name(&self) -> &'static str {
        "timekeeper"
    }

    fn duty(&self) -> &'static str {
        "keeps this node's clock with the database's"
    }

    async fn turn(&mut self) -> store::Result<Next> {
        let asked = Instant::now();
        let answered = self.store.time().await?;
        self.clock.follow(answered, asked, Instant::now());
        if let Some(bound) = self.clock.bound() {
            metrics::gauge!("baton_clock_bound_seconds").set(bound.as_secs_f64());
        }
        Ok(Next::After(PAUSE))
    }
}
