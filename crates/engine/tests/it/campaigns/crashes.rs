//! Expanders that die before or after any call to the store, in any interleaving.
//!
//! Each recipient is written down once.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use baton_domain::{
    CampaignId, Clock, ManualClock, Timestamp, WorkerId,
    access::Actor,
    campaign::{CampaignSpec, State},
    page::PageRequest,
};
use baton_engine::{Caller, CampaignCommand, Engine, Routine, Settings, routines::Expander};
use baton_ports::{
    MemoryStore, Store, Wakeups,
    faulty::{Faulty, Odds},
    store::{Campaigns, Events, Inbox, JobFilter, Jobs},
};
use rand::{RngExt, SeedableRng, rngs::StdRng};

use super::{profiles, quiz};

const SEEDS: u64 = 400;
const STEPS: usize = 80;
const PEOPLE: usize = 14;
const NODES: usize = 3;
/// Longer than a walk is left to a node that says nothing.
const LONG_NAP: u64 = 14_000;
const NEVER: Odds = Odds {
    before: 0.0,
    after: 0.0,
};
const OFTEN: Odds = Odds {
    before: 0.2,
    after: 0.2,
};

#[tokio::test]
async fn expanders_that_die_around_any_call_write_each_recipient_down_once() {
    let mut injected = 0;
    for seed in 0..SEEDS {
        let mut crew = Crew::new(seed).await;
        let campaigns = [
            crew.create("one").await,
            crew.create("one").await,
            crew.create("other").await,
        ];

        crew.faults.set(OFTEN);
        for _ in 0..STEPS {
            crew.step(&campaigns).await;
        }
        crew.faults.set(NEVER);
        crew.come_to_the_end(&campaigns).await;

        for id in campaigns {
            crew.balance(id).await;
        }
        injected += crew.faults.injected();
    }
    assert!(injected > SEEDS * 10, "{injected} faults");
}

/// Nodes over one store whose connections fail.
struct Crew {
    seed: u64,
    chance: StdRng,
    store: Arc<MemoryStore>,
    faults: Arc<Faulty>,
    engine: Caller,
    clock: ManualClock,
    nodes: Vec<Expander>,
}

impl Crew {
    async fn new(seed: u64) -> Self {
        let clock = ManualClock::at(Timestamp::from_micros(1_800_000_000_000_000));
        let store = Arc::new(MemoryStore::with_clock(Arc::new(clock.clone())));
        let faults = Faulty::new(store.clone(), seed, NEVER);
        let engine = Engine::new(
            Arc::clone(&faults) as Arc<dyn Store>,
            Arc::new(Wakeups::default()),
            Arc::new(clock.clone()),
            Vec::new(),
            Settings {
                providers: vec!["gateway".to_owned()],
                ..Settings::default()
            },
        )
        .caller(Actor::anonymous());
        profiles(&*store, PEOPLE, clock.now()).await;
        let mut crew = Self {
            seed,
            chance: StdRng::seed_from_u64(seed),
            store,
            faults,
            engine,
            clock,
            nodes: Vec::new(),
        };
        for _ in 0..NODES {
            let node = crew.newcomer();
            crew.nodes.push(node);
        }
        crew
    }

    /// A node that knows nothing, under an id of its own.
    fn newcomer(&self) -> Expander {
        self.clock.advance(Duration::from_millis(1));
        Expander::new(self.engine.tools(), WorkerId::new(self.clock.now()))
    }

    async fn create(&self, lane: &str) -> CampaignId {
        let spec = CampaignSpec {
            action: "both".to_owned(),
            chunk: Some(3),
            lane: Some(lane.to_owned()),
            ..quiz()
        };
        self.engine.create_campaign(spec).await.unwrap().id()
    }

    async fn step(&mut self, campaigns: &[CampaignId]) {
        let place = self.chance.random_range(0..NODES);
        match self.chance.random_range(0..20) {
            0 => self.nodes[place] = self.newcomer(),
            1 => self.command(campaigns).await,
            2..5 => {
                let nap = self.chance.random_range(0..LONG_NAP);
                self.clock.advance(Duration::from_millis(nap));
            }
            _ => self.turn(place).await,
        }
    }

