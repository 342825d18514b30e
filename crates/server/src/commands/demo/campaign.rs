//! The second act: a campaign whose server is killed in the middle of its walk.
//!
//! It is stopped and resumed, and its books are balanced against what the provider received.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    time::Duration,
};

use baton_client::{Campaign, Client, CommandCampaign, CreateCampaign, RowFormat};
use baton_domain::{campaign::State as CampaignState, job::State, message::MessageSpec};
use baton_faults::now_us;
use baton_lab::target::Target;
use futures::stream;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::{exit::Failure, output::Output};

/// What the provider is called.
pub const PROVIDER: &str = "demo";
/// One in so many recipients wants nothing sent.
const SILENT: u32 = 20;
/// Small, so that there are many chunks to be killed in.
const CHUNK: i64 = 250;
/// How long its calls take at least, so that there is time to stop it on its way.
const SECONDS: f64 = 8.0;
/// How often it is asked how far it is.
const GLANCE: Duration = Duration::from_millis(10);
/// The same while only the end is waited for.
const LOOK: Duration = Duration::from_millis(200);
/// How long a part of it may take.
const TIMEOUT: Duration = Duration::from_mins(5);
/// How late after the answer to a stop a call may start.
pub const BOUND: Duration = Duration::from_secs(2);

/// What came of the campaign.
pub struct Outcome {
    campaign: Campaign,
    recipients: u32,
    /// How many calls were under way when the stop was answered.
    in_flight: u64,
    /// How long after the answer to the stop the last call started.
    last_call: Duration,
    calls: BTreeMap<String, usize>,
    keys: usize,
    took: Duration,
}

/// What the act needs.
pub struct Act<'a> {
    pub client: &'a Client,
    pub provider: &'a Target,
    pub recipients: u32,
    pub output: &'a Output,
}

impl Act<'_> {
    /// Plays the act; `kill` kills the server and starts it again.
    pub async fn play(
        self,
        kill: impl AsyncFnOnce() -> Result<(), Failure>,
    ) -> Result<Outcome, Failure> {
        let began = Instant::now();
        self.import().await?;
        let id = self.client.create_campaign(&self.asked()).await?.id;
        self.output.say(format!(
            "A campaign to {} recipients, in chunks of {CHUNK}: {id}",
            self.recipients
        ));
        let goal = f64::from(self.recipients) / 3.0;
        let midway = self.until(id, GLANCE, |campaign| {
            campaign.progress.audience as f64 >= goal
        });
        let midway = midway.await?;
        kill().await?;
        self.output.say(format!(
            "Killed the server with SIGKILL after chunk {}, with {} recipients written down; started again, the walk goes on behind its cursor",
            midway.progress.chunks, midway.progress.audience
        ));
        let half = u64::from(self.recipients) / 2;
        self.until(id, GLANCE, |campaign| campaign.progress.ended >= half)
            .await?;
        let (in_flight, last_call) = self.stop(id).await?;
        let command = CommandCampaign::default();
        self.client.resume_campaign(id, &command).await?;
        let done = self.until(id, LOOK, |campaign| campaign.state == CampaignState::Done);
        let campaign = done.await?;
        let arrivals = self.provider.arrivals();
        let mut calls: BTreeMap<String, usize> = BTreeMap::new();
        for arrival in &arrivals {
            *calls.entry(arrival.job_id.clone()).or_default() += 1;
        }
        let keys: BTreeSet<_> = arrivals.iter().map(|arrival| &arrival.key).collect();
        Ok(Outcome {
            recipients: self.recipients,
            keys: keys.len(),
            calls,
            campaign,
            in_flight,
            last_call,
            took: began.elapsed(),
        })
    }

    async fn import(&self) -> Result<(), Failure> {
        let mut rows = String::from("id,platform,topics,enabled,address.push\n");
        for number in 0..self.recipients {
            let is_enabled = number % SILENT != 0;
            // A text takes what is written to it.
            let _ = writeln!(
                rows,
                "user-{number},ios,daily-quiz,{is_enabled},token-{number}"
            );
        }
        let rows = stream::iter([Ok(rows.into())]);
        let imported = self
            .client
            .import_recipients(RowFormat::Csv, false, rows)
            .await?;
        if imported.added == u64::from(self.recipients) {
            return Ok(());
        }
        Err(Failure::new(format!(
            "{} recipients were imported as new, not {}; give the demonstration an empty database",
            imported.added, self.recipients
        )))
    }

    fn asked(&self) -> CreateCampaign {
        CreateCampaign {
            name: "Daily quiz".to_owned(),
            category: "question".to_owned(),
            action: "push".to_owned(),
            audience: json!({ "topic": "daily-quiz" }),
            message: MessageSpec {
                title: "Your quiz is here".to_owned(),
                body: "Good morning, {{id}}!".to_owned(),
                ..MessageSpec::default()
            },
            provider: Some(PROVIDER.to_owned()),
            chunk: Some(CHUNK),
            rate: Some(f64::from(self.recipients) / SECONDS),
            ..CreateCampaign::default()
        }
    }

    async fn until(
        &self,
        id: baton_domain::CampaignId,
        pause: Duration,
        is_so: impl Fn(&Campaign) -> bool,
    ) -> Result<Campaign, Failure> {
        let end = Instant::now() + TIMEOUT;
        loop {
            let campaign = self.client.campaign(id).await?;
            if is_so(&campaign) || campaign.state == CampaignState::Done {
                return Ok(campaign);
            }
            if Instant::now() > end {
                return Err(Failure::new(format!(
                    "the campaign does not go on: {}, {}",
                    campaign.state, campaign.progress.limited_by
                )));
            }
            sleep(pause).await;
        }
    }

    /// Stops it, and watches for longer than a call may start after that.
    async fn stop(&self, id: baton_domain::CampaignId) -> Result<(u64, Duration), Failure> {
        let command = CommandCampaign::default();
        let stopped = self.client.stop_campaign(id, &command).await?;
        let answered = now_us();
        sleep(BOUND + BOUND / 2).await;
        let last = self.provider.arrivals();
        let last = last.iter().map(|arrival| arrival.at_us).max().unwrap_or(0);
        let late = u64::try_from(last - answered).unwrap_or(0);
        let late = Duration::from_micros(late);
        self.output.say(format!(
            "Stopped it: {} calls were under way, and the last one started {} ms after the answer; resumed it",
            stopped.progress.in_flight,
            late.as_millis()
        ));
        Ok((stopped.progress.in_flight, late))
    }
}

