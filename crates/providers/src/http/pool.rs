//! Connections at rest, kept for the next request to the same origin.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Weak},
    time::Duration,
};

use parking_lot::Mutex;
use tokio::time::{Instant, sleep_until};

use super::connection::Connection;

/// How many are kept for all origins together.
const MOST_IN_ALL: usize = 1_024;

/// Connections at rest, by the origin they lead to.
pub struct Pool {
    shelves: Mutex<IdleConnections>,
    /// How many are kept for each origin.
    most: usize,
    /// How long each is kept.
    timeout: Duration,
}

#[derive(Default)]
struct IdleConnections {
    /// Those that came last stand at the back.
    by_origin: HashMap<String, VecDeque<IdleConnection>>,
    /// How many there are.
    count: usize,
    /// Whether a task will drop those that nobody wants any more.
    is_swept: bool,
}

struct IdleConnection {
    connection: Connection,
    until: Instant,
}

impl Pool {
    pub fn new(most: usize, timeout: Duration) -> Self {
        Self {
            shelves: Mutex::default(),
            most,
            timeout,
        }
    }

    /// Takes the connection that was used last: it is the least likely to have been closed.
    pub fn take(&self, origin: &str) -> Option<Connection> {
        let now = Instant::now();
        loop {
            let mut kept = self.pop(origin)?;
            if now < kept.until && kept.connection.is_at_rest() {
                return Some(kept.connection);
            }
        }
    }

    fn pop(&self, origin: &str) -> Option<IdleConnection> {
        let mut shelves = self.shelves.lock();
        let kept = shelves.by_origin.get_mut(origin)?.pop_back();
        shelves.count -= usize::from(kept.is_some());
        kept
    }

    /// Keeps a connection, if there is room.
    pub fn put(self: &Arc<Self>, origin: &str, connection: Connection) {
        let until = Instant::now() + self.timeout;
        let mut shelves = self.shelves.lock();
        if shelves.count >= MOST_IN_ALL {
            return;
        }
        let shelf = match shelves.by_origin.get_mut(origin) {
            Some(shelf) => shelf,
            None => shelves.by_origin.entry(origin.to_owned()).or_default(),
        };
        if shelf.len() < self.most {
            shelf.push_back(IdleConnection { connection, until });
            shelves.count += 1;
        }
        if !shelves.is_swept {
            shelves.is_swept = true;
            tokio::spawn(sweep(Arc::downgrade(self), until));
        }
    }

    /// Drops those whose time is over; says when the next one's is.
    fn drop_old(&self, now: Instant) -> Option<Instant> {
        let mut shelves = self.shelves.lock();
        shelves.by_origin.retain(|_, shelf| {
            let old = shelf.partition_point(|kept| kept.until <= now);
            shelf.drain(..old);
            !shelf.is_empty()
        });
        shelves.count = shelves.by_origin.values().map(VecDeque::len).sum();
        let firsts = shelves.by_origin.values().filter_map(VecDeque::front);
        let next = firsts.map(|kept| kept.until).min();
        shelves.is_swept = next.is_some();
        next
    }
}

/// Drops connections when their time is over, until none is left.
async fn sweep(pool: Weak<Pool>, first: Instant) {
    let mut next = Some(first);
    while let Some(until) = next {
        sleep_until(until).await;
        next = pool
            .upgrade()
            .and_then(|pool| pool.drop_old(Instant::now()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn however_many_origins_there_are_so_many_connections_rest_and_no_more() {
        let pool = Arc::new(Pool::new(2, Duration::from_mins(1)));
        // Whoever holds the other ends keeps the connections open.
        let mut others = Vec::new();
        for origin in 0..MOST_IN_ALL + 10 {
            let (ours, other) = tokio::io::duplex(1);
            others.push(other);
            pool.put(&format!("http://{origin}.example"), Connection::over(ours));
        }

        let taken = |origin: usize| pool.take(&format!("http://{origin}.example")).is_some();
        let kept = (0..MOST_IN_ALL + 10)
            .filter(|origin| taken(*origin))
            .count();

        assert_eq!(kept, MOST_IN_ALL);
        assert_eq!(pool.shelves.lock().count, 0);
    }
}
