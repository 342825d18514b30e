//! Building a generation of hints from the store, page by page, while traffic goes on.

use std::time::Duration;

use baton_domain::Timestamp;
use baton_ports::{
    hints::{self, HintIdentity},
    store::{self, Claimable, Generation, NewEvent, Turn},
};
use serde_json::json;
use tokio::time::Instant;

use super::Hinter;

/// How many jobs a page looks at.
const PAGE: u32 = 5_000;
/// Later than anything that can be claimed now.
const AHEAD: Duration = Duration::from_hours(24);

impl Hinter {
    /// Builds the next generation, unless another node does.
    ///
    /// What becomes claimable meanwhile is not hinted at: a wake-up is sent. What is claimed meanwhile
    /// leaves a hint behind that leads to nothing.
    pub(super) async fn rebuild(
        &self,
        book: &Generation,
        seen: &HintIdentity,
        why: &str,
    ) -> store::Result<()> {
        let (store, now) = (&self.tools.store, self.tools.clock.now());
        let begun = store
            .begin_generation(book.number, &seen.incarnation, why, now)
            .await?;
        let Some(generation) = begun else {
            return Ok(());
        };
        tracing::warn!(
            generation,
            kind = self.hints.kind(),
            "{why}; they are built anew"
        );
        let started = Instant::now();
        match self.build(generation, now + AHEAD).await? {
            Ok(jobs) => self.tell(generation, jobs, started.elapsed()).await,
            Err(error) => {
                tracing::warn!(generation, %error, "the hints could not be built: {error}; they are built anew when that is over");
                Ok(())
            }
        }
    }

    /// Offers page by page; a page is read while the one before is on its way.
    async fn build(&self, generation: i64, before: Timestamp) -> store::Result<hints::Result<u64>> {
        let mut jobs = 0;
        let mut page = self.page(None, before).await?;
        loop {
            let Claimable { hints, next } = page;
            let more = async {
                match &next {
                    Some(turn) => self.page(Some(turn), before).await.map(Some),
                    None => Ok(None),
                }
            };
            let (built, more) = tokio::join!(self.hints.build(generation, &hints), more);
            if let Err(error) = built {
                return Ok(Err(error));
            }
            jobs += hints.len() as u64;
            match more? {
                Some(more) => page = more,
                None => break,
            }
        }
        Ok(self.hints.open(generation).await.map(|()| jobs))
    }

    async fn page(&self, after: Option<&Turn>, before: Timestamp) -> store::Result<Claimable> {
        self.tools.store.claimable(after, before, PAGE).await
    }

    async fn tell(&self, generation: i64, jobs: u64, took: Duration) -> store::Result<()> {
        tracing::info!(generation, jobs, ?took, "{jobs} jobs are hinted at again");
        metrics::counter!("baton_hints_rebuilt_total").increment(1);
        let note = NewEvent {
            kind: "hints.rebuilt".to_owned(),
            subject: "hints".to_owned(),
            data: json!({"generation": generation, "jobs": jobs, "took": format!("{}ms", took.as_millis())}),
        };
        self.tools.store.note(&note, self.tools.clock.now()).await
    }
}
