//! Migrations: forward-only steps, each applied once, in order, under a lock.
//!
//! What was applied is written down with a digest of its text, so that a step that was changed afterwards
//! is found, and with the generation of the oldest program that may run on it: an older program that
//! stands above that line goes on beside newer ones, and is what one rolls back to.

mod ledger;
mod mysql;
mod postgres;
mod sqlite;

use baton_ports::store::Schema;
use ring::digest;

use crate::open::OpenError;

pub use ledger::{Applied, Entry, entry};
pub use mysql::{
    applied as mysql_applied, apply as mysql, finalize as finalize_mysql, other_collation,
};
pub use postgres::{applied as postgres_applied, apply as postgres};
pub use sqlite::{applied as sqlite_applied, apply as sqlite};

/// The word of the step that makes all views anew: each such step takes the place of those before it.
const VIEWS: &str = "views";
/// What stands in the ledger of a database that an installation moves from or to: no program is new enough for it, and those that know
/// of relocations look into `relocation` for what is meant.
const SEAL: &str = "relocated";

/// One step.
#[derive(Debug)]
pub struct Step {
    /// Its name: a number and what it does.
    pub name: &'static str,
    /// Its statements.
    pub sql: &'static str,
    /// The generation of the oldest program that may run on what it makes.
    pub oldest: u32,
    /// The same once it is finalized: what it makes is used in full from then on. Mostly `oldest`: there is nothing to finalize.
    pub finalized: u32,
}

include!(concat!(env!("OUT_DIR"), "/migrations.rs"));

impl Step {
    /// The digest of what it does. Which programs may run on that is no part of it.
    #[must_use]
    pub fn digest(&self) -> String {
        let said = self.sql.split_once('\n');
        let said = said.filter(|(first, _)| first.starts_with("-- Oldest program: "));
        let does = said.map_or(self.sql, |(_, rest)| rest);
        let digest = digest::digest(&digest::SHA256, does.as_bytes());
        digest.as_ref()[..8]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

/// The steps that are still to be applied.
///
/// # Errors
/// When this program may not run on what was applied.
pub fn missing(steps: &'static [Step], applied: &Applied) -> Result<Vec<&'static Step>, OpenError> {
    let changed = |step: &&Step| {
        let entry = applied.get(step.name);
        entry.is_some_and(|entry| entry.digest != step.digest())
    };
    if let Some(step) = steps.iter().find(changed) {
        return Err(OpenError::ChangedSchema {
            step: step.name.to_owned(),
        });
    }
    let closed = applied
        .iter()
        .find(|(name, entry)| is_newer(steps, name) && entry.oldest > GENERATION && *name != SEAL);
    if let Some((name, entry)) = closed {
        return Err(OpenError::NewerSchema {
            step: name.clone(),
            oldest: entry.oldest,
            program: GENERATION,
        });
    }
    Ok(steps
        .iter()
        .filter(|step| is_pending(step, applied))
        .collect())
}

/// How a schema stands to this program.
pub fn standing(steps: &'static [Step], applied: &Applied) -> Schema {
    let taken = applied.keys().filter(|name| *name != SEAL);
    let newer = taken.clone().filter(|name| is_newer(steps, name));
    let pending = steps.iter().filter(|step| is_pending(step, applied));
    Schema {
        generation: taken.map(|name| ledger::number(name)).max().unwrap_or(0),
        oldest: applied
            .values()
            .map(|entry| entry.oldest)
            .max()
            .unwrap_or(0),
        program: GENERATION,
        unfinalized: unfinalized(steps, applied)
            .map(|step| step.name.to_owned())
            .collect(),
        pending: pending.map(|step| step.name.to_owned()).collect(),
        newer: newer.cloned().collect(),
    }
}

/// The steps of which an older program still keeps something from being used.
pub fn unfinalized<'a>(
    steps: &'static [Step],
    applied: &'a Applied,
) -> impl Iterator<Item = &'static Step> + 'a {
    let is_held_back = |step: &&Step| {
        let entry = applied.get(step.name);
        entry.is_some_and(|entry| entry.oldest < step.finalized)
    };
    steps.iter().filter(is_held_back)
}

/// Whether a step is still to be applied. Views that a newer program has made are not made as they were before.
fn is_pending(step: &Step, applied: &Applied) -> bool {
    let replaces =
        |name: &String| word(name) == VIEWS && ledger::number(name) > ledger::number(step.name);
    let is_replaced = word(step.name) == VIEWS && applied.keys().any(replaces);
    !is_replaced && !applied.contains_key(step.name)
}

/// Whether a step is none of this program's, and none that one of them took the place of.
fn is_newer(steps: &[Step], name: &str) -> bool {
    let is_past = |step: &Step| {
        word(step.name) == VIEWS
            && word(name) == VIEWS
            && ledger::number(step.name) > ledger::number(name)
    };
    !steps.iter().any(|step| step.name == name || is_past(step))
}

fn word(name: &str) -> &str {
    name.split_once('_').map_or("", |(_, word)| word)
}

/// The statements of a step, without comments.
pub fn statements(sql: &str) -> impl Iterator<Item = String> {
    let lines = sql.lines().filter(|line| !line.starts_with("--"));
    let plain = lines.collect::<Vec<_>>().join("\n");
    let parts: Vec<_> = plain
        .split(";\n")
        .map(|part| part.trim().to_owned())
        .collect();
    parts.into_iter().filter(|part| !part.is_empty())
}

fn names(steps: &[&Step]) -> Vec<String> {
    steps.iter().map(|step| step.name.to_owned()).collect()
}
