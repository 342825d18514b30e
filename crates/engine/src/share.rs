//! A limited resource of which no client can hold more than half.

use std::{collections::HashMap, fmt::Debug, hash::Hash, sync::Arc, time::Duration};

use parking_lot::Mutex;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

/// By what clients of a share are told apart.
pub trait Client: Debug + Clone + Eq + Hash {
    /// How many of so many units one of them can hold.
    fn most(&self, units: usize) -> usize {
        units.div_ceil(2)
    }
}

/// A limited resource, in units, shared by clients of which none can hold more than its part.
#[derive(Debug)]
pub struct Share<C: Client> {
    all: Arc<Semaphore>,
    units: usize,
    clients: Mutex<HashMap<C, Arc<Semaphore>>>,
}

/// Why nothing was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exhausted {
    /// This client holds its part.
    Client,
    /// All clients together hold everything.
    All,
}

/// Units that a client holds until this is dropped.
#[derive(Debug)]
pub struct Permit<C: Client> {
    share: Arc<Share<C>>,
    client: C,
    of_client: Option<OwnedSemaphorePermit>,
    _of_all: OwnedSemaphorePermit,
}

impl<C: Client> Share<C> {
    /// A resource of so many units; a lone one can be held by anybody.
    #[must_use]
    pub fn new(units: usize) -> Arc<Self> {
        Arc::new(Self {
            all: Arc::new(Semaphore::new(units)),
            units,
            clients: Mutex::default(),
        })
    }

    /// Gives units to a client, once there are as many.
    ///
    /// # Errors
    ///
    /// Says why there are not, after `wait`.
    pub async fn take(
        self: &Arc<Self>,
        client: C,
        units: u32,
        wait: Duration,
    ) -> Result<Permit<C>, Exhausted> {
        let mut lacking = Exhausted::Client;
        let taken = timeout(wait, async {
            let of_client = self.of(&client).acquire_many_owned(units).await;
            lacking = Exhausted::All;
            (of_client, self.all.clone().acquire_many_owned(units).await)
        });
        if let Ok((Ok(of_client), Ok(of_all))) = taken.await {
            Ok(Permit {
                share: Arc::clone(self),
                client,
                of_client: Some(of_client),
                _of_all: of_all,
            })
        } else {
            self.forget(&client);
            Err(lacking)
        }
    }

    fn of(&self, client: &C) -> Arc<Semaphore> {
        let mut clients = self.clients.lock();
        let new = || Arc::new(Semaphore::new(client.most(self.units)));
        Arc::clone(clients.entry(client.clone()).or_insert_with(new))
    }

    /// Drops what is known of a client that holds nothing and waits for nothing.
    fn forget(&self, client: &C) {
        let mut clients = self.clients.lock();
        let is_idle = |of_client: &Arc<Semaphore>| Arc::strong_count(of_client) == 1;
        if clients.get(client).is_some_and(is_idle) {
            clients.remove(client);
        }
    }
}

impl<C: Client> Drop for Permit<C> {
    fn drop(&mut self) {
        self.of_client = None;
        self.share.forget(&self.client);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Duration = Duration::ZERO;

    impl Client for u8 {}

    #[tokio::test(start_paused = true)]
    async fn a_client_that_holds_half_leaves_the_rest_to_others() {
        let share = Share::new(4);
        let _greedy = share.take(1, 2, NONE).await.unwrap();

        let more = share.take(1, 1, NONE).await;
        let other = share.take(2, 2, NONE).await;

        assert_eq!(more.unwrap_err(), Exhausted::Client);
        assert!(other.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn everything_is_held_by_all_together() {
        let share = Share::new(4);
        let _first = share.take(1, 2, NONE).await.unwrap();
        let _second = share.take(2, 2, NONE).await.unwrap();

        let third = share.take(3, 1, NONE).await;

        assert_eq!(third.unwrap_err(), Exhausted::All);
    }

    #[tokio::test(start_paused = true)]
    async fn who_waits_is_given_what_is_given_back() {
        let share = Share::new(1);
        let held = share.take(1, 1, NONE).await.unwrap();
        let give_back = async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            drop(held);
        };

        let (waited, ()) = tokio::join!(share.take(1, 1, Duration::from_secs(2)), give_back);

        assert!(waited.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_is_remembered_of_a_client_that_holds_nothing() {
        let share = Share::new(2);
        let held = share.take(1, 1, NONE).await.unwrap();
        let refused = share.take(1, 1, NONE).await;

        drop(held);

        assert!(refused.is_err());
        assert!(share.clients.lock().is_empty());
    }
}
