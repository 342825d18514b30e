//! What there is to ask a server for, what its answer promises, and what came of it.

use baton_client::{Client, Error, JobsQuery};
use baton_domain::JobId;
use baton_protocol::PageQuery;
use futures::TryStreamExt;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// What there is to ask a server for, beside the name of the round.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ask {
    /// A job that the worker of the same process starts with the commit that accepts it.
    Start,
    Keyed,
    Batch,
    Cancel,
    Notify,
    Campaign,
    Schedule,
}

pub const EVERYTHING: [Ask; 7] = [
    Ask::Start,
    Ask::Keyed,
    Ask::Batch,
    Ask::Cancel,
    Ask::Notify,
    Ask::Campaign,
    Ask::Schedule,
];

/// What an answer promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Promise {
    Done,
    NotDone,
    Either,
}

impl Ask {
    /// How many servers share its messages, for the server looks for two seconds what became of a commit.
    pub const fn shares(self) -> u32 {
        match self {
            Self::Notify => 4,
            Self::Keyed => 2,
            _ => 1,
        }
    }

    /// Asks for it in this round; `delayed` is what is to be cancelled.
    pub async fn of(self, client: &Client, round: &str, delayed: JobId) -> Promise {
        let tag = self.tag(round);
        match self {
            Self::Start => promise(client.enqueue(&parsed(job(&tag))).await),
            Self::Keyed => {
                let mut keyed = job(&tag);
                keyed["key"] = json!(tag);
                promise(client.enqueue(&parsed(keyed)).await)
            }
            Self::Batch => {
                let jobs = (0..3).map(|_| parsed(job(&tag))).collect();
                promise(client.enqueue_all(jobs).await)
            }
            Self::Cancel => promise(client.cancel(delayed, false, None).await),
            Self::Notify => {
                let message = json!({"title": tag, "body": "it came"});
                let notify = json!({"recipients": ["ann"], "message": message});
                promise(client.notify(&parsed(notify)).await)
            }
            Self::Campaign => {
                let campaign = json!({
                    "name": tag, "category": "notice", "action": "inbox", "audience": {"all": true},
                    "message": {"title": "t", "body": "b"}, "send_at": "2035-01-01T00:00:00Z",
                });
                promise(client.create_campaign(&parsed(campaign)).await)
            }
            Self::Schedule => {
                let schedule = json!({
                    "name": tag, "cron": "0 0 1 1 *", "time_zone": "UTC", "job": {"kind": "simulate", "payload": {}},
                });
                promise(client.create_schedule(&parsed(schedule)).await)
            }
        }
    }

    /// Whether what was asked for in this round was done.
    pub async fn is_done(self, client: &Client, round: &str, delayed: JobId) -> bool {
        let tag = self.tag(round);
        let page = PageQuery {
            limit: Some(500),
            ..PageQuery::default()
        };
        match self {
            Self::Start | Self::Keyed => jobs(client, &tag).await == 1,
            Self::Batch => match jobs(client, &tag).await {
                0 => false,
                3 => true,
                some => panic!("{some} jobs of a batch of three exist"),
            },
            Self::Cancel => client.job(delayed).await.unwrap().finished_at.is_some(),
            Self::Notify => {
                let items = client.inbox("ann", &page).await.unwrap().items;
                items.iter().any(|item| item.title == tag)
            }
            Self::Campaign => {
                let campaigns = client.campaigns(&page).await.unwrap().items;
                campaigns.iter().any(|one| one.name == tag)
            }
            Self::Schedule => {
                let schedules = client.schedules(&page).await.unwrap().items;
                schedules.iter().any(|one| one.name == tag)
            }
        }
    }

    fn tag(self, round: &str) -> String {
        format!("{self:?}-{round}").to_lowercase()
    }
}

async fn jobs(client: &Client, tag: &str) -> usize {
    let query = JobsQuery {
        tag: Some(tag.to_owned()),
        ..JobsQuery::default()
    };
    let pages: Vec<_> = client.jobs(query).try_collect().await.unwrap();
    pages.iter().map(Vec::len).sum()
}

fn job(tag: &str) -> Value {
    json!({"kind": "simulate", "payload": {}, "tags": [tag]})
}

pub fn parsed<T: DeserializeOwned>(body: Value) -> T {
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
