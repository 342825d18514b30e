//! Opening a MySQL or MariaDB: its version, its schema, and what no session can set for itself.

use std::time::Duration;

use mysql_async::{Conn, DriverError, Error, prelude::Queryable};
use tokio::time::timeout;

use super::{OpenError, OpenOptions};
use crate::{
    address::MysqlAddress,
    kernel::mysql::{MEANING, Mysql, prepare},
    migrate as steps, tls,
};

/// The oldest servers that are spoken to: older ones have no `SKIP LOCKED`, checks that are not checked, or no `VALUES` as a table.
const OLDEST_MARIADB: (u16, u16, u16) = (10, 6, 0);
const OLDEST_MYSQL: (u16, u16, u16) = (8, 0, 19);
/// How long a server may take to be reached.
const TIMEOUT: Duration = Duration::from_secs(5);

pub async fn open(address: &MysqlAddress, options: &OpenOptions) -> Result<Mysql, OpenError> {
    let mut session = connect(address).await?;
    let version: Option<String> = session.query_first("SELECT version()").await?;
    let version = version.unwrap_or_default();
    let (name, oldest) = match version.contains("MariaDB") {
        true => ("MariaDB", OLDEST_MARIADB),
        false => ("MySQL", OLDEST_MYSQL),
    };
    if session.server_version() < oldest {
        let (major, minor, patch) = oldest;
        return Err(OpenError::Refused(format!(
            "{name} {major}.{minor}.{patch} or newer is needed, this is {version}"
        )));
    }
    let applied = steps::mysql_applied(&mut session).await?;
    let missing = steps::missing(steps::MYSQL, &applied)?;
    if !missing.is_empty() {
        let pending = missing.iter().map(|step| step.name.to_owned()).collect();
        return Err(OpenError::OldSchema { pending });
    }
    if let Some(value) = steps::other_collation(&mut session).await? {
        return Err(OpenError::Unsuited {
            setting: "collation_database",
            value,
            why: "names would be mixed up and texts spoiled; `baton migrate` sets it for this database",
        });
    }
    prepare(&mut session).await?;
    let is_finalized = steps::unfinalized(steps::MYSQL, &applied).next().is_none();
    Ok(Mysql::new(address, options.connections, is_finalized)?)
}

/// The smallest packet that every statement of ours fits into.
const LEAST_PACKET: u64 = 16 << 20;

/// Makes sure that no setting stands in the way that a session cannot set for itself.
async fn suits(session: &mut Conn) -> Result<(), OpenError> {
    const SETTINGS: &str =
        "SELECT @@max_allowed_packet, CASE WHEN @@log_bin THEN @@binlog_format ELSE 'none' END";
    let found: Option<(u64, String)> = session.query_first(SETTINGS).await?;
    let Some((packet, log)) = found else {
        return Ok(());
    };
    if packet < LEAST_PACKET {
        return Err(OpenError::Unsuited {
            setting: "max_allowed_packet",
            value: packet.to_string(),
            why: "a batch of jobs or results may be larger, and would never be stored; set it to 16M at least",
        });
    }
    if log == "STATEMENT" {
        return Err(OpenError::Unsuited {
            setting: "binlog_format",
            value: log,
            why: "InnoDB takes no change then, for transactions are READ COMMITTED; set it to ROW or MIXED",
        });
    }
    Ok(())
}

/// Why it is not reached, with what to do where that is known.
fn explain(error: &Error) -> String {
    if matches!(error, Error::Driver(DriverError::NoClientSslFlagFromServer)) {
        return "it does not speak TLS, which sslmode asks for; give the server a certificate (ssl_cert, ssl_key), or say \
                sslmode=disable where nobody else is on the way"
            .to_owned();
    }
    tls::explain(error).unwrap_or_else(|| error.to_string())
}

/// Connects, and makes sure that the server suits.
pub async fn connect(address: &MysqlAddress) -> Result<Conn, OpenError> {
    let connected = timeout(TIMEOUT, address.connect()).await;
    let connected = connected.map_err(|_| "no answer for 5 seconds".to_owned());
    let connected = connected.and_then(|connected| connected.map_err(|error| explain(&error)));
    let mut session = connected.map_err(|why| OpenError::Unreachable {
        place: address.place(),
        why,
    })?;
    session.query_drop(MEANING).await?;
    suits(&mut session).await?;
    Ok(session)
}
