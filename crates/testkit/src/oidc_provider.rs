//! A real provider of sign-ins for tests in a browser: `oidc-provider` of npm, on loopback.
//!
//! Whoever types a name there is somebody of that name, in the group of that name; every password is right.

use std::{
    env,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command},
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use baton_lab::servers::{Home, free_port, last_words, log_to, until};

use crate::or_fail;

const TIMEOUT: Duration = Duration::from_secs(30);
const SETUP: &str = "`cargo xtask test` (or `cargo xtask setup`) installs it";

/// A provider of this test process; it ends when it is dropped.
pub struct OidcProvider {
    port: u16,
    process: Child,
    home: Home,
}

impl OidcProvider {
    /// Starts one that sends browsers back to this address alone.
    #[must_use]
    pub fn start(redirect_url: &str) -> Self {
        or_fail(Self::try_start(redirect_url))
    }

    fn try_start(redirect_url: &str) -> Result<Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("oidc-provider");
        let is_there = folder.join("node_modules/oidc-provider").exists();
        ensure!(
            is_there,
            "the provider of sign-ins is not installed; {SETUP}"
        );
        let home = Home::create("oidc-provider", "TERM")?;
        let (log, port) = (home.path().join("log"), free_port()?);
        let mut command = Command::new(node()?);
        command
            .arg(folder.join("provider.mjs"))
            .args([&port.to_string(), redirect_url])
            .current_dir(home.path())
            .process_group(0);
        let mut process = log_to(&mut command, &log)?
            .spawn()
            .context("`node` could not be started")?;
        until("the provider of sign-ins listens", TIMEOUT, || {
            let words = last_words(&log);
            if let Some(status) = process.try_wait()? {
                bail!("it ended while starting ({status}); its last words:\n{words}");
            }
            Ok(words.lines().any(|line| line == "ready"))
        })?;
        Ok(Self {
            port,
            process,
            home,
        })
    }

    /// What it calls itself.
    #[must_use]
    pub fn issuer(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Drop for OidcProvider {
    fn drop(&mut self) {
        self.home.end();
        let _ = self.process.wait();
    }
}

/// The Node that was fetched because the machine's own is too old, or the machine's own.
fn node() -> Result<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target = env::var_os("CARGO_TARGET_DIR").map_or(workspace.join("target"), PathBuf::from);
    let fetched = target.join("node/node_modules/.bin/node");
    let path = env::var_os("PATH").unwrap_or_default();
    let own = env::split_paths(&path).map(|folder| folder.join("node"));
    let mut all = std::iter::once(fetched).chain(own);
    let found = all.find(|path| path.exists());
    found.with_context(|| format!("`node` is not installed; {SETUP}"))
}
