//! What can be done to a run.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// What can be done to a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scenario {
    /// Kill a server of the API
    KillApi,
    /// Kill a server of the routines
    KillEngine,
    /// Kill a worker
    KillWorker,
    /// Kill several servers at once
    KillMany,
    /// Tell a server to stop, and kill it while it does
    KillStopping,
    /// Stop a server in order and start it again
    Roll,
    /// Freeze a worker past its lease
    PauseWorker,
    /// Freeze a server of the routines
    PauseEngine,
    /// Kill a remote worker, whose programs have to die with it
    KillRemote,
    /// Freeze remote workers past their leases
    PauseRemote,
    /// Lose answers to a remote worker: what it asked for is done, and it never hears so
    CutAnswers,
    /// Tell a remote worker to take nothing new, and take that back
    DrainRemote,
    /// Kill a server each time the campaigns have come a part of their way
    KillCampaign,
    /// Kill the database server
    KillDatabase,
    /// Stop PostgreSQL without a farewell, or MariaDB in order
    StopDatabase,
    /// Cut a server's lines to the database
    CutDatabase,
    /// Cut lines to the database after so many bytes, in the middle of whatever is said
    CutBytes,
    /// Cut lines before the COMMIT has arrived, or after it was done and before it is confirmed
    CutCommits,
    /// Cut a server off behind any message to or from the database, for longer than it asks again
    CutOff,
    /// Delay what is said to and by the database
    SlowDatabase,
    /// Kill the primary PostgreSQL and its Patroni, and bring them back as a standby
    FailOver,
    /// Hand the primary's part over to the synchronous standby in order
    SwitchOver,
    /// Kill the primary Redis, whose replica the Sentinels promote
    FailOverRedis,
    /// Kill Redis
    KillRedis,
    /// Delete all that Redis holds
    WipeRedis,
    /// Start Redis again with what it held some time ago
    OldRedis,
    /// Freeze Redis
    PauseRedis,
    /// Delay what is said to and by Redis
    SlowRedis,
    /// Let Redis fall silent for some of the servers
    HangRedis,
    /// Cut a server's lines to Redis
    CutRedis,
    /// Cut lines to Redis after an element was moved and before the mover hears of it
    CutMoves,
    /// Leave Redis no memory to write
    FillRedis,
    /// Let Redis throw away what it holds to make room
    EvictRedis,
    /// Make Redis a replica that nobody may write to
    ReadOnlyRedis,
    /// Replace lists in Redis by values of another type
    SpoilRedis,
    /// Delete some keys of Redis
    DeleteKeys,
    /// Put the clock of the database or of one server forward or back, perhaps with a restart in between
    StepClock,
}

/// What is hurt; one thing at a time in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Victim {
    Servers,
    Remote,
    Campaigns,
    Database,
    Lines,
    Cluster,
    Sentinels,
    Redis,
    Clocks,
}

use Scenario as S;

impl Scenario {
    pub fn each() -> impl Iterator<Item = Self> {
        Self::value_variants().iter().copied()
    }

    /// As the report names it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            S::KillApi => "kill an API server",
            S::KillEngine => "kill an engine",
            S::KillWorker => "kill a worker",
            S::KillMany => "kill several servers",
            S::KillStopping => "kill a stopping server",
            S::Roll => "stop and start a server",
            S::PauseWorker => "freeze a worker",
            S::KillRemote => "kill a remote worker",
            S::PauseRemote => "freeze remote workers",
            S::CutAnswers => "lose answers to a remote worker",
            S::DrainRemote => "drain a remote worker",
            S::FailOver => "fail over",
            S::SwitchOver => "switch over",
            S::FailOverRedis => "fail Redis over",
            S::PauseEngine => "freeze an engine",
            S::KillCampaign => "kill in a campaign",
            S::KillDatabase => "kill the database",
            S::StopDatabase => "stop the database",
            S::CutDatabase => "cut lines to the database",
            S::CutBytes => "cut lines in mid-sentence",
            S::CutCommits => "cut around COMMIT",
            S::CutOff => "cut off behind a message",
            S::SlowDatabase => "slow the database",
            S::KillRedis => "kill Redis",
            S::WipeRedis => "wipe Redis",
            S::OldRedis => "restore an old Redis",
            S::PauseRedis => "freeze Redis",
            S::SlowRedis => "slow Redis",
            S::HangRedis => "silence Redis",
            S::CutRedis => "cut lines to Redis",
            S::CutMoves => "cut after a move in Redis",
            S::FillRedis => "fill Redis",
            S::EvictRedis => "evict from Redis",
            S::ReadOnlyRedis => "make Redis read-only",
            S::SpoilRedis => "spoil types in Redis",
            S::DeleteKeys => "delete keys of Redis",
            S::StepClock => "step a clock",
        }
    }

    #[must_use]
    pub const fn victim(self) -> Victim {
        match self {
            S::KillApi
            | S::KillEngine
            | S::KillWorker
            | S::KillMany
            | S::KillStopping
            | S::Roll
            | S::PauseWorker
            | S::PauseEngine => Victim::Servers,
            S::KillRemote | S::PauseRemote | S::CutAnswers | S::DrainRemote => Victim::Remote,
            S::KillCampaign => Victim::Campaigns,
            S::KillDatabase | S::StopDatabase => Victim::Database,
            S::CutDatabase | S::CutBytes | S::CutCommits | S::CutOff | S::SlowDatabase => {
                Victim::Lines
            }
            S::FailOver | S::SwitchOver => Victim::Cluster,
            S::FailOverRedis => Victim::Sentinels,
            S::StepClock => Victim::Clocks,
            _ => Victim::Redis,
        }
    }

    /// Whether it needs a server that we may kill, freeze or set otherwise, not only a line that we may cut
    /// and contents that we may wipe.
    #[must_use]
    pub const fn needs_our_own(self) -> bool {
        matches!(
            self,
            S::KillDatabase
                | S::StopDatabase
                | S::KillRedis
                | S::OldRedis
                | S::PauseRedis
                | S::FillRedis
                | S::EvictRedis
                | S::ReadOnlyRedis
        )
    }

    /// How often it is drawn, beside the others with the same victim.
    #[must_use]
    pub const fn weight(self) -> u32 {
        match self {
            S::KillWorker => 6,
            S::KillRemote | S::CutAnswers => 4,
            S::KillMany | S::KillApi | S::KillEngine => 2,
            S::KillStopping | S::Roll | S::PauseEngine | S::PauseWorker => 1,
            S::CutDatabase | S::CutCommits => 3,
            S::KillRedis | S::WipeRedis => 4,
            S::OldRedis | S::CutMoves => 2,
            _ => 1,
        }
    }
}
