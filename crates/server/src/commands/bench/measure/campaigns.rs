//! Campaigns: expanded beside the bare INSERT ... SELECT, sent, stopped and resumed, and how quick an
//! activity notification is beside one.

mod activity;
mod audience;
mod control;
mod expansion;
mod sending;

use crate::{commands::bench::session::Session, exit::Failure};

/// How many recipients an audience has by default.
const RECIPIENTS: u32 = 200_000;
/// How many times as many the campaign beside notifications has: a million by default, so that it lasts for as
/// many notifications as a 99th percentile needs.
const CROWD: u32 = 5;

pub async fn run(session: &mut Session<'_>) -> Result<(), Failure> {
    let recipients = session.jobs(RECIPIENTS);
    let mut rig = session.rig().await?;
    rig.turn();
    audience::fill(session, &rig, 0..recipients).await?;
    let campaign = expansion::run(session, &rig, recipients).await?;
    sending::run(session, &rig, campaign, recipients).await?;
    control::run(session, &rig, recipients).await?;
    let crowd = recipients.saturating_mul(CROWD);
    audience::fill(session, &rig, recipients..crowd).await?;
    activity::run(session, &rig, crowd).await?;
    rig.take_down(session.ground).await
}
