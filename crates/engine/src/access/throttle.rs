//! How long whoever gave wrong passwords waits: longer each time, never for ever.

use std::{collections::HashMap, net::IpAddr, time::Duration};

use baton_domain::Timestamp;
use parking_lot::Mutex;

/// How many wrong passwords in a row cost nothing.
const FREE: u32 = 4;
/// The longest wait.
pub const LONGEST: Duration = Duration::from_mins(5);
/// How many wrong passwords one address can give in a minute.
const PER_ADDRESS: u32 = 30;
const MINUTE: Duration = Duration::from_mins(1);
/// How many names and addresses are remembered.
const MOST: usize = 10_000;

/// How long nobody looks at a password after so many wrong ones in a row.
pub fn wait_after(failures: u32) -> Duration {
    let Some(beyond) = failures.checked_sub(FREE + 1) else {
        return Duration::ZERO;
    };
    let seconds = 1_u64.checked_shl(beyond).unwrap_or(u64::MAX);
    Duration::from_secs(seconds).min(LONGEST)
}

/// What this node remembers of wrong passwords: of names that nobody has, as the store does of the others, and of addresses.
#[derive(Default)]
pub struct Throttle {
    names: Mutex<HashMap<String, (u32, Timestamp)>>,
    addresses: Mutex<HashMap<IpAddr, (u32, Timestamp)>>,
}

impl Throttle {
    /// Counts a password for a name that nobody has; until when none is looked at, if it is too soon.
    pub fn try_unknown(&self, name: &str, now: Timestamp) -> Result<(), Timestamp> {
        let mut names = self.names.lock();
        make_room(&mut names, now);
        let (failures, until) = names.entry(name.to_owned()).or_insert((0, now));
        if now < *until && *until <= now + LONGEST {
            return Err(*until);
        }
        *failures = failures.saturating_add(1);
        *until = now + wait_after(*failures);
        Ok(())
    }

    /// Counts a password from an address; until when none is looked at, if there were too many.
    pub fn try_address(&self, address: IpAddr, now: Timestamp) -> Result<(), Timestamp> {
        let mut addresses = self.addresses.lock();
        make_room(&mut addresses, now - MINUTE);
        let (tried, since) = addresses.entry(address).or_insert((0, now));
        if now.since(*since) >= MINUTE || now < *since {
            (*tried, *since) = (0, now);
        }
        if *tried >= PER_ADDRESS {
            return Err(*since + MINUTE);
        }
        *tried += 1;
        Ok(())
    }

    /// Takes a password back that was right.
    pub fn forgive(&self, address: IpAddr) {
        if let Some((tried, _)) = self.addresses.lock().get_mut(&address) {
            *tried = tried.saturating_sub(1);
        }
    }
}

/// Forgets what is past; if that is not enough, all of it: whoever fills it slows themselves.
fn make_room<K>(known: &mut HashMap<K, (u32, Timestamp)>, past: Timestamp) {
    if known.len() < MOST {
        return;
    }
    known.retain(|_, (_, at)| *at > past);
    if known.len() >= MOST {
        known.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_micros(1_000_000_000);

    #[test]
    fn the_wait_grows_and_ends() {
        let waits: Vec<_> = [1, 4, 5, 6, 8, 20, u32::MAX]
            .map(|failures| wait_after(failures).as_secs())
            .into();

        assert_eq!(waits, [0, 0, 1, 2, 8, 300, 300]);
    }

    #[test]
    fn a_name_that_nobody_has_waits_as_one_that_somebody_has() {
        let throttle = Throttle::default();
        for _ in 0..5 {
            throttle.try_unknown("ghost", NOW).unwrap();
        }

        let too_soon = throttle.try_unknown("ghost", NOW);

        assert_eq!(too_soon, Err(NOW + wait_after(5)));
        let later = throttle.try_unknown("ghost", NOW + wait_after(5));
        assert_eq!(later, Ok(()));
    }

    #[test]
    fn one_address_does_not_guess_for_ever() {
        let throttle = Throttle::default();
        let address = "2001:db8::".parse().unwrap();
        for _ in 0..PER_ADDRESS {
            throttle.try_address(address, NOW).unwrap();
        }

        let too_many = throttle.try_address(address, NOW);
        let elsewhere = throttle.try_address("2001:db8:0:1::".parse().unwrap(), NOW);

        assert_eq!(too_many, Err(NOW + MINUTE));
        assert_eq!(elsewhere, Ok(()));
        assert_eq!(throttle.try_address(address, NOW + MINUTE), Ok(()));
    }

    #[test]
    fn whoever_knows_the_password_can_sign_in_often() {
        let throttle = Throttle::default();
        let address = "192.0.2.1".parse().unwrap();

        for _ in 0..10 * PER_ADDRESS {
            throttle.try_address(address, NOW).unwrap();
            throttle.forgive(address);
        }
    }
}
