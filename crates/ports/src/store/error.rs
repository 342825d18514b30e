//! What can go wrong between the engine and a store.

use baton_domain::page::BadCursor;

/// The result of a store's method.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// Nothing was done; it may work later.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// The connection was lost around a commit: it may have been done or not.
    #[error("the connection to the database was lost before it confirmed: {0}")]
    Unconfirmed(String),
    /// A cell holds what it must not.
    #[error("{table}.{column} holds what it must not: {message}")]
    Corrupt {
        /// The table.
        table: &'static str,
        /// The column.
        column: &'static str,
        /// What is wrong.
        message: String,
    },
    /// It names somebody who is being erased, or was since it was begun; nothing was done.
    #[error("it names a recipient who is being erased, or was")]
    Erasing,
    /// A cursor that this store has not given out.
    #[error("this is not a cursor of this list")]
    BadCursor,
    /// Anything else: a mistake of ours.
    #[error("the database refused a statement: {0}")]
    Refused(String),
}

impl From<BadCursor> for Error {
    fn from(_: BadCursor) -> Self {
        Self::BadCursor
    }
}

impl Error {
    /// Whether the same call may succeed later, being safe to repeat.
    #[must_use]
    pub const fn is_passing(&self) -> bool {
        matches!(self, Self::Unavailable(_) | Self::Unconfirmed(_))
    }
}