impl Outcome {
    /// What does not agree.
    pub fn wrong(&self) -> Vec<String> {
        let progress = &self.campaign.progress;
        let sum: u64 = progress.counts.values().sum();
        let succeeded = progress.count(State::Succeeded);
        let silent = u64::from(self.recipients.div_ceil(SILENT));
        let all = u64::from(self.recipients);
        let checks = [
            (
                progress.audience == all && sum == all,
                format!(
                    "the campaign wrote {} recipients down and counts {sum}, of {all}",
                    progress.audience
                ),
            ),
            (
                succeeded == all - silent && progress.count(State::Skipped) == silent,
                format!(
                    "{succeeded} deliveries succeeded, and {} were to",
                    all - silent
                ),
            ),
            (
                self.calls.len() as u64 == succeeded && self.keys as u64 == succeeded,
                format!(
                    "the provider was called for {} deliveries under {} keys, and {succeeded} succeeded",
                    self.calls.len(),
                    self.keys
                ),
            ),
            (
                self.last_call <= BOUND,
                format!(
                    "a call started {} ms after the stop was answered",
                    self.last_call.as_millis()
                ),
            ),
        ];
        let failed = checks.into_iter().filter(|(is_good, _)| !is_good);
        failed.map(|(_, what)| what).collect()
    }

    fn repeated(&self) -> usize {
        self.calls.values().map(|count| count - 1).sum()
    }

    /// Shows the numbers.
    pub fn show(&self, output: &Output) {
        let progress = &self.campaign.progress;
        let say = |name: &str, count: u64, what: &str| {
            output.line(format!("{name:<14} {count:>7}   {what}"));
        };
        output.line("\nThe campaign");
        say(
            "audience",
            progress.audience,
            &format!("in {} chunks, each written once", progress.chunks),
        );
        say("delivered", progress.count(State::Succeeded), "");
        say(
            "skipped",
            progress.count(State::Skipped),
            "want nothing sent",
        );
        say(
            "calls",
            self.calls.values().sum::<usize>() as u64,
            "reached the provider",
        );
        say(
            "repeated",
            self.repeated() as u64,
            "calls that the kill cut off, under the same idempotency key",
        );
        output.line(format!(
            "It was stopped with {} calls under way; the last one started {} ms after the answer. It took {:.1} s.",
            self.in_flight,
            self.last_call.as_millis(),
            self.took.as_secs_f64()
        ));
    }

    /// The numbers as JSON.
    pub fn as_json(&self) -> Value {
        let progress = &self.campaign.progress;
        json!({
            "audience": progress.audience,
            "counts": progress.counts,
            "calls": self.calls.values().sum::<usize>(),
            "repeated": self.repeated(),
            "in_flight_at_stop": self.in_flight,
            "last_call_ms": u64::try_from(self.last_call.as_millis()).unwrap_or(u64::MAX),
            "seconds": self.took.as_secs_f64(),
        })
    }
}
