//! The store on SQLite, PostgreSQL and MySQL, from one body.
//!
//! A method of the port is one intention, and an intention is one script in `statements/`: a name
//! without a dialect is spoken by all, `claim.postgres.sql` and `claim.sqlite.sql` exist because
//! claiming truly differs. Where only words differ, `build/dialects.rs` has those of each dialect.
//! Everything a script needs is bound before it starts, so that it is one round trip and one
//! transaction everywhere; batches cross as one JSON parameter.
//!
//! To add a statement: write it under `statements/<word>/`, once, or for a dialect that differs; the build makes
//! a constant of it, and a test prepares it on every dialect.
#![warn(missing_docs)]

mod address;
mod admission;
mod backup;
pub mod bench;
mod copy;
mod kernel;
mod migrate;
mod open;
mod pooler;
mod relay;
mod row;
mod statement;
mod store;
mod tls;
mod value;

pub use address::without_password;
pub use backup::{Contents, RestoreOptions, Restored, backup, restore};
pub use copy::{Copied, CopyProgress, Sum, copy, reopen};
pub use kernel::sqlite::Thread;
pub use migrate::GENERATION;
pub use open::{OpenError, OpenOptions, exposure, finalize, migrate, open, pending, schema};
pub use store::SqlStore;

/// What the tests of this crate look at.
#[doc(hidden)]
pub mod inside {
    pub use crate::{
        copy::{LEFT_OUT, Part, Scripts, TABLES, WORKED_OUT},
        kernel::{
            ConnectionPool, Kernel, PoolUse, Unit,
            sqlite::{SCRATCH, connect},
        },
        migrate::{
            MYSQL, POSTGRES, SQLITE, Step, mysql as apply_to_mysql, postgres as apply_to_postgres,
            sqlite as apply_to_sqlite, statements,
        },
        statement::{ALL, Script, Statement},
        value::Value,
    };
}
