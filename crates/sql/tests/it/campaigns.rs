//! Chunks of campaigns on real databases: a chunk is written whole or not at all.

use std::{collections::BTreeMap, time::Duration};

use baton_domain::{
    CampaignId, JobId, Timestamp, WorkerId,
    campaign::{Campaign, CampaignSpec, NewCampaign, State},
    job,
    message::MessageSpec,
    page::PageRequest,
    recipient::{Profile, RecipientSpec},
};
use baton_ports::store::{
    AudienceRange, Campaigns, Chunk, Error, Inbox, JobFilter, Jobs, Recipients,
};
use baton_sql::SqlStore;
use baton_testkit::Brand;
use mysql_async::{Conn, prelude::Queryable};
use serde_json::json;

use crate::{brands::on_each_brand, databases, hands::DAWN};

on_each_brand!(
    a_chunk_of_which_a_part_cannot_be_written_leaves_no_trace_on_mysql,
    a_recipient_whom_a_check_refuses_can_be_passed_over_on_mysql,
);

/// How long a walk is left to a node that says nothing.
pub const HOLD: Duration = Duration::from_secs(10);

/// A campaign for everybody, in this lane.
pub fn quiz(lane: &str, now: Timestamp) -> NewCampaign {
    let spec = CampaignSpec {
        name: "Daily quiz".to_owned(),
        category: "question".to_owned(),
        action: "both".to_owned(),
        audience: json!({ "all": true }),
        message: MessageSpec {
            title: "Quiz".to_owned(),
            body: "For {{id}}".to_owned(),
            ..MessageSpec::default()
        },
        lane: Some(lane.to_owned()),
        ..CampaignSpec::default()
    };
    NewCampaign::from_spec(spec, now).unwrap()
}

/// Writes these people down.
pub async fn people(store: &SqlStore, names: &[String]) {
    let profile = |name: &String| {
        let spec = RecipientSpec {
            addresses: BTreeMap::from([("push".to_owned(), format!("token-{name}"))]),
            ..RecipientSpec::on("ios")
        };
        Profile::from_spec(name.clone(), spec).unwrap()
    };
    let profiles: Vec<_> = names.iter().map(profile).collect();
    store.put_recipients(&profiles, DAWN).await.unwrap();
}

/// The next chunk of a campaign that this node walks.
pub async fn next_chunk(
    store: &SqlStore,
    campaign: &Campaign,
    node: WorkerId,
    limit: u32,
    now: Timestamp,
) -> Chunk {
    let members = store.members(&walk(campaign), limit).await.unwrap();
    Chunk::of(campaign, &members, node, now + HOLD, now)
}

fn walk(campaign: &Campaign) -> AudienceRange<'_> {
    AudienceRange {
        audience: &campaign.plan.audience,
        after: campaign.cursor,
        until: campaign.until.unwrap(),
    }
}

/// Whom the deliveries of a campaign are for, each as often as there is one.
pub async fn reached(store: &SqlStore, id: CampaignId) -> Vec<String> {
    let filter = JobFilter {
        campaign: Some(id),
        ..JobFilter::default()
    };
    let page = PageRequest {
        limit: 10_000,
        after: None,
    };
    let jobs = store.jobs(&filter, &page).await.unwrap().items;
    let payloads = jobs.iter().map(|job| {
        let payload: serde_json::Value = serde_json::from_str(&job.payload).unwrap();
        payload["recipient_id"].as_str().unwrap().to_owned()
    });
    let mut reached: Vec<_> = payloads.collect();
    reached.sort();
    reached
}

#[tokio::test]
async fn a_chunk_of_which_a_part_cannot_be_written_leaves_no_trace_on_sqlite() {
    a_part_cannot_be_written(&databases::sqlite().await.store).await;
}

async fn a_chunk_of_which_a_part_cannot_be_written_leaves_no_trace_on_mysql(brand: Brand) {
    a_part_cannot_be_written(&databases::mysql(brand).await.0).await;
}

#[tokio::test]
async fn a_chunk_of_which_a_part_cannot_be_written_leaves_no_trace_on_postgresql() {
    a_part_cannot_be_written(&databases::postgres().await.0).await;
}

