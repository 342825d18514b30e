//! Workers of their own are killed by chance; the others, and those that come, go on.

use baton_lab::checker;
use baton_testkit::Postgres;
use rand::RngExt;

use crate::fixture::Fixture;

const KILLS: usize = 6;
const CALLS_BETWEEN: usize = 80;
const UNDER_WAY: usize = 8;

#[tokio::test(flavor = "multi_thread")]
async fn workers_that_are_killed_are_followed_by_others_and_nothing_is_lost() {
    let database = Postgres::shared().database();
    let fixture = Fixture::on("worker", database.url()).await;
    let mut api_node = fixture.start("api", "api,engine").await;
    let mut workers = vec![
        fixture.start("worker-1", "worker").await,
        fixture.start("worker-2", "worker").await,
    ];
    let subscriber = fixture.subscriber().await;
    let load = fixture.load();
    let mut chance = fixture.chance(100);

    for number in 0..KILLS {
        fixture.more_calls(CALLS_BETWEEN).await;
        let doomed = workers.swap_remove(chance.random_range(0..workers.len()));
        fixture.calls_under_way(UNDER_WAY).await;
        fixture.kill(doomed).await;
        let name = format!("worker-{}", number + 3);
        workers.push(fixture.start(&name, "worker").await);
    }
    fixture.more_calls(CALLS_BETWEEN).await;
    let history = fixture.judge(load, subscriber).await;

    assert!(checker::summary(&history).rescued > 0);
    api_node.assert_alive().unwrap();
    for worker in &mut workers {
        worker.assert_alive().unwrap();
    }
}
