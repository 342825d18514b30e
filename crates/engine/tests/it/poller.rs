//! The poller: whatever is outstanding is woken for, at the latest when it looks next.

use std::time::Duration;

use baton_domain::{Clock, job::JobSpec};
use baton_engine::Next;
use baton_ports::{Wakeup, wakeups::Subscription};
use futures::FutureExt;

use crate::fixture::{Fixture, delayed, spec};

const LONGEST: Next = Next::After(Duration::from_secs(2));

fn was_woken(wakeups: &mut Subscription) -> bool {
    wakeups.recv().now_or_never().is_some()
}

#[tokio::test]
async fn what_no_wakeup_told_of_is_woken_for() {
    let mut fixture = Fixture::new().await;
    fixture.accept(delayed(Duration::from_mins(1))).await;
    fixture.turn("sequencer").await;
    let subscribe = |wakeup| fixture.engine.wakeups().subscribe(wakeup);
    let (mut due, mut facts) = (subscribe(Wakeup::Due), subscribe(Wakeup::Facts));

    fixture.turn("poller").await;
    let early = (was_woken(&mut due), was_woken(&mut facts));
    fixture.clock.advance(Duration::from_mins(1));
    fixture.turn("poller").await;
    let late = (was_woken(&mut due), was_woken(&mut facts));

    assert_eq!((early, late), ((false, false), (true, false)));
}

#[tokio::test]
async fn the_poller_wakes_when_the_next_job_expires_and_is_no_clock_of_its_own() {
    let mut fixture = Fixture::new().await;
    let idle = fixture.turn("poller").await;
    let expires_in = |millis| {
        let at = fixture.clock.now() + Duration::from_millis(millis);
        JobSpec {
            expires_at: Some(at),
            ..spec()
        }
    };
    let (soon, sooner) = (expires_in(1_500), expires_in(101));
    let mut expired = fixture.engine.wakeups().subscribe(Wakeup::Expired);

    fixture.accept(soon).await;
    let next = fixture.turn("poller").await;
    fixture.accept(sooner).await;
    let rested = fixture.turn("poller").await;
    fixture.clock.advance(Duration::from_secs(1));
    let woken = (was_woken(&mut expired), fixture.turn("poller").await);

    assert_eq!(idle, LONGEST);
    assert_eq!(next, Next::After(Duration::from_millis(1_499)));
    assert_eq!(rested, Next::After(Duration::from_millis(500)));
    assert_eq!(woken, (false, Next::After(Duration::from_millis(500))));
    assert!(was_woken(&mut expired));
}

#[tokio::test]
async fn workers_are_woken_while_a_job_stands_in_line() {
    let mut fixture = Fixture::new().await;
    let mut ready = fixture.engine.wakeups().subscribe(Wakeup::Ready);

    fixture.turn("poller").await;
    let idle = was_woken(&mut ready);
    fixture.accept(spec()).await;
    ready.recv().now_or_never();
    fixture.turn("poller").await;

    assert_eq!((idle, was_woken(&mut ready)), (false, true));
}
