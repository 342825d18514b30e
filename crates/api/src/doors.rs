//! What the doors of `serve --dev` move: the clock of the server, and its open connections.

use std::{
    collections::HashMap,
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use baton_domain::time::StoreClock;
use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

/// What the doors of a server for tests move. A server that has none has no such routes.
#[derive(Clone)]
pub struct Doors {
    /// The clock that the engine goes by.
    pub clock: Arc<StoreClock>,
    /// The connections of the listener.
    pub connections: OpenConnections,
}

impl fmt::Debug for Doors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Doors")
    }
}

/// The open connections of a listener, to be cut.
#[derive(Debug, Clone, Default)]
pub struct OpenConnections {
    last: Arc<AtomicU64>,
    open: Arc<Mutex<HashMap<ConnectionNumber, CancellationToken>>>,
}

/// Which connection a request came over, as the listener says with each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ConnectionNumber(u64);

/// An open connection, until this is dropped.
#[derive(Debug)]
pub struct OpenConnection {
    /// Which one it is.
    pub number: ConnectionNumber,
    /// Fires when it is cut.
    pub cut: CancellationToken,
    all: OpenConnections,
}

impl OpenConnections {
    /// One more is open.
    #[must_use]
    pub fn add(&self) -> OpenConnection {
        let number = ConnectionNumber(self.last.fetch_add(1, Ordering::Relaxed));
        let cut = CancellationToken::new();
        self.open.lock().insert(number, cut.clone());
        OpenConnection {
            number,
            cut,
            all: self.clone(),
        }
    }

    /// Cuts all that are open now but one; says how many.
    pub(crate) fn cut_all_but(&self, one: Option<ConnectionNumber>) -> usize {
        let open = self.open.lock();
        let others = open.iter().filter(|(number, _)| Some(**number) != one);
        // One that was cut a moment ago may still be here.
        let uncut = others.filter(|(_, cut)| !cut.is_cancelled());
        uncut.map(|(_, cut)| cut.cancel()).count()
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.all.open.lock().remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_that_is_cut_and_not_yet_gone_is_counted_once() {
        let all = OpenConnections::default();
        let (own, _other) = (all.add(), all.add());

        let counts = [(); 2].map(|()| all.cut_all_but(Some(own.number)));

        assert_eq!(counts, [1, 0]);
    }
}
