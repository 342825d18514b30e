//! Upkeep: the store's clock and health, forgetting what is old, reconciling what is counted.

mod replicas;

use std::collections::{BTreeMap, HashMap};

use async_trait::async_trait;
use baton_domain::{Timestamp, access::Secret, campaign};
use baton_ports::store::{
    Backlog, Drift, Durability, Error, Finding, Outstanding, Pruned, Result, Retention, Schema,
    Unreadable, Upkeep,
};

use super::{SqlStore, first};
use crate::{
    kernel::Kernel,
    migrate::{self, Applied, Entry},
    row::{Row, Rows},
    statement as sql,
    value::params,
};

#[async_trait]
impl Upkeep for SqlStore {
    fn dialect(&self) -> &'static str {
        self.kernel.dialect()
    }

    async fn time(&self) -> Result<Timestamp> {
        if let Kernel::Sqlite(sqlite) = self.kernel() {
            sqlite.check_writes()?;
        }
        told_time(self.read(&sql::upkeep::TIME, params! {}).await?)
    }

    async fn secret(&self) -> Result<[u8; 32]> {
        let params = params! { secret: Secret::draw().reveal() };
        let row = first(self.write(&sql::upkeep::SECRET, params).await?);
        let row = row.ok_or_else(|| Error::Refused("no secret was kept".to_owned()))?;
        row.cells("installation").bytes("secret")
    }

    async fn durability(&self) -> Result<Durability> {
        Ok(durability(&self.settings().await?))
    }

    async fn findings(&self) -> Result<Vec<Finding>> {
        Ok(findings(&self.settings().await?))
    }

    async fn schema(&self) -> Result<Option<Schema>> {
        let rows = self.read(&sql::upkeep::SCHEMA, params! {}).await?;
        let applied = rows.into_iter().map(step).collect::<Result<Applied>>()?;
        Ok(Some(migrate::standing(self.kernel.steps(), &applied)))
    }

    async fn unreadable(&self) -> Result<Vec<Unreadable>> {
        Ok(self.met_unreadable())
    }

    async fn outstanding(&self, now: Timestamp) -> Result<Outstanding> {
        let (found, is_another) = self.look_for_outstanding(now).await?;
        if !is_another {
            return Ok(found);
        }
        // The generation of hints goes with the history.
        self.recognise().await?;
        self.look_for_outstanding(now).await.map(|(found, _)| found)
    }

    async fn backlog(&self, limit: u32) -> Result<Backlog> {
        let row = first(
            self.read(&sql::upkeep::BACKLOG, params! { limit: limit })
                .await?,
        );
        row.map_or_else(|| Ok(Backlog::default()), backlog)
    }

    async fn prune(&self, retention: &Retention, limit: u32, now: Timestamp) -> Result<Pruned> {
        self.prune_by(retention, limit, now).await
    }

    async fn reconcile(&self, now: Timestamp) -> Result<Vec<Drift>> {
        self.reconcile_at(now).await
    }
}

/// The store's own time, as a statement has told it.
pub(super) fn told_time(rows: Rows) -> Result<Timestamp> {
    let silent = || Error::Refused("the database does not say the time".to_owned());
    let row = first(rows).ok_or_else(silent)?;
    row.cells("clock").time("now")
}

fn step(row: Row) -> Result<(String, Entry)> {
    let mut cells = row.cells("schema_migrations");
    let (name, digest) = (cells.text("name")?, cells.text("digest")?);
    Ok(migrate::entry(name, digest, cells.int("oldest_program")?))
}

/// What is outstanding, and whether the database is another copy than it was.
fn outstanding(row: Row) -> Result<(Outstanding, bool)> {
    let mut cells = row.cells("outstanding");
    let facts = cells.truth("facts")?;
    let due = cells.maybe_time("run_at")?;
    let expired = cells.maybe_time("expired_at")?;
    let mut next = Vec::with_capacity(4);
    for moment in ["waiting", "ready", "ready_batches", "campaigns"] {
        next.extend(cells.maybe_time(moment)?);
    }
    let found = Outstanding {
        facts,
        jobs: due.is_some(),
        expired: expired.is_some(),
        campaigns: cells.truth("campaigns")?,
        operations: cells.truth("operations")?,
        schedules: cells.truth("schedules")?,
        staged: cells.truth("staged_jobs")?,
        in_line: cells.truth("in_line")?,
        held: cells.truth("held")?,
        hints: cells.int("hint_generation")?,
        next: next.into_iter().min(),
    };
    Ok((found, cells.truth("incarnation")?))
}

/// The states that have a count of their own, in the order of the statement.
const COUNTED: [campaign::State; 5] = [
    campaign::State::Scheduled,
    campaign::State::Expanding,
    campaign::State::Sending,
    campaign::State::Stopped,
    campaign::State::Canceled,
];

fn backlog(row: Row) -> Result<Backlog> {
    let mut cells = row.cells("backlog");
    let (facts, first_fact_at) = (cells.count("facts")?, cells.maybe_time("at")?);
    let failure_groups = cells.count("dead_letter_groups")?;
    let mut campaigns = BTreeMap::new();
    for state in COUNTED {
        let count: u64 = cells.count(state.as_str())?;
        if count > 0 {
            campaigns.insert(state, count);
        }
    }
    Ok(Backlog {
        facts,
        first_fact_at,
        failure_groups,
        campaigns,
    })
}

