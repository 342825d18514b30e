//! The database goes away behind each message, and each answer is true all the same.
//!
//! It does so until no messages are left before the answer, and stays away for longer than a server asks what became
//! of a commit. `unavailable` and its like mean that nothing was done, 2xx that it was.

mod asks;

use std::{collections::BTreeSet, iter, mem};

use baton_domain::JobId;
use baton_faults::Server;
use baton_lab::proxy::{ListenerMode, Proxy};
use baton_testkit::{Brand, Database, Mysql, Postgres, eventually};
use futures::future::join_all;
use serde_json::json;

use crate::{
    commit::proxy_before,
    fixture::{Fixture, TIMEOUT},
};

use self::asks::{Ask, EVERYTHING, Promise, parsed};

/// So many messages nothing exchanges that is asked for here: all of it at once takes some 500, and on a busy machine
/// what the server does besides comes to as many again.
const MOST: u32 = 3_000;
/// Behind each how manieth message it goes away where one thing is asked for, and where all is asked for at once. Behind which
/// first is drawn: a run tries some of them, and all runs try all.
const ALONE: u32 = 5;
const TOGETHER: u32 = 40;
/// How many servers share its messages: nearly all the time they wait for a database.
const SHARES: u32 = 4;

#[tokio::test(flavor = "multi_thread")]
async fn each_request_is_answered_truly_behind_whatever_message_the_database_goes_away() {
    let postgres = postgres();
    ask_for_each("away-alone-postgresql", on_postgres(&postgres)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_mariadb_each_request_is_answered_truly_behind_whatever_message_it_goes_away() {
    let mariadb = mariadb();
    ask_for_each("away-alone-mariadb", on_mariadb(&mariadb)).await;
}

async fn ask_for_each<D>(name: &'static str, database: impl Fn() -> (String, D)) {
    let first = first_of(name, ALONE);
    let shares = EVERYTHING.map(|ask| (0..ask.shares()).map(move |share| (ask, share)));
    let stories = shares.into_iter().flatten().map(async |(ask, share)| {
        let messages = messages(first, ALONE, share, ask.shares());
        Story::play(name, database(), &[ask], messages).await
    });

    let told = join_all(stories).await;

    join_all(told.into_iter().map(Story::judge)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_asked_at_once_is_answered_truly_behind_whatever_message_the_database_goes_away()
{
    let postgres = postgres();
    ask_for_everything("away-together-postgresql", on_postgres(&postgres)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_mariadb_everything_asked_at_once_is_answered_truly_behind_whatever_message_it_goes_away()
 {
    let mariadb = mariadb();
    ask_for_everything("away-together-mariadb", on_mariadb(&mariadb)).await;
}

async fn ask_for_everything<D>(name: &'static str, database: impl Fn() -> (String, D)) {
    let first = first_of(name, TOGETHER);
    let stories = (0..SHARES).map(async |share| {
        let messages = messages(first, TOGETHER, share, SHARES);
        Story::play(name, database(), &EVERYTHING, messages).await
    });

    let told = join_all(stories).await;

    join_all(told.into_iter().map(Story::judge)).await;
}

fn first_of(name: &str, stride: u32) -> u32 {
    let first = rand::random_range(1..=stride);
    eprintln!("{name}: from behind message {first} on");
    first
}

/// The messages of one of so many servers, which share each manieth of all.
fn messages(first: u32, stride: u32, share: u32, shares: u32) -> impl Iterator<Item = u32> {
    (first + share * stride..MOST).step_by((shares * stride) as usize)
}

/// Makes databases of this server, which go with what is beside their URL.
fn on_postgres(server: &Postgres) -> impl Fn() -> (String, Database) {
    || {
        let database = server.database();
        (database.url(), database)
    }
}

/// A server with room for all connections of a dozen of ours: each keeps those that it once had.
fn postgres() -> Postgres {
    Postgres::start_with(&["max_connections=1000"])
}

fn mariadb() -> Mysql {
    Mysql::start_with(Brand::Mariadb, &["max-connections=1000"])
}

fn on_mariadb(server: &Mysql) -> impl Fn() -> (String, ()) {
    || (server.database(), ())
}

/// A server and its database, which goes away again and again.
struct Story<D> {
    fixture: Fixture,
    proxy: Proxy,
    process: Server,
    asks: Vec<Ask>,
    told: Vec<FeedMessage>,
    _database: D,
}

/// What was told when the database went away behind some message.
#[derive(Debug)]
struct FeedMessage {
    behind: u32,
    /// What was to be cancelled.
    delayed: JobId,
    promises: Vec<Promise>,
}

impl<D> Story<D> {
    /// Asks again and again, and lets the database go away before anything is said and behind a later message each time, until the
    /// answer is there before. What the server does besides only adds messages, so none of those of the request is left out for it.
    async fn play(
        name: &'static str,
        database: (String, D),
        asks: &[Ask],
        messages: impl Iterator<Item = u32>,
    ) -> Self {
        let mut story = Self::on(name, database, asks).await;
        for behind in iter::once(0).chain(messages) {
            let (told, is_beyond) = story.behind(behind).await;
            story.told.push(told);
            if is_beyond {
                return story;
            }
        }
        panic!("{asks:?} exchange more than {MOST} messages");
    }

    async fn on(name: &'static str, (url, database): (String, D), asks: &[Ask]) -> Self {
        let (proxy, url) = proxy_before(&url).await;
        let fixture = Fixture::on(name, url).await.with_a_provider();
        let process = fixture.start_all().await;
        let ann = json!({"platform": "ios", "addresses": {"push": "token"}});
        let ann = parsed(ann);
        fixture.retrying().put_recipient("ann", &ann).await.unwrap();
        Self {
            fixture,
            proxy,
            process,
            asks: asks.to_vec(),
            told: Vec::new(),
            _database: database,
        }
    }

    /// What is told when the database goes away behind so many messages, and whether that was before it went.
    async fn behind(&self, behind: u32) -> (FeedMessage, bool) {
        self.is_well(behind).await;
        let delayed = self.delayed_job().await;
        self.is_quiet().await;
        match behind {
            0 => self.is_away(),
            _ => self.proxy.cut_behind(behind),
        }
        let promises = self.ask_all(&behind.to_string(), delayed).await;
        let is_beyond = self.proxy.faults().listener == ListenerMode::Open;
        self.proxy.heal();
        let told = FeedMessage {
            behind,
            delayed,
            promises,
        };
        (told, is_beyond)
    }

    fn is_away(&self) {
        self.proxy
            .change(|faults| faults.listener = ListenerMode::Refuse);
        self.proxy.cut_all();
    }

    /// Waits until the server does again all that it will be asked for; so it has connected, too.
    async fn is_well(&self, behind: u32) {
        let mut tries = 0;
        eventually("the server has found its database", TIMEOUT, async || {
            tries += 1;
            let delayed = self.delayed_job().await;
            let round = format!("before-{behind}-{tries}");
            let promises = self.ask_all(&round, delayed).await;
            promises.iter().all(|promise| *promise == Promise::Done)
        })
        .await;
    }

    /// Waits until what was done has no more consequences, which would be counted as messages of the next request.
    async fn is_quiet(&self) {
        let mut before = 0;
        eventually("the server is quiet", TIMEOUT, async || {
            let now = self.proxy.counts().to_server;
            mem::replace(&mut before, now) == now
        })
        .await;
    }

    async fn delayed_job(&self) -> JobId {
        // Under a key it can be asked for again, whatever became of it on a busy machine.
        let key = format!("delayed-{:x}", rand::random::<u64>());
        let job = json!({"kind": "simulate", "payload": {}, "delay": "24h", "key": key});
        let client = self.fixture.retrying();
        client.enqueue(&parsed(job)).await.unwrap().job.id
    }

    async fn ask_all(&self, round: &str, delayed: JobId) -> Vec<Promise> {
        let (client, asks) = (&self.fixture.client, self.asks.iter());
        join_all(asks.map(|ask| ask.of(client, round, delayed))).await
    }

    /// Holds what was promised against what there is.
    async fn judge(mut self) {
        let asks = &self.asks;
        eprintln!(
            "{asks:?}: {} times, {:?}",
            self.told.len(),
            self.told.last()
        );
        let mut met = BTreeSet::new();
        for told in &self.told {
            for (ask, promise) in self.asks.iter().zip(&told.promises) {
                met.insert(self.judge_one(told, *ask, *promise).await);
            }
        }
        // Nothing is done of what was asked for while the database was away, and all of it in the end.
        assert_eq!(met.len(), 2, "{:?} was always done or never", self.asks);
        self.process.assert_alive().unwrap();
    }

    async fn judge_one(&self, told: &FeedMessage, ask: Ask, promise: Promise) -> bool {
        let round = told.behind.to_string();
        let is_done = ask
            .is_done(&self.fixture.client, &round, told.delayed)
            .await;
        let fits = match promise {
            Promise::Done => is_done,
            Promise::NotDone => !is_done,
            Promise::Either => true,
        };
        assert!(
            fits,
            "behind message {round}, {ask:?} promised {promise:?}, done: {is_done}"
        );
        is_done
    }
}
