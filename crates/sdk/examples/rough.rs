//! The worker that the rough part kills, freezes and cuts off (`tests/it/rough.rs`): each result says whose it is.

use std::time::Duration;

use baton_sdk::{App, Context, Error, JobError};
use serde_json::{Value, json};

async fn rough(n: u64, ctx: Context) -> Result<Value, JobError> {
    tokio::time::sleep(Duration::from_millis(5)).await;
    Ok(json!({"n": n, "attempt": ctx.attempt()}))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let app = App::from_env()?;
    let job = app.job::<u64>("rough").returns::<Value>();
    app.worker().slots(8).handle(&job, rough).run().await?;
    Ok(())
}
