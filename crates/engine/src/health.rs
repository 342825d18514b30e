//! How the installation is: the routines, the store, whether it is stopping.

mod telemetry;

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use baton_domain::{
    Timestamp,
    time::{ClockDrift, SignedDuration},
};
use baton_ports::{
    Death, Watchdog,
    hints::HintState,
    store::{Schema, Unreadable},
};
use parking_lot::Mutex;
use tokio::time::Instant;

use crate::Engine;

/// How a routine is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoutineState {
    /// It has not turned yet.
    Starting,
    /// It waits for its next turn.
    Idle,
    /// It turns.
    Busy,
    /// Its last turn failed; it tries again with growing pauses.
    Failing,
    /// It was stopped.
    Stopped,
}

impl RoutineState {
    /// The word for it, everywhere.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Idle => "idle",
            Self::Busy => "busy",
            Self::Failing => "failing",
            Self::Stopped => "stopped",
        }
    }
}

/// So many failed turns in a row mean that a routine makes no progress.
const TOO_MANY_FAILURES: u32 = 5;
/// A turn that takes longer than this is stuck.
const LONGEST_TURN: Duration = Duration::from_mins(2);

/// What is known of a routine.
#[derive(Debug, Clone, PartialEq)]
pub struct RoutineHealth {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub duty: &'static str,
    /// How it is.
    pub state: RoutineState,
    /// How often it has turned.
    pub turns: u64,
    /// When its last turn ended.
    pub last_turn_at: Option<Timestamp>,
    /// How long that turn took.
    pub last_turn_took: Duration,
    /// Turns that failed in a row.
    pub failures: u32,
    /// Why the last failed turn failed.
    pub last_error: Option<String>,
}

impl RoutineHealth {
    /// Whether its turns come to an end, and not all of them to a bad one.
    #[must_use]
    pub fn makes_progress(&self, now: Timestamp) -> bool {
        let is_stuck = self.state == RoutineState::Busy
            && self
                .last_turn_at
                .is_some_and(|at| now.since(at) > LONGEST_TURN);
        !is_stuck && self.failures < TOO_MANY_FAILURES
    }
}

/// How the installation is, as of now.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Health {
    /// The word for the store's kind.
    pub store: &'static str,
    /// Why the store cannot be reached, if it cannot.
    pub store_error: Option<String>,
    /// How the store's schema stands to this program, where there is one and it can be read.
    pub schema: Option<Schema>,
    /// Rows that were met lately and could not be read.
    pub unreadable: Vec<Unreadable>,
    /// Whether the process is stopping.
    pub draining: bool,
    /// The loop that has died, if one has: the process ends.
    pub death: Option<Death>,
    /// The last step of the store's clock, if it was lately.
    pub clock_step: Option<ClockStep>,
    /// How far this machine's clock is from the store's, once that was measured.
    pub clock_drift: Option<ClockDrift>,
    /// How the hints are, where there are any. Work goes on without them.
    pub hints: Option<HintHealth>,
    /// Every routine of this process.
    pub routines: Vec<RoutineHealth>,
}

/// A step of the store's clock, which this node has followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockStep {
    /// By how much it was put forward; back, if below zero.
    pub by: SignedDuration,
    /// How long ago that was noticed.
    pub ago: Duration,
}

/// How the hints are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HintHealth {
    /// The word for their kind.
    pub kind: &'static str,
    /// Whether they are to be had.
    pub state: HintState,
}

impl Health {
    /// Whether work may be sent here.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        let is_fit = self.schema.as_ref().is_none_or(Schema::is_fit);
        self.store_error.is_none() && is_fit && !self.draining && self.death.is_none()
    }
}

/// A shared board on which the routines write how they are.
#[derive(Debug, Clone, Default)]
pub struct HealthBoard {
    routines: Arc<Mutex<BTreeMap<&'static str, RoutineHealth>>>,
    draining: Arc<AtomicBool>,
    watchdog: Watchdog,
    stepped: Arc<Mutex<Option<(SignedDuration, Instant)>>>,
    drift: Arc<Mutex<Option<ClockDrift>>>,
}