async fn a_part_cannot_be_written(store: &SqlStore) {
    people(store, &["p1", "p2", "p3"].map(str::to_owned)).await;
    let new = quiz("default", DAWN);
    store.create_campaign(&new).await.unwrap();
    let node = WorkerId::new(DAWN);
    let taken = store.take_expansion(node, DAWN + HOLD, DAWN).await;
    let campaign = taken.unwrap().unwrap();
    let good = next_chunk(store, &campaign, node, 10, DAWN).await;
    let mut bad = good.clone();
    // A key refuses the last delivery, after the cursor was moved and the first two were written.
    bad.deliveries[2].id = bad.deliveries[1].id;

    let refused = store.expand(&bad, DAWN).await;
    let before = store.campaign(new.id, DAWN).await.unwrap().unwrap();
    let nobody = reached(store, new.id).await;
    let page = PageRequest::default();
    let inbox = store.inbox("p1", &page).await.unwrap().unwrap().items;
    let written = store.expand(&good, DAWN).await.unwrap();

    assert!(refused.is_err());
    assert_eq!(
        (before.state, before.cursor, before.expanded, before.items),
        (State::Expanding, 0, 0, 0)
    );
    assert_eq!((nobody.len(), inbox.len()), (0, 0));
    assert!(written);
    assert_eq!(reached(store, new.id).await, ["p1", "p2", "p3"]);
}

#[tokio::test]
async fn a_recipient_whom_a_check_refuses_can_be_passed_over_on_sqlite() {
    let database = databases::sqlite().await;
    let refuse = |job: JobId| {
        let trigger = format!(
            "CREATE TRIGGER picky BEFORE INSERT ON ready WHEN NEW.job_id = '{}'
             BEGIN SELECT RAISE(ABORT, 'picky'); END",
            job.uuid()
        );
        database.connect().execute_batch(&trigger).unwrap();
        async {}
    };

    a_recipient_is_passed_over(&database.store, refuse).await;
}

#[tokio::test]
async fn a_recipient_whom_a_check_refuses_can_be_passed_over_on_postgresql() {
    let (store, database) = databases::postgres().await;
    let client = databases::connect(&database.url()).await;
    let refuse = async |job: JobId| {
        let check = format!(
            "ALTER TABLE ready ADD CONSTRAINT picky CHECK (job_id <> '{}')",
            job.uuid()
        );
        client.batch_execute(&check).await.unwrap();
    };

    a_recipient_is_passed_over(&store, refuse).await;
}

async fn a_recipient_whom_a_check_refuses_can_be_passed_over_on_mysql(brand: Brand) {
    let (store, url) = databases::mysql(brand).await;
    let mut session = Conn::from_url(&url).await.unwrap();
    let refuse = async move |job: JobId| {
        let check = format!(
            "ALTER TABLE ready ADD CONSTRAINT picky CHECK (job_id <> '{}')",
            job.uuid()
        );
        session.query_drop(check).await.unwrap();
    };

    a_recipient_is_passed_over(&store, refuse).await;
}

async fn a_recipient_is_passed_over<R: Future<Output = ()>>(
    store: &SqlStore,
    refuse: impl FnOnce(JobId) -> R,
) {
    people(store, &["p1".to_owned()]).await;
    let new = quiz("default", DAWN);
    store.create_campaign(&new).await.unwrap();
    let node = WorkerId::new(DAWN);
    let taken = store.take_expansion(node, DAWN + HOLD, DAWN).await;
    let campaign = taken.unwrap().unwrap();
    let chunk = next_chunk(store, &campaign, node, 1, DAWN).await;
    let job = chunk.deliveries[0].id;
    refuse(job).await;

    let refused = store.expand(&chunk, DAWN).await;
    let members = store.members(&walk(&campaign), 1).await.unwrap();
    let over = Chunk::passing_over(&campaign, &members, node, DAWN + HOLD, DAWN);
    let is_written = store.expand(&over, DAWN).await.unwrap();

    assert!(matches!(refused, Err(Error::Refused(_))), "{refused:?}");
    assert!(is_written);
    let skipped = store.job(job).await.unwrap().unwrap();
    assert_eq!(
        (skipped.state, skipped.reason.as_deref()),
        (job::State::Skipped, Some("unwritable"))
    );
    let walked = store.campaign(new.id, DAWN).await.unwrap().unwrap();
    assert_eq!((walked.state, walked.expanded), (State::Sending, 1));
}
