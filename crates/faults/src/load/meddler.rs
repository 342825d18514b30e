//! A client that cancels, runs, retries and resolves jobs while they are on their way.

use std::{sync::Arc, time::Duration};

use baton_client::{Client, Error, Job, Resolution};
use baton_domain::JobId;
use baton_lab::checker::{Act, ActAnswer, ActKind};
use rand::{RngExt, rngs::StdRng};
use tokio_util::sync::CancellationToken;

use crate::{Failure, now_us};

use super::Shared;

/// The longest it thinks between two acts, in milliseconds.
const THINK: u64 = 120;
/// Among how many of the latest jobs it chooses what to cancel, and among how many what to repeat.
const RECENT: usize = 10;
const OLDER: usize = 60;

/// Meddles until it is told to stop.
pub async fn meddle(
    shared: Arc<Shared>,
    mut chance: StdRng,
    stop: CancellationToken,
) -> Result<(), Failure> {
    while !stop.is_cancelled() {
        let think = Duration::from_millis(chance.random_range(0..THINK));
        tokio::time::sleep(think).await;
        let (kind, among) = match chance.random_range(0..10) {
            0..3 => (ActKind::Cancel, RECENT),
            3..5 => (ActKind::RunNow, RECENT),
            5..8 => (ActKind::Retry, OLDER),
            _ => (ActKind::Resolve, OLDER),
        };
        if let Some(id) = choose(&shared, &mut chance, among) {
            let endpoint = &shared.endpoints[chance.random_range(0..shared.endpoints.len())];
            let act = act(endpoint, kind, id, chance.random_ratio(1, 3)).await?;
            shared.log.lock().acts.push(act);
        }
    }
    Ok(())
}

fn choose(shared: &Shared, chance: &mut StdRng, among: usize) -> Option<JobId> {
    let accepted = shared.accepted.lock();
    let latest = &accepted[accepted.len().saturating_sub(among)..];
    if latest.is_empty() {
        return None;
    }
    Some(latest[chance.random_range(0..latest.len())])
}

async fn act(client: &Client, kind: ActKind, id: JobId, force: bool) -> Result<Act, Failure> {
    let start_us = now_us();
    let answer = match kind {
        ActKind::Cancel => client.cancel(id, force, None).await,
        ActKind::Retry => client.retry(id).await,
        ActKind::RunNow => client.run_now(id).await,
        ActKind::Resolve => client.resolve(id, Resolution::Succeeded).await,
    };
    Ok(Act {
        kind,
        job: Some(id.to_string()),
        start_us,
        end_us: now_us(),
        answer: told(answer)?,
    })
}

fn told(answer: Result<Job, Error>) -> Result<ActAnswer, Failure> {
    match answer {
        Ok(_) => Ok(ActAnswer::Done),
        Err(Error::Problem(problem)) => Ok(ActAnswer::Refused {
            status: problem.status,
            problem: Some(problem.code.clone()),
        }),
        Err(Error::Unreachable { .. }) => Ok(ActAnswer::Unknown),
        Err(error) => Err(error.into()),
    }
}
