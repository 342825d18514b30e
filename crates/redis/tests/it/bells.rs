//! Bells ring on other nodes too.

use std::{sync::Arc, time::Duration};

use baton_ports::{Signal, Wake, signal::Bell};
use baton_redis::RedisHints;
use baton_testkit::{Reply, eventually};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::house::{House, LONG, quick};

/// A node of this installation, with its bells.
struct Node {
    signal: Arc<Signal>,
    _hints: RedisHints,
}

async fn node(house: &House, installation: Uuid) -> Node {
    node_that_hears(house, installation, Wake::ALL.to_vec()).await
}

async fn node_that_hears(house: &House, installation: Uuid, bells: Vec<Wake>) -> Node {
    let options = quick(house.redis.url(), installation);
    let hints = RedisHints::connect(options, CancellationToken::new())
        .await
        .expect("it is well");
    let signal = Arc::new(Signal::default());
    let mut first = signal.listen(bells[0]);
    hints.carry(signal.clone(), bells);
    // Who begins to listen looks once at everything.
    heard(&mut first).await;
    Node {
        signal,
        _hints: hints,
    }
}

async fn listeners(house: &House, installation: Uuid, count: u64) {
    let channel = format!("{{baton:{installation}}}:bells:cancel");
    let all_listen = async || {
        let reply = house.redis.command(&["PUBSUB", "NUMSUB", &channel]);
        reply
            == Reply::List(vec![
                Reply::Text(channel.clone()),
                Reply::Number(i64::try_from(count).expect("it is well")),
            ])
    };
    eventually("all listen", LONG, all_listen).await;
}

/// Two nodes that hear each other.
async fn pair(house: &House) -> (Node, Node) {
    let one = node(house, house.installation).await;
    let other = node(house, house.installation).await;
    (one, other)
}

async fn heard(bell: &mut Bell) {
    timeout(LONG, bell.rung()).await.expect("the bell is heard");
}

#[tokio::test]
async fn a_bell_that_rings_on_one_node_is_heard_on_another() {
    let house = House::open().await;
    let (one, other) = pair(&house).await;

    for wake in Wake::ALL {
        let mut bell = other.signal.listen(wake);
        one.signal.ring(wake);
        heard(&mut bell).await;
    }
}

#[tokio::test]
async fn a_bell_that_nobody_listens_to_does_not_reach_the_process() {
    let house = House::open().await;
    let one = node(&house, house.installation).await;
    let other = node_that_hears(&house, house.installation, vec![Wake::Cancel]).await;
    let (mut facts, mut cancel) = (
        other.signal.listen(Wake::Facts),
        other.signal.listen(Wake::Cancel),
    );

    one.signal.ring(Wake::Facts);
    one.signal.ring(Wake::Cancel);
    heard(&mut cancel).await;

    assert!(timeout(Duration::ZERO, facts.rung()).await.is_err());
}

#[tokio::test]
async fn a_bell_that_was_heard_from_another_node_is_not_rung_back() {
    let house = House::open().await;
    let (one, other) = pair(&house).await;
    let (mut echo, mut cancel) = (
        one.signal.listen(Wake::Ready),
        other.signal.listen(Wake::Ready),
    );
    one.signal.ring(Wake::Ready);
    heard(&mut echo).await;
    heard(&mut cancel).await;

    let mut events = one.signal.listen(Wake::Events);
    other.signal.ring(Wake::Events);
    heard(&mut events).await;

    // What the other node would have rung back came before its next ring.
    let echoed = timeout(Duration::ZERO, echo.rung()).await;
    assert!(echoed.is_err());
}

#[tokio::test]
async fn installations_do_not_hear_each_other() {
    let house = House::open().await;
    let (one, other) = pair(&house).await;
    let stranger = node(&house, Uuid::new_v4()).await;
    let mut strange = stranger.signal.listen(Wake::Ready);
    let mut near = other.signal.listen(Wake::Ready);

    one.signal.ring(Wake::Ready);
    heard(&mut near).await;

    assert!(
        timeout(Duration::from_millis(20), strange.rung())
            .await
            .is_err()
    );
}

#[tokio::test]
async fn bells_are_carried_again_after_redis_was_gone() {
    let mut house = House::open().await;
    let (one, other) = pair(&house).await;

    house.redis.kill();
    house.redis.restart();
    listeners(&house, house.installation, 2).await;

    let mut cancel = other.signal.listen(Wake::Cancel);
    let is_heard = async || {
        one.signal.ring(Wake::Cancel);
        timeout(Duration::from_millis(100), cancel.rung())
            .await
            .is_ok()
    };
    eventually("it is heard again", LONG, is_heard).await;
}
