//! Rows that cannot be read: damaged, or written by a newer version. Each is passed over and told, so that it
//! never stops the others.

use std::{collections::BTreeMap, time::Duration};

use baton_ports::store::{Error, Result, Unreadable};
use parking_lot::Mutex;
use tokio::time::Instant;

use super::SqlStore;
use crate::{
    row::{Row, Rows},
    value::Value,
};

/// How many are remembered; beyond that they are counted each time they are met.
const MOST: usize = 1_000;
/// For how long one is told of that nobody has met again: it may be gone.
const LATELY: Duration = Duration::from_mins(15);

/// Where rows have their first cell in common: that one of them can be read says nothing of the others.
const SHARED: [&str; 2] = ["attempts", "leases"];

/// What was met lately.
#[derive(Default)]
pub(super) struct Ledger(Mutex<BTreeMap<RowRef, Met>>);

/// A table and what the row is called by.
type RowRef = (&'static str, String);
/// The column that could not be read, and when it was met last.
type Met = (&'static str, Instant);

impl Ledger {
    fn add(&self, table: &'static str, row: String, column: &'static str) {
        let mut known = self.0.lock();
        let place = (table, row);
        if let Some(seen) = known.get_mut(&place) {
            *seen = (column, Instant::now());
            return;
        }
        // What is in the row is nobody's to read in a log.
        tracing::error!(table, row = %place.1, column, "a row cannot be read, and is passed over");
        metrics::counter!("baton_unreadable_rows_total", "table" => table).increment(1);
        if known.len() < MOST {
            known.insert(place, (column, Instant::now()));
        }
    }

    /// One that was mended is forgotten; where there is no row, none was.
    fn remove(&self, table: &'static str, row: &Value) {
        let mut known = self.0.lock();
        if !known.is_empty() && *row != Value::Null && !SHARED.contains(&table) {
            known.remove(&(table, name(row)));
        }
    }

    fn lately(&self) -> Vec<Unreadable> {
        let mut known = self.0.lock();
        known.retain(|_, (_, at)| at.elapsed() < LATELY);
        let told = known.iter().map(|((table, row), (column, _))| Unreadable {
            table,
            row: row.clone(),
            column,
        });
        told.collect()
    }
}

/// What a row is called by: its first cell.
fn name(cell: &Value) -> String {
    match cell {
        Value::Uuid(id) => id.to_string(),
        Value::Text(text) => text.chars().take(200).collect(),
        Value::Int(number) => number.to_string(),
        _ => "a row without a name".to_owned(),
    }
}

impl SqlStore {
    /// Those of the rows that can be read. The first cell of each is its name.
    pub(super) fn readable<T>(
        &self,
        table: &'static str,
        rows: Rows,
        read: impl Fn(Row) -> Result<T>,
    ) -> Vec<T> {
        let rows = rows.into_iter();
        rows.filter_map(|row| self.readable_one(table, row, &read))
            .collect()
    }

    /// A row, if it can be read.
    pub(super) fn readable_one<T>(
        &self,
        table: &'static str,
        row: Row,
        read: impl Fn(Row) -> Result<T>,
    ) -> Option<T> {
        self.told(table, row, read).ok()
    }

    /// The row that was asked for, if there is one. That it cannot be read is the answer, and is told.
    pub(super) fn the_one<T>(
        &self,
        table: &'static str,
        rows: Rows,
        read: impl Fn(Row) -> Result<T>,
    ) -> Result<Option<T>> {
        let row = super::first(rows);
        row.map(|row| self.told(table, row, read)).transpose()
    }

    /// A row of which it is told when it cannot be read.
    pub(super) fn told<T>(
        &self,
        table: &'static str,
        row: Row,
        read: impl Fn(Row) -> Result<T>,
    ) -> Result<T> {
        let first = row.0.first().cloned().unwrap_or(Value::Null);
        let read = read(row);
        match &read {
            Ok(_) => self.unreadable.remove(table, &first),
            Err(error) => self.note_unreadable(table, name(&first), error),
        }
        read
    }

    /// One that is called by a number can be read.
    pub(super) fn mended(&self, table: &'static str, number: i64) {
        self.unreadable.remove(table, &Value::Int(number));
    }

    pub(super) fn note_unreadable(&self, table: &'static str, row: String, error: &Error) {
        let column = match error {
            Error::Corrupt { column, .. } => column,
            _ => "",
        };
        self.unreadable.add(table, row, column);
    }

    /// A page of the rows that can be read, from one row more than it shows. What cannot be read takes its
    /// place in it, so that a page can be short and have a next one.
    pub(super) fn page<T>(
        &self,
        table: &'static str,
        mut rows: Rows,
        limit: u32,
        read: impl Fn(Row) -> Result<T>,
        cursor: impl Fn(&Row) -> Result<String>,
    ) -> baton_domain::page::Page<T> {
        let has_more = rows.len() > limit as usize;
        rows.truncate(limit as usize);
        let next = rows.last().filter(|_| has_more);
        let next = next.and_then(|row| cursor(row).ok());
        baton_domain::page::Page {
            items: self.readable(table, rows, read),
            next,
        }
    }

    pub(super) fn met_unreadable(&self) -> Vec<Unreadable> {
        self.unreadable.lately()
    }
}
