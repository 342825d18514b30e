//! Hints on Redis keep every promise of hints.

use std::{
    process::ExitCode,
    sync::{Arc, LazyLock},
    time::Duration,
};

use baton_ports::promises::{FreshHints, HintsFactory, run_hints};
use baton_redis::{Options, RedisHints};
use baton_testkit::Redis;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

static REDIS: LazyLock<Redis> = LazyLock::new(Redis::start);

/// More than a busy machine needs.
const TIMEOUT: Duration = Duration::from_secs(20);

/// What others may put into our lists.
const GARBAGE: &str = "not a hint";

fn main() -> ExitCode {
    let redis: HintsFactory = Arc::new(|| Box::pin(fresh()));
    run_hints(&[("redis", redis)])
}

async fn fresh() -> Result<FreshHints, String> {
    let (ours, theirs) = (Uuid::new_v4(), Uuid::new_v4());
    let stop = CancellationToken::new();
    Ok(FreshHints {
        hints: connect(ours, &stop).await?,
        others: connect(theirs, &stop).await?,
        forget: Arc::new(move || forget(ours)),
        poison: Arc::new(move |queue| {
            let list = format!("{{baton:{ours}}}:g1:ready:{queue}");
            REDIS.command(&["RPUSH", &list, GARBAGE]);
        }),
        keep: Box::new(stop.drop_guard()),
    })
}

async fn connect(installation: Uuid, stop: &CancellationToken) -> Result<Arc<RedisHints>, String> {
    let options = Options {
        connect: TIMEOUT,
        command: TIMEOUT,
        ..Options::new(REDIS.url(), installation)
    };
    let hints = RedisHints::connect(options, stop.clone()).await;
    hints.map(Arc::new).map_err(|error| error.to_string())
}

/// What a restart without a dump does, for one installation among those of all these tests.
fn forget(installation: Uuid) {
    let script = "for _, key in ipairs(redis.call('KEYS', ARGV[1])) do redis.call('DEL', key) end";
    let pattern = format!("{{baton:{installation}}}*");
    REDIS.command(&["EVAL", script, "0", &pattern]);
}
