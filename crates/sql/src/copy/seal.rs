//! The seal of a database that an installation moves from or to: no program starts on it.
//!
//! It stands in the ledger of the steps as one that no program is new enough for: so programs that know nothing of relocations heed it too,
//! and a server that runs is not ready from then on. What is meant stands in `relocation`.

use baton_domain::Timestamp;
use baton_ports::store::{Error, Result};
use uuid::Uuid;

use crate::{
    kernel::{ConnectionPool, Kernel},
    open::OpenError,
    statement as sql,
    value::params,
};

/// How a database stands to the other one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It is being copied.
    Leaving,
    /// All of it was copied.
    Left,
    /// It is being filled.
    Arriving,
    /// It was filled.
    Arrived,
}

/// A copy, as one of its databases knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seal {
    /// Which copy.
    pub id: Uuid,
    /// How this database stands to the other one.
    pub state: State,
    /// The other one, without its password.
    pub peer: String,
    /// Whose installation it is.
    pub installation: Uuid,
    /// Which database is filled: the installation that it was made as.
    pub target: Uuid,
}

/// What is known of a copy; `None` where there never was one.
pub async fn find(kernel: &Kernel) -> Result<Option<Seal>> {
    let row = kernel.read(&sql::copy::STANDS, params! {}).await?.pop();
    row.map(|row| {
        let mut cells = row.cells("relocation");
        Ok(Seal {
            id: cells.uuid("relocation_id")?,
            state: state(&cells.text("state")?)?,
            peer: cells.text("peer")?,
            installation: cells.uuid("installation")?,
            target: cells.uuid("target")?,
        })
    })
    .transpose()
}

fn state(word: &str) -> Result<State> {
    match word {
        "leaving" => Ok(State::Leaving),
        "left" => Ok(State::Left),
        "arriving" => Ok(State::Arriving),
        "arrived" => Ok(State::Arrived),
        _ => Err(Error::Corrupt {
            table: "relocation",
            column: "state",
            message: format!("{word} is no state"),
        }),
    }
}

const fn word(state: State) -> &'static str {
    match state {
        State::Leaving => "leaving",
        State::Left => "left",
        State::Arriving => "arriving",
        State::Arrived => "arrived",
    }
}

/// Seals a database.
pub async fn put_on(kernel: &Kernel, seal: &Seal, now: Timestamp) -> Result<()> {
    let params = params! {
        relocation_id: seal.id, state: word(seal.state), peer: seal.peer.clone(), installation: seal.installation,
        target: seal.target, now: now,
    };
    kernel
        .write(ConnectionPool::Front, &sql::copy::SEAL, params)
        .await
        .map(drop)
}

/// Takes the seal off.
pub async fn take_off(kernel: &Kernel) -> Result<()> {
    kernel
        .write(ConnectionPool::Front, &sql::copy::UNSEAL, params! {})
        .await
        .map(drop)
}

/// What a copy is told that is no longer the one that fills its target, or leaves its source.
pub fn superseded() -> OpenError {
    OpenError::NotCopied(
        "the copy was given up, or finished by another run of it, while this one was under way. It has written nothing since. Run \
         the same `baton copy` again: it goes on, or says how both databases stand".to_owned(),
    )
}

/// Refuses a database that may not be served.
pub async fn refuse_if_sealed(kernel: &Kernel) -> Result<(), OpenError> {
    let Some(seal) = find(kernel).await? else {
        return Ok(());
    };
    let peer = seal.peer;
    Err(OpenError::Sealed(match seal.state {
        State::Arrived => return Ok(()),
        State::Leaving => format!(
            "this installation is being moved to {peer}, and nothing may change here meanwhile. Finish with `baton copy`, and start the \
             server there; or give the move up with `baton copy --from URL --reopen`"
        ),
        State::Left => format!(
            "this installation has moved to {peer}. Start the server there; what is left here is old, and may be removed"
        ),
        State::Arriving => format!(
            "the copy of {peer} into this database is not finished. Run the same `baton copy --from URL --to URL` again: it goes on where it stood"
        ),
    }))
}
