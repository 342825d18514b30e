//! Who reads a stream: of all that a server keeps open, nobody can take what others need.

use baton_domain::access::{Actor, Principal};

use crate::share::{Client, Permit, Share};

/// How many streams the app of one recipient can have open: a few devices.
const OF_ONE_RECIPIENT: usize = 16;

/// The streams of a server, shared by those who read them.
pub type Streams = Share<StreamReader>;
/// The right to one stream.
pub type StreamPermit = Permit<StreamReader>;

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
    use std::time::Duration;

    use baton_domain::{KeyId, Timestamp, access::Permissions};

    use super::*;

    fn key() -> Actor {
        let key = KeyId::new(Timestamp::from_micros(1));
        Actor::unbounded(Principal::Key(key), "app", Permissions::ALL)
    }

    async fn open(actor: &Actor, streams: usize) -> usize {
        let share = Streams::new(streams);
        let mut held = Vec::new();
        while let Ok(permit) = share.take(actor.into(), 1, Duration::ZERO).await {
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
        let app = Actor {
            recipient: Some("user-1".to_owned()),
            ..key()
        };

        assert_eq!(open(&app, 256).await, OF_ONE_RECIPIENT);
        assert_eq!(open(&app, 1).await, 1);
    }

    #[tokio::test]
    async fn where_nobody_is_asked_everybody_together_can_open_all() {
        assert_eq!(open(&Actor::anonymous(), 8).await, 8);
    }
}
