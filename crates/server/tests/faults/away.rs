//! PostgreSQL goes away behind any message and stays away for longer than a server asks what became of a
//! commit: each answer is true all the same. `unavailable` and its like mean that nothing was done, 2xx that it was.

use std::collections::BTreeSet;

use baton_client::{Client, Error, JobsQuery};
use baton_domain::JobId;
use baton_lab::proxy::{Door, Proxy};
use baton_protocol::PageQuery;
use baton_testkit::{Database, Postgres, eventually};
use futures::{TryStreamExt, future::join_all};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::{
    commit::proxy_before,
    fixture::{Fixture, PATIENCE},
};

/// What there is to ask a server for, beside the number of the round.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Ask {
    /// A job that the worker of the same process starts with the commit that accepts it.
    Start,
    Keyed,
    Batch,
    Cancel,
    Notify,
    Campaign,
}

const EVERYTHING: [Ask; 6] = [
    Ask::Start,
    Ask::Keyed,
    Ask::Batch,
    Ask::Cancel,
    Ask::Notify,
    Ask::Campaign,
];

/// What an answer promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Promise {
    Done,
    NotDone,
    Either,
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lone_start_is_answered_truly_behind_whatever_message_the_database_goes_away() {
    let story = Story::on("away-lone").await;

    story.play(&[Ask::Start], 1..=10).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_asked_at_once_is_answered_truly_behind_whatever_message_the_database_goes_away()
{
    let story = Story::on("away-together").await;

    story.play(&EVERYTHING, (1..=46).step_by(5)).await;
}

struct Story {
    fixture: Fixture,
    proxy: Proxy,
    _database: Database,
}

impl Story {
    async fn on(name: &'static str) -> Self {
        let database = Postgres::shared().database();
        let (proxy, url) = proxy_before(&database.url()).await;
        let fixture = Fixture::on(name, url).await.with_a_provider();
        Self {
            fixture,
            proxy,
            _database: database,
        }
    }

    async fn play(&self, asks: &[Ask], messages: impl Iterator<Item = u32>) {
        let mut process = self.fixture.start_all().await;
        self.prepare().await;
        let mut told = Vec::new();
        for round in messages {
            let delayed = self.delayed_job().await;
            self.proxy.cut_behind(round);
            let answers = asks.iter().map(|ask| self.ask(*ask, round, delayed));
            let answers = join_all(answers).await;
            self.comes_back().await;
            let answers = asks.iter().copied().zip(answers).collect::<Vec<_>>();
            told.push((round, delayed, answers));
        }

        let mut promises = BTreeSet::new();
        for (round, delayed, answers) in told {
            for (ask, promise) in answers {
                let is_done = self.is_done(ask, round, delayed).await;
                eprintln!("behind message {round}: {ask:?} promised {promise:?}, done: {is_done}");
                let fits = match promise {
                    Promise::Done => is_done,
                    Promise::NotDone => !is_done,
                    Promise::Either => true,
                };
                assert!(fits, "behind message {round}, {ask:?} promised {promise:?}");
                promises.insert((promise, is_done));
            }
        }
        // Both a promise and a doubt, or the cuts fell where nothing is at stake.
        assert!(promises.len() > 1, "{promises:?}");
        process.assert_alive().unwrap();
    }

    async fn prepare(&self) {
        let ann = parsed(json!({"platform": "ios", "addresses": {"push": "token"}}));
        self.client().put_recipient("ann", &ann).await.unwrap();
    }

    fn client(&self) -> &Client {
        &self.fixture.client
    }

    async fn delayed_job(&self) -> JobId {
        let job = json!({"kind": "simulate", "payload": {}, "delay": "24h"});
        let patient = self.fixture.patient();
        patient.enqueue(&parsed(job)).await.unwrap().job.id
    }

    /// Waits until the database has gone away, lets it come back, and waits for the server.
    async fn comes_back(&self) {
        eventually("the database has gone away", PATIENCE, async || {
            self.proxy.faults().door == Door::Refuse
        })
        .await;
        self.proxy.heal();
        eventually("the server has found its database", PATIENCE, async || {
            let first = PageQuery::default();
            self.client().campaigns(&first).await.is_ok()
        })
        .await;
    }

    async fn ask(&self, ask: Ask, round: u32, delayed: JobId) -> Promise {
        let client = self.client();
        match ask {
            Ask::Start => promise(client.enqueue(&parsed(job(ask, round))).await),
            Ask::Keyed => {
                let mut keyed = job(ask, round);
                keyed["key"] = json!(tag(ask, round));
                promise(client.enqueue(&parsed(keyed)).await)
            }
            Ask::Batch => {
                let jobs = (0..3).map(|_| parsed(job(ask, round))).collect();
                promise(client.enqueue_all(jobs).await)
            }
            Ask::Cancel => promise(client.cancel(delayed, false, None).await),
            Ask::Notify => {
                let message = json!({"title": tag(ask, round), "body": "it came"});
                let notify = json!({"recipients": ["ann"], "message": message});
                promise(client.notify(&parsed(notify)).await)
            }
            Ask::Campaign => {
                let campaign = json!({
                    "name": tag(ask, round), "category": "notice", "action": "inbox", "audience": {"all": true},
                    "message": {"title": "t", "body": "b"}, "send_at": "2035-01-01T00:00:00Z",
                });
                promise(client.create_campaign(&parsed(campaign)).await)
            }
        }
    }

    async fn is_done(&self, ask: Ask, round: u32, delayed: JobId) -> bool {
        let tag = tag(ask, round);
        match ask {
            Ask::Start | Ask::Keyed => self.jobs(&tag).await == 1,
            Ask::Batch => match self.jobs(&tag).await {
                0 => false,
                3 => true,
                some => panic!("{some} jobs of a batch of three exist"),
            },
            Ask::Cancel => {
                let job = self.client().job(delayed).await.unwrap();
                job.finished_at.is_some()
            }
            Ask::Notify => {
                let inbox = self.client().inbox("ann", &PageQuery::default()).await;
                let items = inbox.unwrap().items;
                items.iter().any(|item| item.title == tag)
            }
            Ask::Campaign => {
                let campaigns = self.client().campaigns(&PageQuery::default()).await;
                campaigns.unwrap().items.iter().any(|one| one.name == tag)
            }
        }
    }

    async fn jobs(&self, tag: &str) -> usize {
        let query = JobsQuery {
            tag: Some(tag.to_owned()),
            ..JobsQuery::default()
        };
        let pages: Vec<_> = self.client().jobs(query).try_collect().await.unwrap();
        pages.iter().map(Vec::len).sum()
    }
}

fn tag(ask: Ask, round: u32) -> String {
    format!("{ask:?}-{round}").to_lowercase()
}

fn job(ask: Ask, round: u32) -> Value {
    json!({"kind": "simulate", "payload": {}, "tags": [tag(ask, round)]})
}

fn parsed<T: DeserializeOwned>(body: Value) -> T {
    serde_json::from_value(body).unwrap()
}

fn promise<T>(answer: Result<T, Error>) -> Promise {
    match answer {
        Ok(_) => Promise::Done,
        Err(Error::Unreachable { .. }) => Promise::Either,
        Err(Error::Problem(problem)) => match &*problem.code {
            "unavailable" | "overloaded" | "busy" | "draining" | "not-ready" => Promise::NotDone,
            "unconfirmed" | "timeout" => Promise::Either,
            code => panic!("{code} is no answer to a good request: {problem}"),
        },
        Err(error) => panic!("an answer is none of Baton's: {error}"),
    }
}
