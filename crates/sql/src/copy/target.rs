//! The database that is filled: empty, or holding what this copy has written before; sealed until all of it is there.

use baton_ports::store::{Result, Upkeep};

use super::{
    foreign_tables, pages,
    scripts::Scripts,
    seal::{self, Seal, State},
    source,
    write::is_arriving,
};
use crate::{
    address::without_password,
    kernel::{ConnectionPool, Unit},
    open::{OpenError, migrate, open_for_copy, schema},
    row::Rows,
    statement as sql,
    store::SqlStore,
    value::params,
};

/// Opens the target, and makes sure that it may be filled from a source that stands so. An empty one gets its tables.
pub async fn open(
    source: &SqlStore,
    standing: Option<&Seal>,
    to: &str,
) -> Result<SqlStore, OpenError> {
    let found = schema(to).await?;
    if found.generation == 0 {
        refuse_by_source(standing, &without_password(to))?;
        foreign_tables::refuse(to).await?;
        migrate(to).await?;
    } else if !found.pending.is_empty() {
        return Err(OpenError::OldSchema {
            pending: found.pending,
        });
    }
    let target = open_for_copy(to).await?;
    match check(source, standing, &target, &without_password(to)).await {
        Ok(()) => Ok(target),
        Err(refused) => {
            target.close().await;
            Err(refused)
        }
    }
}

async fn check(
    source: &SqlStore,
    standing: Option<&Seal>,
    target: &SqlStore,
    to: &str,
) -> Result<(), OpenError> {
    let copy = standing.filter(|seal| seal.state != State::Arrived);
    let is_target = match copy {
        Some(seal) => seal.target == source::installation(target).await?,
        None => true,
    };
    let Some(here) = seal::find(target.kernel()).await? else {
        refuse_by_source(standing, to)?;
        if !is_target {
            return Err(not_copied(
                "this installation is being copied to another database that goes by the same address. Nothing was changed; finish that copy, or \
                 give it up with --reopen first"
                    .to_owned(),
            ));
        }
        if source::installation(source).await? == source::installation(target).await? {
            return Err(not_copied(
                "both URLs name the same installation. Nothing was changed".to_owned(),
            ));
        }
        return refuse_if_filled(target).await;
    };
    let is_same = copy.is_some_and(|there| there.id == here.id && there.state != here.state);
    let peer = here.peer;
    match here.state {
        // It goes by another name since it has arrived.
        State::Arrived if is_same => Ok(()),
        State::Arriving if is_same && is_target => Ok(()),
        State::Arrived => Err(occupied()),
        State::Arriving => Err(not_copied(format!(
            "the database to be filled holds an unfinished copy of {peer}, which was given up since, or is another installation. \
             Nothing was changed; give an empty database"
        ))),
        State::Leaving | State::Left => Err(not_copied(format!(
            "the database to be filled is sealed itself, as its installation moves to {peer}. Nothing was changed; give an empty database"
        ))),
    }
}

/// Refuses a new target of an installation that is being copied to another one, or was copied.
fn refuse_by_source(standing: Option<&Seal>, to: &str) -> Result<(), OpenError> {
    match standing {
        Some(seal) if seal.state == State::Left => Err(not_copied(format!(
            "all of this installation was copied to {} already, and may be served there. Nothing was changed. If that database is lost, and \
             never was served, say --reopen --force first",
            seal.peer
        ))),
        Some(seal) if seal.state == State::Leaving && seal.peer != to => Err(not_copied(format!(
            "this installation is being copied to {} already. Nothing was changed; finish that copy, or give it up with --reopen first",
            seal.peer
        ))),
        _ => Ok(()),
    }
}

fn not_copied(why: String) -> OpenError {
    OpenError::NotCopied(why)
}

fn occupied() -> OpenError {
    not_copied(
        "the database to be filled holds something already, or a server has used it. Nothing was changed; give an empty database".to_owned(),
    )
}

/// Refuses a database in which there is anything.
async fn refuse_if_filled(target: &SqlStore) -> Result<(), OpenError> {
    let kernel = target.kernel();
    for part in &Scripts::of(kernel.dialect()).parts {
        if pages::read(kernel, part, None).await?.is_some() {
            return Err(occupied());
        }
    }
    match kernel
        .read(&sql::copy::VISITED, params! {})
        .await?
        .is_empty()
    {
        true => Ok(()),
        false => Err(occupied()),
    }
}

/// Seals the target for this copy, if it is not sealed. Says whether there is something to do.
pub async fn sealed(target: &SqlStore, seal: &Seal, from: &str) -> Result<bool, OpenError> {
    let kernel = target.kernel();
    if let Some(here) = seal::find(kernel).await? {
        return Ok(here.state == State::Arriving);
    }
    let here = Seal {
        state: State::Arriving,
        peer: from.to_owned(),
        ..seal.clone()
    };
    seal::put_on(kernel, &here, target.time().await?).await?;
    // Somebody may have come between the first look and the seal.
    let filled = refuse_if_filled(target).await;
    let has_begun = !kernel.read(&sql::copy::PAGES, params! {}).await?.is_empty();
    if has_begun || filled.is_ok() {
        return Ok(true);
    }
    seal::take_off(kernel).await?;
    filled.map(|()| true)
}

/// Goes on with the numbers of the source, begins another history of events, and takes the seal off: in one transaction, unless the
/// database was finished, or used, meanwhile.
pub async fn arrive(source: &SqlStore, target: &SqlStore, seal: &Seal) -> Result<i64, OpenError> {
    let Some(row) = source
        .kernel()
        .read(&sql::copy::NUMBERS, params! {})
        .await?
        .pop()
    else {
        return Err(OpenError::Refused(
            "the stream of events is missing".to_owned(),
        ));
    };
    let mut cells = row.cells("stream");
    let numbers = params! {
        installation: cells.uuid("installation")?, epoch: cells.int("epoch")?, last_seq: cells.int("last_seq")?,
        recipient: cells.int("last")?, hints: cells.int("number")?, fact: cells.int("id")?,
    };
    let now = target.time().await?;
    let unit = Unit {
        scripts: vec![
            (&sql::copy::ARRIVING, params! { relocation_id: seal.id }),
            (&sql::copy::VISITED, params! {}),
            (&sql::restore::FORGET_HOLDERS, params! {}),
            (&sql::copy::GO_ON, numbers),
            (&sql::copy::ARRIVE, params! { now: now }),
            (&sql::restore::BEGIN_EPOCH, params! {}),
        ],
        keep: Some(Box::new(|rows| is_arriving(rows) && !is_visited(rows))),
    };
    let mut rows = target
        .kernel()
        .transact(ConnectionPool::Front, unit)
        .await?;
    if !is_arriving(&rows) {
        return Err(seal::superseded());
    }
    if is_visited(&rows) {
        return Err(not_copied(
            "a server has worked on the database that is being filled. Stop it, remove that database, take the seal off the \
             source with --reopen --force, and copy it to an empty one"
                .to_owned(),
        ));
    }
    let row = rows.pop().and_then(|mut rows| rows.pop());
    let row =
        row.ok_or_else(|| OpenError::Refused("the stream of events is missing".to_owned()))?;
    Ok(row.cells("stream").int("epoch")?)
}

/// What the second script found.
fn is_visited(rows: &[Rows]) -> bool {
    rows.get(1).is_some_and(|rows| !rows.is_empty())
}
