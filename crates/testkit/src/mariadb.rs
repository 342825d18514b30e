//! A private MariaDB for tests: the lab's, and what goes wrong fails the test.

use std::sync::OnceLock;

use baton_lab::servers;

use crate::or_fail;

/// A MariaDB server of this test process, on loopback.
///
/// It does not flush, because tests kill the server but not the machine.
pub struct Mariadb(servers::Mariadb);

impl Mariadb {
    /// Starts a server with settings such as `"sync-binlog=1"`, which stand above ours.
    #[must_use]
    pub fn start_with(settings: &[&str]) -> Self {
        Self(or_fail(servers::Mariadb::start(settings)))
    }

    /// The server that all tests of this process share; it cannot be stopped or killed.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Mariadb> = OnceLock::new();
        SHARED.get_or_init(|| Self::start_with(&[]))
    }

    /// Makes an empty database, and says its URL. It goes with the server.
    pub fn database(&self) -> String {
        or_fail(self.0.database())
    }

    /// The port on 127.0.0.1.
    pub const fn port(&self) -> u16 {
        self.0.port()
    }

    /// What the server answers to some statements: a row a line.
    pub fn execute(&self, statements: &str) -> String {
        or_fail(self.0.execute(statements))
    }

    /// Kills the server at once, as if the machine's power failed under it.
    pub fn kill(&mut self) {
        or_fail(self.0.kill());
    }

    /// Starts the server again on the same port with the same data, after stopping it in order if it still runs.
    pub fn restart(&mut self) {
        or_fail(self.0.restart());
    }
}
