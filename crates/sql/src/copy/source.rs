//! The database that is copied: in use by nobody, sealed, and holding nothing that is under way.

use std::time::Duration;

use baton_domain::Timestamp;
use baton_ports::store::{By, Events, HeldJob, LeaseView, Result, SettleOutcome, Upkeep, Work};
use uuid::Uuid;

use super::{
    seal::{self, Seal, State},
    triggers,
};
use crate::{
    address::without_password,
    kernel::{ConnectionPool, Kernel},
    open::{OpenError, schema},
    statement as sql,
    store::SqlStore,
    value::params,
};

/// How many jobs are settled, and facts numbered, at a time.
const BATCH: u32 = 1_000;
/// How often the triggers are set anew because somebody still wrote before they were.
const ROUNDS: usize = 5;

/// Refuses a place where nothing is. A file that is looked for would be made.
pub async fn refuse_if_none(url: &str) -> Result<(), OpenError> {
    if schema(url).await?.generation > 0 {
        return Ok(());
    }
    Err(OpenError::NotCopied(format!(
        "there is no installation at {}. Nothing was changed; give the URL that `baton serve` was started with",
        without_password(url)
    )))
}

/// Makes sure that it may be copied; says how it stands to another copy.
pub async fn check(source: &SqlStore) -> Result<Option<Seal>, OpenError> {
    let standing = seal::find(source.kernel()).await?;
    match &standing {
        None => refuse_if_used(source).await?,
        Some(seal) => match seal.state {
            State::Arrived | State::Leaving => refuse_if_used(source).await?,
            State::Left => {}
            State::Arriving => seal::refuse_if_sealed(source.kernel()).await?,
        },
    }
    Ok(standing)
}

/// Refuses a database that a server works on. A file that is ours is used by nobody.
async fn refuse_if_used(source: &SqlStore) -> Result<(), OpenError> {
    if let Kernel::Sqlite(_) = source.kernel() {
        return Ok(());
    }
    let now = source.time().await?;
    let rows = source
        .kernel()
        .read(&sql::copy::PRESENT, params! { now: now })
        .await?;
    let names = rows
        .into_iter()
        .map(|row| row.cells("workers").text("name"));
    let mut names: Vec<_> = names.collect::<Result<_>>()?;
    if names.is_empty() {
        return Ok(());
    }
    names.retain(|name| !name.is_empty());
    let who = match &*names {
        [] => "a node that leads the others".to_owned(),
        names => names.join(", "),
    };
    let span = UNKNOWN_LEASE.as_secs();
    Err(OpenError::NotCopied(format!(
        "the database to be copied is in use: {who} worked on it a moment ago. Stop every server on it, and try again; one that was \
         killed is waited for as long as its leases last ({span}s as they are set by default)"
    )))
}

/// How long a worker is waited for that does not say how long its leases last.
const UNKNOWN_LEASE: Duration = Duration::from_secs(30);

/// The seal, put on if it is not there. Whoever came in before that is found by a second look.
pub async fn sealed(
    source: &SqlStore,
    standing: Option<&Seal>,
    target: &SqlStore,
    to: &str,
) -> Result<Seal, OpenError> {
    let is_on = |seal: &Seal| seal.state != State::Arrived;
    let found = seal::find(source.kernel()).await?.filter(is_on);
    match (found, standing.filter(|seal| is_on(seal))) {
        (None, None) => {}
        (Some(found), Some(known)) if found.id == known.id => return Ok(found),
        // Another copy has begun since we looked, or this one was given up.
        _ => return Err(seal::superseded()),
    }
    let seal = Seal {
        id: Uuid::new_v4(),
        state: State::Leaving,
        peer: to.to_owned(),
        installation: installation(source).await?,
        target: installation(target).await?,
    };
    let now = source.time().await?;
    seal::put_on(source.kernel(), &seal, now).await?;
    if let Err(used) = refuse_if_used(source).await {
        seal::take_off(source.kernel()).await?;
        return Err(used);
    }
    Ok(seal)
}

/// Whose installation a database is.
pub async fn installation(store: &SqlStore) -> Result<Uuid> {
    let row = store
        .kernel()
        .read(&sql::copy::NUMBERS, params! {})
        .await?
        .pop();
    row.unwrap_or_else(|| crate::row::Row(Vec::new()))
        .cells("stream")
        .uuid("installation")
}

