//! An import: rows from a stream, batch by batch into the store, in memory that does not grow.
//!
//! While one batch is written, the next one is read. What is wrong with a row is told with its line;
//! what makes the rest unreadable stops the import, and what came before it counts.

mod csv;
mod header;
mod lines;
mod pieces;
mod rows;

pub use pieces::Pieces;
pub use rows::Format;
use rows::{Rows, Trouble};

use std::{collections::HashSet, sync::Arc};

use baton_domain::recipient::Profile;
use baton_engine::{Caller, ImportCounts};
use baton_protocol::{
    Problem,
    recipient::{Import, ImportStop, RowErrors},
};
use tokio::{sync::Semaphore, task::JoinHandle};
use tracing::Instrument;

use crate::problem::{ApiResult, internal, told};

/// How many recipients are written in one transaction: more would make others wait for it.
const BATCH: usize = 1_000;
/// How much of a file is gathered for one transaction, in bytes.
const GATHERED: usize = 2 * 1024 * 1024;

/// A row as it was read: a recipient, or what is wrong with it.
#[derive(Debug, PartialEq)]
pub struct Row {
    pub line: u64,
    pub read: Result<Profile, RowErrors>,
}

/// What makes the rest unreadable.
#[derive(Debug, PartialEq, Eq)]
pub struct Broken {
    pub line: u64,
    pub message: String,
}

/// An import under way.
pub struct Importer {
    engine: Caller,
    /// Who may write: imports that wait for their sender do not.
    writers: Arc<Semaphore>,
    report: Import,
    batch: Vec<Profile>,
    ids: HashSet<String>,
    /// How much of the file has come since the last batch.
    gathered: usize,
    /// Where the batch begins.
    first_line: u64,
    writing: Option<Writing>,
}

/// A batch that is being written, and where it begins.
struct Writing {
    first_line: u64,
    tally: JoinHandle<baton_engine::Result<ImportCounts>>,
}

impl Importer {
    pub fn new(engine: Caller, writers: Arc<Semaphore>, dry_run: bool) -> Self {
        Self {
            engine,
            writers,
            report: Import {
                dry_run,
                ..Import::default()
            },
            batch: Vec::new(),
            ids: HashSet::new(),
            gathered: 0,
            first_line: 1,
            writing: None,
        }
    }

    /// Whether no more rows are wanted.
    pub const fn has_stopped(&self) -> bool {
        self.report.stopped.is_some()
    }

    /// Takes a row; every now and then a batch is full, and is written.
    pub async fn take(&mut self, row: Row) -> ApiResult<()> {
        self.report.rows += 1;
        match row.read {
            Err(errors) => self.refuse(errors),
            Ok(profile) => {
                // A later row about the same recipient finds what the earlier one has made of it.
                let is_full = self.batch.len() == BATCH
                    || self.gathered >= GATHERED
                    || self.ids.contains(&profile.id);
                if is_full {
                    self.write_batch().await?;
                }
                if self.batch.is_empty() {
                    self.first_line = row.line;
                }
                self.ids.insert(profile.id.clone());
                self.batch.push(profile);
            }
        }
        Ok(())
    }

    fn refuse(&mut self, errors: RowErrors) {
        self.report.refused += 1;
        if self.report.errors.len() < Import::MOST_ERRORS {
            self.report.errors.push(errors);
        }
    }

    /// Begins to write what was gathered, once the batch before is written.
    async fn write_batch(&mut self) -> ApiResult<()> {
        self.finish_batch().await?;
        if self.has_stopped() || self.batch.is_empty() {
            return Ok(());
        }
        if self.engine.health_board().is_draining() {
            self.stop(
                self.first_line,
                "the server is stopping; send the file again, what is in stays as it is",
            );
            return Ok(());
        }
        self.ids.clear();
        self.gathered = 0;
        let (batch, engine) = (std::mem::take(&mut self.batch), self.engine.clone());
        let dry_run = self.report.dry_run;
        // In a task of its own: a client that hangs up does not cut a batch in two.
        let writers = self.writers.clone();
        let write = async move {
            let _turn = writers.acquire_owned().await;
            if dry_run {
                engine.compare_recipients(&batch).await
            } else {
                engine.import_recipients(&batch).await
            }
        };
        self.writing = Some(Writing {
            first_line: self.first_line,
            tally: tokio::spawn(write.in_current_span()),
        });
        Ok(())
    }

    async fn finish_batch(&mut self) -> ApiResult<()> {
        let Some(Writing { first_line, tally }) = self.writing.take() else {
            return Ok(());
        };
        let tally = tally.await.map_err(|error| {
            tracing::error!(%error, "an import ended without an answer");
            internal()
        })?;
        match tally {
            Ok(tally) => self.count(tally),
            // Nothing counts yet: then it is an error like any other.
            Err(error) if self.written() == 0 => return Err(told(error)),
            Err(error) => {
                tracing::warn!(%error, "an import was stopped by the database");
                self.stop(
                    first_line,
                    "the database is not available; send the file again, what is in stays as it is",
                );
            }
        }
        Ok(())
    }

    fn count(&mut self, tally: ImportCounts) {
        self.report.added += tally.added;
        self.report.changed += tally.changed;
        self.report.unchanged += tally.unchanged;
        self.report.refused += tally.erasing;
    }

    const fn written(&self) -> u64 {
        self.report.added + self.report.changed + self.report.unchanged
    }

    /// Notes why the rest was not read; the first reason stands.
    pub fn stop(&mut self, line: u64, message: impl Into<String>) {
        if !self.has_stopped() {
            self.report.stopped = Some(ImportStop {
                line,
                message: message.into(),
            });
        }
    }

    /// Writes what is left, and tells what became of everything. `broken` is what made the rest
    /// unreadable: what came before it is still written.
    pub async fn finish(mut self, broken: Option<Broken>) -> ApiResult<Import> {
        self.write_batch().await?;
        self.finish_batch().await?;
        if let Some(Broken { line, message }) = broken {
            self.stop(line, message);
        }
        self.report.complete = !self.has_stopped();
        Ok(self.report)
    }
}

/// Reads a body to its end, or to where it cannot be read any more.
pub async fn take_in(
    mut importer: Importer,
    mut pieces: Pieces,
    format: Format,
) -> ApiResult<Import> {
    let mut rows = Rows::new(format);
    let mut read = Vec::new();
    let mut last_line = 0;
    let mut trouble = None;
    while trouble.is_none() && !importer.has_stopped() {
        let piece = pieces.next().await;
        let fed = match &piece {
            Ok(Some(piece)) => {
                importer.gathered += piece.len();
                rows.feed(piece, &mut read)
            }
            Ok(None) => rows.finish(&mut read),
            Err(message) => Err(Trouble::Broken(Broken {
                line: last_line + 1,
                message: (*message).to_owned(),
            })),
        };
        trouble = fed.err();
        for row in read.drain(..) {
            last_line = row.line;
            if !importer.has_stopped() {
                importer.take(row).await?;
            }
        }
        if matches!(piece, Ok(None)) {
            break;
        }
    }
    if trouble.is_some() || importer.has_stopped() {
        pieces.pass_over().await;
    }
    match trouble {
        Some(Trouble::Header(wrong)) => Err(Problem::invalid(vec![wrong.into()]).into()),
        Some(Trouble::Broken(broken)) => importer.finish(Some(broken)).await,
        None => importer.finish(None).await,
    }
}
