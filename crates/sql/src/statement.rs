//! The statements, as the build found them in `statements/`.

/// One statement of one dialect.
#[derive(Debug)]
pub struct Statement {
    /// Its text, with numbered parameters.
    pub sql: &'static str,
    /// The names of its parameters, in the order of their numbers.
    pub params: &'static [&'static str],
}

/// What one intention says to each dialect: one or more statements, run as one transaction. Its rows
/// are those of the last statement that gives any. A dialect that has none lacks the script.
#[derive(Debug)]
pub struct Script {
    /// Where it stands: `jobs/enqueue`.
    pub name: &'static str,
    /// For PostgreSQL.
    pub postgres: &'static [Statement],
    /// For SQLite.
    pub sqlite: &'static [Statement],
    /// For MySQL and MariaDB.
    pub mysql: &'static [Statement],
}

include!(concat!(env!("OUT_DIR"), "/statements.rs"));
