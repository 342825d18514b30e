//! The Redis that the settings name, if they name one: where it is, workers are led to jobs by hints.

use std::sync::Arc;

use baton_ports::{Store, Wakeup, Wakeups};
use baton_redis::{Options, RedisHints};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    config::{Config, RedisUrl, Role},
    exit::Failure,
    store,
};

/// Meets the Redis of the settings until `stop` fires, and has it relay wake-ups. One that does not answer
/// is no failure.
pub async fn open(
    config: &Config,
    store: &dyn Store,
    wakeups: &Arc<Wakeups>,
    stop: CancellationToken,
) -> Result<Option<Arc<RedisHints>>, Failure> {
    let url = &config.redis.url;
    if url.is_empty() {
        return Ok(None);
    }
    let generation = store.generation().await;
    let generation = generation.map_err(|error| store::lost(&error))?;
    let options = Options {
        heal: config.redis.heal,
        ..Options::new(url.reveal(), generation.installation)
    };
    let hints = connect(options, stop).await?;
    hints.relay(wakeups.clone(), heard_by(&config.server.roles));
    Ok(Some(Arc::new(hints)))
}

/// The wake-ups that somebody waits for where these roles are played.
fn heard_by(roles: &[Role]) -> Vec<Wakeup> {
    let of = |role: &Role| match role {
        Role::Worker => vec![Wakeup::Ready, Wakeup::Cancel],
        Role::Api => vec![Wakeup::Events],
        Role::Engine => vec![
            Wakeup::Due,
            Wakeup::Facts,
            Wakeup::Events,
            Wakeup::Operations,
            Wakeup::Campaigns,
            Wakeup::Schedules,
        ],
    };
    roles.iter().flat_map(of).collect()
}

/// Meets a Redis on behalf of this installation.
pub async fn meet(
    url: &RedisUrl,
    installation: Uuid,
    stop: CancellationToken,
) -> Result<RedisHints, Failure> {
    connect(Options::new(url.reveal(), installation), stop).await
}

async fn connect(options: Options, stop: CancellationToken) -> Result<RedisHints, Failure> {
    let hints = RedisHints::connect(options, stop).await;
    hints.map_err(|error| Failure::usage(error.to_string()))
}
