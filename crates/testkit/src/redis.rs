//! A private Redis for tests: the lab's, and what goes wrong fails the test.

use std::path::{Path, PathBuf};

use baton_lab::servers::{self, Reply};

use crate::or_fail;

/// A Redis server of this test process, on loopback; it keeps nothing on disk.
pub struct Redis(servers::Redis);

impl Redis {
    /// Starts a server.
    #[must_use]
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts a server with settings such as `"maxmemory=2mb"` or `"requirepass=secret"`, which stand
    /// above ours.
    #[must_use]
    pub fn start_with(settings: &[&str]) -> Self {
        Self(or_fail(servers::Redis::start(settings)))
    }

    /// Its URL, with the password if it has one.
    #[must_use]
    pub fn url(&self) -> String {
        self.0.url()
    }

    /// The port it listens on.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.0.port()
    }

    /// Sends it a command: `redis.command(&["FLUSHALL"])`. An answer that is an error fails the test.
    #[expect(clippy::must_use_candidate, reason = "most are asked for what they do")]
    pub fn command(&self, words: &[&str]) -> Reply {
        or_fail(self.0.command(words))
    }

    /// Kills it at once: what it held is gone.
    pub fn kill(&mut self) {
        or_fail(self.0.kill());
    }

    /// Stops it in order; what it held is gone all the same.
    pub fn stop(&mut self) {
        or_fail(self.0.stop());
    }

    /// Starts it again, empty and on the same port, after killing it if it still runs.
    pub fn restart(&mut self) {
        or_fail(self.0.restart());
    }

    /// Writes what it holds to a file that [`restart_from`](Self::restart_from) takes.
    pub fn dump(&mut self) -> PathBuf {
        or_fail(self.0.dump())
    }

    /// Starts it again on the same port with what it held when the dump was written, after killing it
    /// if it still runs.
    pub fn restart_from(&mut self, dump: &Path) {
        or_fail(self.0.restart_from(dump));
    }

    /// Freezes it: connections stay, nothing answers.
    pub fn pause(&self) {
        or_fail(self.0.pause());
    }

    /// Lets a frozen one go on.
    pub fn resume(&self) {
        or_fail(self.0.resume());
    }
}
