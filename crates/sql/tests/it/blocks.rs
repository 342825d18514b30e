//! Blocks, on MySQL: jobs that were made together are held, and have succeeded, in rows of many, and each of them is still its own.

mod claims;

use std::{collections::BTreeSet, time::Duration};

use baton_domain::{
    JobId, WorkerId,
    job::{Class, NewJob, State},
};
use baton_domain::{checkpoint::Progress, page::PageRequest};
use baton_ports::store::{
    Atomicity, AttemptResult, By, Claimed, Events, JobFilter, Jobs, ProgressReport, Retention,
    SettleOutcome, Upkeep, Work,
};
use baton_sql::{OpenError, SqlStore};
use baton_testkit::Brand;
use mysql_async::{Conn, prelude::Queryable};

use crate::{
    brands::on_each_brand,
    databases,
    hands::{DAWN, LEASE, claim, failure, job, spec, success},
};

on_each_brand!(
    jobs_that_were_made_together_are_held_and_succeed_in_rows_of_many,
    one_that_fails_leaves_its_block_and_no_other_does,
    a_result_is_recorded_once_however_it_comes,
    jobs_of_a_block_are_forgotten_a_few_at_a_time,
    what_each_job_of_a_block_has_said_is_told_of_it,
    every_success_is_listed_however_its_block_was_recorded,
    a_claim_of_blocks_whose_answer_was_lost_is_repeated_under_its_lease,
    progress_takes_no_job_out_of_its_block,
    before_it_is_finalized_each_job_is_held_by_itself,
    while_an_older_program_works_nothing_is_finalized,
);

async fn jobs_that_were_made_together_are_held_and_succeed_in_rows_of_many(brand: Brand) {
    let (store, url) = databases::mysql(brand).await;
    let worker = WorkerId::new(DAWN);

    let claimed = claimed(&store, worker).await;
    let held = rows(&url, "leased_blocks").await;
    assert_eq!(
        settled(&store, worker, &claimed, |one| success(one, DAWN)).await,
        MANY
    );

    assert_eq!(claimed.len(), MANY);
    assert!((1..=MANY / 50).contains(&held), "{held} rows");
    assert!((1..=MANY / 25).contains(&rows(&url, "success_blocks").await));
    for nothing in ["leased", "leased_blocks", "leases", "successes", "attempts"] {
        assert_eq!(rows(&url, nothing).await, 0, "{nothing}");
    }
    assert_eq!(succeeded(&store, &claimed).await, MANY);
}

async fn one_that_fails_leaves_its_block_and_no_other_does(brand: Brand) {
    let (store, url) = databases::mysql(brand).await;
    let worker = WorkerId::new(DAWN);
    let claimed = claimed(&store, worker).await;

    let failed = claimed[70].clone();
    let failures = [failure(&failed, Class::Permanent, DAWN)];
    let answers = store.settle(By::Worker(worker), &failures, DAWN).await;
    let others: Vec<_> = without(&claimed, &failed);
    let (some, rest) = others.split_at(311);
    assert_eq!(
        settled(&store, worker, some, |one| success(one, DAWN)).await,
        311
    );
    assert_eq!(rows(&url, "leased").await, 0);
    assert_eq!(
        settled(&store, worker, rest, |one| success(one, DAWN)).await,
        rest.len()
    );

    assert_eq!(answers.unwrap(), [SettleOutcome::Recorded]);
    assert_eq!(
        (rows(&url, "attempts").await, rows(&url, "successes").await),
        (1, 0)
    );
    assert_eq!(succeeded(&store, &others).await, MANY - 1);
    assert_eq!(succeeded(&store, &[failed]).await, 0);
    assert_eq!(rows(&url, "leases").await, 0);
}

async fn a_result_is_recorded_once_however_it_comes(brand: Brand) {
    let (store, url) = databases::mysql(brand).await;
    let other = databases::open(&url).await;
    let worker = WorkerId::new(DAWN);
    let claimed = claimed(&store, worker).await;
    let (some, rest) = claimed.split_at(100);

    // Another process of the same worker does not know how they are held.
    assert_eq!(
        settled(&other, worker, some, |one| success(one, DAWN)).await,
        100
    );
    assert_eq!(
        settled(&store, worker, &claimed, |one| success(one, DAWN)).await,
        MANY
    );
    let again = [failure(&rest[0], Class::Permanent, DAWN)];
    let answer = store.settle(By::Worker(worker), &again, DAWN).await;

    assert_ne!(answer.unwrap(), [SettleOutcome::Recorded]);
    assert_eq!(rows(&url, "results").await, MANY);
    assert_eq!(succeeded(&store, &claimed).await, MANY);
    for nothing in ["leased", "leased_blocks", "leases"] {
        assert_eq!(rows(&url, nothing).await, 0, "{nothing}");
    }
}

