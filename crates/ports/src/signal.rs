//! A hint that there may be something to do; never a fact.
//!
//! Losing a hint costs only time: whoever waits for one also wakes by itself now and then, and looks
//! at the store. Hints coalesce: a thousand rings before somebody looks are one.

use std::sync::OnceLock;

use tokio::sync::{mpsc, watch};

/// What a hint is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wake {
    /// A queue has claimable jobs, or may be claimed from again.
    Ready,
    /// A job was written that is due at some time; perhaps sooner than any other.
    Due,
    /// A running job was asked to stop.
    Cancel,
    /// Facts were written that have no number yet.
    Facts,
    /// Facts were numbered.
    Events,
    /// An operation was started.
    Operations,
}

impl Wake {
    /// Every kind of hint.
    pub const ALL: [Self; 6] = [
        Self::Ready,
        Self::Due,
        Self::Cancel,
        Self::Facts,
        Self::Events,
        Self::Operations,
    ];

    /// The word for it on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Due => "due",
            Self::Cancel => "cancel",
            Self::Facts => "facts",
            Self::Events => "events",
            Self::Operations => "operations",
        }
    }

    /// Reads the word back.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|wake| wake.as_str() == word)
    }
}

/// The bells of one process; an adapter carries the rings to other processes.
#[derive(Debug)]
pub struct Signal {
    bells: [watch::Sender<u64>; Wake::ALL.len()],
    carrier: OnceLock<mpsc::UnboundedSender<Wake>>,
}

impl Default for Signal {
    fn default() -> Self {
        Self {
            bells: std::array::from_fn(|_| watch::Sender::new(0)),
            carrier: OnceLock::new(),
        }
    }
}

impl Signal {
    /// Rings here, and in other processes if there is a carrier.
    pub fn ring(&self, wake: Wake) {
        self.hear(wake);
        if let Some(carrier) = self.carrier.get() {
            // A carrier that has ended carries nothing; the listeners' own waking covers it.
            let _ = carrier.send(wake);
        }
    }

    /// Rings here only: what a carrier does when another process rang.
    pub fn hear(&self, wake: Wake) {
        self.bells[wake as usize].send_modify(|rings| *rings += 1);
    }

    /// Listens to one bell. The listener has heard nothing yet: subscribe before you look.
    #[must_use]
    pub fn listen(&self, wake: Wake) -> Bell {
        Bell(self.bells[wake as usize].subscribe())
    }

    /// Takes what is to be carried to other processes; there is one carrier at most.
    #[must_use]
    pub fn carry(&self) -> Option<mpsc::UnboundedReceiver<Wake>> {
        let (sender, receiver) = mpsc::unbounded_channel();
        self.carrier.set(sender).ok().map(|()| receiver)
    }
}

/// A listener of one bell.
#[derive(Debug)]
pub struct Bell(watch::Receiver<u64>);

impl Bell {
    /// Waits until the bell has rung since the last time; returns at once if it has.
    pub async fn rung(&mut self) {
        if self.0.changed().await.is_err() {
            // The signal is gone, and with it every reason to wake.
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn rings_before_a_look_are_one_and_none_is_lost() {
        let signal = Signal::default();
        let mut bell = signal.listen(Wake::Ready);

        signal.ring(Wake::Ready);
        signal.ring(Wake::Ready);

        bell.rung().await;
        assert!(is_silent(&bell));
    }

    fn is_silent(bell: &Bell) -> bool {
        !bell.0.has_changed().unwrap()
    }
}
