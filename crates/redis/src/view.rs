//! What this node believes of Redis: whether it does its work, and which generation is open.

use std::time::Duration;

use baton_ports::hints::{HintError, HintState, Result};
use parking_lot::Mutex;
use tokio::{sync::watch, time::Instant};

use crate::trouble::{Kind, Trouble};

/// So many silences in a row are no accident.
const SILENCES: u32 = 3;
/// Silences within this time are one: a connection that breaks fails all who are on it.
const TOGETHER: Duration = Duration::from_millis(100);
/// Nor is a silence of this length.
const SILENCE: Duration = Duration::from_secs(1);

/// What this node believes of Redis.
pub struct View {
    present: watch::Sender<Present>,
    breaker: Mutex<Breaker>,
    heal: Duration,
}

/// What is believed now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Present {
    /// Why hints are not to be had.
    pub away: Option<String>,
    /// The generation that is open.
    pub generation: Option<i64>,
    /// Grows with each move of our own, so that what was read before it is not believed after it.
    pub turn: u64,
}

struct Breaker {
    silences: u32,
    /// When the last one was counted.
    counted: Option<Instant>,
    answered: Instant,
    /// Since when it has been well without a break, while it is away.
    well_since: Option<Instant>,
    /// Nothing is held against a Redis that we have not met.
    is_new: bool,
}

impl View {
    pub fn new(heal: Duration) -> Self {
        let present = Present {
            away: Some("Redis was not asked yet: wait a moment".to_owned()),
            generation: None,
            turn: 0,
        };
        Self {
            present: watch::Sender::new(present),
            breaker: Mutex::new(Breaker {
                silences: 0,
                counted: None,
                answered: Instant::now(),
                well_since: None,
                is_new: true,
            }),
            heal,
        }
    }

    pub fn state(&self) -> HintState {
        match self.answerable().and_then(|()| self.open()) {
            Ok(_) => HintState::Open,
            Err(HintError::Building) => HintState::Building,
            Err(HintError::Away(why)) => HintState::Away(why),
        }
    }

    /// Fails while Redis is away.
    pub fn answerable(&self) -> Result<()> {
        match &self.present.borrow().away {
            Some(why) => Err(HintError::Away(why.clone())),
            None => Ok(()),
        }
    }

    /// The generation that is open.
    pub fn open(&self) -> Result<i64> {
        self.answerable()?;
        self.present.borrow().generation.ok_or(HintError::Building)
    }

    pub fn turn(&self) -> u64 {
        self.present.borrow().turn
    }

    pub fn watch(&self) -> watch::Receiver<Present> {
        self.present.subscribe()
    }

    /// A command was answered.
    pub fn answered(&self) {
        let mut breaker = self.breaker.lock();
        breaker.silences = 0;
        breaker.answered = Instant::now();
    }

    /// A probe was answered by all that matters, and read this generation in this turn.
    pub fn well(&self, generation: Option<i64>, turn: u64) {
        self.answered();
        let is_back = self.breaker.lock().is_back(self.heal);
        self.change(|present| {
            if present.turn == turn {
                present.generation = generation;
            }
            if is_back && present.away.take().is_some() {
                tracing::info!("Redis is well: hints are used");
            }
        });
    }

    /// A command was not answered, or refused.
    pub fn failed(&self, trouble: &Trouble) {
        let is_away = self.present.borrow().away.is_some();
        if !self.breaker.lock().breaks(trouble.kind) && !is_away {
            return;
        }
        self.change(|present| {
            if present.away.is_none() {
                tracing::warn!(
                    why = trouble.why,
                    "work goes on from the database, without hints"
                );
            }
            present.away = Some(trouble.why.clone());
        });
    }

    /// This generation is open, as far as we know by our own doing.
    pub fn moved_to(&self, generation: Option<i64>) {
        self.change(|present| {
            present.generation = generation;
            present.turn += 1;
        });
    }

    fn change(&self, change: impl FnOnce(&mut Present)) {
        self.present.send_if_modified(|present| {
            let before = present.clone();
            change(present);
            *present != before
        });
    }
}

impl Breaker {
    /// Whether Redis has been well for long enough, now that it is.
    fn is_back(&mut self, heal: Duration) -> bool {
        let since = *self.well_since.get_or_insert_with(Instant::now);
        std::mem::take(&mut self.is_new) || since.elapsed() >= heal
    }

    /// Whether this is more than an accident.
    fn breaks(&mut self, kind: Kind) -> bool {
        self.well_since = None;
        self.is_new = false;
        match kind {
            Kind::Refusing => true,
            Kind::Silent => self.is_silent(),
            Kind::WrongType => false,
        }
    }

    fn is_silent(&mut self) -> bool {
        if self.counted.is_none_or(|last| last.elapsed() >= TOGETHER) {
            self.silences += 1;
            self.counted = Some(Instant::now());
        }
        self.silences >= SILENCES || self.answered.elapsed() >= SILENCE
    }
}
