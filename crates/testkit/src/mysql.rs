//! A private MariaDB or MySQL for tests: the lab's, and what goes wrong fails the test.

use std::sync::OnceLock;

use baton_lab::servers::{self, Brand};

use crate::or_fail;

/// A MariaDB or MySQL server of this test process, on loopback.
///
/// It does not flush, because tests kill the server but not the machine.
pub struct Mysql(servers::Mysql);

impl Mysql {
    /// Starts a server with settings such as `"sync-binlog=1"`, which stand above ours.
    #[must_use]
    pub fn start_with(brand: Brand, settings: &[&str]) -> Self {
        Self(or_fail(servers::Mysql::start(brand, settings)))
    }

    /// The server of the brand that all tests of this process share; it cannot be stopped or killed.
    #[must_use]
    pub fn shared(brand: Brand) -> &'static Self {
        static MARIADB: OnceLock<Mysql> = OnceLock::new();
        static MYSQL: OnceLock<Mysql> = OnceLock::new();
        let shared = match brand {
            Brand::Mariadb => &MARIADB,
            Brand::Mysql => &MYSQL,
        };
        shared.get_or_init(|| Self::start_with(brand, &[]))
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
