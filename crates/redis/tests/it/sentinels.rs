//! Redis under Sentinel: another primary costs time only.

use baton_ports::{Hints, hints::HintState};
use baton_redis::RedisHints;
use baton_testkit::{Sentinels, eventually};
use tokio::task::block_in_place;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::fixture::{LONG, quick};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_primary_that_the_sentinels_name_is_found_again_after_each_kill() {
    let mut sentinels = block_in_place(|| Sentinels::start().unwrap());
    let options = quick(sentinels.url(), Uuid::new_v4());
    let hints = RedisHints::connect(options, CancellationToken::new()).await;
    let hints = hints.unwrap();

    for generation in 1..=2 {
        let is_open = async || {
            let opened = hints.open(generation).await;
            opened.is_ok() && hints.state() == HintState::Open
        };
        eventually("hints are open", LONG, is_open).await;

        block_in_place(|| sentinels.fail_over().unwrap());
    }

    let is_open = async || hints.open(3).await.is_ok() && hints.state() == HintState::Open;
    eventually("hints are open at the last primary", LONG, is_open).await;
}
