//! Stories of hints.
//!
//! What is lost with them when nobody looks for himself, and that nothing is when somebody does.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use async_trait::async_trait;
use baton_domain::{
    JobId,
    job::{NewJob, State},
};
use baton_ports::{
    Hint, Hints, Store,
    hints::MemoryHints,
    layer::{Hook, Layer},
    store::{Atomicity, Enqueued, Result},
};
use tokio::time::{Instant, sleep};

use super::Stage;
use crate::{
    bugs::hints::{Led, Rash},
    fleet::{LEASE, Uplink},
    journal::History,
    link::Condition,
    script::{Answer, Word},
    witness::Deed,
    world::{Flaw, Hinting, flawless, in_virtual_time},
};

/// Hints at jobs when they are there.
struct Prudent(Arc<MemoryHints>);

#[async_trait]
impl Hook for Prudent {
    async fn enqueue(
        &self,
        below: &dyn Store,
        jobs: Vec<NewJob>,
        atomicity: Atomicity,
    ) -> Result<Vec<Enqueued>> {
        let hint = |job: &NewJob| Hint::of(&job.queue, job.id, job.priority);
        let hints: Vec<_> = jobs.iter().filter_map(hint).collect();
        let answers = below.enqueue(jobs, atomicity).await?;
        let _ = self.0.offer(&hints).await;
        Ok(answers)
    }
}

/// Nobody looks for himself, and hints come when their jobs are there.
fn prudent(store: Arc<dyn Store>, hints: &Arc<MemoryHints>) -> Arc<dyn Store> {
    Layer::over(Layer::over(store, Led), Prudent(Arc::clone(hints)))
}

/// Nobody looks for himself, and hints come too early.
fn rash(store: Arc<dyn Store>, hints: &Arc<MemoryHints>) -> Arc<dyn Store> {
    Layer::over(Layer::over(store, Led), Rash(Arc::clone(hints)))
}

/// Hints come too early.
fn rash_with_looks(store: Arc<dyn Store>, hints: &Arc<MemoryHints>) -> Arc<dyn Store> {
    Layer::over(store, Rash(Arc::clone(hints)))
}

/// Nobody looks for himself.
fn led(store: Arc<dyn Store>, _: &Arc<MemoryHints>) -> Arc<dyn Store> {
    Layer::over(store, Led)
}

/// Workers that wait for the hints of a queue.
async fn with_a_known_queue(workers: u32, hinting: Hinting, flaw: Flaw) -> Stage {
    let mut stage = Stage::flawed(workers, hinting, flaw);
    if hinting == Hinting::ByOthers {
        stage.world.fleet.hints.open(1).await.unwrap();
    }
    sleep(Duration::from_secs(2)).await;
    stage.post_alone(&[Answer::new(Word::Ok, 1)]).await;
    stage.until_called(1).await;
    sleep(Duration::from_secs(4)).await;
    stage
}

async fn state_in(stage: &Stage, job: JobId, span: Duration) -> State {
    sleep(span).await;
    let job = stage.world.store.job(job).await.unwrap();
    job.unwrap().state
}

/// Where a job is a minute after it was posted.
fn state_of_a_job(flaw: Flaw) -> State {
    in_virtual_time(1, async {
        let mut stage = with_a_known_queue(1, Hinting::ByOthers, flaw).await;

        let job = stage.post_alone(&[Answer::new(Word::Ok, 10)]).await;

        state_in(&stage, job, Duration::from_mins(1)).await
    })
}

#[test]
fn a_hint_before_its_commit_loses_its_job_where_nobody_looks_for_himself() {
    assert_eq!(state_of_a_job(prudent), State::Succeeded);
    assert_eq!(state_of_a_job(rash), State::Queued);
    assert_eq!(state_of_a_job(rash_with_looks), State::Succeeded);
}

/// Waits until a worker has just begun to wait for a hint.
async fn until_it_waits_anew(worker: &Uplink) {
    for is_waiting in [false, true] {
        while worker.hints.is_waiting.load(Ordering::SeqCst) != is_waiting {
            sleep(Duration::from_millis(1)).await;
        }
    }
}

/// Where a job is two minutes after the only worker died that had taken its hint and not claimed it.
fn state_after_a_death(flaw: Flaw, is_hasty: bool) -> State {
    in_virtual_time(1, async {
        let mut stage = with_a_known_queue(1, Hinting::ByNodes, flaw).await;
        let worker = stage.worker();
        until_it_waits_anew(&worker).await;
        worker.hints.is_hasty.store(is_hasty, Ordering::SeqCst);
        worker.link.set(Condition::Frozen);
        let job = stage.post_alone(&[Answer::new(Word::Ok, 10)]).await;
        sleep(Duration::from_millis(100)).await;
        let queue = ["default".to_owned()];
        let left = stage.world.fleet.hints.lengths(&queue).await.unwrap();
        assert_eq!(left, [0], "nobody has taken the hint");

        stage.world.fleet.kill_worker(worker.process);
        stage.world.fleet.start_worker(1);

        state_in(&stage, job, Duration::from_mins(2)).await
    })
}

#[test]
fn a_hint_removed_before_it_was_followed_loses_its_job_where_nobody_looks_for_himself() {
    assert_eq!(state_after_a_death(led, false), State::Succeeded);
    assert_eq!(state_after_a_death(led, true), State::Queued);
    assert_eq!(state_after_a_death(flawless, true), State::Succeeded);
}

/// What befalls the hints of a stage.
type Mischief = fn(&mut Stage);

#[test]
fn without_hints_a_job_is_called_within_two_seconds() {
    let mischiefs: [Mischief; 4] = [
        |stage| stage.world.fleet.hints.restart_empty(),
        |stage| stage.world.fleet.hints.go_away("the story says so"),
        |stage| stage.worker().hints.is_cut.store(true, Ordering::SeqCst),
        |stage| stage.node().hints.is_cut.store(true, Ordering::SeqCst),
    ];
    for mischief in mischiefs {
        in_virtual_time(1, async {
            let mut stage = with_a_known_queue(1, Hinting::ByNodes, flawless).await;

            mischief(&mut stage);
            stage.post_alone(&[Answer::new(Word::Ok, 10)]).await;
            let since = Instant::now();
            stage.until_called(2).await;

            assert!(since.elapsed() < Duration::from_secs(2), "{since:?}");
            stage.world.heal().await;
            stage.end().await;
        });
    }
}

#[test]
fn hints_lead_to_a_job_at_once() {
    in_virtual_time(1, async {
        let mut stage = with_a_known_queue(2, Hinting::ByNodes, flawless).await;
        // Nobody gets a wake-up for as long.
        sleep(LEASE).await;

        let job = stage.post_alone(&[Answer::new(Word::Ok, 10)]).await;
        let since = Instant::now();
        stage.until_called(2).await;

        // Two hops of hints and one of the store, each of some milliseconds.
        assert!(since.elapsed() < Duration::from_millis(60), "{since:?}");
        let history = stage.end().await;
        assert!(was_led_to(&history, job));
    });
}

fn was_led_to(history: &History, job: JobId) -> bool {
    history.deeds.iter().any(|(_, deed)| {
        matches!(deed, Deed::Claimed { job: claimed, is_hinted: true, .. } if *claimed == job)
    })
}
