//! What cannot be read of a job hides nothing else of it, and is named.

use std::sync::Arc;

use async_trait::async_trait;
use baton_domain::job::State;
use baton_ports::{
    Store,
    layer::{Hook, Layer, StoreCall},
    store::{Error, Result},
};

use crate::fixture::Fixture;

/// Of each job, this cannot be read.
struct Damaged(&'static str);

#[async_trait]
impl Hook for Damaged {
    async fn before(&self, call: StoreCall) -> Result<()> {
        if call.name.starts_with(self.0) {
            return Err(Error::Corrupt {
                table: "settlements",
                column: "leases",
                message: "a secret of a row".to_owned(),
            });
        }
        Ok(())
    }
}

#[tokio::test]
async fn a_job_whose_history_cannot_be_read_is_shown_and_says_so() {
    for (call, what) in [("attempts", "attempts"), ("job_events", "events")] {
        let fixture = Fixture::new();
        let job = fixture.job_in(State::Queued).await;
        let store = Layer::over(Arc::clone(&fixture.store) as Arc<dyn Store>, Damaged(call));
        let fixture = fixture.over(store);

        let page = fixture.get(&format!("/admin/jobs/{job}")).await;

        assert_eq!(page.status, 200);
        page.has(&format!("Its {what} cannot be read"))
            .has("queued")
            .lacks("a secret of a row");
    }
}
