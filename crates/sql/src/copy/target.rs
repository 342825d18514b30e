//! The database that is filled: empty, or holding what this copy has written before; sealed until all of it is there.

use baton_ports::store::{Result, Upkeep};

use super::{
    pages,
    scripts::Scripts,
    seal::{self, Seal, State},
    source,
};
use crate::{
    address::without_password,
    kernel::{ConnectionPool, Unit},
    open::{OpenError, migrate, open_for_copy, schema},
    statement::{
        COPY_ARRIVE, COPY_GO_ON, COPY_NUMBERS, COPY_VISITED, RESTORE_BEGIN_EPOCH,
        RESTORE_FORGET_HOLDERS,
    },
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
    let found = seal::find(target.kernel()).await?;
    let copy = standing.filter(|seal| seal.state != State::Arrived);
    match (found, copy) {
        (Some(here), Some(there)) if here.id == there.id && here.state != there.state => Ok(()),
        (
            Some(Seal {
                state: State::Arriving,
                peer,
                ..
            }),
            _,
        ) => Err(not_copied(format!(
            "the database to be filled holds an unfinished copy of {peer}, which was given up since, or is another installation. \
             Nothing was changed; give an empty database"
        ))),
        (
            Some(Seal {
                state: State::Leaving | State::Left,
                peer,
                ..
            }),
            _,
        ) => Err(not_copied(format!(
            "the database to be filled is sealed itself, as its installation moves to {peer}. Nothing was changed; give an empty database"
        ))),
        (
            Some(Seal {
                state: State::Arrived,
                ..
            }),
            _,
        ) => Err(occupied()),
        (
            None,
            Some(Seal {
                state: State::Left,
                peer,
                ..
            }),
        ) => Err(not_copied(format!(
            "all of this installation was copied to {peer} already, and may be served there. Nothing was changed"
        ))),
        (
            None,
            Some(Seal {
                state: State::Leaving,
                peer,
                ..
            }),
        ) if peer != to => Err(not_copied(format!(
            "this installation is being copied to {peer} already. Nothing was changed; finish that copy, or give it up with --reopen first"
        ))),
        (None, _)
            if source::installation(source).await? == source::installation(target).await? =>
        {
            Err(not_copied(
                "both URLs name the same installation. Nothing was changed".to_owned(),
            ))
        }
        (None, _) => refuse_if_filled(target).await,
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
    match kernel.read(&COPY_VISITED, params! {}).await?.is_empty() {
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
    if let Err(filled) = refuse_if_filled(target).await {
        seal::take_off(kernel).await?;
        return Err(filled);
    }
    Ok(true)
}

/// Goes on with the numbers of the source, begins another history of events, and takes the seal off: in one transaction.
pub async fn arrive(source: &SqlStore, target: &SqlStore) -> Result<i64, OpenError> {
    if !target
        .kernel()
        .read(&COPY_VISITED, params! {})
        .await?
        .is_empty()
    {
        return Err(not_copied(
            "a server has worked on the database that is being filled. Stop it, remove that database, take the seal off the \
             source with --reopen --force, and copy it to an empty one"
                .to_owned(),
        ));
    }
    let Some(row) = source.kernel().read(&COPY_NUMBERS, params! {}).await?.pop() else {
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
            (&RESTORE_FORGET_HOLDERS, params! {}),
            (&COPY_GO_ON, numbers),
            (&COPY_ARRIVE, params! { now: now }),
            (&RESTORE_BEGIN_EPOCH, params! {}),
        ],
        keep: None,
    };
    let rows = target
        .kernel()
        .transact(ConnectionPool::Front, unit)
        .await?
        .pop();
    let row = rows.and_then(|mut rows| rows.pop());
    let row =
        row.ok_or_else(|| OpenError::Refused("the stream of events is missing".to_owned()))?;
    Ok(row.cells("stream").int("epoch")?)
}
