//! A sender: makes a campaign, and stops, resumes and perhaps cancels it on its way.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use baton_domain::{
    CampaignId, Timestamp,
    campaign::CampaignSpec,
    job::{Backoff, Jitter, Strategy},
    message::MessageSpec,
    recipient::{Profile, RecipientSpec},
};
use baton_engine::CampaignCommand;
use baton_ports::Store;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::json;
use tokio::time::{sleep, timeout};

use crate::{fleet::Fleet, postman};

/// How long a sender waits for an answer.
const TIMEOUT: Duration = Duration::from_secs(8);

/// Writes down whom there is to reach.
pub async fn import(store: &Arc<dyn Store>, recipients: u32, now: Timestamp) {
    let profiles: Vec<_> = (0..recipients).map(profile).collect();
    store.put_recipients(&profiles, now).await.unwrap();
}

fn profile(number: u32) -> Profile {
    let spec = RecipientSpec {
        addresses: BTreeMap::from([("push".to_owned(), format!("token-{number}"))]),
        ..RecipientSpec::on("ios")
    };
    Profile::from_spec(format!("p{number}"), spec).unwrap()
}

/// Sends one campaign.
pub struct Sender {
    fleet: Arc<Fleet>,
    name: u32,
    dice: StdRng,
}

impl Sender {
    pub fn new(fleet: Arc<Fleet>, name: u32, seed: u64) -> Self {
        Self {
            fleet,
            name,
            dice: StdRng::seed_from_u64(seed),
        }
    }

    /// Makes its campaign, and has second thoughts until this moment.
    pub async fn run(mut self, until: Timestamp) {
        self.think(5_000).await;
        let Some(id) = self.create(until).await else {
            return;
        };
        while self.fleet.now() < until {
            self.think(2_500).await;
            match self.dice.random_range(0..10) {
                0..4 => self.command(id, CampaignCommand::Stop).await,
                4..8 => self.command(id, CampaignCommand::Resume).await,
                8 if self.dice.random_bool(0.3) => self.command(id, CampaignCommand::Cancel).await,
                _ => self.change_rate(id).await,
            }
        }
    }

    async fn think(&mut self, most: u64) {
        let pause = self.dice.random_range(0..most);
        sleep(Duration::from_millis(pause)).await;
    }

    /// Asks until it is answered; the key makes that safe.
    async fn create(&mut self, until: Timestamp) -> Option<CampaignId> {
        let spec = self.spec();
        while self.fleet.now() < until {
            let engine = self.fleet.engine(&mut self.dice);
            let created = timeout(TIMEOUT, engine.create_campaign(spec.clone())).await;
            if let Ok(Ok(created)) = created {
                return Some(created.id());
            }
            self.think(500).await;
        }
        None
    }

    fn spec(&mut self) -> CampaignSpec {
        let dice = &mut self.dice;
        let has_a_lane = dice.random_bool(0.5);
        CampaignSpec {
            name: "Daily quiz".to_owned(),
            category: "question".to_owned(),
            action: "push".to_owned(),
            audience: json!({"all": true}),
            message: MessageSpec {
                title: "Quiz".to_owned(),
                body: "For {{id}}".to_owned(),
                ..MessageSpec::default()
            },
            provider: Some(postman::PROVIDER.to_owned()),
            lane: has_a_lane.then(|| format!("lane {}", self.name)),
            chunk: Some(dice.random_range(1..12)),
            rate: dice.random_bool(0.4).then(|| dice.random_range(2.0..20.0)),
            // Enough to outlive a store that was away now and then.
            max_attempts: Some(50),
            timeout: Some(Duration::from_secs(5)),
            backoff: Some(Backoff {
                strategy: Strategy::Fixed,
                base: Duration::from_millis(300),
                cap: Duration::from_millis(300),
                jitter: Jitter::None,
            }),
            key: Some(format!("campaign {}", self.name)),
            ..CampaignSpec::default()
        }
    }

    async fn command(&mut self, id: CampaignId, command: CampaignCommand) {
        let engine = self.fleet.engine(&mut self.dice);
        // What was committed is written down by the witness.
        let _ = timeout(TIMEOUT, engine.command_campaign(id, command, None)).await;
    }

    async fn change_rate(&mut self, id: CampaignId) {
        let rate = self.dice.random_bool(0.6);
        let rate = rate.then(|| self.dice.random_range(2.0..30.0));
        let engine = self.fleet.engine(&mut self.dice);
        let _ = timeout(TIMEOUT, engine.change_campaign_rate(id, rate)).await;
    }
}
