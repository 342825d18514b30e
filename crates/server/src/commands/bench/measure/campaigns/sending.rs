//! Sending: deliveries that wait, one worker, a provider that does nothing, until all have succeeded.

use baton_domain::{CampaignId, job::State};
use tokio::time::Instant;

use crate::{
    commands::bench::{figure::Figure, rig::Rig, session::Session},
    exit::Failure,
};

use super::audience;

/// How many deliveries are made at once, unless somebody says: what is prepared at once, what is claimed and what is recorded together
/// grows with it. The best of the peers are measured with 500, which is their best.
const SLOTS: u32 = 1_000;

pub async fn run(
    session: &mut Session<'_>,
    rig: &Rig,
    campaign: CampaignId,
    recipients: u32,
) -> Result<(), Failure> {
    let all = u64::from(recipients);
    audience::until(rig, campaign, |it| it.counts.of(State::Queued) >= all).await?;
    session.checkpoint(rig).await?;
    let bar = session.bar(recipients, "send");
    let begun = Instant::now();
    let slots = session.args.slots.unwrap_or(SLOTS);
    let crew = rig.crew_with(slots);
    crew.has_run(all, &bar).await?;
    let took = begun.elapsed();
    // What the worker says is checked against the books, outside of the time taken.
    audience::until(rig, campaign, |it| it.counts.of(State::Succeeded) >= all).await?;
    crew.leave().await;
    bar.finish_and_clear();
    session.found(
        Figure::rate("campaign_drain", all, slots, took)
            .note("each recipient read again and told by a provider that does nothing; attempts and facts in the same transactions"),
    );
    Ok(())
}
