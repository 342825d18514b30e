//! Whether the collector of traces is there.

use std::{sync::Arc, time::Duration};

use baton_domain::time::SystemClock;
use tokio::{task::spawn_blocking, time::timeout};

use super::{Finding, Mark};
use crate::{config::Config, wiring};

const SUBJECT: &str = "traces";
/// How long it may take to answer.
const TIMEOUT: Duration = Duration::from_secs(2);

/// What is found of the collector, if there is one. No job waits for it, so nothing is worse than odd.
pub async fn collector(config: &Config) -> Option<Finding> {
    if !config.traces.is_on() {
        return None;
    }
    let of = config.clone();
    // It reads files.
    let built = spawn_blocking(move || wiring::collector(&of, "doctor", Arc::new(SystemClock)));
    let collector = match built.await {
        Ok(Ok(collector)) => collector?,
        Ok(Err(failure)) => return Some(Finding::new(Mark::Bad, SUBJECT, failure.what())),
        Err(error) => return Some(Finding::new(Mark::Bad, SUBJECT, error.to_string())),
    };
    let endpoint = &config.traces.endpoint;
    let met = timeout(TIMEOUT, collector.meet()).await;
    let met = met.unwrap_or_else(|_| Err("it has not answered in time".to_owned()));
    Some(match met {
        Ok(()) => Finding::new(Mark::Good, SUBJECT, format!("{endpoint} takes spans")),
        Err(why) => {
            let message = format!("{endpoint} does not take spans, and they are dropped: {why}");
            Finding::new(Mark::Odd, SUBJECT, message)
        }
    })
}
