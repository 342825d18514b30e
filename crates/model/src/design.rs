//! What is checked: the design or one broken variant of it, and which faults it meets.

/// How long a lease lasts, in ticks. A worker renews at every tick: two are the fewest in which a
/// renewal can be seen or missed.
pub const LEASE: u8 = 2;
/// How far a clock steps, in ticks: further than a lease lasts.
pub const STEP: i8 = 3;
/// How long a job waits between two tries, in ticks.
pub const BACKOFF: i8 = 1;
/// The loss that makes a dead letter.
pub const LOSSES: u8 = 2;

/// What is checked.
#[derive(Debug, Clone, Copy)]
pub struct Scene {
    /// What is wrong with the design; nothing if it is the one that is meant.
    pub flaw: Option<Flaw>,
    /// Which faults may happen.
    pub faults: &'static [Fault],
    /// How many of them at most.
    pub budget: u8,
}

impl Scene {
    /// The design as it is meant.
    #[must_use]
    pub const fn sound(faults: &'static [Fault], budget: u8) -> Self {
        Self {
            flaw: None,
            faults,
            budget,
        }
    }

    /// A broken variant.
    #[must_use]
    pub const fn broken(flaw: Flaw, faults: &'static [Fault], budget: u8) -> Self {
        Self {
            flaw: Some(flaw),
            faults,
            budget,
        }
    }

    pub(crate) fn has(&self, flaw: Flaw) -> bool {
        self.flaw == Some(flaw)
    }
}

/// What a broken variant does otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// The rescuer compares the end of a lease with what it takes for the present.
    RescueByWallClock,
    /// The rescuer settles what it read, although it may have been renewed since.
    RescueFromAnEarlierRead,
    /// A renewal only ever raises the end of a lease, and nothing else shows it.
    RenewalShowsNothing,
    /// A renewal does not wait for the disk: a crash of the database forgets what a worker relies on.
    RenewalMayBeForgotten,
    /// A renewal extends whatever the worker has in the store, not what it names.
    RenewalOfTheForgotten,
    /// A result is recorded whoever holds the job.
    SettlementWithoutFence,
    /// A late success counts although somebody has claimed the job since.
    AdoptionOfTheClaimed,
    /// A loop of a worker dies and its process lives on.
    SilentDeath,
    /// The rescuer begins to watch a lease anew each time it looks.
    WatchBeginsAnew,
    /// The rescuer takes back nothing of a process that is only stopped: it waits until that one goes on.
    RescueWaitsForTheStopped,
}

/// What may go wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// A process is killed.
    Kill,
    /// A process is stopped for a while; its monotonic clock goes on.
    Pause,
    /// A node does not reach the store for a while.
    Cut,
    /// A commit stands, its answer is lost.
    Unanswered,
    /// A worker no longer knows of what it runs.
    Forget,
    /// What a node takes for the store's time steps.
    StepNode,
    /// The store's own clock steps; nodes follow one by one.
    StepStore,
    /// The database crashes and forgets what it had not yet written to the disk.
    Database,
    /// A claimer, renewer or settler dies.
    Loop,
}

impl Fault {
    /// All of them.
    pub const ALL: &[Self] = &[
        Self::Kill,
        Self::Pause,
        Self::Cut,
        Self::Unanswered,
        Self::Forget,
        Self::StepNode,
        Self::StepStore,
        Self::Database,
        Self::Loop,
    ];
}
