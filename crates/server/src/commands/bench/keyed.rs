//! A server in another process that asks everybody who they are, as one on a network does, and who is let in.

use std::ffi::OsStr;

use baton_client::Client;
use baton_domain::access::KeyToken;
use baton_faults::Server;
use tokio::process::Command;

use crate::{commands::bench::session::Session, exit::Failure};

/// What is done to it while it is measured.
const ALLOWED: &str = "jobs:create jobs:read worker operate";

/// A server, and who is let in.
pub struct Keyed {
    pub server: Server,
    pub client: Client,
    pub token: KeyToken,
}

impl Keyed {
    /// Starts a server on this database, with these flags besides.
    pub async fn start<S: AsRef<OsStr>>(
        session: &Session<'_>,
        database: &str,
        flags: impl IntoIterator<Item = S>,
    ) -> Result<Self, Failure> {
        let folder = session.ground.folder();
        let token = key(database).await?;
        let flags: Vec<_> = flags
            .into_iter()
            .map(|flag| flag.as_ref().to_owned())
            .collect();
        let always = [
            "--listen",
            "127.0.0.1:0",
            "--roles",
            "api,engine",
            "--database",
            database,
        ];
        let flags = flags
            .iter()
            .map(AsRef::as_ref)
            .chain(always.map(OsStr::new));
        let server = Server::start_closed(folder, flags).await?;
        let client = Client::new(server.url())?.with_key(&token);
        Ok(Self {
            server,
            client,
            token,
        })
    }
}

/// A key, made as people make one.
async fn key(database: &str) -> Result<KeyToken, Failure> {
    let failed = |why: String| Failure::new(format!("a key cannot be made: {why}"));
    let program = std::env::current_exe().map_err(|error| failed(error.to_string()))?;
    let made = Command::new(program)
        .args(["keys", "create", "bench", "--allow", ALLOWED])
        .args(["--database", database])
        .output()
        .await
        .map_err(|error| failed(error.to_string()))?;
    let said = String::from_utf8_lossy(&made.stdout);
    KeyToken::read(said.trim())
        .map_err(|_| failed(String::from_utf8_lossy(&made.stderr).into_owned()))
}
