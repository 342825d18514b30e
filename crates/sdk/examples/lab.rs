//! The worker that the fault lab asks for (`docs/operations/faults.md`): it walks, and writes down what it saw.

use std::{
    env,
    fs::File,
    io::Write,
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use baton_sdk::{App, Context, Error, Job, JobError};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Clone, Serialize, Deserialize)]
struct Item {
    item: Option<u64>,
}

#[derive(Serialize, Deserialize)]
struct Walk {
    key: String,
    items: u64,
    chunk: u64,
}

/// Where what was seen is written down, and by whom.
struct Sights {
    file: File,
    worker: String,
}

impl Sights {
    fn from_env() -> Self {
        let path = env::var_os("LAB_SIGHTS").unwrap_or_default();
        let file = File::options().create(true).append(true).open(path);
        Self {
            file: file.expect("the lab says where sights are written down"),
            worker: env::var("LAB_WORKER").unwrap_or_default(),
        }
    }

    /// One write for each line, so that whoever is killed leaves no half of one.
    #[expect(
        clippy::disallowed_methods,
        reason = "a program of one's own has no other clock"
    )]
    fn saw(&self, ctx: &Context, did: &str, at: u64) -> Result<(), JobError> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let line = json!({
            "at_us": now.unwrap_or_default().as_micros() as u64, "worker": self.worker, "job": ctx.job_id(), "attempt": ctx.attempt(),
            "did": {did: at},
        });
        (&self.file)
            .write_all(format!("{line}\n").as_bytes())
            .map_err(|why| JobError::retry("sights", why.to_string()))
    }
}

/// One of a hundred items of a walk fails when it is tried first.
async fn work(item: Item, ctx: Context, sights: Arc<Sights>) -> Result<(), JobError> {
    sights.saw(&ctx, "began", 0)?;
    tokio::time::sleep(Duration::from_millis(2)).await;
    match item.item {
        Some(item) if item % 100 == 99 && ctx.tries() == 1 => {
            Err(JobError::retry("first_try", "an item that is tried first")
                .after(Duration::from_secs(1)))
        }
        _ => Ok(()),
    }
}

/// Makes a job for each item, and moves the cursor with them.
async fn walk(
    walk: Walk,
    ctx: Context,
    item: Job<Item>,
    sights: Arc<Sights>,
) -> Result<(), JobError> {
    let mut at = ctx.cursor::<u64>()?.unwrap_or(0);
    sights.saw(&ctx, "began", at)?;
    while at < walk.items {
        tokio::time::sleep(Duration::from_millis(30)).await;
        let chunk = at..walk.items.min(at + walk.chunk);
        at = chunk.end;
        let children = chunk.map(|one| {
            let order = item.args(&Item { item: Some(one) });
            order.key(format!("{}-{one}", walk.key))
        });
        sights.saw(&ctx, "asked", at)?;
        ctx.checkpoint(&at).jobs(children).await?;
        sights.saw(&ctx, "saved", at)?;
        if ctx.is_stopping() && at < walk.items {
            return Err(JobError::snooze(Duration::from_secs(1)));
        }
    }
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let app = App::from_env()?;
    let (items, walks) = (app.job::<Item>("lab.item"), app.job::<Walk>("lab.walk"));
    let sights = Arc::new(Sights::from_env());
    let (of_items, of_walks) = (Arc::clone(&sights), Arc::clone(&sights));
    let child = items.clone();
    app.worker()
        .slots(8)
        .name(&*sights.worker)
        .grace(Duration::from_secs(5))
        .handle(&items, move |item, ctx| {
            work(item, ctx, Arc::clone(&of_items))
        })
        .handle(&walks, move |order, ctx| {
            walk(order, ctx, child.clone(), Arc::clone(&of_walks))
        })
        .run()
        .await?;
    Ok(())
}
