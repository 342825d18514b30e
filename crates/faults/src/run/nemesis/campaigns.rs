//! Campaigns are hurt by what they have done, not by the clock: so the blows fall all over their way.

use std::time::Duration;

use tokio::time::sleep;

use super::super::{stage::LabInstallation, tally::Count};

/// On how many parts of its way a campaign is hurt if no goal says how often.
const PARTS: u64 = 8;
/// How often it is looked.
const LOOK: Duration = Duration::from_millis(5);

/// Waits until campaigns have come to the next place where they are hurt. Who is late, because the last blow took its
/// time, strikes at once: else a quick campaign is over before all its blows have fallen.
pub async fn come_to(stage: &LabInstallation, blow: u64) {
    let parts = stage.tally.goal(Count::Kills).unwrap_or(PARTS) + 1;
    let place = || (stage.way.whole() / parts).max(1) * blow;
    while stage.way.done() < place() {
        sleep(LOOK).await;
    }
}
