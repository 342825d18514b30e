//! A second MariaDB that follows the first one, and takes its place.

use std::time::Duration;

use anyhow::{Result, ensure};

use super::{Brand, Mysql};
use crate::servers::wait::until;

/// Until it has all of the other's, on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(1);

/// What both are: either may be the primary one day, and a commit is on the disk when it is confirmed.
/// Nor are views made there without somebody whose they are.
const SETTINGS: [&str; 5] = [
    "skip-grant-tables=OFF",
    "log-bin=binlog",
    "binlog-format=ROW",
    "sync-binlog=1",
    "innodb-flush-log-at-trx-commit=1",
];
/// Nobody sees what was committed before the replica has it, and without the replica the primary stands still.
const WAITS: [&str; 3] = [
    "rpl-semi-sync-master-enabled=ON",
    "rpl-semi-sync-master-wait-point=AFTER_SYNC",
    "rpl-semi-sync-master-timeout=86400000",
];
const FOLLOWS: [&str; 2] = ["read-only=ON", "rpl-semi-sync-slave-enabled=ON"];

/// When a commit is confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirms {
    /// When the primary has it.
    Alone,
    /// When the replica has it, too.
    WithItsReplica,
}

/// A primary and its replica, both MariaDB of this process.
#[derive(Debug)]
pub struct Replicated {
    /// Who takes writes.
    pub primary: Mysql,
    /// Who follows.
    pub replica: Mysql,
}

impl Replicated {
    /// Starts both, and waits until the replica follows.
    pub fn start(confirms: Confirms) -> Result<Self> {
        let waits = match confirms {
            Confirms::Alone => &[][..],
            Confirms::WithItsReplica => &WAITS,
        };
        let primary = start(&["server-id=1"], waits)?;
        let replica = start(&["server-id=2"], &FOLLOWS)?;
        let port = primary.port();
        replica.execute(&format!(
            "CHANGE MASTER TO master_host = '127.0.0.1', master_port = {port}, master_user = 'root', \
             master_use_gtid = slave_pos, master_connect_retry = 1; START SLAVE"
        ))?;
        let pair = Self { primary, replica };
        until("the replica follows", TIMEOUT, || {
            pair.says("Waiting for master to send event")
        })?;
        Ok(pair)
    }

    /// Waits until the replica has all that the primary has.
    pub fn wait_until_followed(&self) -> Result<()> {
        let written = self.primary.execute("SELECT @@gtid_binlog_pos")?;
        until("the replica has all", TIMEOUT, || {
            Ok(self.replica.execute("SELECT @@gtid_slave_pos")? == written)
        })
    }

    /// Lets the replica hear nothing more.
    pub fn part(&self) -> Result<()> {
        self.replica.execute("STOP SLAVE IO_THREAD").map(drop)
    }

    /// Kills the primary at once, and has the replica take writes as soon as it has carried out all that it was told.
    pub fn fail_over(&mut self) -> Result<()> {
        self.primary.kill()?;
        until("the replica has carried out all", TIMEOUT, || {
            self.says("has read all relay log")
        })?;
        let promoted = self.replica.execute(
            "STOP SLAVE; RESET SLAVE ALL; SET GLOBAL read_only = OFF; SELECT @@read_only",
        )?;
        ensure!(promoted.trim() == "0", "the replica takes no writes");
        Ok(())
    }

    fn says(&self, state: &str) -> Result<bool> {
        let status = self.replica.execute("SHOW ALL SLAVES STATUS")?;
        Ok(status.contains(state))
    }
}

fn start(own: &[&str], part: &[&str]) -> Result<Mysql> {
    Mysql::start(Brand::Mariadb, &[own, &SETTINGS, part].concat())
}
