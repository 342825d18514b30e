//! A canceled campaign is swept while one of its deliveries ends.

use std::time::Duration;

use baton_domain::{Timestamp, WorkerId, job::State};
use baton_ports::store::{Atomicity, By, Campaigns, Jobs, SettleOutcome, Work};
use baton_sql::SqlStore;
use baton_testkit::eventually;

use crate::{
    campaigns::quiz,
    hands::{DAWN, LEASE, claim, jobs, success},
    races::onlooker::Onlooker,
};

const TIMEOUT: Duration = Duration::from_secs(20);

on_each_server!(a_sweep_leaves_no_wish_for_a_delivery_that_ends_meanwhile);

async fn a_sweep_leaves_no_wish_for_a_delivery_that_ends_meanwhile(
    store: SqlStore,
    onlooker: Onlooker,
) {
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
    onlooker.say(canceled).await;
    // Whoever writes the same wish has to wait for this one.
    let (id, at) = (claimed.args.id, Timestamp::as_micros(DAWN));
    let wish = format!(
        "INSERT INTO cancellations (job_id, asked_at) VALUES ('{}', {at})",
        id.uuid()
    );
    onlooker.say("BEGIN").await;
    onlooker.say(&wish).await;

    let sweeper = store.clone();
    let sweep = tokio::spawn(async move { sweeper.cancel_deliveries(10, DAWN).await });
    onlooker.wait_for(1).await;
    let (settler, done) = (store.clone(), [success(&claimed, DAWN)]);
    let settle = tokio::spawn(async move { settler.settle(By::Worker(worker), &done, DAWN).await });
    eventually("the delivery ends, or waits as well", TIMEOUT, async || {
        settle.is_finished() || onlooker.waiting().await == 2
    })
    .await;
    onlooker.say("ROLLBACK").await;

    sweep.await.unwrap().unwrap();
    assert_eq!(settle.await.unwrap().unwrap(), [SettleOutcome::Recorded]);
    let job = store.job(id).await.unwrap().unwrap();
    assert_eq!(job.state, State::Succeeded);
    assert_eq!(onlooker.count("cancellations").await, 0);
}
