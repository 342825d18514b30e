//! A campaign in a fixture, and how it is judged: by its books, and by the log of the target.

use std::{collections::BTreeSet, fmt::Write as _};

use baton_client::{Campaign, ChangeCampaign, Client, CommandCampaign, CreateCampaign, RowFormat};
use baton_domain::{CampaignId, campaign::State, message::MessageSpec};
use baton_testkit::eventually;
use futures::stream;
use serde_json::json;

use crate::fixture::{Fixture, TIMEOUT};

pub const RECIPIENTS: usize = 600;

/// A campaign for everybody in the fixture.
pub struct Bulk<'a> {
    pub id: CampaignId,
    fixture: &'a Fixture,
    client: Client,
}

impl<'a> Bulk<'a> {
    /// Begins a campaign of small chunks, at this rate.
    pub async fn begin(fixture: &'a Fixture, chunk: i64, rate: Option<f64>) -> Self {
        let client = fixture.retrying();
        take_in(&client).await;
        let campaign = CreateCampaign {
            name: "Daily quiz".to_owned(),
            category: "question".to_owned(),
            action: "push".to_owned(),
            audience: json!({ "all": true }),
            message: MessageSpec {
                title: "Quiz".to_owned(),
                body: "For {{id}}".to_owned(),
                ..MessageSpec::default()
            },
            chunk: Some(chunk),
            rate,
            key: Some(format!("{}-1", fixture.name)),
            ..CreateCampaign::default()
        };
        let created = client.create_campaign(&campaign).await.unwrap();
        Self {
            id: created.id,
            fixture,
            client,
        }
    }

    pub async fn look(&self) -> Campaign {
        self.client.campaign(self.id).await.unwrap()
    }

    /// Waits until it has come to so many chunks.
    pub async fn comes_to(&self, chunks: u64) {
        let what = format!("{chunks} chunks are written");
        eventually(&what, TIMEOUT, async || {
            self.look().await.progress.chunks >= chunks
        })
        .await;
    }

    pub async fn stop(&self) -> Campaign {
        let why = CommandCampaign::default();
        self.client.stop_campaign(self.id, &why).await.unwrap()
    }

    /// Resumes it, with all the speed there is.
    pub async fn resume(&self) {
        let why = CommandCampaign::default();
        self.client.resume_campaign(self.id, &why).await.unwrap();
        self.let_loose().await;
    }

    pub async fn let_loose(&self) {
        let change = ChangeCampaign { rate: None };
        let changed = self.client.change_campaign(self.id, &change).await;
        changed.unwrap();
    }

    /// Waits for its end; then each recipient was written down once and reached, under one key each.
    pub async fn balance(self) {
        eventually("the campaign is done", TIMEOUT, async || {
            self.look().await.state == State::Done
        })
        .await;
        let progress = self.look().await.progress;
        let arrivals = self.fixture.target.arrivals();
        let jobs: BTreeSet<_> = arrivals.iter().map(|one| &one.job_id).collect();
        let keys: BTreeSet<_> = arrivals.iter().map(|one| &one.key).collect();
        eprintln!(
            "{}: {:?} in {} chunks, {} calls",
            self.fixture.name,
            progress.counts,
            progress.chunks,
            arrivals.len()
        );
        assert_eq!(progress.audience, RECIPIENTS as u64);
        assert_eq!(progress.counts["succeeded"], RECIPIENTS as u64);
        assert_eq!(progress.counts.values().sum::<u64>(), progress.audience);
        assert_eq!((jobs.len(), keys.len()), (RECIPIENTS, RECIPIENTS));
    }
}

/// Writes the recipients down.
async fn take_in(client: &Client) {
    let mut rows = String::from("id,platform,address.push\n");
    for number in 0..RECIPIENTS {
        writeln!(rows, "user-{number},ios,token-{number}").unwrap();
    }
    let rows = stream::iter([Ok(rows.into())]);
    let import = client.import_recipients(RowFormat::Csv, false, rows).await;
    assert_eq!(import.unwrap().added, RECIPIENTS as u64);
}
