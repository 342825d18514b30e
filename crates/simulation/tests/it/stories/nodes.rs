//! Stories of nodes that have a worker: what comes in there is handed over from memory.

use std::{sync::atomic::Ordering, time::Duration};

use baton_domain::{
    JobId,
    job::{Outcome, State},
};
use tokio::time::sleep;

use super::Stage;
use crate::{
    fleet::LEASE,
    journal::History,
    link::Condition,
    script::{Answer, Word},
    witness::Deed,
    world::in_virtual_time,
};

/// How often a job was claimed; and how often as the one that had it added.
fn claims(history: &History, job: JobId) -> (usize, usize) {
    let deeds = history.deeds.iter();
    let claims = deeds.filter_map(|(_, deed)| match deed {
        Deed::Claimed {
            job: j, is_start, ..
        } if *j == job => Some(*is_start),
        _ => None,
    });
    let claims: Vec<_> = claims.collect();
    let starts = claims.iter().filter(|is_start| **is_start).count();
    (claims.len(), starts)
}

/// The first job of a queue goes the long way; it makes the queue known.
async fn with_a_known_queue() -> Stage {
    let mut stage = Stage::with_a_working_node();
    sleep(Duration::from_secs(1)).await;
    stage.post_alone(&[Answer::new(Word::Ok, 1)]).await;
    stage.until_called(1).await;
    sleep(Duration::from_secs(3)).await;
    stage
}

#[test]
fn a_job_that_comes_in_beside_a_free_worker_is_added_as_its_own() {
    in_virtual_time(1, async {
        let mut stage = with_a_known_queue().await;

        let job = stage.post_alone(&[Answer::new(Word::Ok, 10)]).await;
        let history = stage.end().await;

        assert_eq!(claims(&history, job), (1, 1));
        assert_eq!(history.jobs[&job].state, State::Succeeded);
        assert_eq!(history.jobs[&job].attempt, 1);
    });
}

#[test]
fn a_job_whose_start_was_not_confirmed_is_given_back_and_run_by_the_same_worker() {
    in_virtual_time(1, async {
        let mut stage = with_a_known_queue().await;
        let link = stage.node().link;
        link.loses_a_claim.store(true, Ordering::SeqCst);
        let posted = stage.world.fleet.now();

        let job = stage.post_alone(&[Answer::new(Word::Ok, 10)]).await;
        let history = stage.end().await;

        assert!(!link.loses_a_claim.load(Ordering::SeqCst));
        assert_eq!(claims(&history, job), (2, 1));
        assert_eq!(history.attempts[&job][0].outcome, Some(Outcome::GivenBack));
        assert_eq!(history.jobs[&job].state, State::Succeeded);
        let call = history.calls.iter().find(|call| call.job == job).unwrap();
        assert!(call.started.since(posted) < Duration::from_secs(2));
    });
}

#[test]
fn a_job_started_on_a_node_that_dies_is_rescued() {
    in_virtual_time(1, async {
        let mut stage = with_a_known_queue().await;
        let job = stage.post_alone(&[Answer::new(Word::Ok, 5_000)]).await;
        stage.until_called(2).await;

        let process = stage.node().process;
        stage.world.fleet.replace_node(process);
        let history = stage.end().await;

        assert_eq!(claims(&history, job), (2, 1));
        assert_eq!(history.attempts[&job][0].outcome, Some(Outcome::Lost));
        assert_eq!(history.jobs[&job].state, State::Succeeded);
    });
}

#[test]
fn a_job_that_comes_in_while_the_node_is_cut_off_is_added_once() {
    in_virtual_time(1, async {
        let mut stage = with_a_known_queue().await;
        let node = stage.node();

        stage.disturb(node, Condition::Cut, LEASE / 6);
        let job = stage.post_alone(&[Answer::new(Word::Ok, 10)]).await;
        let history = stage.end().await;

        let calls = history.calls.iter().filter(|call| call.job == job);
        assert_eq!(calls.count(), 1);
        assert_eq!(history.jobs[&job].state, State::Succeeded);
    });
}
