//! Moves an installation to another database: every table, page by page, and not a row twice.
//!
//! The source is sealed, so that nothing changes while it is read; the target is sealed until everything in it was found to be
//! the same. Each page is written in one transaction with the note that it was, so that a copy that was killed goes on behind
//! its last page. See `docs/decisions/a-copy-under-seal.md`.

mod digest;
mod foreign_tables;
mod pages;
mod scripts;
mod seal;
mod source;
mod tables;
mod target;
mod triggers;
mod write;

use std::collections::HashMap;

use baton_ports::store::{Result, Upkeep};

use self::seal::Seal;
pub use self::{
    digest::Sum,
    scripts::{Part, Scripts},
    seal::refuse_if_sealed,
    tables::{LEFT_OUT, TABLES, WORKED_OUT},
};
use crate::{
    address::without_password,
    open::{OpenError, open_for_copy},
    statement as sql,
    store::SqlStore,
    value::params,
};

/// What a copy tells while it goes on.
#[derive(Debug, Clone, Copy)]
pub enum CopyProgress {
    /// A page of a part was written, of so many rows.
    Page(&'static str, u64),
    /// So many rows of a part were written since it began.
    Copied(&'static str, u64),
    /// A table was found to be the same on both sides.
    Same(&'static str, Sum),
}

/// Who is told.
pub type Listener<'a> = &'a (dyn Fn(CopyProgress) + Send + Sync);

/// An installation that has moved.
#[derive(Debug, Clone)]
pub struct Copied {
    /// What each table comes to.
    pub tables: Vec<(&'static str, Sum)>,
    /// The epoch of the new history; nothing when all of it had been done before.
    pub epoch: Option<i64>,
}

/// Copies an installation to an empty database, or goes on with that. At its end the source stays sealed, and the target may be served.
///
/// # Errors
/// When a server uses one of them, the target holds something else, or a database does not answer. What was copied stays, and
/// the same call goes on.
pub async fn copy(from: &str, to: &str, tell: Listener<'_>) -> Result<Copied, OpenError> {
    source::refuse_if_none(from).await?;
    let source = open_for_copy(from).await?;
    let copied = copy_from(&source, from, to, tell).await;
    source.close().await;
    copied
}

/// Takes the seal off a database whose copy is given up.
///
/// # Errors
/// When it is not sealed, or everything of it was copied and `is_forced` is not said.
pub async fn reopen(url: &str, is_forced: bool) -> Result<(), OpenError> {
    source::refuse_if_none(url).await?;
    let store = open_for_copy(url).await?;
    let reopened = source::reopen(&store, is_forced).await;
    store.close().await;
    reopened
}

async fn copy_from(
    source: &SqlStore,
    from: &str,
    to: &str,
    tell: Listener<'_>,
) -> Result<Copied, OpenError> {
    let standing = source::check(source).await?;
    let target = target::open(source, standing.as_ref(), to).await?;
    let between = [from, to].map(without_password);
    let copied = copy_between(source, &target, standing.as_ref(), between, tell).await;
    target.close().await;
    copied
}

async fn copy_between(
    source: &SqlStore,
    target: &SqlStore,
    standing: Option<&Seal>,
    [from, to]: [String; 2],
    tell: Listener<'_>,
) -> Result<Copied, OpenError> {
    let seal = source::sealed(source, standing, target, &to).await?;
    if !target::sealed(target, &seal, &from).await? {
        source::leave(source, &seal).await?;
        return Ok(Copied {
            tables: Vec::new(),
            epoch: None,
        });
    }
    source::settle_down(source, &seal).await?;
    carry_over(source, target, &seal, tell).await?;
    let tables = compare(source, target, tell).await?;
    source::leave(source, &seal).await?;
    let epoch = target::arrive(source, target, &seal).await?;
    Ok(Copied {
        tables,
        epoch: Some(epoch),
    })
}

/// Writes every page that is not there yet.
async fn carry_over(
    source: &SqlStore,
    target: &SqlStore,
    seal: &Seal,
    tell: Listener<'_>,
) -> Result<(), OpenError> {
    let mut done = HashMap::new();
    for row in target.kernel().read(&sql::copy::PAGES, params! {}).await? {
        let mut cells = row.cells("relocated_pages");
        let part = cells.text("part")?;
        done.insert(part, (cells.count("page")?, cells.text("cursor")?));
    }
    for part in &Scripts::of(source.dialect()).parts {
        let last = done.remove(part.name);
        let rows = carry_part(source, target, seal, part, last, tell).await?;
        tell(CopyProgress::Copied(part.name, rows));
    }
    Ok(())
}

/// Writes the pages of a part that follow the last one; says how many rows these were.
async fn carry_part(
    source: &SqlStore,
    target: &SqlStore,
    seal: &Seal,
    part: &'static Part,
    last: Option<(u32, String)>,
    tell: Listener<'_>,
) -> Result<u64, OpenError> {
    let (mut number, mut after) = match last {
        Some((number, cursor)) => (number, Some(pages::key(part, &cursor)?)),
        None => (0, None),
    };
    let mut rows = 0;
    while let Some(page) = pages::read(source.kernel(), part, after.as_deref()).await? {
        number += 1;
        let count = page.rows.len() as u64;
        after = Some(page.ends.clone());
        write::write(target.kernel(), seal, part, number, page).await?;
        tell(CopyProgress::Page(part.name, count));
        rows += count;
    }
    Ok(rows)
}

/// Reads both anew, and makes sure that they are the same.
async fn compare(
    source: &SqlStore,
    target: &SqlStore,
    tell: Listener<'_>,
) -> Result<Vec<(&'static str, Sum)>, OpenError> {
    let mut tables = Vec::with_capacity(TABLES.len());
    for table in TABLES {
        let (there, here) = tokio::try_join!(
            digest::sum(source.kernel(), table.name),
            digest::sum(target.kernel(), table.name)
        )?;
        if there != here {
            return Err(OpenError::Differs {
                table: table.name,
                rows: [there.rows, here.rows],
            });
        }
        tell(CopyProgress::Same(table.name, here));
        tables.push((table.name, here));
    }
    Ok(tables)
}
