//! Finds out whether a pooler lends sessions for a transaction only, as PgBouncer in transaction mode does.
//!
//! Poolers do not say what they are. But where a session is ours for as long as we are connected, nobody else can have
//! it in the meantime: one connection leaves a mark in its session, and another one looks, in a transaction, so that it
//! keeps what it was lent. If it finds the mark, or the first does not find it again, sessions are shared. All of it in
//! the simple protocol, which any pooler carries.

use std::time::Duration;

use baton_domain::LeaseId;
use tokio::time::timeout;
use tokio_postgres::{Client, SimpleQueryMessage};

use crate::{
    address::Address,
    open::{OpenError, connect_to},
};

/// How often it is looked: other clients of the pooler can come between.
const LOOKS: usize = 3;
/// How long one look may take. A pooler that has no second session keeps us waiting, which proves nothing.
const TIMEOUT: Duration = Duration::from_secs(3);
const READ: &str = "SELECT current_setting('baton.probe', true)";
/// What PgBouncer answers to BEGIN in statement mode.
const PROTOCOL: &str = "08P01";

/// Whether what a session holds may be lost between two transactions.
pub async fn shares_sessions(address: &Address, client: &Client) -> Result<bool, OpenError> {
    let Ok(Ok(other)) = timeout(TIMEOUT, connect_to(address)).await else {
        // No second connection is to be had now: nothing is shared that could be found out.
        return Ok(false);
    };
    for _ in 0..LOOKS {
        match timeout(TIMEOUT, look(client, &other)).await {
            Ok(Ok(false)) => {}
            Ok(Ok(true)) => return Ok(true),
            Ok(Err(error)) if error.code().is_some_and(|code| code.code() == PROTOCOL) => {
                return Ok(true);
            }
            Ok(Err(error)) => return Err(error.into()),
            Err(_) => return Ok(false),
        }
    }
    Ok(false)
}

async fn look(client: &Client, other: &Client) -> Result<bool, tokio_postgres::Error> {
    let mark = LeaseId::random().uuid().simple().to_string();
    let write = format!("SELECT set_config('baton.probe', '{mark}', false)");
    client.simple_query(&write).await?;
    other.batch_execute("BEGIN").await?;
    let is_shared = read(other).await?.as_deref() == Some(&*mark)
        || read(client).await?.as_deref() != Some(&*mark);
    other.batch_execute("ROLLBACK").await?;
    Ok(is_shared)
}

async fn read(client: &Client) -> Result<Option<String>, tokio_postgres::Error> {
    let said = client.simple_query(READ).await?;
    Ok(said.iter().find_map(|one| match one {
        SimpleQueryMessage::Row(row) => row.get(0).map(ToOwned::to_owned),
        _ => None,
    }))
}
