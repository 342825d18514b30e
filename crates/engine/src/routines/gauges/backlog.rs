//! How many facts have no number yet, since when, how many groups of dead letters there are, and how many campaigns of each state.

use std::time::Duration;

use baton_domain::{Timestamp, campaign::State};
use baton_ports::{
    Findings,
    store::{self, Backlog, Store},
};

/// How many facts and groups are counted, however many there are.
const MOST: u32 = 100_000;
/// How old what the poller found may be: it looks more often than that, if it can.
const FRESH: Duration = Duration::from_secs(3);

/// The backlog as it was read last.
#[derive(Default)]
pub struct BacklogGauges(Option<Backlog>);

impl BacklogGauges {
    /// Reads the backlog, if it can be another one: there is news, facts wait, or some did.
    pub async fn read(
        &mut self,
        store: &dyn Store,
        has_news: bool,
        findings: &Findings,
    ) -> store::Result<()> {
        let found = findings.within(FRESH);
        let facts_wait = found.is_none_or(|found| found.facts);
        let is_settled = self.0.as_ref().is_some_and(|read| read.facts == 0);
        if has_news || facts_wait || !is_settled {
            // What was not read is read the next time.
            self.0 = None;
            self.0 = Some(store.backlog(MOST).await?);
        }
        Ok(())
    }

    pub fn show(&self, now: Timestamp) {
        let none = Backlog::default();
        let backlog = self.0.as_ref().unwrap_or(&none);
        let waited = backlog.first_fact_at.map(|at| now.since(at));
        metrics::gauge!("baton_outbox_pending").set(as_f64(backlog.facts));
        metrics::gauge!("baton_outbox_oldest_seconds")
            .set(waited.unwrap_or_default().as_secs_f64());
        metrics::gauge!("baton_failure_groups").set(as_f64(backlog.failure_groups));
        for state in State::ALL.into_iter().filter(|state| *state != State::Done) {
            let count = backlog.campaigns.get(&state).copied().unwrap_or_default();
            metrics::gauge!("baton_campaigns", "state" => state.as_str()).set(as_f64(count));
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a gauge is a float by nature")]
const fn as_f64(count: u64) -> f64 {
    count as f64
}