    /// A node whose call failed dies of it, or lives on in doubt.
    async fn turn(&mut self, place: usize) {
        let turned = self.nodes[place].turn().await;
        if turned.is_err() && self.chance.random_bool(0.5) {
            self.nodes[place] = self.newcomer();
        }
    }

    /// Somebody stops a campaign or resumes it; what was answered is so.
    async fn command(&mut self, campaigns: &[CampaignId]) {
        let id = campaigns[self.chance.random_range(0..campaigns.len())];
        let command =
            [CampaignCommand::Stop, CampaignCommand::Resume][self.chance.random_range(0..2)];
        let answer = self.engine.command_campaign(id, command, None).await;
        if let Ok(campaign) = answer {
            let is_stopped = self.state(id).await == State::Stopped;
            assert_eq!(
                is_stopped,
                command == CampaignCommand::Stop,
                "seed {}",
                self.seed
            );
            assert_eq!(campaign.id, id);
        }
    }

    async fn come_to_the_end(&mut self, campaigns: &[CampaignId]) {
        self.resume_all(campaigns).await;
        let mut stopped_for_losses = 0;
        for _ in 0..1_000 {
            stopped_for_losses += self.resume_all(campaigns).await;
            // Nobody dies any more: what stops one is that nodes died of its chunk before.
            assert!(stopped_for_losses <= campaigns.len(), "seed {}", self.seed);
            self.clock.advance(Duration::from_secs(1));
            let place = self.chance.random_range(0..NODES);
            self.nodes[place].turn().await.unwrap();
            if self.is_walked(campaigns).await {
                return;
            }
        }
        panic!("seed {}: the walk does not come to its end", self.seed);
    }

    /// Says how many were stopped.
    async fn resume_all(&self, campaigns: &[CampaignId]) -> usize {
        let mut resumed = 0;
        for id in campaigns {
            if self.state(*id).await == State::Stopped {
                let answer = self
                    .engine
                    .command_campaign(*id, CampaignCommand::Resume, None)
                    .await;
                resumed += usize::from(answer.is_ok());
            }
        }
        resumed
    }

    async fn is_walked(&self, campaigns: &[CampaignId]) -> bool {
        for id in campaigns {
            if self.state(*id).await != State::Sending {
                return false;
            }
        }
        true
    }

    async fn state(&self, id: CampaignId) -> State {
        let campaign = self.store.campaign(id, self.clock.now()).await.unwrap();
        campaign.unwrap().state
    }

    /// Each recipient has one delivery and one item of the campaign, and its books say so.
    async fn balance(&self, id: CampaignId) {
        let seed = self.seed;
        while self
            .store
            .sequence(1_000, self.clock.now())
            .await
            .unwrap()
            .count
            > 0
        {}
        let filter = JobFilter {
            campaign: Some(id),
            ..JobFilter::default()
        };
        let page = PageRequest::first(1_000);
        let deliveries = self.store.jobs(&filter, &page).await.unwrap().items;
        let ids: BTreeSet<_> = deliveries.iter().map(|job| job.id).collect();
        let campaign = self.store.campaign(id, self.clock.now()).await.unwrap();
        let campaign = campaign.unwrap();
        assert_eq!(
            (deliveries.len(), ids.len()),
            (PEOPLE, PEOPLE),
            "seed {seed}"
        );
        assert_eq!(campaign.expanded, PEOPLE as u64, "seed {seed}");
        assert_eq!(campaign.counts.total(), campaign.expanded, "seed {seed}");
        for number in 0..PEOPLE {
            let inbox = self
                .store
                .inbox(&format!("p{number}"), &page)
                .await
                .unwrap();
            let items = inbox.unwrap().items.into_iter();
            let own = items.filter(|item| item.campaign == Some(id)).count();
            assert_eq!(own, 1, "seed {seed}: p{number}");
        }
    }
}