type Settings = HashMap<String, String>;

impl SqlStore {
    async fn look_for_outstanding(&self, now: Timestamp) -> Result<(Outstanding, bool)> {
        let row = first(
            self.read(&sql::upkeep::OUTSTANDING, params! { now: now })
                .await?,
        );
        row.map_or_else(|| Ok((Outstanding::default(), false)), outstanding)
    }

    async fn settings(&self) -> Result<Settings> {
        let rows = self.read(&sql::upkeep::SETTINGS, params! {}).await?;
        rows.into_iter()
            .map(|row| {
                let mut cells = row.cells("settings");
                Ok((cells.text("name")?, cells.text("setting")?))
            })
            .collect()
    }
}

fn is(settings: &Settings, name: &str, wanted: &str) -> bool {
    settings.get(name).is_some_and(|setting| setting == wanted)
}

/// How much a commit survives, by what the database says of itself.
fn durability(settings: &Settings) -> Durability {
    if settings.contains_key("journal_mode") {
        let full = is(settings, "synchronous", "2") || is(settings, "synchronous", "3");
        return if full {
            Durability::Node
        } else {
            Durability::Unsafe
        };
    }
    if settings.contains_key("innodb_doublewrite") {
        return mysql_durability(settings);
    }
    let waits = !is(settings, "synchronous_commit", "off");
    let flushes = is(settings, "fsync", "on") && is(settings, "full_page_writes", "on");
    let has_standby = settings
        .get("synchronous_standby_names")
        .is_some_and(|names| !names.is_empty());
    let for_standby = is(settings, "synchronous_commit", "on")
        || is(settings, "synchronous_commit", "remote_apply");
    match (waits && flushes, has_standby && for_standby) {
        (false, _) => Durability::Unsafe,
        (true, false) => Durability::Node,
        (true, true) => Durability::Quorum,
    }
}

fn mysql_durability(settings: &Settings) -> Durability {
    let has_log = settings.contains_key("sync_binlog");
    let is_logged = !has_log || is(settings, "sync_binlog", "1");
    let is_flushed = is(settings, "innodb_flush_log_at_trx_commit", "1");
    let is_kept = is_flushed && is_logged && is(settings, "innodb_doublewrite", "on");
    match (is_kept, replicas::are_there(settings)) {
        (false, _) => Durability::Unsafe,
        (true, false) => Durability::Node,
        (true, true) => Durability::Quorum,
    }
}

fn findings(settings: &Settings) -> Vec<Finding> {
    let mut findings: Vec<_> = [
        (
            "fsync",
            "on",
            "a crash of the machine can lose or tear what was committed; set fsync = on",
        ),
        (
            "full_page_writes",
            "on",
            "a crash can tear pages; set full_page_writes = on",
        ),
        (
            "transaction_read_only",
            "off",
            "this server takes no writes; connect to the primary",
        ),
        (
            "in_recovery",
            "false",
            "this server is a standby; connect to the primary",
        ),
        (
            "journal_mode",
            "wal",
            "readers and the writer block each other; the journal should be wal",
        ),
        (
            "innodb_flush_log_at_trx_commit",
            "1",
            "a crash of the machine loses what was committed last; set innodb_flush_log_at_trx_commit = 1",
        ),
        (
            "sync_binlog",
            "1",
            "a crash of the machine loses what the binary log was to say; set sync_binlog = 1",
        ),
        (
            "innodb_doublewrite",
            "on",
            "a crash can tear pages; set innodb_doublewrite = ON",
        ),
        (
            "read_only",
            "off",
            "this server takes no writes; connect to the primary",
        ),
    ]
    .iter()
    .filter_map(|(name, wanted, why)| {
        let setting = settings.get(*name)?;
        let is_good = setting == wanted;
        let message = if is_good {
            format!("is {setting}")
        } else {
            format!("is {setting}: {why}")
        };
        Some(Finding {
            is_good,
            subject: (*name).to_owned(),
            message,
        })
    })
    .collect();
    findings.extend(replicas::findings(settings));
    findings.extend(version(settings));
    let durability = durability(settings);
    findings.push(Finding {
        is_good: durability > Durability::Unsafe,
        subject: "durability".to_owned(),
        message: match durability {
            Durability::Unsafe => "is unsafe: what was answered can be lost in a crash".to_owned(),
            Durability::Node => {
                "is node: what was answered survives a crash of the database's machine".to_owned()
            }
            Durability::Quorum => {
                "is quorum: what was answered survives the loss of the database's machine"
                    .to_owned()
            }
        },
    });
    findings
}

fn version(settings: &Settings) -> Option<Finding> {
    let subject = "version".to_owned();
    if let Some(number) = settings.get("server_version_num") {
        let is_good = number.parse::<u32>().is_ok_and(|number| number >= 150_000);
        let message = format!("is PostgreSQL {number}; 15 or newer is needed");
        return Some(Finding {
            is_good,
            subject,
            message,
        });
    }
    let version = settings.get("version")?;
    if settings.contains_key("innodb_doublewrite") {
        return Some(Finding {
            is_good: true,
            subject,
            message: format!("is {version}; MariaDB 10.6 or MySQL 8.0.19 or newer is needed"),
        });
    }
    Some(Finding {
        is_good: true,
        subject,
        message: format!("is SQLite {version}, built in"),
    })
}
