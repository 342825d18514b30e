//! The SQL store, held against what it must be: understood, migrated, planned.
#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on says so by panicking"
)]

mod audited;
mod blocks;
mod brands;
mod campaigns;
mod connections;
mod copying;
mod crashes;
mod databases;
mod erasures;
mod fronts;
mod galera;
mod giving_way;
mod growth;
mod guarded_log;
mod hands;
mod inbox;
mod journal;
mod measuring;
#[path = "../migrated/postgres.rs"]
mod migrated;
mod migrations;
mod moved;
mod mysql;
mod places;
mod places_page;
mod plans;
mod races;
mod reconcile;
mod refused;
mod restores;
mod schema;
mod staging;
mod statements;
mod takeover;
mod tokens;
mod transactions;
mod unreadable;
mod unused;