async fn jobs_of_a_block_are_forgotten_a_few_at_a_time(brand: Brand) {
    let (store, url) = databases::mysql(brand).await;
    let worker = WorkerId::new(DAWN);
    let claimed = claimed(&store, worker).await;
    settled(&store, worker, &claimed, |one| success(one, DAWN)).await;
    store.sequence(u32::MAX, DAWN).await.unwrap();
    let later = DAWN + Duration::from_hours(24 * 400);

    store
        .prune(&Retention::default(), 100, later)
        .await
        .unwrap();

    assert_eq!(rows(&url, "jobs").await, MANY - 100);
    assert_eq!(rows(&url, "results").await, MANY - 100);
    for one in &claimed {
        if let Some(left) = store.job(one.args.id).await.unwrap() {
            let attempts = store.attempts(left.id).await.unwrap();
            assert_eq!((left.state, attempts.len()), (State::Succeeded, 1));
            assert_eq!(attempts[0].started_at, Some(DAWN));
        }
    }
    for _ in 0..MANY / 100 {
        store
            .prune(&Retention::default(), 100, later)
            .await
            .unwrap();
    }
    assert_eq!(
        (rows(&url, "jobs").await, rows(&url, "success_blocks").await),
        (0, 0)
    );
}

async fn what_each_job_of_a_block_has_said_is_told_of_it(brand: Brand) {
    let (store, _url) = databases::mysql(brand).await;
    let worker = WorkerId::new(DAWN);
    let claimed = claimed(&store, worker).await;
    let said = |one: &Claimed| match claimed.iter().position(|other| other == one) {
        Some(nth) if nth % 3 == 0 => Some(format!("\"it is null, 'or' {nth} \\u00e4\"")),
        Some(nth) if nth % 3 == 1 => Some("null".to_owned()),
        _ => None,
    };

    let recorded = settled(&store, worker, &claimed, |one| telling(one, said(one))).await;

    assert_eq!(recorded, MANY);
    for one in &claimed {
        let found = store.job(one.args.id).await.unwrap().unwrap();
        assert_eq!(found.result, said(one), "{}", one.args.id);
    }
}

async fn every_success_is_listed_however_its_block_was_recorded(brand: Brand) {
    let (store, url) = databases::mysql(brand).await;
    let worker = WorkerId::new(DAWN);
    let claimed = claimed(&store, worker).await;
    for nth in 0..40 {
        let piece: Vec<_> = claimed
            .iter()
            .skip(nth)
            .step_by(40)
            .map(|one| success(one, DAWN))
            .collect();
        store
            .settle(By::Worker(worker), &piece, DAWN)
            .await
            .unwrap();
    }

    let mut listed = Vec::new();
    let succeeded = JobFilter {
        state: Some(State::Succeeded),
        ..JobFilter::default()
    };
    let mut page = PageRequest {
        after: None,
        limit: 20,
    };
    loop {
        let found = store.jobs(&succeeded, &page).await.unwrap();
        listed.extend(found.items.iter().map(|job| job.id));
        match found.next {
            Some(next) => page.after = Some(next),
            None => break,
        }
    }

    let mut all: Vec<_> = claimed.iter().map(|one| one.args.id).collect();
    all.sort_unstable_by(|one, other| other.cmp(one));
    assert!(rows(&url, "success_blocks").await > 5 * MANY / 64);
    assert_eq!(listed, all);
}

async fn a_claim_of_blocks_whose_answer_was_lost_is_repeated_under_its_lease(brand: Brand) {
    let (store, _url) = databases::mysql(brand).await;
    let worker = WorkerId::new(DAWN);
    store.enqueue(many(), Atomicity::All).await.unwrap();
    let wish = claim(worker, MANY as u32, DAWN + LEASE);
    let ids = |claimed: &[Claimed]| {
        claimed
            .iter()
            .map(|one| one.args.id)
            .collect::<BTreeSet<_>>()
    };

    let lost = store.claim(&wish, DAWN).await.unwrap();
    let repeated = store.claim(&wish, DAWN).await.unwrap();

    assert_eq!(ids(&repeated), ids(&lost));
    assert_eq!(
        settled(&store, worker, &repeated, |one| success(one, DAWN)).await,
        MANY
    );
}

async fn progress_takes_no_job_out_of_its_block(brand: Brand) {
    let (store, url) = databases::mysql(brand).await;
    let worker = WorkerId::new(DAWN);
    let claimed = claimed(&store, worker).await;
    let report = |one: &Claimed| ProgressReport {
        lease: one.lease,
        job: one.args.id,
        attempt: 1,
        progress: Progress {
            done: 1,
            ..Progress::default()
        },
    };
    let reports: Vec<_> = claimed.iter().take(9).map(report).collect();

    store.progress(worker, &reports, DAWN).await.unwrap();
    store
        .progress(WorkerId::new(DAWN), &[report(&claimed[9])], DAWN)
        .await
        .unwrap();

    assert_eq!(
        (rows(&url, "checkpoints").await, rows(&url, "leased").await),
        (9, 0)
    );
    assert_eq!(
        settled(&store, worker, &claimed, |one| success(one, DAWN)).await,
        MANY
    );
}

