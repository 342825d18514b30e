//! A campaign that kills the nodes that walk it.

use baton_domain::campaign::State;
use baton_testkit::{Postgres, eventually};

use super::bulk::Bulk;
use crate::fixture::{Fixture, TIMEOUT};

/// A chunk takes longer to write than its node lives, and is undone.
const DEADLY: &str = "CREATE FUNCTION deadly() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_sleep(8); RAISE EXCEPTION 'too late'; END $$;
    CREATE TRIGGER deadly BEFORE INSERT ON jobs FOR EACH ROW WHEN (NEW.queue LIKE 'cmp_%') EXECUTE FUNCTION deadly()";
/// In the midst of writing a chunk, which node that is.
const WRITING: &str = "SELECT holder FROM campaigns WHERE holder IS NOT NULL AND held_until >= extract(epoch FROM now()) * 1000000
    AND EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep')";
const HARMLESS: &str = "DROP TRIGGER deadly ON jobs";

#[tokio::test(flavor = "multi_thread")]
async fn a_campaign_whose_chunk_has_killed_its_node_three_times_stops_with_the_reason() {
    let postgres = Postgres::shared();
    let database = postgres.database();
    let fixture = Fixture::on("campaign-kills", database.url()).await;
    let fixture = fixture.with_a_provider();
    let mut process = fixture.start_all().await;
    postgres.psql(&database.url(), DEADLY);
    let campaign = Bulk::begin(&fixture, 5, None).await;

    let mut killed = Vec::new();
    for _ in 0..3 {
        let mut node = String::new();
        eventually("another node writes the chunk", TIMEOUT, async || {
            node = postgres.psql(&database.url(), WRITING);
            !node.is_empty() && !killed.contains(&node)
        })
        .await;
        killed.push(node);
        process.kill().await.unwrap();
        process = fixture.start_all().await;
    }
    eventually("the campaign stops", TIMEOUT, async || {
        campaign.look().await.state == State::Stopped
    })
    .await;

    let why = campaign.look().await.why.unwrap();
    assert!(why.starts_with("3 nodes were lost"), "{why}");
    assert_eq!(campaign.look().await.progress.audience, 0);
    postgres.psql(&database.url(), HARMLESS);
    campaign.resume().await;
    campaign.balance().await;
    process.assert_alive().unwrap();
}
