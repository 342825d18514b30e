//! Who reads a stream: of all that a server keeps open, nobody can take what others need.

use std::{sync::Arc, time::Duration};

use baton_domain::access::{Actor, Principal};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::share::{Client, Exhausted, Permit, Share};

/// How many streams the app of one recipient can have open: a few devices.
const OF_ONE_RECIPIENT: usize = 16;

/// The streams of a server, shared by those who read them.
#[derive(Debug)]
pub struct Streams {
    share: Arc<Share<StreamReader>>,
    /// What all apps together can have: the rest is for people and keys, however many apps there are.
    of_apps: Arc<Semaphore>,
}

/// The right to one stream.
#[derive(Debug)]
pub struct StreamPermit {
    _of_reader: Permit<StreamReader>,
    _of_apps: Option<OwnedSemaphorePermit>,
}

impl Streams {
    /// So many; a lone one can be had by anybody.
    #[must_use]
    pub fn new(count: usize) -> Arc<Self> {
        metrics::gauge!("baton_streams").set(0.0);
        Arc::new(Self {
            share: Share::new(count),
            of_apps: Arc::new(Semaphore::new(count.div_ceil(2))),
        })
    }

    /// Gives the right to one.
    pub async fn open(&self, actor: &Actor) -> Result<StreamPermit, Exhausted> {
        let reader = StreamReader::from(actor);
        let of_apps = match reader.recipient {
            Some(_) => {
                let of_apps = Arc::clone(&self.of_apps).try_acquire_owned();
                Some(of_apps.map_err(|_| Exhausted::All)?)
            }
            None => None,
        };
        let of_reader = self.share.take(reader, 1, Duration::ZERO).await?;
        metrics::gauge!("baton_streams").increment(1.0);
        Ok(StreamPermit {
            _of_reader: of_reader,
            _of_apps: of_apps,
        })
    }
}

impl Drop for StreamPermit {
    fn drop(&mut self) {
        metrics::gauge!("baton_streams").decrement(1.0);
    }
}

/// Who reads a stream.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StreamReader {
    principal: Principal,
    recipient: Option<String>,
}

impl From<&Actor> for StreamReader {
    fn from(actor: &Actor) -> Self {
        Self {
            principal: actor.principal.clone(),
            recipient: actor.recipient.clone(),
        }
    }
}

impl Client for StreamReader {
    fn most(&self, units: usize) -> usize {
        match (&self.principal, &self.recipient) {
            // Everybody on a server that asks nobody.
            (Principal::Anonymous, None) => units,
            (_, None) => units.div_ceil(2),
            (_, Some(_)) => units.div_ceil(2).min(OF_ONE_RECIPIENT),
        }
    }
}

#[cfg(test)]
mod tests {
    use baton_domain::{KeyId, Timestamp, access::Permissions};

    use super::*;

    fn key() -> Actor {
        let key = KeyId::new(Timestamp::from_micros(1));
        Actor::unbounded(Principal::Key(key), "app", Permissions::ALL)
    }

    /// The app of this user, by a token that the key has signed.
    fn app(user: u8) -> Actor {
        Actor {
            recipient: Some(format!("user-{user}")),
            ..key()
        }
    }

    async fn open(actor: &Actor, streams: usize) -> usize {
        let streams = Streams::new(streams);
        let mut held = Vec::new();
        while let Ok(permit) = streams.open(actor).await {
            held.push(permit);
        }
        held.len()
    }

    #[tokio::test]
    async fn a_key_can_open_half_of_the_streams() {
        assert_eq!(open(&key(), 256).await, 128);
    }

    #[tokio::test]
    async fn an_app_can_open_a_few_for_its_user() {
        assert_eq!(open(&app(1), 256).await, OF_ONE_RECIPIENT);
        assert_eq!(open(&app(1), 1).await, 1);
    }

    #[tokio::test]
    async fn all_apps_together_leave_half_to_people_and_keys() {
        let streams = Streams::new(8);
        let mut held = Vec::new();
        for user in 1..=8 {
            held.extend(streams.open(&app(user)).await);
        }

        let operator = streams.open(&key()).await;

        assert_eq!(held.len(), 4);
        assert!(operator.is_ok());
    }

    #[tokio::test]
    async fn where_nobody_is_asked_everybody_together_can_open_all() {
        assert_eq!(open(&Actor::anonymous(), 8).await, 8);
    }
}