async fn before_it_is_finalized_each_job_is_held_by_itself(brand: Brand) {
    let (_store, url) = databases::mysql(brand).await;
    unfinalize(&url).await;
    let (store, worker) = (databases::open(&url).await, WorkerId::new(DAWN));
    let schema = baton_sql::schema(&url).await.unwrap();
    let before = claimed(&store, worker).await;
    assert_eq!(
        (
            rows(&url, "leased").await,
            rows(&url, "leased_blocks").await
        ),
        (MANY, 0)
    );

    let finalized = baton_sql::finalize(&url).await.unwrap();

    assert_eq!(finalized, schema.unfinalized);
    assert_eq!(finalized.len(), 1);
    assert_eq!(baton_sql::schema(&url).await.unwrap().oldest, 21);
    let newer = databases::open(&url).await;
    let after = claimed(&newer, worker).await;
    assert_eq!(rows(&url, "leased").await, MANY);
    assert!(rows(&url, "leased_blocks").await > 0);
    for (store, held) in [(&newer, before), (&store, after)] {
        assert_eq!(
            settled(store, worker, &held, |one| success(one, DAWN)).await,
            MANY
        );
    }
    assert_eq!(baton_sql::finalize(&url).await.unwrap(), [""; 0]);
}

async fn while_an_older_program_works_nothing_is_finalized(brand: Brand) {
    let (_store, url) = databases::mysql(brand).await;
    unfinalize(&url).await;
    let mut session = Conn::from_url(&url).await.unwrap();
    let older =
        "INSERT INTO workers (id, name, version, slots, running, draining, started_at, seen_at)
        SELECT '7', 'old-mail-1', '0.1.0', '{}', 0, 0, 1, unix_timestamp() * 1000000";
    session.query_drop(older).await.unwrap();

    let refusal = baton_sql::finalize(&url).await.unwrap_err();
    session
        .query_drop("UPDATE workers SET left_at = seen_at")
        .await
        .unwrap();

    assert!(
        matches!(&refusal, OpenError::OlderPrograms { workers } if *workers == ["old-mail-1"]),
        "{refusal}"
    );
    assert!(refusal.to_string().contains("Stop them"), "{refusal}");
    assert_eq!(baton_sql::finalize(&url).await.unwrap().len(), 1);
}

/// More than have a row of the line each.
const MANY: usize = 640;

/// So many jobs, made together and claimed by one lease.
async fn claimed(store: &SqlStore, worker: WorkerId) -> Vec<Claimed> {
    store.enqueue(many(), Atomicity::All).await.unwrap();
    let wish = claim(worker, MANY as u32, DAWN + LEASE);
    store.claim(&wish, DAWN).await.unwrap()
}

fn many() -> Vec<NewJob> {
    let ids = JobId::in_a_row(DAWN).take(MANY);
    ids.map(|id| NewJob {
        id,
        ..job(spec(), DAWN)
    })
    .collect()
}

/// How many results are recorded, sent in two pieces of which none is whole.
async fn settled(
    store: &SqlStore,
    worker: WorkerId,
    claimed: &[Claimed],
    result: impl Fn(&Claimed) -> AttemptResult,
) -> usize {
    let (some, others): (Vec<_>, Vec<_>) =
        claimed.iter().enumerate().partition(|(nth, _)| nth % 5 < 3);
    let mut recorded = 0;
    for piece in [some, others] {
        let results = piece.into_iter().map(|(_, one)| AttemptResult {
            started_at: Some(DAWN),
            ..result(one)
        });
        let results: Vec<_> = results.collect();
        let answers = store
            .settle(By::Worker(worker), &results, DAWN)
            .await
            .unwrap();
        recorded += answers
            .iter()
            .filter(|answer| **answer == SettleOutcome::Recorded)
            .count();
    }
    recorded
}

fn telling(claimed: &Claimed, result: Option<String>) -> AttemptResult {
    let mut told = success(claimed, DAWN);
    told.decision.result = result;
    told
}

fn without(all: &[Claimed], one: &Claimed) -> Vec<Claimed> {
    all.iter()
        .filter(|other| other.args.id != one.args.id)
        .cloned()
        .collect()
}

async fn succeeded(store: &SqlStore, claimed: &[Claimed]) -> usize {
    let mut count = 0;
    for one in claimed {
        let found = store.job(one.args.id).await.unwrap().unwrap();
        count += usize::from(found.state == State::Succeeded);
    }
    count
}

async fn rows(url: &str, table: &str) -> usize {
    let count = format!("SELECT count(*) FROM {table}");
    databases::number_of_mysql(url, &count).await as usize
}

/// As a database is that an older program has worked on.
async fn unfinalize(url: &str) {
    let mut session = Conn::from_url(url).await.unwrap();
    let lowered = "UPDATE schema_migrations SET oldest_program = 1 WHERE name = '0021_blocks'";
    session.query_drop(lowered).await.unwrap();
}
