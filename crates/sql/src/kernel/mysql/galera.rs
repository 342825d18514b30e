//! A member of a Galera cluster: it may be left alone, and may be behind what another member has confirmed.

use mysql_async::{Conn, Error, prelude::Queryable};

/// It belongs to no cluster at the moment, and answers nothing.
pub const ALONE: u16 = 1047;

/// MySQL itself, and a MariaDB built without it, say that there is none.
const IS_MEMBER: &str = "SELECT 0 /*M! + (SELECT count(*) FROM information_schema.session_variables WHERE variable_name = 'WSREP_ON' AND variable_value = 'ON') */";
const CATCH_UP: &str =
    "SET SESSION wsrep_sync_wait = 1; SELECT 1; SET SESSION wsrep_sync_wait = DEFAULT";

/// Waits until the member has carried out all that the cluster has confirmed up to now. What comes later comes through it, as all speak
/// with one member: so it is asked once in each session, and not before each read.
pub async fn catch_up(session: &mut Conn) -> Result<(), Error> {
    let is_member: Option<u8> = session.query_first(IS_MEMBER).await?;
    if is_member == Some(1) {
        session.query_drop(CATCH_UP).await?;
    }
    Ok(())
}
