//! Claims of blocks: many jobs in one answer, each with what is its own, and nobody is held up by one that is damaged or gone.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use baton_domain::{JobId, WorkerId, job::NewJob};
use baton_ports::store::{Atomicity, Claimed, Jobs, Work};
use baton_sql::SqlStore;
use baton_testkit::Brand;
use mysql_async::{Conn, prelude::Queryable};
use serde_json::json;
use uuid::Uuid;

use super::{MANY, many, rows, settled};
use crate::{
    brands::on_each_brand,
    databases,
    hands::{DAWN, LEASE, claim, success},
};

on_each_brand!(
    deliveries_that_are_claimed_together_carry_each_what_is_its_own,
    a_damaged_payload_is_not_taken_for_two,
    a_job_that_is_gone_holds_nobody_up,
    where_the_first_of_a_batch_is_gone_the_others_are_still_their_own,
);

async fn deliveries_that_are_claimed_together_carry_each_what_is_its_own(brand: Brand) {
    let (store, url) = databases::mysql(brand).await;
    let worker = WorkerId::new(DAWN);
    let mut made = deliveries();
    for one in &mut made[MANY / 2..] {
        one.run_at = DAWN - Duration::from_secs(1);
        one.options.max_attempts = 9;
    }
    store.enqueue(made.clone(), Atomicity::All).await.unwrap();
    let missing = made.remove(70);
    let mut session = Conn::from_url(&url).await.unwrap();
    let counted = "UPDATE ready_batches SET n = n - 1 WHERE ? BETWEEN first AND last";
    session
        .exec_drop(counted, (missing.id.uuid().to_string(),))
        .await
        .unwrap();
    delete(&mut session, &missing).await;

    let mut claimed = Vec::new();
    for limit in [150, MANY / 2 + 50, MANY] {
        claimed.extend(claim_deliveries(&store, worker, &made[0].queue, limit).await);
    }

    let told: BTreeSet<_> = claimed
        .iter()
        .map(|one| {
            (
                one.args.id,
                &*one.args.payload,
                one.args.options.max_attempts,
            )
        })
        .collect();
    let asked: BTreeSet<_> = made
        .iter()
        .map(|one| (one.id, &*one.payload, one.options.max_attempts))
        .collect();
    assert_eq!(told, asked);
    assert_eq!(claimed.len(), made.len());
    assert_eq!(rows(&url, "leased").await, 0);
    assert_eq!(
        settled(&store, worker, &claimed, |one| success(one, DAWN)).await,
        made.len()
    );
    for nothing in ["leased_blocks", "leases", "ready_batches"] {
        assert_eq!(rows(&url, nothing).await, 0, "{nothing}");
    }
}

async fn a_damaged_payload_is_not_taken_for_two(brand: Brand) {
    let (store, url) = databases::mysql(brand).await;
    let made = deliveries();
    store.enqueue(made.clone(), Atomicity::All).await.unwrap();
    let damaged = made[7].id;
    let mut session = Conn::from_url(&url).await.unwrap();
    let damage = format!(
        "UPDATE jobs SET payload = concat('1', char(30), '2') WHERE id = '{}'",
        damaged.uuid()
    );
    session.query_drop(damage).await.unwrap();

    let claimed = claim_deliveries(&store, WorkerId::new(DAWN), &made[0].queue, MANY).await;

    let told: BTreeMap<_, _> = claimed
        .iter()
        .map(|one| (one.args.id, &*one.args.payload))
        .collect();
    assert_eq!(told.len(), MANY);
    assert_eq!(told[&damaged], "1\u{1e}2");
    for one in made.iter().filter(|one| one.id != damaged) {
        assert_eq!(told[&one.id], one.payload);
    }
}

async fn a_job_that_is_gone_holds_nobody_up(brand: Brand) {
    for (gone, limit) in [
        (7, MANY),
        (7, 100),
        (200, 100),
        (MANY / 2 - 1, MANY / 2 - 1),
    ] {
        let (store, url) = databases::mysql(brand).await;
        let worker = WorkerId::new(DAWN);
        let made = many();
        store.enqueue(made.clone(), Atomicity::All).await.unwrap();
        let mut session = Conn::from_url(&url).await.unwrap();
        delete(&mut session, &made[gone]).await;

        let mut claimed = Vec::new();
        for limit in [limit, MANY, MANY] {
            let wish = claim(worker, limit as u32, DAWN + LEASE);
            claimed.extend(store.claim(&wish, DAWN).await.unwrap());
        }

        assert_eq!(claimed.len(), MANY - 1, "{gone} of {limit}");
        assert_eq!(rows(&url, "ready_batches").await, 0, "{gone} of {limit}");
        assert_eq!(
            settled(&store, worker, &claimed, |one| success(one, DAWN)).await,
            MANY - 1
        );
    }
}

async fn where_the_first_of_a_batch_is_gone_the_others_are_still_their_own(brand: Brand) {
    let (store, url) = databases::mysql(brand).await;
    let mut made = deliveries();
    for one in &mut made[MANY / 2..] {
        one.run_at = DAWN - Duration::from_secs(1);
        one.options.max_attempts = 9;
    }
    for one in &mut made[..MANY / 2] {
        one.run_at = DAWN - Duration::from_secs(2);
    }
    store.enqueue(made.clone(), Atomicity::All).await.unwrap();
    let mut session = Conn::from_url(&url).await.unwrap();
    delete(&mut session, &made.remove(MANY / 2)).await;

    let claimed = claim_deliveries(&store, WorkerId::new(DAWN), &made[0].queue, MANY).await;

    let told: BTreeMap<_, _> = claimed
        .iter()
        .map(|one| (one.args.id, one.args.options.max_attempts))
        .collect();
    let asked: BTreeMap<_, _> = made
        .iter()
        .map(|one| (one.id, one.options.max_attempts))
        .collect();
    assert_eq!(told, asked);
}

/// Jobs as a campaign makes them: of its queue, with ids that are its own and the numbers of its recipients.
fn deliveries() -> Vec<NewJob> {
    let campaign = JobId::new(DAWN).uuid().as_u128() >> 40 << 40;
    let queue = format!("cmp_{}", Uuid::from_u128(campaign));
    let delivery = |(job, number): (NewJob, u128)| NewJob {
        id: JobId::from_uuid(Uuid::from_u128(campaign | number)),
        queue: queue.clone(),
        payload: json!({ "recipient_id": number.to_string() }).to_string(),
        ..job
    };
    many().into_iter().zip(1..).map(delivery).collect()
}

async fn claim_deliveries(
    store: &SqlStore,
    worker: WorkerId,
    queue: &str,
    limit: usize,
) -> Vec<Claimed> {
    let mut wish = claim(worker, limit as u32, DAWN + LEASE);
    queue.clone_into(&mut wish.queues[0].queue);
    store.claim(&wish, DAWN).await.unwrap()
}

async fn delete(session: &mut Conn, job: &NewJob) {
    let id = job.id.uuid().to_string();
    session
        .exec_drop("DELETE FROM jobs WHERE id = ?", (id,))
        .await
        .unwrap();
    assert_eq!(session.affected_rows(), 1);
}