/// Closes a database in which nothing is held and every fact is numbered.
pub async fn settle_down(source: &SqlStore, seal: &Seal) -> Result<(), OpenError> {
    for _ in 0..ROUNDS {
        close(source, seal).await?;
        if is_at_rest(source).await? {
            return Ok(());
        }
        triggers::take_away(source.kernel()).await?;
        settle_all(source).await?;
        let now = source.time().await?;
        while source.sequence(BATCH, now).await?.count > 0 {}
    }
    close(source, seal).await?;
    Err(OpenError::NotCopied(
        "the database to be copied does not come to rest: somebody still writes to it, or a job in it cannot be settled, or an event not be \
         numbered. Stop every server on it; `baton jobs list --state running` of a server that was started again after --reopen says which job it is"
            .to_owned(),
    ))
}

/// Has every change refused, unless the copy was given up meanwhile.
async fn close(source: &SqlStore, seal: &Seal) -> Result<(), OpenError> {
    let found = seal::find(source.kernel()).await?;
    let is_ours = found.is_some_and(|found| found.id == seal.id);
    if !is_ours {
        return Err(seal::superseded());
    }
    triggers::set(source.kernel()).await
}

async fn is_at_rest(source: &SqlStore) -> Result<bool> {
    let unsettled = source
        .kernel()
        .read(&sql::copy::UNSETTLED, params! {})
        .await?;
    Ok(unsettled.is_empty())
}

/// Settles what dead workers held as lost, guarded as the rescuer's settlements are.
async fn settle_all(source: &SqlStore) -> Result<()> {
    loop {
        let held = held(source).await?;
        let now = source.time().await?;
        let losses = held
            .iter()
            .filter_map(|(held, until)| held.lost(*until, now));
        let losses: Vec<_> = losses.collect();
        if losses.is_empty() {
            return Ok(());
        }
        let settled = source.settle(By::Rescuer, &losses, now).await?;
        // What is refused is found by whoever asks whether all is at rest.
        if !settled.contains(&SettleOutcome::Recorded) {
            return Ok(());
        }
    }
}

/// Some of what is held, with the end of its lease.
async fn held(source: &SqlStore) -> Result<Vec<(HeldJob, Timestamp)>> {
    let leases = source.leases(u32::MAX).await?;
    for some in leases.chunks(BATCH as usize) {
        let ids: Vec<_> = some.iter().map(|lease| lease.lease).collect();
        let held = source.held(&ids, BATCH).await?;
        if !held.is_empty() {
            let until = |held: &HeldJob| {
                some.iter()
                    .find(|lease| lease.lease == held.lease)
                    .map(|lease: &LeaseView| lease.until)
            };
            return Ok(held
                .into_iter()
                .filter_map(|held| Some((held.clone(), until(&held)?)))
                .collect());
        }
    }
    Ok(Vec::new())
}

/// Everything is in the other database.
pub async fn leave(source: &SqlStore, seal: &Seal) -> Result<(), OpenError> {
    let params = params! { relocation_id: seal.id, now: source.time().await? };
    let kernel = source.kernel();
    let left = kernel.write(ConnectionPool::Front, &sql::copy::LEAVE, params);
    match left.await?.is_empty() {
        true => Err(seal::superseded()),
        false => Ok(()),
    }
}

/// Takes the seal off.
pub async fn reopen(store: &SqlStore, is_forced: bool) -> Result<(), OpenError> {
    let standing = seal::find(store.kernel()).await?;
    let refusal = match standing {
        Some(Seal {
            state: State::Leaving,
            ..
        }) => None,
        Some(Seal {
            state: State::Left, ..
        }) if is_forced => None,
        Some(Seal {
            state: State::Left,
            peer,
            ..
        }) => Some(format!(
            "all of this database was copied to {peer}, which may be served since: both would call and send the same. If that one \
             never was served and never will be, remove it, and say --reopen --force"
        )),
        Some(Seal {
            state: State::Arriving,
            peer,
            ..
        }) => Some(format!(
            "this database holds an unfinished copy of {peer}, of no use to anybody: remove it, or finish it with `baton copy`"
        )),
        Some(Seal {
            state: State::Arrived,
            ..
        })
        | None => Some("this database is not sealed: servers may use it".to_owned()),
    };
    if let Some(refusal) = refusal {
        return Err(OpenError::NotCopied(refusal));
    }
    triggers::take_away(store.kernel()).await?;
    Ok(seal::take_off(store.kernel()).await?)
}
