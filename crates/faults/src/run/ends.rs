//! The end of a run: everything comes to rest, and everybody says what they know.

use std::{collections::BTreeSet, time::Duration};

use baton_client::{Client, Queue};
use baton_lab::checker::{
    AcceptedWalk, Campaign, Campaigns, History, InboxItem, Notifications, Notified, Walks,
};
use baton_protocol::PageQuery;
use tokio::time::{Instant, sleep};

use crate::{Failure, Log, Subscriber, evidence};

use super::{
    options::Options,
    recording::Recording,
    stage::{LabInstallation, SLOTS},
};

/// How long it may take, once no lease of the dead is left, until fewer jobs are on their way than ever before; whose
/// end does not come closer for so long is for the judge to name.
const HEAL: Duration = Duration::from_secs(30);
/// How long everything may take to come to rest.
const LONGEST: Duration = Duration::from_mins(5);
/// How long nothing has to move until it counts as rest.
const STILL: Duration = Duration::from_secs(1);
const LOOK: Duration = Duration::from_millis(100);
/// How long a reader bears with a server that is still starting.
const RETRY_FOR: Duration = Duration::from_mins(1);
/// The longest page of campaigns, and of an inbox.
const PAGE: u32 = 500;
/// How many results a worker may have that are not recorded, beside its calls.
const UNRECORDED: usize = 100;

/// What those knew who spoke with the servers.
pub struct Observations {
    pub log: Log,
    pub campaigns: Campaigns,
    pub notified: Vec<Notified>,
    pub subscribers: Vec<Subscriber>,
    pub walks: Vec<AcceptedWalk>,
}

/// Waits until no job is on its way any more; how long after the last fault that was.
pub async fn rest(stage: &LabInstallation, healed: Instant) -> Result<Duration, Failure> {
    let client = retrying(stage)?;
    let begun = Instant::now();
    let (mut still_since, mut fewer_since, mut fewest) = (begun, begun, u64::MAX);
    while still_since.elapsed() < STILL
        && fewer_since.elapsed() < HEAL + stage.lease
        && begun.elapsed() < LONGEST
    {
        let left = client.queues().await?.iter().map(moving).sum::<u64>();
        if left > 0 {
            still_since = Instant::now();
        }
        if left < fewest {
            (fewest, fewer_since) = (left, Instant::now());
        }
        sleep(LOOK).await;
    }
    Ok(still_since - healed)
}

/// Asks everybody.
pub async fn gather(
    stage: &LabInstallation,
    args: &Options,
    told: Observations,
    (faults, rest): (Duration, Duration),
) -> Result<Recording, Failure> {
    let client = retrying(stage)?;
    // Each campaign has a line of its own, and each line its slots.
    let in_doubt = SLOTS * (1 + args.campaigns as usize) + UNRECORDED;
    let rules = evidence::rules(args.lease, in_doubt);
    let history = evidence::of(&client).await?;
    let mut seen = Vec::new();
    for subscriber in told.subscribers {
        seen.push(subscriber.end_with(&history).await?);
    }
    let campaigns = Campaigns {
        ends: ends_of_campaigns(&client).await?,
        ..told.campaigns
    };
    let notifications = Notifications {
        items: inboxes(&client, &told.notified).await?,
        asked: told.notified,
    };
    let workers = client.workers().await?;
    stage.strike().await?;
    let walks = Walks {
        asked: told.walks,
        ..stage.remotes.known()?
    };
    Ok(Recording {
        seed: stage.seed,
        faults_s: faults.as_secs_f64(),
        rest_s: rest.as_secs_f64(),
        plays: stage.journal.plays(),
        counts: stage.tally.counts(),
        missed: stage.tally.missing(),
        left_out: Vec::new(),
        history: History {
            requests: told.log.requests,
            acts: told.log.acts,
            campaigns,
            notifications,
            walks,
            arrivals: stage.target.arrivals(),
            faults: stage.journal.faults(&stage.nodes, &workers),
            clock_steps: stage.clocks.steps(),
            subscribers: seen,
            rules,
            ..history
        },
    })
}

fn retrying(stage: &LabInstallation) -> Result<Client, Failure> {
    let endpoint = stage.endpoints.first();
    let endpoint = endpoint.ok_or_else(|| Failure::new("there is no server of the API to ask"))?;
    Ok(endpoint.clone().retrying_for(RETRY_FOR))
}

/// How many of a queue's jobs have not come to their end.
#[must_use]
pub const fn moving(queue: &Queue) -> u64 {
    queue.pending + queue.queued + queue.running + queue.retry_wait
}

async fn ends_of_campaigns(client: &Client) -> Result<Vec<Campaign>, Failure> {
    let mut page = PageQuery::first(PAGE);
    let mut ends = Vec::new();
    loop {
        let campaigns = client.campaigns(&page).await?;
        for campaign in &campaigns.items {
            ends.push(evidence::as_lab(campaign)?);
        }
        page.after = campaigns.next;
        if page.after.is_none() {
            return Ok(ends);
        }
    }
}

/// What notifications have left in the inboxes of those who were told.
async fn inboxes(client: &Client, notified: &[Notified]) -> Result<Vec<InboxItem>, Failure> {
    let told: BTreeSet<_> = notified.iter().flat_map(|one| &one.recipients).collect();
    let mut items = Vec::new();
    for recipient in told {
        let mut page = PageQuery::first(PAGE);
        loop {
            let inbox = client.inbox(recipient, &page).await?;
            items.extend(inbox.items.into_iter().filter_map(|item| {
                Some(InboxItem {
                    recipient: recipient.clone(),
                    notification: item.notification_id?.to_string(),
                    title: item.title,
                })
            }));
            page.after = inbox.next;
            if page.after.is_none() {
                break;
            }
        }
    }
    Ok(items)
}
