//! How many connections there are, in all and for each address.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    sync::Arc,
};

use parking_lot::Mutex;

/// How many connections can be open at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    pub all: usize,
    pub each_address: usize,
}

/// Which bound was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Full {
    All,
    Address,
}

/// The places that connections have.
pub struct Places {
    bounds: Bounds,
    taken: Mutex<Taken>,
}

#[derive(Default)]
struct Taken {
    all: usize,
    by_address: HashMap<IpAddr, usize>,
}

impl Places {
    pub fn new(bounds: Bounds) -> Arc<Self> {
        Arc::new(Self {
            bounds,
            taken: Mutex::default(),
        })
    }

    /// A place for a connection from there, until it is dropped.
    pub fn take(self: &Arc<Self>, from: IpAddr) -> Result<Place, Full> {
        let address = neighbourhood(from);
        let mut taken = self.taken.lock();
        if taken.all >= self.bounds.all {
            return Err(Full::All);
        }
        let of_address = taken.by_address.entry(address).or_default();
        if *of_address >= self.bounds.each_address {
            return Err(Full::Address);
        }
        *of_address += 1;
        taken.all += 1;
        metrics::gauge!("baton_connections").set(taken.all as f64);
        Ok(Place {
            places: Arc::clone(self),
            address,
        })
    }

    fn give_back(&self, address: IpAddr) {
        let mut taken = self.taken.lock();
        taken.all -= 1;
        metrics::gauge!("baton_connections").set(taken.all as f64);
        if let Some(of_address) = taken.by_address.get_mut(&address) {
            *of_address -= 1;
            if *of_address == 0 {
                taken.by_address.remove(&address);
            }
        }
    }
}

/// The place of one connection.
pub struct Place {
    places: Arc<Places>,
    address: IpAddr,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.give_back(self.address);
    }
}

/// What counts as one address: whoever has one of IPv6 has the 2^64 around it as well.
fn neighbourhood(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let network = address.to_bits() & !u128::from(u64::MAX);
            IpAddr::V6(Ipv6Addr::from_bits(network))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(all: usize, each_address: usize) -> Arc<Places> {
        Places::new(Bounds { all, each_address })
    }

    fn at(address: &str) -> IpAddr {
        address.parse().unwrap()
    }

    #[test]
    fn addresses_of_one_ipv6_network_share_their_places() {
        let places = places(9, 1);
        let _first = places.take(at("2001:db8::1")).unwrap();

        let neighbour = places.take(at("2001:db8::ffff")).err();
        let other = places.take(at("2001:db8:0:1::1"));

        assert_eq!(neighbour, Some(Full::Address));
        assert!(other.is_ok());
    }

    #[test]
    fn an_ipv4_address_is_the_same_one_in_the_dress_of_ipv6() {
        let places = places(9, 1);
        let _first = places.take(at("192.0.2.1")).unwrap();

        let again = places.take(at("::ffff:192.0.2.1")).err();

        assert_eq!(again, Some(Full::Address));
    }

    #[test]
    fn a_place_that_is_given_back_leaves_nothing_behind() {
        let places = places(1, 1);
        drop(places.take(at("192.0.2.1")).unwrap());

        let refused = {
            let _held = places.take(at("192.0.2.2")).unwrap();
            places.take(at("192.0.2.3")).err()
        };

        assert_eq!(refused, Some(Full::All));
        assert!(places.taken.lock().by_address.is_empty());
    }
}
