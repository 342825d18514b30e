//! The picture on a campaign's page: how many deliveries were sent and failed over the time that it ran.

use std::time::Duration;

use baton_domain::{CampaignId, Clock, LeaseId, job::State};
use baton_ports::store::{Claim, QueueClaim, Work};

use crate::{
    campaigns::{in_inboxes, in_line},
    fixture::{Fixture, verdict_for},
};

/// Ends one of its deliveries as a worker would.
async fn end_one(fixture: &Fixture, id: CampaignId, state: State) {
    let claim = Claim {
        worker: fixture.worker,
        until: fixture.clock.now() + Duration::from_secs(30),
        queues: vec![QueueClaim {
            queue: id.to_string(),
            lease: LeaseId::random(),
            limit: 1,
            limited: false,
            jobs: None,
        }],
    };
    let now = fixture.clock.now();
    let claimed = fixture.store.claim(&claim, now).await.unwrap();
    let claimed = claimed.into_iter().next().expect("a delivery to claim");
    fixture.settle(claimed, verdict_for(state)).await;
}

#[tokio::test]
async fn the_picture_of_a_campaign_tells_minute_by_minute_what_was_sent_and_what_failed() {
    let fixture = Fixture::new();
    let id = in_line(&fixture, "Daily quiz").await;
    end_one(&fixture, id, State::Succeeded).await;
    fixture.clock.advance(Duration::from_mins(3));
    end_one(&fixture, id, State::Failed).await;

    let page = fixture.get(&format!("/admin/campaigns/{id}")).await;

    page.has("<h2 id=\"picture\">How it went</h2>")
        .has("aria-label=\"Deliveries that ended: 1 sent, 1 failed, 0 canceled or skipped.\"")
        .has("<rect class=\"succeeded\" x=\"0.0\"")
        .has("<rect class=\"failed\" x=\"120.0\"")
        .has("Each bar is a minute.")
        .has("<summary>As a table</summary>");
}

#[tokio::test]
async fn of_a_campaign_that_runs_for_days_the_newest_day_is_drawn() {
    let fixture = Fixture::new();
    let id = in_line(&fixture, "Daily quiz").await;
    end_one(&fixture, id, State::Succeeded).await;
    fixture.clock.advance(Duration::from_hours(49));
    let room = format!("/admin/campaigns/{id}");

    let quiet = fixture.get(&room).await;
    end_one(&fixture, id, State::Failed).await;
    let busy = fixture.get(&room).await;

    quiet.has("No delivery has ended in the last day");
    busy.has("Deliveries that ended in the last day: 0 sent, 1 failed")
        .has("Each bar is 15 minutes; of the time before");
}

#[tokio::test]
async fn a_campaign_of_which_there_is_nothing_to_draw_says_so() {
    let fixture = Fixture::new();
    let in_line = in_line(&fixture, "Daily quiz").await;
    let laid = in_inboxes(&fixture, "Notice").await;

    let waiting = fixture.get(&format!("/admin/campaigns/{in_line}")).await;
    let laid = fixture.get(&format!("/admin/campaigns/{laid}")).await;

    waiting
        .has("No delivery has ended yet.")
        .lacks("class=\"picture\"");
    laid.lacks("How it went");
}