impl HealthBoard {
    /// A board beside this watchdog.
    #[must_use]
    pub fn watched_by(watchdog: Watchdog) -> Self {
        Self {
            watchdog,
            ..Self::default()
        }
    }

    /// Who hears of loops that died.
    #[must_use]
    pub const fn watchdog(&self) -> &Watchdog {
        &self.watchdog
    }

    /// Says that the process is stopping.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::SeqCst);
    }

    /// Whether the process is stopping.
    #[must_use]
    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::SeqCst)
    }

    /// Says that the store's clock was stepped.
    pub(crate) fn clock_stepped(&self, by: SignedDuration) {
        *self.stepped.lock() = Some((by, Instant::now()));
    }

    /// Says how far this machine's clock is from the store's.
    pub(crate) fn clock_measured(&self, drift: ClockDrift) {
        *self.drift.lock() = Some(drift);
    }

    /// How far this machine's clock was from the store's when that was last measured.
    #[must_use]
    pub fn clock_drift(&self) -> Option<ClockDrift> {
        *self.drift.lock()
    }

    /// Says that the clock was put ahead on purpose: a turn that began a moment ago still did.
    pub(crate) fn clock_moved(&self, span: Duration) {
        for routine in self.routines.lock().values_mut() {
            routine.last_turn_at = routine.last_turn_at.map(|at| at + span);
        }
    }

    /// The last step of the store's clock, if it was lately.
    #[must_use]
    pub fn clock_step(&self) -> Option<ClockStep> {
        let (by, at) = (*self.stepped.lock())?;
        let ago = at.elapsed();
        (ago < LATELY).then_some(ClockStep { by, ago })
    }

    /// Every routine that was ever started, by name.
    #[must_use]
    pub fn routines(&self) -> Vec<RoutineHealth> {
        self.routines.lock().values().cloned().collect()
    }

    /// Changes what is known of a routine.
    pub(crate) fn write(&self, name: &'static str, change: impl FnOnce(&mut RoutineHealth)) {
        let mut routines = self.routines.lock();
        change(routines.entry(name).or_insert_with(|| RoutineHealth {
            name,
            duty: "",
            state: RoutineState::Starting,
            turns: 0,
            last_turn_at: None,
            last_turn_took: Duration::ZERO,
            failures: 0,
            last_error: None,
        }));
    }
}

/// For how long a step of the clock is told.
const LATELY: Duration = Duration::from_mins(15);
/// How long the store may take to say the time before it counts as out of reach.
const TIMEOUT: Duration = Duration::from_secs(2);

impl Engine {
    /// How the installation is. Asks the store for the time, then how its schema is, and waits for each two seconds at most.
    pub async fn health(&self) -> Health {
        let store_error = match tokio::time::timeout(TIMEOUT, self.inner.store.time()).await {
            Ok(Ok(_)) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(_) => Some("the database has not answered for two seconds".to_owned()),
        };
        let schema = match &store_error {
            None => tokio::time::timeout(TIMEOUT, self.inner.store.schema()).await,
            Some(_) => Ok(Ok(None)),
        };
        Health {
            store: self.inner.store.dialect(),
            store_error,
            unreadable: self.inner.store.unreadable().await.unwrap_or_default(),
            schema: schema.ok().and_then(Result::ok).flatten(),
            draining: self.inner.health_board.is_draining(),
            death: self.inner.health_board.watchdog.death(),
            clock_step: self.inner.health_board.clock_step(),
            clock_drift: self.inner.health_board.clock_drift(),
            hints: self.inner.offers.hints().map(|hints| HintHealth {
                kind: hints.kind(),
                state: hints.state(),
            }),
            routines: self.inner.health_board.routines(),
        }
    }
}
