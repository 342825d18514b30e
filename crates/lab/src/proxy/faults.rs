//! What a proxy is told to do, and what it has done.

use std::time::Duration;

use serde::Serialize;

use super::shared::Direction;

/// The faults of the moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faults {
    /// From the client to the server.
    pub to_server: DirectionFaults,
    /// From the server to the client.
    pub to_client: DirectionFaults,
    /// How new connections are met.
    pub listener: ListenerMode,
}

impl Faults {
    pub(super) fn way(&self, direction: Direction) -> DirectionFaults {
        match direction {
            Direction::ToServer => self.to_server,
            Direction::ToClient => self.to_client,
        }
    }
}

/// The faults of one direction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DirectionFaults {
    /// How long each piece of the stream is held.
    pub delay: Duration,
    /// How much longer at most, by chance.
    pub jitter: Duration,
    /// After how many bytes, counted from its start, a connection is reset.
    pub cut_after: Option<u64>,
    /// Whether nothing passes; it passes later, when this is taken back.
    pub is_silent: bool,
}

/// How new connections are met.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ListenerMode {
    /// They pass.
    #[default]
    Open,
    /// They are refused: nobody listens.
    Refuse,
    /// They are accepted and never answered.
    Mute,
}

/// Which commits are to be cut around.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutCommits {
    /// Before or after.
    pub moment: Moment,
    /// How many.
    pub count: u32,
    /// By chance, one in so many; 1 is each.
    pub one_in: u32,
}

/// On which side of a commit a line is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// The server never hears of it.
    Before,
    /// The server has committed, the client never hears of it.
    After,
    /// By chance one or the other.
    Either,
}

/// How a connection was broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// Because all were.
    CutAll,
    /// It had carried as many bytes as it was allowed.
    CutAfterBytes,
    /// A commit was kept from the server.
    BeforeCommit,
    /// The answer to a commit was kept from the client.
    AfterCommit,
    /// An element was moved in Redis, and that was kept from the client.
    AfterMove,
    /// So many messages had passed, and the connection was shut behind them.
    BehindMessage,
}

/// One connection that was broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Deed {
    /// When, in microseconds since 1970.
    pub at_us: i64,
    /// How.
    pub how: How,
    /// Which connection, counted from 1.
    pub connection: u64,
}

/// What a proxy did, in numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Connections accepted, the muted ones included.
    pub accepted: u64,
    /// Connections accepted and never answered.
    pub muted: u64,
    /// Connections whose other side could not be reached.
    pub unreachable: u64,
    /// Connections broken by `cut_all`.
    pub cut_all: u64,
    /// Connections broken after a number of bytes.
    pub cut_after_bytes: u64,
    /// Commits seen on their way to the server.
    pub commits: u64,
    /// Commits kept from the server.
    pub cut_before_commit: u64,
    /// Commits whose answer was kept from the client.
    pub cut_after_commit: u64,
    /// Answers of Redis that tell of elements taken from a list.
    pub moves: u64,
    /// Those of them that were kept from the client.
    pub cut_after_move: u64,
    /// Connections broken behind a message.
    pub cut_behind_message: u64,
    /// Bytes passed to the server.
    pub to_server: u64,
    /// Bytes passed to the client.
    pub to_client: u64,
}

impl Counts {
    /// Commits whose end the client cannot know.
    #[must_use]
    pub const fn around_commits(&self) -> u64 {
        self.cut_before_commit + self.cut_after_commit
    }
}
