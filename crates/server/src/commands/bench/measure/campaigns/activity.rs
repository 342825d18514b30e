//! Activity: how soon a notification is brought.
//!
//! On an idle system, and beside a campaign that sends as fast as it can.

use std::time::Duration;

use baton_domain::{CampaignId, chance, job::State as JobState, notification::NotificationSpec};
use baton_engine::CampaignCommand;
use indicatif::ProgressBar;
use rand::RngExt;
use tokio::time::{Instant, sleep, timeout};

use crate::{
    commands::bench::{
        figure::{Figure, Latency},
        rig::Rig,
        session::Session,
    },
    exit::{Exit, Failure},
};

use super::audience::{self, refused};

/// How many are brought.
const SAMPLES: u32 = 500;
/// How long the system is left alone between two of them, in milliseconds.
const PAUSE: std::ops::Range<u64> = 10..30;
/// How long one may take.
const LONGEST: Duration = Duration::from_secs(30);

pub async fn run(session: &mut Session<'_>, rig: &Rig, recipients: u32) -> Result<(), Failure> {
    let samples = SAMPLES.min(recipients / 50);
    let all = u64::from(recipients);
    let campaign = audience::campaign(rig, None).await?;
    audience::until(rig, campaign, |it| it.counts.of(JobState::Queued) >= all).await?;
    session.checkpoint(rig).await?;
    let idle = idle(session, rig, samples, campaign).await?;
    let bar = session.bar(samples, "beside a campaign");
    let ran = rig.count.get();
    let crew = rig.crew();
    let is_sending = || rig.count.get() < ran + all;
    let beside = probe(rig, samples, is_sending, &bar).await?;
    bar.finish_and_clear();
    let crowd = session.bar(recipients, "send the rest");
    crew.has_run(all, &crowd).await?;
    crew.leave().await;
    crowd.finish_and_clear();
    let p99 = |samples: &[Duration]| Latency::of(samples.to_vec()).map(|it| it.p99_ms);
    let ratio = p99(&beside).zip(p99(&idle));
    session.found(
        Figure::latency("activity_idle", rig.slots(), idle)
            .note("from the call that notifies one recipient until its provider has it"),
    );
    let figure = Figure::latency("activity_beside", rig.slots(), beside).note(format!(
        "the same while {recipients} deliveries are sent as fast as they can be"
    ));
    session.found(match ratio {
        Some((beside, idle)) => figure.against("activity_idle p99", beside / idle.max(1e-3)),
        None => figure,
    });
    Ok(())
}

/// The campaign stands still meanwhile: it is stopped, and its backlog is there.
async fn idle(
    session: &Session<'_>,
    rig: &Rig,
    samples: u32,
    campaign: CampaignId,
) -> Result<Vec<Duration>, Failure> {
    let commanded = |wish| rig.engine().command_campaign(campaign, wish, None);
    commanded(CampaignCommand::Stop)
        .await
        .map_err(|error| refused(&error))?;
    let crew = rig.crew();
    let bar = session.bar(samples, "idle");
    let idle = probe(rig, samples, || true, &bar).await?;
    bar.finish_and_clear();
    crew.leave().await;
    commanded(CampaignCommand::Resume)
        .await
        .map_err(|error| refused(&error))?;
    Ok(idle)
}

async fn probe(
    rig: &Rig,
    samples: u32,
    goes_on: impl Fn() -> bool,
    bar: &ProgressBar,
) -> Result<Vec<Duration>, Failure> {
    let mut took = Vec::new();
    for i in 0..samples {
        let pause = chance::draw(|chance| chance.random_range(PAUSE));
        sleep(Duration::from_millis(pause)).await;
        if !goes_on() {
            break;
        }
        took.push(sample(rig, i).await?);
        bar.inc(1);
    }
    Ok(took)
}

/// Called from a task, as a server's callers call.
async fn sample(rig: &Rig, i: u32) -> Result<Duration, Failure> {
    let brought = rig.mail.brought.next();
    let spec = NotificationSpec {
        recipients: vec![audience::recipient(i)],
        message: audience::message(),
        ..NotificationSpec::default()
    };
    let engine = rig.engine().clone();
    let call = async move { (Instant::now(), engine.notify(spec).await) };
    let called = tokio::spawn(call).await;
    let (called, notified) =
        called.map_err(|error| Failure::new(format!("a call broke off: {error}")))?;
    notified.map_err(|error| refused(&error))?;
    match timeout(LONGEST, brought).await {
        Ok(Ok(brought)) => Ok(brought.duration_since(called)),
        _ => Err(
            Failure::new("a notification was not brought within 30 s of its call")
                .exit(Exit::TimedOut)
                .then("This must not happen; please report it."),
        ),
    }
}
