//! The tokens of a rate never fall below nought and never exceed what a second allows, whatever the clock does.

use std::time::Duration;

use baton_domain::{Timestamp, WorkerId, queue::QueueChange};
use baton_ports::store::{Atomicity, Jobs, Queues, Work};
use baton_sql::SqlStore;
use baton_testkit::Brand;
use rand::{RngExt, SeedableRng, rngs::StdRng};

use crate::{
    brands::on_each_brand,
    databases,
    hands::{DAWN, LEASE, claim, jobs},
};

on_each_brand!(no_token_goes_below_nought_while_the_clock_of_mysql_jumps,);

const RATE: f64 = 5.0;
const CLAIMS: usize = 60;
const TOKENS: &str = "SELECT CASE WHEN tokens < 0 THEN -1 ELSE CAST(tokens * 1000 AS bigint) END FROM queues WHERE name = 'default'";

#[tokio::test]
async fn no_token_goes_below_nought_while_the_clock_of_postgresql_jumps() {
    let (store, database) = databases::postgres().await;
    let client = databases::connect(&database.url()).await;

    let claimed =
        claim_while_the_clock_jumps(&store, async || databases::number(&client, TOKENS).await)
            .await;

    assert!(claimed > 0);
}

#[tokio::test]
async fn no_token_goes_below_nought_while_the_clock_of_sqlite_jumps() {
    let sqlite = databases::sqlite().await;
    let connection = sqlite.connect();

    let claimed = claim_while_the_clock_jumps(&sqlite.store, async || {
        connection.query_row(TOKENS, [], |row| row.get(0)).unwrap()
    })
    .await;

    assert!(claimed > 0);
}

async fn no_token_goes_below_nought_while_the_clock_of_mysql_jumps(brand: Brand) {
    let (store, url) = databases::mysql(brand).await;
    let tokens = TOKENS.replace("bigint", "signed");

    let claimed = claim_while_the_clock_jumps(&store, async || {
        databases::number_of_mysql(&url, &tokens).await
    })
    .await;

    assert!(claimed > 0);
}

/// Claims from a limited queue at moments an hour apart at the most, and looks at its thousandths of tokens after each.
async fn claim_while_the_clock_jumps(
    store: &SqlStore,
    thousandths: impl AsyncFn() -> i64,
) -> usize {
    let change = QueueChange {
        rate: Some(Some(RATE)),
        ..QueueChange::default()
    };
    store.change_queue("default", &change, DAWN).await.unwrap();
    store
        .enqueue(jobs(500, DAWN), Atomicity::All)
        .await
        .unwrap();
    let mut chance = StdRng::seed_from_u64(11);
    let mut claimed = 0;
    for _ in 0..CLAIMS {
        let now = moment(&mut chance);
        let mut claim = claim(WorkerId::new(now), chance.random_range(1..20), now + LEASE);
        claim.queues[0].limited = true;

        claimed += store.claim(&claim, now).await.unwrap().len();

        let left = thousandths().await;
        assert!(
            (0..=5_000).contains(&left),
            "{left} thousandths of a token are left"
        );
    }
    claimed
}

/// A second after dawn, or so, or an hour away from it.
fn moment(chance: &mut StdRng) -> Timestamp {
    let near = Duration::from_millis(chance.random_range(0..2_000));
    match chance.random_range(0..3) {
        0 => DAWN + Duration::from_hours(1) + near,
        1 => DAWN - Duration::from_hours(1) + near,
        _ => DAWN + near,
    }
}
