use std::process::Command;
use std::time::{Duration, Instant};

use baton_testkit::{Stopwatch, eventually};

#[tokio::test]
async fn a_moment_in_which_nothing_ran_is_not_counted() {
    let (watch, began) = (Stopwatch::start(), Instant::now());

    let stand_still = "kill -STOP $PPID; sleep 0.5; kill -CONT $PPID";
    Command::new("sh")
        .args(["-c", stand_still])
        .status()
        .unwrap();

    let is_known = async || watch.lost() >= Duration::from_millis(400);
    eventually("it is known how long", Duration::from_secs(5), is_known).await;
    assert!(watch.elapsed() + Duration::from_millis(400) <= began.elapsed());
}
