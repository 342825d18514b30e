//! Control: how soon a campaign obeys.
//!
//! It is stopped in the middle of its walk and resumed, again and again, while a worker sends what is written.

use std::time::Duration;

use baton_domain::{
    CampaignId,
    campaign::{Campaign, State},
};
use baton_engine::CampaignCommand;
use tokio::time::{Instant, sleep};

use crate::{
    commands::bench::{figure::Figure, rig::Rig, session::Session},
    exit::Failure,
};

use super::audience::{self, refused};

/// How often it is stopped, if the walk lasts.
const STOPS: usize = 8;
/// In how many chunks it is walked at the least, so that there is something to stop.
const CHUNKS: u32 = 200;
/// How long it is left alone after it was resumed.
const PAUSE: Duration = Duration::from_millis(100);

/// What a stop and a resume took.
#[derive(Default)]
struct Spans {
    /// From the command to its answer.
    stops: Vec<Duration>,
    /// From the answer to the beginning of the last call; nothing if none began after it.
    calls: Vec<Duration>,
    /// From the command to resume to the first chunk that followed.
    chunks: Vec<Duration>,
}

pub async fn run(session: &mut Session<'_>, rig: &Rig, recipients: u32) -> Result<(), Failure> {
    session.checkpoint(rig).await?;
    let crew = rig.crew();
    let bar = session.bar(u32::try_from(STOPS).unwrap_or(u32::MAX), "stop, resume");
    let chunk = (recipients / CHUNKS).clamp(1, 5_000);
    let campaign = audience::campaign(rig, Some(chunk)).await?;
    let mut spans = Spans::default();
    for _ in 0..STOPS {
        let seen = audience::until(rig, campaign, |it| it.expanded > 0).await?;
        if seen.state != State::Expanding {
            break;
        }
        stop_and_resume(rig, campaign, session.args.span, &mut spans).await?;
        bar.inc(1);
        sleep(PAUSE).await;
    }
    bar.finish_and_clear();
    audience::until(rig, campaign, |it| it.state == State::Done).await?;
    crew.leave().await;
    let slots = rig.slots();
    session.found(
        Figure::latency("campaign_stop", slots, spans.stops)
            .note("from the command to its answer, while the audience is walked and sent to"),
    );
    session.found(
        Figure::latency("campaign_last_call", slots, spans.calls)
            .note("from the answer to the beginning of the last call; 0: none began after it"),
    );
    session.found(
        Figure::latency("campaign_resume", slots, spans.chunks)
            .note("from the command to resume to the first chunk"),
    );
    Ok(())
}

/// Stops it, waits for calls that may still come, and resumes it.
async fn stop_and_resume(
    rig: &Rig,
    id: CampaignId,
    quiet: Duration,
    spans: &mut Spans,
) -> Result<(), Failure> {
    let begun = Instant::now();
    command(rig, id, CampaignCommand::Stop).await?;
    let stopped = Instant::now();
    spans.stops.push(stopped - begun);
    sleep(quiet).await;
    spans
        .calls
        .push(rig.mail.last().saturating_duration_since(stopped));
    let seen = audience::until(rig, id, |_| true).await?;
    let begun = Instant::now();
    command(rig, id, CampaignCommand::Resume).await?;
    // The chunk that was the last one may have been written just before the stop.
    let has_gone_on = |it: &Campaign| it.chunks > seen.chunks || it.is_complete();
    let gone_on = audience::until(rig, id, has_gone_on).await?;
    if gone_on.chunks > seen.chunks {
        spans.chunks.push(begun.elapsed());
    }
    Ok(())
}

async fn command(rig: &Rig, id: CampaignId, asked: CampaignCommand) -> Result<(), Failure> {
    let commanded = rig.engine().command_campaign(id, asked, None).await;
    commanded.map(drop).map_err(|error| refused(&error))
}
