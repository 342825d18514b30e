//! Wake-ups reach other nodes too.

use std::{sync::Arc, time::Duration};

use baton_ports::{Wakeup, Wakeups, wakeups::Subscription};
use baton_redis::RedisHints;
use baton_testkit::{Reply, eventually};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::fixture::{Fixture, LONG, quick};

/// A node of this installation, with its wake-ups.
struct Node {
    wakeups: Arc<Wakeups>,
    _hints: RedisHints,
}

async fn node(fixture: &Fixture, installation: Uuid) -> Node {
    node_that_hears(fixture, installation, Wakeup::ALL.to_vec()).await
}

async fn node_that_hears(fixture: &Fixture, installation: Uuid, kinds: Vec<Wakeup>) -> Node {
    let options = quick(fixture.redis.url(), installation);
    let hints = RedisHints::connect(options, CancellationToken::new())
        .await
        .expect("it is well");
    let wakeups = Arc::new(Wakeups::default());
    let mut first = wakeups.subscribe(kinds[0]);
    hints.relay(wakeups.clone(), kinds);
    // Who begins to listen looks once at everything.
    heard(&mut first).await;
    Node {
        wakeups,
        _hints: hints,
    }
}

async fn listeners(fixture: &Fixture, installation: Uuid, count: u64) {
    let channel = format!("{{baton:{installation}}}:wakeups:cancel");
    let all_listen = async || {
        let reply = fixture.redis.command(&["PUBSUB", "NUMSUB", &channel]);
        reply
            == Reply::List(vec![
                Reply::Text(channel.clone()),
                Reply::Number(i64::try_from(count).expect("it is well")),
            ])
    };
    eventually("all listen", LONG, all_listen).await;
}

/// Two nodes that hear each other.
async fn pair(fixture: &Fixture) -> (Node, Node) {
    let one = node(fixture, fixture.installation).await;
    let other = node(fixture, fixture.installation).await;
    (one, other)
}

async fn heard(wakeups: &mut Subscription) {
    timeout(LONG, wakeups.recv())
        .await
        .expect("the wake-up comes");
}

#[tokio::test]
async fn a_wakeup_that_is_sent_on_one_node_comes_on_another() {
    let fixture = Fixture::open().await;
    let (one, other) = pair(&fixture).await;

    for wakeup in Wakeup::ALL {
        let mut wakeups = other.wakeups.subscribe(wakeup);
        one.wakeups.send(wakeup);
        heard(&mut wakeups).await;
    }
}

#[tokio::test]
async fn a_wakeup_that_nobody_waits_for_does_not_reach_the_process() {
    let fixture = Fixture::open().await;
    let one = node(&fixture, fixture.installation).await;
    let other = node_that_hears(&fixture, fixture.installation, vec![Wakeup::Cancel]).await;
    let (mut facts, mut cancel) = (
        other.wakeups.subscribe(Wakeup::Facts),
        other.wakeups.subscribe(Wakeup::Cancel),
    );

    one.wakeups.send(Wakeup::Facts);
    one.wakeups.send(Wakeup::Cancel);
    heard(&mut cancel).await;

    assert!(timeout(Duration::ZERO, facts.recv()).await.is_err());
}

#[tokio::test]
async fn a_wakeup_that_came_from_another_node_is_not_sent_back() {
    let fixture = Fixture::open().await;
    let (one, other) = pair(&fixture).await;
    let (mut echo, mut cancel) = (
        one.wakeups.subscribe(Wakeup::Ready),
        other.wakeups.subscribe(Wakeup::Ready),
    );
    one.wakeups.send(Wakeup::Ready);
    heard(&mut echo).await;
    heard(&mut cancel).await;

    let mut events = one.wakeups.subscribe(Wakeup::Events);
    other.wakeups.send(Wakeup::Events);
    heard(&mut events).await;

    // What the other node would have sent back came before its next one.
    let echoed = timeout(Duration::ZERO, echo.recv()).await;
    assert!(echoed.is_err());
}

#[tokio::test]
async fn installations_do_not_hear_each_other() {
    let fixture = Fixture::open().await;
    let (one, other) = pair(&fixture).await;
    let stranger = node(&fixture, Uuid::new_v4()).await;
    let mut strange = stranger.wakeups.subscribe(Wakeup::Ready);
    let mut near = other.wakeups.subscribe(Wakeup::Ready);

    one.wakeups.send(Wakeup::Ready);
    heard(&mut near).await;

    assert!(
        timeout(Duration::from_millis(20), strange.recv())
            .await
            .is_err()
    );
}

#[tokio::test]
async fn wakeups_are_relayed_again_after_redis_was_gone() {
    let mut fixture = Fixture::open().await;
    let (one, other) = pair(&fixture).await;

    fixture.redis.kill();
    fixture.redis.restart();
    listeners(&fixture, fixture.installation, 2).await;

    let mut cancel = other.wakeups.subscribe(Wakeup::Cancel);
    let is_heard = async || {
        one.wakeups.send(Wakeup::Cancel);
        timeout(Duration::from_millis(100), cancel.recv())
            .await
            .is_ok()
    };
    eventually("it is heard again", LONG, is_heard).await;
}
