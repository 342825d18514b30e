//! What arrives is what was there, in each of the six directions.

use std::fmt::Write as _;

use baton_domain::{
    event::Event,
    job::{Job, State},
    page::PageRequest,
};
use baton_ports::store::{EventFilter, Events, Fleet, JobFilter, Jobs, Upkeep};
use baton_sql::{SqlStore, inside::TABLES};
use rusqlite::{Connection, types::ValueRef};

use super::{
    Place, copied, directions,
    filled::{HELD, filled},
};
use crate::{databases, hands::DAWN};

/// How many plain jobs are added: more than a page holds.
const MORE: usize = 1_100;

#[tokio::test]
async fn an_installation_arrives_in_every_direction_as_it_was_with_what_was_held_lost() {
    for (from, to) in directions() {
        let (source, target) = (filled(from, MORE).await, Place::new(to));
        let store = databases::open(&source.url()).await;
        let (jobs, events) = (jobs(&store).await, events(&store).await);
        let bounds = store.bounds().await.unwrap();
        store.close().await;

        let copied = copied(&source, &target).await.unwrap();

        let arrived = databases::open(&target.url()).await;
        assert_same_jobs(
            &jobs,
            &self::jobs(&arrived).await,
            &format!("{from} to {to}"),
        );
        let told = self::events(&arrived).await;
        assert!(told.starts_with(&events), "{from} to {to}");
        let begun = arrived.bounds().await.unwrap();
        assert!(
            begun.epoch > bounds.epoch && begun.last > bounds.last,
            "{begun:?}"
        );
        assert_eq!(copied.epoch, Some(begun.epoch));
        assert_eq!(arrived.reconcile(DAWN).await.unwrap(), [], "{from} to {to}");
        assert_eq!(arrived.workers(DAWN).await.unwrap(), []);
        let empty = copied.tables.iter().filter(|(_, sum)| sum.rows == 0);
        assert_eq!(empty.map(|(name, _)| *name).collect::<Vec<_>>(), [""; 0]);
        arrived.close().await;
    }
}

#[tokio::test]
async fn a_round_through_all_databases_changes_no_byte() {
    for round in [
        ["postgres", "mysql", "sqlite"],
        ["mysql", "postgres", "sqlite"],
    ] {
        let first = filled("sqlite", MORE).await;
        let mut places = vec![first];
        for dialect in round {
            let next = Place::new(dialect);
            copied(&places[places.len() - 1], &next).await.unwrap();
            places.push(next);
        }

        let [begin, end] = [&places[0], &places[3]].map(|place| {
            let Place::Sqlite(folder) = place else {
                unreachable!()
            };
            dump(&folder.connect())
        });

        // The first one was at rest before it was copied, so that it can be compared.
        for (begin, end) in begin.iter().zip(&end) {
            assert_eq!(begin, end, "{round:?}");
        }
    }
}

async fn jobs(store: &SqlStore) -> Vec<Job> {
    let page = PageRequest {
        limit: 10_000,
        after: None,
    };
    let mut jobs = store
        .jobs(&JobFilter::default(), &page)
        .await
        .unwrap()
        .items;
    jobs.sort_by_key(|job| job.id);
    jobs
}

/// Every event; of which history they are is another matter.
async fn events(store: &SqlStore) -> Vec<String> {
    let filter = EventFilter::default();
    let (events, _) = store.events(0, 100_000, &filter).await.unwrap();
    let told = events.iter().map(|event| {
        let Event {
            id,
            kind,
            subject,
            at,
            data,
        } = event;
        format!("{} {kind} {subject} {at} {data}", id.seq)
    });
    told.collect()
}

fn assert_same_jobs(before: &[Job], after: &[Job], direction: &str) {
    assert_eq!(before.len(), after.len(), "{direction}");
    let mut lost = 0;
    for (before, after) in before.iter().zip(after) {
        if before.state == State::Running {
            assert_eq!(
                (after.state, after.id),
                (State::RetryWait, before.id),
                "{direction}"
            );
            lost += 1;
        } else {
            assert_eq!(format!("{before:?}"), format!("{after:?}"), "{direction}");
        }
    }
    assert_eq!(lost, HELD, "{direction}");
}

/// Every row of every table, to the bit: those that are laid out in several ways by what is told of them.
fn dump(connection: &Connection) -> Vec<String> {
    let plain = TABLES
        .iter()
        .map(|table| table.name)
        .filter(|name| !["successes", "ready", "campaigns"].contains(name));
    let mut texts: Vec<_> = plain
        .map(|name| rows(connection, &format!("SELECT * FROM {name}")))
        .collect();
    for told in [
        "SELECT * FROM results",
        "SELECT job_id, queue, priority, run_at, expires_at, since, attempt, tries, losses, run FROM ready
         UNION ALL SELECT job_id, queue, priority, run_at, expires_at, since, 0, 0, 0, 1 FROM batched",
        "SELECT id, key, plan, lane, state, epoch, cursor, until, expanded, items, chunks FROM campaigns",
        "SELECT last, number FROM recipient_numbers, (SELECT installation AS number FROM stream)",
        "SELECT last_seq FROM stream",
    ] {
        texts.push(rows(connection, told));
    }
    texts
}

fn rows(connection: &Connection, sql: &str) -> String {
    let mut statement = connection.prepare(sql).unwrap();
    let columns = statement.column_count();
    let mut found = statement.query([]).unwrap();
    let mut lines = Vec::new();
    while let Some(row) = found.next().unwrap() {
        let mut line = String::new();
        for i in 0..columns {
            match row.get_ref(i).unwrap() {
                ValueRef::Real(number) => write!(line, "{:x} ", number.to_bits()).unwrap(),
                ValueRef::Text(text) => {
                    write!(line, "{:?} ", String::from_utf8_lossy(text)).unwrap();
                }
                other => write!(line, "{other:?} ").unwrap(),
            }
        }
        lines.push(line);
    }
    lines.sort();
    format!("{sql}\n{}", lines.join("\n"))
}
