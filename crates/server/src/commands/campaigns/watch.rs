//! `baton campaigns watch`: follows a campaign until it is done.

use std::time::{Duration, Instant};

use baton_client::{Campaign, Client};
use baton_domain::{CampaignId, campaign::State, duration, job};
use indicatif::{ProgressBar, ProgressStyle};

use super::show;
use crate::{
    exit::{Exit, Failure},
    output::{Output, clean},
};

/// How often it is asked how far it is.
const PAUSE: Duration = Duration::from_millis(500);

/// Follows a campaign until it is done, canceled or stopped.
pub async fn run(id: CampaignId, client: &Client, output: &Output) -> Result<Exit, Failure> {
    tokio::select! {
        campaign = follow(id, client, output) => {
            let campaign = campaign?;
            show(&campaign, output);
            Ok(match campaign.state {
                State::Done => Exit::Ok,
                State::Stopped => {
                    output.say(goes_on_by(&campaign));
                    Exit::NotSucceeded
                }
                _ => Exit::NotSucceeded,
            })
        }
        _ = tokio::signal::ctrl_c() => {
            output.say(format!("Stopped watching; the campaign goes on. Again: baton campaigns watch {id}"));
            Ok(Exit::Interrupted)
        }
    }
}

/// What has a stopped campaign go on.
pub fn goes_on_by(campaign: &Campaign) -> String {
    let id = &campaign.id;
    match &campaign.approval {
        Some(approval) if approval.approved_by.is_none() => {
            format!("Somebody else has to approve it: baton campaigns approve {id}")
        }
        _ => format!("It is stopped and waits. It goes on: baton campaigns resume {id}"),
    }
}

async fn follow(id: CampaignId, client: &Client, output: &Output) -> Result<Campaign, Failure> {
    let mut campaign = client.campaign(id).await?;
    let bar = bar(output);
    let mut pace = Throughput::default();
    loop {
        draw(&bar, &campaign, &mut pace);
        if matches!(
            campaign.state,
            State::Done | State::Canceled | State::Stopped
        ) {
            bar.finish_and_clear();
            return Ok(campaign);
        }
        tokio::time::sleep(PAUSE).await;
        campaign = client.campaign(id).await?;
    }
}

fn bar(output: &Output) -> ProgressBar {
    let bar = output.bar(1, "");
    let template = "{prefix} {bar:16} {pos}/{len}  {wide_msg}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("█▉▊▋▌▍▎▏░"));
    }
    bar
}

fn draw(bar: &ProgressBar, campaign: &Campaign, pace: &mut Throughput) {
    let progress = &campaign.progress;
    let length = progress
        .expected
        .unwrap_or(progress.audience)
        .max(progress.audience);
    let ended = progress.ended;
    let per_second = pace.measure(ended);
    let eta = (per_second > 0.0).then(|| (length.saturating_sub(ended)) as f64 / per_second);
    let eta = eta.map(|seconds| {
        let span = duration::format(Duration::from_secs(seconds as u64));
        format!(", {span} left")
    });
    bar.set_prefix(campaign.state.to_string());
    bar.set_length(length.max(1));
    bar.set_position(ended);
    let failed = match progress.count(job::State::Failed) {
        0 => String::new(),
        failed => format!("{failed} failed, "),
    };
    // A narrow terminal shows the beginning.
    bar.set_message(format!(
        "{failed}{per_second:.0}/s{}, limited by: {}",
        eta.unwrap_or_default(),
        clean(&progress.limited_by)
    ));
}

/// How fast deliveries end, smoothed over a few seconds.
#[derive(Default)]
struct Throughput {
    last: Option<(Instant, u64)>,
    per_second: f64,
}

impl Throughput {
    fn measure(&mut self, ended: u64) -> f64 {
        let now = Instant::now();
        if let Some((then, before)) = self.last {
            let span = (now - then).as_secs_f64().max(0.001);
            let fresh = ended.saturating_sub(before) as f64 / span;
            let share = if self.per_second == 0.0 { 1.0 } else { 0.3 };
            self.per_second += share * (fresh - self.per_second);
        }
        self.last = Some((now, ended));
        self.per_second
    }
}
