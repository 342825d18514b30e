//! Where the steps that were applied are written down.

use std::collections::BTreeMap;

/// The ledger of steps; safe to run at any time.
pub const TABLE: &str = "CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, digest text NOT NULL, oldest_program integer NOT NULL)";
/// Reads it.
pub const READ: &str = "SELECT name, digest, oldest_program FROM schema_migrations";
/// Writes down a step.
pub const NOTE: &str =
    "INSERT INTO schema_migrations (name, digest, oldest_program) VALUES ($1, $2, $3)";

/// What is already applied, by name.
pub type Applied = BTreeMap<String, Entry>;

/// A step that was applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The digest of the text it was applied with.
    pub digest: String,
    /// The generation of the oldest program that may run on what it made.
    pub oldest: u32,
}

/// What stands in a row of the ledger.
pub fn entry(name: String, digest: String, oldest: i64) -> (String, Entry) {
    let oldest = u32::try_from(oldest).unwrap_or(u32::MAX);
    (name, Entry { digest, oldest })
}

/// The number of a step. One without a number is no step of any program.
pub fn number(name: &str) -> u32 {
    let number = name
        .split('_')
        .next()
        .and_then(|number| number.parse().ok());
    number.unwrap_or(u32::MAX)
}
