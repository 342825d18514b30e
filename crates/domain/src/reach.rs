//! Reach: who can be told something, and why somebody is not; one rule for campaigns, notifications and deliveries.

use crate::{message::Unfillable, recipient::Recipient, words::words};

words! {
    /// Why a recipient is told nothing.
    pub enum Skip {
        /// The recipient was deleted.
        RecipientGone = "recipient_gone",
        /// Nothing is sent to it at all.
        Disabled = "disabled",
        /// What is to be told belongs to a topic, and the recipient is not in it.
        OptedOut = "opted_out",
        /// It has no address on the channel.
        NoAddress = "no_address",
        /// A provider called the address it has dead.
        AddressDead = "address_dead",
        /// The message asks for a value that it does not have.
        MissingValue = "missing_value",
        /// Its values make the message longer than one may be.
        TooLong = "too_long",
        /// The store refuses the rows that would tell it.
        Unwritable = "unwritable",
    }
}

impl From<Unfillable> for Skip {
    fn from(why: Unfillable) -> Self {
        match why {
            Unfillable::Missing { .. } => Self::MissingValue,
            Unfillable::TooLong { .. } => Self::TooLong,
        }
    }
}

/// Whether a recipient may be told something, of a topic if it belongs to one, wherever that is.
pub fn may_be_told(recipient: &Recipient, topic: Option<&str>) -> Result<(), Skip> {
    let profile = &recipient.profile;
    if !profile.enabled {
        return Err(Skip::Disabled);
    }
    match topic {
        Some(topic) if !profile.topics.contains(topic) => Err(Skip::OptedOut),
        _ => Ok(()),
    }
}

/// Where a recipient is reached on a channel.
pub fn address<'a>(recipient: &'a Recipient, channel: &str) -> Result<&'a str, Skip> {
    let has_one = recipient.profile.addresses.contains_key(channel);
    recipient.address(channel).ok_or(match has_one {
        true => Skip::AddressDead,
        false => Skip::NoAddress,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::{
        Timestamp,
        recipient::{Profile, RecipientSpec},
    };

    fn recipient(
        enabled: bool,
        topics: &[&str],
        token: Option<&str>,
        dead: Option<&str>,
    ) -> Recipient {
        let on_push = |address: Option<&str>| {
            let address = address.map(|address| ("push".to_owned(), address.to_owned()));
            address.into_iter().collect::<BTreeMap<_, _>>()
        };
        let topics: BTreeSet<_> = topics.iter().map(|topic| (*topic).to_owned()).collect();
        Recipient {
            number: 1,
            profile: Profile {
                topics,
                enabled,
                addresses: on_push(token),
                ..Profile::from_spec("a".to_owned(), RecipientSpec::on("ios")).unwrap()
            },
            dead: on_push(dead),
            created_at: Timestamp::default(),
            updated_at: Timestamp::default(),
        }
    }

    #[test]
    fn who_is_disabled_or_opted_out_is_told_nothing() {
        let on = recipient(true, &["quiz"], None, None);
        let off = recipient(false, &["quiz"], None, None);

        assert_eq!(may_be_told(&on, None), Ok(()));
        assert_eq!(may_be_told(&on, Some("quiz")), Ok(()));
        assert_eq!(may_be_told(&on, Some("news")), Err(Skip::OptedOut));
        assert_eq!(may_be_told(&off, Some("quiz")), Err(Skip::Disabled));
    }

    #[test]
    fn an_address_that_is_missing_is_told_from_a_dead_one() {
        let without = recipient(true, &[], None, None);
        let alive = recipient(true, &[], Some("new"), Some("old"));
        let dead = recipient(true, &[], Some("old"), Some("old"));

        assert_eq!(address(&without, "push"), Err(Skip::NoAddress));
        assert_eq!(address(&alive, "push"), Ok("new"));
        assert_eq!(address(&dead, "push"), Err(Skip::AddressDead));
    }
}
