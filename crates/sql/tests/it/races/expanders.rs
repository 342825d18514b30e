//! Many nodes walk the audiences of many campaigns at once, and some of them sleep through their turn.

use std::{
    sync::atomic::{AtomicBool, AtomicI64, Ordering},
    time::Duration,
};

use baton_domain::{
    CampaignId, Lifecycle, Timestamp, WorkerId,
    campaign::{Campaign, State, Trigger},
};
use baton_ports::store::{CampaignMove, Campaigns, Events, Upkeep};
use baton_sql::SqlStore;
use baton_testkit::eventually;
use futures::future::join_all;
use rand::{RngExt, SeedableRng, rngs::StdRng};

use crate::{
    campaigns::{HOLD, next_chunk, people, quiz, reached},
    hands::DAWN,
    races::onlooker::Onlooker,
};

const PEOPLE: usize = 400;
const NODES: u64 = 4;
/// How many members a chunk has at most.
const CHUNK: u32 = 12;
/// The longest a node sleeps between two steps: longer than its walk is left to it.
const NAP: i64 = 12_000_000;

on_each_server!(nodes_that_walk_at_once_write_each_recipient_down_once);

async fn nodes_that_walk_at_once_write_each_recipient_down_once(
    store: SqlStore,
    _onlooker: Onlooker,
) {
    let names: Vec<_> = (0..PEOPLE).map(|number| format!("p{number:03}")).collect();
    people(&store, &names).await;
    let mut campaigns = Vec::new();
    for lane in ["one", "one", "other"] {
        let new = quiz(lane, DAWN);
        store.create_campaign(&new).await.unwrap();
        campaigns.push(new.id);
    }
    let scene = Scene {
        store: &store,
        campaigns: &campaigns,
        clock: &AtomicI64::new(DAWN.as_micros()),
        done: &AtomicBool::new(false),
    };

    let nodes = join_all((0..NODES).map(|seed| scene.walk(seed)));
    let until_the_end = async {
        let walked = async || scene.is_walked().await;
        eventually("every audience is walked", Duration::from_secs(90), walked).await;
        scene.done.store(true, Ordering::SeqCst);
    };
    tokio::join!(nodes, scene.command(), scene.join(), until_the_end);

    let now = scene.now();
    while store.sequence(10_000, now).await.unwrap().count > 0 {}
    for id in campaigns {
        let campaign = store.campaign(id, now).await.unwrap().unwrap();
        let reached = reached(&store, id).await;
        let mut each_once = reached.clone();
        each_once.dedup();
        assert_eq!(reached.len(), each_once.len());
        // Nobody was ever forgotten, so the last number says how many there were.
        assert_eq!(reached.len() as i64, campaign.until.unwrap());
        assert_eq!(campaign.expanded, campaign.items);
        assert_eq!(campaign.counts.total(), campaign.expanded);
    }
    assert_eq!(store.reconcile(now).await.unwrap(), []);
}

#[derive(Clone, Copy)]
struct Scene<'a> {
    store: &'a SqlStore,
    campaigns: &'a [CampaignId],
    clock: &'a AtomicI64,
    done: &'a AtomicBool,
}

impl Scene<'_> {
    fn now(self) -> Timestamp {
        Timestamp::from_micros(self.clock.load(Ordering::SeqCst))
    }

    fn goes_on(self) -> bool {
        !self.done.load(Ordering::SeqCst)
    }

    async fn is_walked(self) -> bool {
        for id in self.campaigns {
            let campaign = self.store.campaign(*id, self.now()).await.unwrap();
            if !campaign.unwrap().is_complete() {
                return false;
            }
        }
        true
    }

    /// A node: takes what it is given, and goes on with it for as long as it believes that it may.
    async fn walk(self, seed: u64) {
        let mut chance = StdRng::seed_from_u64(seed);
        let node = WorkerId::new(DAWN);
        let mut hand = Vec::<Campaign>::new();
        while self.goes_on() {
            if chance.random_ratio(1, 3) {
                self.clock
                    .fetch_add(chance.random_range(0..NAP), Ordering::SeqCst);
            }
            let now = self.now();
            let taken = self.store.take_expansion(node, now + HOLD, now).await;
            hand.extend(taken.unwrap());
            if hand.is_empty() {
                tokio::task::yield_now().await;
                continue;
            }
            let mut campaign = hand.swap_remove(chance.random_range(0..hand.len()));
            let limit = chance.random_range(1..=CHUNK);
            let chunk = next_chunk(self.store, &campaign, node, limit, now).await;
            if self.store.expand(&chunk, now).await.unwrap() && !chunk.is_last {
                campaign.cursor = chunk.cursor;
                hand.push(campaign);
            }
        }
    }

    /// Stops campaigns in the midst, and resumes them.
    async fn command(self) {
        let mut chance = StdRng::seed_from_u64(100);
        while self.goes_on() {
            let id = self.campaigns[chance.random_range(0..self.campaigns.len())];
            let seen = self.store.campaign(id, self.now()).await.unwrap().unwrap();
            let trigger = match seen.state {
                State::Stopped => Trigger::Resume,
                _ => Trigger::Stop,
            };
            if seen.is_complete() {
                continue;
            }
            let command = CampaignMove {
                campaign: id,
                epoch: seen.epoch,
                transition: seen.state.on(trigger).unwrap(),
                why: None,
            };
            self.store.command(&command, self.now()).await.unwrap();
            if trigger == Trigger::Resume {
                // It is let be for some chunks.
                let goal = seen.chunks + 4;
                while self.goes_on() && !self.has_come_to(id, goal).await {}
            }
        }
    }

    async fn has_come_to(self, id: CampaignId, chunks: u64) -> bool {
        let campaign = self.store.campaign(id, self.now()).await.unwrap().unwrap();
        campaign.chunks >= chunks || campaign.is_complete()
    }

    /// People join while it goes on.
    async fn join(self) {
        let mut number = 0;
        while self.goes_on() {
            people(self.store, &[format!("late-{number}")]).await;
            number += 1;
            self.store.sequence(1_000, self.now()).await.unwrap();
        }
    }
}
