//! A waiter: a claim that waits, and what it is about to do.

use baton_domain::{LeaseId, WorkerId};
use parking_lot::Mutex;
use tokio::sync::Notify;

use super::Delivery;

/// A claim that waits.
pub struct Waiter {
    pub(super) number: u64,
    pub worker: WorkerId,
    pub(super) wants: Vec<(String, LeaseId, u32)>,
    pub(super) state: Mutex<State>,
    pub wake: Notify,
}

#[derive(PartialEq)]
pub(super) enum State {
    /// It looks, or is about to.
    Looking {
        /// Whether there may be something that came after it began to.
        again: bool,
    },
    /// It waits with others that have found nothing. What is wanted of its worker is asked before anything is handed to it.
    Joined,
    /// It waits, and had found nothing.
    Idle,
    /// A job is being added as its own.
    Reserved,
    /// A job was added as its own, or nothing came of it.
    Delivered(Delivery),
    /// It waits no more.
    Over,
}

/// It is about to look.
pub(super) const LOOKS: State = State::Looking { again: false };

impl Waiter {
    /// Whether it waits, and has nothing to look for.
    pub fn is_idle(&self) -> bool {
        matches!(*self.state.lock(), State::Idle | State::Joined)
    }

    /// Whether it has joined others, and nobody has asked what is wanted of its worker.
    pub fn has_joined(&self) -> bool {
        *self.state.lock() == State::Joined
    }

    /// Takes note that its worker may have jobs.
    pub fn admit(&self) {
        let mut state = self.state.lock();
        if *state == State::Joined {
            *state = State::Idle;
        }
    }

    /// Takes note that there was nothing to be found; `false` if it was woken meanwhile.
    pub fn rest(&self) -> bool {
        let mut state = self.state.lock();
        match *state {
            State::Looking { again: true } => *state = LOOKS,
            State::Looking { again: false } => *state = State::Idle,
            _ => {}
        }
        *state == State::Idle
    }

    /// What came of a reservation, if one was made; and it looks from now on.
    pub fn awake(&self) -> Option<Delivery> {
        let mut state = self.state.lock();
        match std::mem::replace(&mut *state, LOOKS) {
            State::Delivered(delivery) => Some(delivery),
            State::Over => {
                *state = State::Over;
                Some(Delivery::Ended)
            }
            State::Reserved => {
                *state = State::Reserved;
                None
            }
            State::Idle | State::Joined | State::Looking { .. } => None,
        }
    }

    /// Whether a job is being added as its own: the outcome has to be waited for.
    pub fn is_reserved(&self) -> bool {
        *self.state.lock() == State::Reserved
    }

    pub(super) fn look(&self) -> bool {
        let mut state = self.state.lock();
        match &mut *state {
            State::Idle | State::Joined => {
                *state = LOOKS;
                self.wake.notify_one();
                true
            }
            State::Looking { again } => {
                *again = true;
                false
            }
            _ => false,
        }
    }

    /// Ends it, but for what was delivered: that is answered.
    pub(super) fn end_unless_delivered(&self) {
        let mut state = self.state.lock();
        if !matches!(*state, State::Delivered(_)) {
            *state = State::Over;
        }
        self.wake.notify_one();
    }

    /// Ends it, whatever was delivered: whoever asks again finds that.
    pub fn end(&self) {
        *self.state.lock() = State::Over;
        self.wake.notify_one();
    }

    pub(super) fn reserve(&self) -> bool {
        let mut state = self.state.lock();
        let is_idle = *state == State::Idle;
        if is_idle {
            *state = State::Reserved;
        }
        is_idle
    }

    /// Gives what came of a reservation; hands it back if nobody waits any more.
    pub(super) fn deliver(&self, delivery: Delivery) -> Result<(), Delivery> {
        let mut state = self.state.lock();
        if *state != State::Reserved {
            return Err(delivery);
        }
        *state = State::Delivered(delivery);
        self.wake.notify_one();
        Ok(())
    }
}
