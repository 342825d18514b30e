//! A canceled campaign is swept while one of its deliveries ends.

use std::time::Duration;

use baton_domain::{Timestamp, WorkerId, job::State};
use baton_ports::store::{Atomicity, By, Campaigns, Jobs, SettleOutcome, Work};
use baton_testkit::eventually;

use crate::{
    campaigns::quiz,
    databases,
    hands::{DAWN, LEASE, claim, jobs, success},
};

const WAITING: &str = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
const PATIENCE: Duration = Duration::from_secs(20);

#[tokio::test]
async fn a_sweep_leaves_no_wish_for_a_delivery_that_ends_meanwhile() {
    let (store, database) = databases::postgres().await;
    let [holder, watcher] = [
        databases::connect(&database.url()).await,
        databases::connect(&database.url()).await,
    ];
    let campaign = quiz("one", DAWN);
    store.create_campaign(&campaign).await.unwrap();
    let (worker, line) = (WorkerId::new(DAWN), campaign.id.to_string());
    let mut deliveries = jobs(1, DAWN);
    deliveries[0].queue.clone_from(&line);
    store.enqueue(deliveries, Atomicity::All).await.unwrap();
    let mut wanted = claim(worker, 1, DAWN + LEASE);
    wanted.queues[0].queue = line;
    let claimed = store.claim(&wanted, DAWN).await.unwrap().remove(0);
    let canceled = "UPDATE campaigns SET state = 'canceled'";
    watcher.batch_execute(canceled).await.unwrap();
    // Whoever writes the same wish has to wait for this one.
    let (id, at) = (claimed.args.id, Timestamp::as_micros(DAWN));
    let wish = format!(
        "BEGIN; INSERT INTO cancellations (job_id, asked_at) VALUES ('{}', {at})",
        id.uuid()
    );
    holder.batch_execute(&wish).await.unwrap();
    let waiting = async || databases::number(&watcher, WAITING).await;

    let sweeper = store.clone();
    let sweep = tokio::spawn(async move { sweeper.cancel_deliveries(10, DAWN).await });
    eventually("the sweep waits", PATIENCE, async || waiting().await == 1).await;
    let (settler, done) = (store.clone(), [success(&claimed, DAWN)]);
    let settle = tokio::spawn(async move { settler.settle(By::Worker(worker), &done, DAWN).await });
    eventually(
        "the delivery ends, or waits as well",
        PATIENCE,
        async || settle.is_finished() || waiting().await == 2,
    )
    .await;
    holder.batch_execute("ROLLBACK").await.unwrap();

    sweep.await.unwrap().unwrap();
    assert_eq!(settle.await.unwrap().unwrap(), [SettleOutcome::Recorded]);
    let job = store.job(id).await.unwrap().unwrap();
    assert_eq!(job.state, State::Succeeded);
    let wishes = "SELECT count(*) FROM cancellations";
    assert_eq!(databases::number(&watcher, wishes).await, 0);
}
