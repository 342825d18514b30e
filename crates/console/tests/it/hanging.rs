//! A database that hangs: whoever looks is told so in time, however many look.

use std::{future::pending, sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_ports::{
    Store,
    layer::{Hook, Layer, StoreCall},
    store::Result,
};
use futures::future::join_all;
use tokio::time::Instant;

use crate::fixture::Fixture;

/// No answer ever comes to what the overview asks.
struct Hangs;

#[async_trait]
impl Hook for Hangs {
    async fn before(&self, call: StoreCall) -> Result<()> {
        match call.name {
            "queues" => pending().await,
            _ => Ok(()),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn many_who_look_at_once_wait_no_longer_than_one() {
    let fixture = Fixture::new();
    let store = Layer::over(Arc::clone(&fixture.store) as Arc<dyn Store>, Hangs);
    let fixture = fixture.over(store);
    let begun = Instant::now();

    let pages = join_all((0..5).map(|_| fixture.get("/admin"))).await;

    assert!(
        begun.elapsed() < Duration::from_secs(4),
        "{:?}",
        begun.elapsed()
    );
    for page in pages {
        page.has("The database does not answer");
    }
}
