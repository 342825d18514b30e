//! Whether the provider that people sign in at is there, and says of itself what it should.

use std::sync::Arc;

use baton_domain::time::SystemClock;
use tokio::task::spawn_blocking;

use super::{Finding, Mark};
use crate::{config::Config, wiring};

const SUBJECT: &str = "sign-in";

/// What is found of the provider, if there is one.
pub async fn provider(config: &Config) -> Option<Finding> {
    let issuer = &config.access.oidc.as_ref()?.issuer;
    let of = config.clone();
    // It reads files.
    let built = spawn_blocking(move || wiring::identity_provider(&of, Arc::new(SystemClock)));
    let provider = match built.await {
        Ok(Ok(provider)) => provider?,
        Ok(Err(failure)) => return Some(Finding::new(Mark::Bad, SUBJECT, failure.what())),
        Err(error) => return Some(Finding::new(Mark::Bad, SUBJECT, error.to_string())),
    };
    Some(match provider.meet().await {
        Ok(keys) => {
            let message = format!("{issuer} answers, with {keys} keys that can be used");
            Finding::new(Mark::Good, SUBJECT, message)
        }
        Err(why) => {
            let message = format!("nobody can sign in at {issuer}: {why}");
            Finding::new(Mark::Bad, SUBJECT, message)
        }
    })
}
