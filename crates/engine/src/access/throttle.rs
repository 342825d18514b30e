//! How long whoever gave wrong passwords waits: longer each time, never for ever.

use std::{collections::HashMap, net::IpAddr, time::Duration};

use baton_domain::Timestamp;
use parking_lot::Mutex;

/// How many wrong passwords in a row cost nothing.
const FREE: u32 = 4;
/// The longest wait.
const LONGEST: Duration = Duration::from_mins(5);
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
    /// Until when no password is looked at for a name that nobody has.
    pub fn unknown_waits_until(&self, name: &str) -> Option<Timestamp> {
        self.names.lock().get(name).map(|(_, until)| *until)
    }

    /// Counts a wrong password for a name that nobody has.
    pub fn unknown_failed(&self, name: &str, now: Timestamp) {
        let mut names = self.names.lock();
        make_room(&mut names, now);
        let (failures, until) = names.entry(name.to_owned()).or_insert((0, now));
        *failures = failures.saturating_add(1);
        *until = now + wait_after(*failures);
    }

    /// Until when no password is looked at from an address, if it has given too many wrong ones.
    pub fn address_waits_until(&self, address: IpAddr, now: Timestamp) -> Option<Timestamp> {
        let addresses = self.addresses.lock();
        let (failures, since) = addresses.get(&address)?;
        let until = *since + MINUTE;
        (*failures >= PER_ADDRESS && now < until).then_some(until)
    }

    /// Counts a wrong password from an address.
    pub fn address_failed(&self, address: IpAddr, now: Timestamp) {
        let mut addresses = self.addresses.lock();
        make_room(&mut addresses, now - MINUTE);
        let (failures, since) = addresses.entry(address).or_insert((0, now));
        if now.since(*since) >= MINUTE {
            (*failures, *since) = (0, now);
        }
        *failures += 1;
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
        for _ in 0..6 {
            throttle.unknown_failed("ghost", NOW);
        }

        let until = throttle.unknown_waits_until("ghost");

        assert_eq!(until, Some(NOW + wait_after(6)));
    }

    #[test]
    fn one_address_does_not_guess_for_ever() {
        let throttle = Throttle::default();
        let address = "2001:db8::".parse().unwrap();
        for _ in 0..30 {
            throttle.address_failed(address, NOW);
        }

        assert!(throttle.address_waits_until(address, NOW).is_some());
        assert_eq!(throttle.address_waits_until(address, NOW + MINUTE), None);
        let elsewhere = "2001:db8:0:1::".parse().unwrap();
        assert_eq!(throttle.address_waits_until(elsewhere, NOW), None);
    }
}
