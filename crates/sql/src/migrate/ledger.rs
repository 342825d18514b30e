//! Where the steps that were applied are written down.
//!
//! There are two tables. A program of generation 19 knows `schema_migrations` alone, and refuses a schema with
//! a step there that it does not know. So the steps since then stand in `schema_steps`; only one that no
//! program of generation 19 may run on stands in both.

use std::collections::BTreeMap;

use super::Step;

/// The last generation of programs that refuse every step they do not know.
const STRICT: u32 = 19;

/// The ledger of steps; safe to run at any time.
pub const TABLES: &str =
    "CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, digest text NOT NULL);
CREATE TABLE IF NOT EXISTS schema_steps (name text PRIMARY KEY, digest text NOT NULL, oldest_program integer NOT NULL);";

/// Writes down a step, for programs of generation 19 and older.
const NOTE_STRICT: &str = "INSERT INTO schema_migrations (name, digest) VALUES ($1, $2)";
/// Writes down a step.
const NOTE: &str = "INSERT INTO schema_steps (name, digest, oldest_program) VALUES ($1, $2, $3)";

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

/// The statements that write a step down, and whether each takes the line as well.
pub fn notes(step: &Step) -> impl Iterator<Item = (&'static str, bool)> {
    let strict =
        (step.oldest > STRICT || number(step.name) <= STRICT).then_some((NOTE_STRICT, false));
    let open = (number(step.name) > STRICT).then_some((NOTE, true));
    strict.into_iter().chain(open)
}

/// What stands in `schema_migrations`: a step for programs that know it.
pub fn strict(name: String, digest: String) -> (String, Entry) {
    let oldest = number(&name);
    (name, Entry { digest, oldest })
}

/// What stands in `schema_steps`.
pub fn open(name: String, digest: String, oldest: i64) -> (String, Entry) {
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
