//! Batches give way to what somebody waits for, wherever many rows are asked for; a few rows wait for nothing.
//!
//! Time stands still unless somebody waits for it, so a wait is told to the millisecond however slow the machine is.

use std::time::Duration;

use baton_domain::{Timestamp, WorkerId};
use baton_ports::store::{
    Atomicity, AttemptResult, By, Campaigns, Chunk, Jobs, Recipients, Urgency, Work,
};
use baton_sql::SqlStore;
use tokio::time::{Instant, advance};

use crate::{
    campaigns::{HOLD, next_chunk, people, quiz},
    databases,
    hands::{DAWN, LEASE, claim, jobs, success},
};

/// What counts as a batch.
const MANY: usize = 8;
/// How long a batch waits for interactive work that does not end.
const TIMEOUT: Duration = Duration::from_millis(10);

#[tokio::test(start_paused = true)]
async fn every_batch_gives_way_to_prompt_work_and_a_few_rows_do_not() {
    let sqlite = databases::sqlite().await;
    let store = &sqlite.store;
    let expected = |rows| {
        if rows >= MANY {
            TIMEOUT
        } else {
            Duration::ZERO
        }
    };

    for rows in [MANY, MANY - 1] {
        for place in PLACES {
            assert_eq!(
                waited(store, place, rows).await,
                expected(rows),
                "{place} of {rows}"
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn where_nobody_is_prompt_no_batch_waits() {
    let sqlite = databases::sqlite().await;

    for place in PLACES {
        let begun = beginning(&sqlite.store, place, MANY).await;

        assert_eq!(begun.ended(&sqlite.store).await, Duration::ZERO, "{place}");
    }
}

const PLACES: [&str; 5] = ["claim", "record", "look-up", "import", "chunk"];

/// How long a call waits that asks for so many rows beside interactive work that does not end.
async fn waited(store: &SqlStore, place: &str, rows: usize) -> Duration {
    let begun = beginning(store, place, rows).await;
    // Who gave way a moment ago is given the time back.
    advance(Duration::from_secs(2)).await;
    let _interactive = store.prompt_work();
    begun.ended(store).await
}

/// Something that asks for many rows, ready to.
enum Begun {
    Claim(u32),
    Record(WorkerId, Vec<AttemptResult>),
    LookUp(Vec<String>),
    Import(Vec<String>),
    Chunk(Box<Chunk>),
}

async fn beginning(store: &SqlStore, place: &str, rows: usize) -> Begun {
    let names: Vec<_> = (0..rows).map(|i| format!("{place}-{rows}-{i}")).collect();
    let worker = WorkerId::new(DAWN);
    match place {
        "claim" => Begun::Claim(u32::try_from(rows).unwrap()),
        "record" => {
            store
                .enqueue(jobs(rows, DAWN), Atomicity::All)
                .await
                .unwrap();
            let limit = u32::try_from(rows).unwrap();
            let claim = claim(worker, limit, DAWN + LEASE);
            let claimed = store.claim(&claim, DAWN).await.unwrap();
            let ends = claimed.iter().map(|one| success(one, DAWN));
            Begun::Record(worker, ends.collect())
        }
        "look-up" => Begun::LookUp(names),
        "import" => Begun::Import(names),
        _ => {
            people(store, &names).await;
            let now = DAWN + Duration::from_secs(rows as u64);
            let campaign = quiz(&format!("lane-{rows}"), now);
            store.create_campaign(&campaign).await.unwrap();
            Begun::Chunk(Box::new(chunk_of(store, worker, rows, now).await))
        }
    }
}

async fn chunk_of(store: &SqlStore, node: WorkerId, rows: usize, now: Timestamp) -> Chunk {
    let taken = store.take_expansion(node, now + HOLD, now).await.unwrap();
    // A delivery and an item each.
    let people = u32::try_from(rows / 2).unwrap();
    next_chunk(store, &taken.unwrap(), node, people, now).await
}

impl Begun {
    async fn ended(self, store: &SqlStore) -> Duration {
        let begun = Instant::now();
        match self {
            Self::Claim(limit) => {
                let claim = claim(WorkerId::new(DAWN), limit, DAWN + LEASE);
                store.claim(&claim, DAWN).await.map(drop).unwrap();
            }
            Self::Record(worker, ends) => {
                store
                    .settle(By::Worker(worker), &ends, DAWN)
                    .await
                    .map(drop)
                    .unwrap();
            }
            Self::LookUp(names) => {
                let found = store.find_recipients(&names, Urgency::Bulk).await;
                found.map(drop).unwrap();
            }
            Self::Import(names) => people(store, &names).await,
            Self::Chunk(chunk) => assert!(store.expand(&chunk, DAWN).await.unwrap()),
        }
        begun.elapsed()
    }
}
