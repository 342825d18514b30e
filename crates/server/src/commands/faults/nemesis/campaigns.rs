//! Campaigns are hurt by what they have done, not by the clock: so the blows fall all over their way.

use std::time::Duration;

use tokio::time::sleep;

use super::super::{stage::Stage, tally::Count};

/// On how many parts of its way a campaign is hurt if no goal says how often.
const PARTS: u64 = 8;
/// How often it is looked.
const LOOK: Duration = Duration::from_millis(5);

/// Waits until campaigns have come another part of the way of one.
pub async fn come_on(stage: &Stage) {
    let parts = stage.tally.goal(Count::Kills).unwrap_or(PARTS) + 1;
    let part = stage.way.whole() / parts;
    let begun = stage.way.done();
    while stage.way.done() < begun + part.max(1) {
        sleep(LOOK).await;
    }
}
