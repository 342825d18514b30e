//! What a copy that is older than the original means for a campaign in its midst, and for what was accepted since.

use baton_domain::{WorkerId, campaign::State as CampaignState, job::JobSpec};
use baton_ports::store::{
    Atomicity, Campaigns, Enqueued, Events, Jobs, SettleOutcome, Upkeep, Work,
};
use baton_sql::SqlStore;
use baton_testkit::{Postgres, eventually};

use super::{TIMEOUT, copied, epoch, epoch_once_up};
use crate::{
    campaigns::{HOLD, next_chunk, people, quiz, reached},
    databases::{self, open},
    hands::{DAWN, LEASE, claim, job, spec, success},
};

/// How many recipients a campaign has, and how many a chunk.
const CROWD: usize = 600;
const CHUNK: u32 = 20;

#[tokio::test]
async fn a_copy_that_is_made_while_a_campaign_is_walked_goes_on_at_its_cursor() {
    let postgres = Postgres::shared();
    let (store, database) = databases::postgres().await;
    let names: Vec<_> = (0..CROWD).map(|number| format!("p{number:03}")).collect();
    people(&store, &names).await;
    let new = quiz("default", DAWN);
    store.create_campaign(&new).await.unwrap();
    let copy = postgres.database();

    let walk = tokio::spawn(walked(store.clone(), WorkerId::new(DAWN), DAWN));
    eventually("the walk has begun", TIMEOUT, async || {
        let campaign = store.campaign(new.id, DAWN).await.unwrap().unwrap();
        campaign.expanded > 0
    })
    .await;
    let (from, to) = (database, copy);
    let to = tokio::task::spawn_blocking(move || {
        copied(Postgres::shared(), &from, &to);
        (from, to)
    });
    let (_from, to) = to.await.unwrap();
    walk.await.unwrap();
    let restored = open(&to.url()).await;
    let found = restored.campaign(new.id, DAWN).await.unwrap().unwrap();
    let copied_so_far = reached(&restored, new.id).await;
    let later = DAWN + 3 * HOLD;
    walked(restored.clone(), WorkerId::new(later), later).await;

    assert_ne!(epoch(&restored).await, epoch(&store).await);
    assert_eq!(
        copied_so_far.len() as u64,
        found.expanded,
        "cursor and deliveries are one"
    );
    assert_eq!(reached(&restored, new.id).await, names, "each of them once");
    while restored.sequence(10_000, later).await.unwrap().count > 0 {}
    assert_eq!(restored.reconcile(later).await.unwrap(), []);
    let ended = restored.campaign(new.id, later).await.unwrap().unwrap();
    assert_eq!(
        (ended.state, ended.counts.total()),
        (CampaignState::Sending, CROWD as u64)
    );
}

/// Walks whatever campaign there is to its end.
async fn walked(store: SqlStore, node: WorkerId, now: baton_domain::Timestamp) {
    let taken = store.take_expansion(node, now + HOLD, now).await.unwrap();
    let Some(mut campaign) = taken else { return };
    while campaign.state == CampaignState::Expanding {
        let chunk = next_chunk(&store, &campaign, node, CHUNK, now).await;
        assert!(store.expand(&chunk, now).await.unwrap());
        campaign = store.campaign(campaign.id, now).await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn after_a_failover_that_lost_commits_readers_are_told_and_keys_tell_what_is_gone() {
    let mut primary = Postgres::start();
    let mut standby = primary.standby(&[]);
    baton_sql::migrate(&primary.url()).await.unwrap();
    let store = open(&primary.url()).await;
    let kept = store
        .enqueue(vec![keyed("kept")], Atomicity::All)
        .await
        .unwrap();
    store.sequence(100, DAWN).await.unwrap();
    let before = epoch(&store).await;
    let replica = databases::connect(&standby.url()).await;
    eventually("the standby has it", TIMEOUT, async || {
        let sql = "SELECT count(*) FROM facts WHERE last_seq IS NOT NULL";
        let found = replica.query_one(sql, &[]).await;
        found.is_ok_and(|row| row.get::<_, i64>(0) > 0)
    })
    .await;
    standby.stop();
    let lost = store
        .enqueue(vec![keyed("lost")], Atomicity::All)
        .await
        .unwrap();
    store.sequence(100, DAWN).await.unwrap();
    let last = store.bounds().await.unwrap().last;

    primary.kill();
    standby.restart();
    standby.promote();
    let store = open(&standby.url()).await;
    let after = epoch_once_up(&store).await;
    let again = vec![keyed("kept"), keyed("lost")];
    let answers = store.enqueue(again, Atomicity::Each).await.unwrap();
    let worker = WorkerId::new(DAWN);
    let claimed = store
        .claim(&claim(worker, 10, DAWN + LEASE), DAWN)
        .await
        .unwrap();
    let ended: Vec<_> = claimed.iter().map(|one| success(one, DAWN)).collect();
    let by = baton_ports::store::By::Worker(worker);
    let settled = store.settle(by, &ended, DAWN).await.unwrap();

    assert!(after > before, "readers are reset");
    assert!(
        store.bounds().await.unwrap().last < last,
        "numbers are given out again"
    );
    assert!(store.job(lost[0].id()).await.unwrap().is_none());
    assert_eq!(answers[0], Enqueued::Known(kept[0].id()));
    assert!(matches!(answers[1], Enqueued::Created(id) if id != lost[0].id()));
    assert_eq!(settled, [SettleOutcome::Recorded; 2], "nothing hangs");
}

/// A job under a key.
fn keyed(key: &str) -> baton_domain::job::NewJob {
    let spec = JobSpec {
        key: Some(key.to_owned()),
        ..spec()
    };
    job(spec, DAWN)
}
