//! A claim of several queues, one after the other.

use std::collections::HashMap;

use baton_domain::{Timestamp, WorkerId};
use baton_ports::store::{self, Claim, Claimed, QueueClaim};

use super::unheard::spawn_give_back;
use crate::Engine;

/// Claims want by want, the most wanted first, until there are as many jobs as are wanted of all together. Of several queues
/// those alone are asked that have jobs. Each of their leases lasts until the same moment.
pub async fn claim_in_turn(
    engine: &Engine,
    worker: WorkerId,
    mut wants: Vec<QueueClaim>,
    (limit, until): (u32, Timestamp),
) -> store::Result<Vec<Claimed>> {
    if wants.len() > 1 {
        let ready = engine.inner.store.ready_queues().await?;
        let ready: HashMap<_, _> = ready
            .iter()
            .map(|one| (one.name.as_str(), one.limited))
            .collect();
        wants.retain_mut(|want| {
            let limited = ready.get(&*want.queue).copied();
            want.limited = limited.unwrap_or(want.limited);
            limited.is_some()
        });
    }
    let mut claimed = Vec::new();
    for mut want in wants {
        let left = limit.saturating_sub(u32::try_from(claimed.len()).unwrap_or(u32::MAX));
        if left == 0 {
            break;
        }
        want.limit = want.limit.min(left);
        let lease = want.lease;
        let now = engine.now();
        let claim = Claim {
            worker,
            until,
            queues: vec![want],
        };
        match engine.inner.store.claim(&claim, now).await {
            Ok(jobs) => claimed.extend(jobs),
            // What is claimed is claimed. What may have been claimed besides is not waited for.
            Err(_) if !claimed.is_empty() => {
                spawn_give_back(engine.clone(), worker, vec![lease], until);
                break;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(claimed)
}
