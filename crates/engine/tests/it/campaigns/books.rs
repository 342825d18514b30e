//! The books of a campaign that everything happens to, looked at after each thing that happens.

use std::time::Duration;

use baton_domain::{
    CampaignId, Clock, LeaseId,
    campaign::{CampaignSpec, State},
    fingerprint::fingerprint,
    job::{self, Class, Job, Verdict, decide},
};
use baton_engine::{CampaignCommand, Cancel};
use baton_ports::store::{AttemptResult, By, Claim, Claimed, QueueClaim, Work};
use rand::{RngExt, SeedableRng, rngs::StdRng};

use super::{campaign, deliveries_of, people, quiz};
use crate::fixture::Fixture;

const SEEDS: u64 = 25;
const STEPS: usize = 150;
const PEOPLE: usize = 60;
const LEASE: Duration = Duration::from_secs(30);
/// From when on somebody may cancel the whole of it.
const LATE: usize = 120;
/// What is done between two looks, in the order in which a node gets round to it.
const ROUTINES: [&str; 7] = [
    "expander",
    "expirer",
    "releaser",
    "rescuer",
    "operation-runner",
    "conductor",
    "leader",
];

#[tokio::test]
async fn the_audience_is_the_sum_of_the_states_at_every_look() {
    let mut met = [0; job::State::ALL.len()];
    for seed in 0..SEEDS {
        let mut book = Book::open(seed).await;
        for step in 0..STEPS {
            book.step(step).await;
            book.look(&mut met).await;
        }
    }
    // Each state was met at some look: nothing of this is beside the point.
    assert!(met.iter().all(|looks| *looks > 0), "{met:?}");
}

struct Book {
    seed: u64,
    chance: StdRng,
    fixture: Fixture,
    id: CampaignId,
    under_way: Vec<Claimed>,
}

impl Book {
    async fn open(seed: u64) -> Self {
        let mut fixture = Fixture::new().await;
        people(&fixture, PEOPLE).await;
        let mut chance = StdRng::seed_from_u64(seed);
        let spec = CampaignSpec {
            chunk: Some(7),
            expires_after: Some(Duration::from_mins(10)),
            delivery: chance
                .random_bool(0.5)
                .then_some(job::DeliveryGuarantee::AtMostOnce),
            max_attempts: Some(2),
            ..quiz()
        };
        let id = fixture.engine.create_campaign(spec).await.unwrap().id();
        fixture.turn("leader").await;
        Self {
            seed,
            chance,
            fixture,
            id,
            under_way: Vec::new(),
        }
    }

    async fn step(&mut self, step: usize) {
        match self.chance.random_range(0..100) {
            0..25 => self.claim().await,
            25..50 => self.settle().await,
            50..58 => self.act_on_some_delivery().await,
            58..63 => self.command(step).await,
            63..66 => drop(self.fixture.engine.retry_failed(self.id, None).await),
            66..76 => {
                let seconds = self.chance.random_range(0..40);
                self.fixture.clock.advance(Duration::from_secs(seconds));
            }
            _ => {
                let routine = ROUTINES[self.chance.random_range(0..ROUTINES.len())];
                self.fixture.turn(routine).await;
            }
        }
    }

    /// However far the facts are numbered, no recipient counts twice; and once they are, each counts.
    async fn look(&mut self, met: &mut [usize]) {
        let seed = self.seed;
        let before = campaign(&self.fixture, self.id).await;
        assert!(
            before.counts.total() <= before.expanded,
            "seed {seed}: {before:?}"
        );
        self.fixture.turn("sequencer").await;
        let found = campaign(&self.fixture, self.id).await;
        assert_eq!(
            found.counts.total(),
            found.expanded,
            "seed {seed}: {found:?}"
        );
        for (state, met) in job::State::ALL.into_iter().zip(met) {
            let deliveries = deliveries_of(&self.fixture, self.id).await;
            let standing = deliveries.iter().filter(|one| one.state == state).count();
            assert_eq!(
                found.counts.of(state),
                standing as u64,
                "seed {seed}: {state}"
            );
            *met += usize::from(standing > 0);
        }
        if found.state == State::Done {
            assert_eq!(found.counts.live(), 0, "seed {seed}: {found:?}");
        }
    }

    async fn claim(&mut self) {
        let now = self.fixture.clock.now();
        let want = QueueClaim {
            queue: self.id.to_string(),
            lease: LeaseId::random(),
            limit: self.chance.random_range(1..6),
            limited: false,
            jobs: None,
        };
        let claim = Claim {
            worker: self.fixture.worker,
            until: now + LEASE,
            queues: vec![want],
        };
        let claimed = self.fixture.store.claim(&claim, now).await.unwrap();
        self.under_way.extend(claimed);
    }

    async fn settle(&mut self) {
        let count = self.under_way.len();
        if count == 0 {
            return;
        }
        let claimed = self
            .under_way
            .swap_remove(self.chance.random_range(0..count));
        let verdict = self.some_verdict();
        let result = self.result(&claimed, verdict);
        let by = By::Worker(self.fixture.worker);
        let now = self.fixture.clock.now();
        let settled = self.fixture.store.settle(by, &[result], now).await;
        settled.unwrap();
    }

    fn some_verdict(&mut self) -> Verdict {
        let failed = |class| Verdict::failed(class, "http_500", "the gateway said no");
        match self.chance.random_range(0..12) {
            0..4 => Verdict::Accepted { result: None },
            4 => Verdict::Skipped {
                why: "opted_out".to_owned(),
            },
            5..7 => failed(Class::Retry),
            7 => failed(Class::Permanent),
            8 => failed(Class::Gone),
            9 => failed(Class::Throttled),
            10 => failed(Class::Unknown),
            _ => Verdict::Canceled,
        }
    }

    fn result(&mut self, claimed: &Claimed, verdict: Verdict) -> AttemptResult {
        let args = &claimed.args;
        let policy = args.options.policy();
        let now = self.fixture.clock.now();
        let decision = decide(verdict, claimed.counters, policy, now, &mut self.chance).unwrap();
        let is_dead = decision.transition.to() == job::State::Failed;
        let failure = decision.failure.as_ref().filter(|_| is_dead);
        AttemptResult {
            lease: claimed.lease,
            job: args.id,
            counters: claimed.counters,
            queued_at: claimed.queued_at,
            started_at: Some(now),
            fingerprint: failure.map(|failure| fingerprint(&args.kind, failure)),
            seen: None,
            decision,
        }
    }

    /// Somebody cancels a delivery, or has it run again.
    async fn act_on_some_delivery(&mut self) {
        let deliveries = deliveries_of(&self.fixture, self.id).await;
        if deliveries.is_empty() {
            return;
        }
        let Job { id, .. } = deliveries[self.chance.random_range(0..deliveries.len())];
        let force = self.chance.random_bool(0.5);
        let cancel = Cancel {
            force,
            reason: None,
        };
        // What the state of the delivery does not allow is refused.
        match self.chance.random_range(0..3) {
            0 => drop(self.fixture.engine.retry(id, false).await),
            _ => drop(self.fixture.engine.cancel(id, cancel).await),
        }
    }

    async fn command(&mut self, step: usize) {
        let command = match self.chance.random_range(0..10) {
            0 if step > LATE => CampaignCommand::Cancel,
            0..4 => CampaignCommand::Stop,
            _ => CampaignCommand::Resume,
        };
        // What the state of the campaign does not allow is refused.
        drop(
            self.fixture
                .engine
                .command_campaign(self.id, command, None)
                .await,
        );
    }
}
