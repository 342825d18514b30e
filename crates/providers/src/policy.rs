//! Which addresses an outgoing call may connect to.
//!
//! Whoever enqueues a job names its target, so a target is untrusted: without this page a job could
//! reach the machine's own ports, the network behind it, or the metadata service of a cloud.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

/// Decides which addresses may be connected to.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    /// Whether every address may be.
    pub allow_private_targets: bool,
    /// Networks that may be, whatever the tables say.
    pub allowed_networks: Vec<IpNet>,
}

/// An address that may not be connected to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the target's address {address} is {kind} and calls to such addresses are not allowed{}", self.way_out())]
pub struct Refused {
    /// The address.
    pub address: IpAddr,
    /// What kind of address it is.
    pub kind: &'static str,
    /// Whether no setting allows it.
    pub always: bool,
}

impl Refused {
    const fn way_out(&self) -> &'static str {
        if self.always {
            ", whatever the settings say"
        } else {
            "; to allow it, set allow_private_targets or add its network to allowed_networks"
        }
    }
}

impl Policy {
    /// Checks one address.
    pub fn check(&self, address: IpAddr) -> Result<(), Refused> {
        let Some(kind) = special(address) else {
            return Ok(());
        };
        let always = NEVER.contains(&kind);
        match always || !self.allows(address) {
            true => Err(Refused {
                address,
                kind,
                always,
            }),
            false => Ok(()),
        }
    }

    /// Checks every address a name stands for: one bad address refuses them all, as nobody can tell
    /// which of them a connection would choose.
    pub fn check_all(&self, addresses: impl IntoIterator<Item = IpAddr>) -> Result<(), Refused> {
        addresses
            .into_iter()
            .try_for_each(|address| self.check(address))
    }

    fn allows(&self, address: IpAddr) -> bool {
        let embedded = match address {
            IpAddr::V6(address) => embedded_v4(address).map(IpAddr::V4),
            IpAddr::V4(_) => None,
        };
        self.allow_private_targets
            || self.allowed_networks.iter().any(|network| {
                network.contains(&address)
                    || embedded.is_some_and(|embedded| network.contains(&embedded))
            })
    }
}

/// What makes an address one that the open internet does not route; `None` if nothing does.
fn special(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(address) => special_v4(address),
        IpAddr::V6(address) => match embedded_v4(address) {
            Some(embedded) => special_v4(embedded),
            None => special_v6(address),
        },
    }
}

fn special_v4(address: Ipv4Addr) -> Option<&'static str> {
    SPECIAL_V4
        .iter()
        .find(|(network, _)| network.contains(&address))
        .map(|(_, kind)| *kind)
}

fn special_v6(address: Ipv6Addr) -> Option<&'static str> {
    SPECIAL_V6
        .iter()
        .find(|(network, _)| network.contains(&address))
        .map(|(_, kind)| *kind)
        .or((!GLOBAL_V6.contains(&address)).then_some("outside the global range"))
}

/// The IPv4 address that a connection to an IPv6 address would really reach, where the form is in
/// honest use: mapped (`::ffff:a.b.c.d`) and NAT64 (`64:ff9b::a.b.c.d`).
fn embedded_v4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    const NAT64: Ipv6Net = v6([0x64, 0xff9b, 0, 0, 0, 0, 0, 0], 96);
    let [.., a, b, c, d] = address.octets();
    address.to_ipv4_mapped().or_else(|| {
        NAT64
            .contains(&address)
            .then_some(Ipv4Addr::new(a, b, c, d))
    })
}

const METADATA: &str = "a cloud's metadata service";
const RELAY: &str = "a relay to anywhere";
/// What nobody honestly calls, and what gives away the machine's own keys or leads around this page.
const NEVER: [&str; 2] = [METADATA, RELAY];

/// The special-purpose registry of IPv4, and what it forgets; what is narrow comes before what is wide.
const SPECIAL_V4: [(Ipv4Net, &str); 19] = [
    (v4([0, 0, 0, 0], 8), "unspecified"),
    (v4([10, 0, 0, 0], 8), "private"),
    (v4([100, 100, 100, 200], 32), METADATA),
    (v4([100, 64, 0, 0], 10), "shared by a carrier's customers"),
    (v4([127, 0, 0, 0], 8), "loopback"),
    (v4([168, 63, 129, 16], 32), METADATA),
    (v4([169, 254, 169, 254], 32), METADATA),
    (v4([169, 254, 170, 2], 32), METADATA),
    (v4([169, 254, 0, 0], 16), "link-local"),
    (v4([172, 16, 0, 0], 12), "private"),
    (v4([192, 0, 0, 0], 24), "reserved for protocols"),
    (v4([192, 0, 2, 0], 24), "for documentation"),
    (v4([192, 88, 99, 0], 24), RELAY),
    (v4([192, 168, 0, 0], 16), "private"),
    (v4([198, 18, 0, 0], 15), "for benchmarks"),
    (v4([198, 51, 100, 0], 24), "for documentation"),
    (v4([203, 0, 113, 0], 24), "for documentation"),
    (v4([224, 0, 0, 0], 4), "multicast"),
    (v4([240, 0, 0, 0], 4), "reserved or broadcast"),
];

/// What IPv6 routes at all; everything else is special, by whatever name.
const GLOBAL_V6: Ipv6Net = v6([0x2000, 0, 0, 0, 0, 0, 0, 0], 3);

/// What is special inside the global range, and good names for what is outside.
const SPECIAL_V6: [(Ipv6Net, &str); 15] = [
    (v6([0, 0, 0, 0, 0, 0, 0, 0], 128), "unspecified"),
    (v6([0, 0, 0, 0, 0, 0, 0, 1], 128), "loopback"),
    (
        v6([0, 0, 0, 0, 0, 0, 0, 0], 96),
        "an IPv4 address in disguise",
    ),
    (
        v6([0, 0, 0, 0, 0xffff, 0, 0, 0], 96),
        "an IPv4 address in disguise",
    ),
    (
        v6([0x64, 0xff9b, 1, 0, 0, 0, 0, 0], 48),
        "a local translation",
    ),
    (
        v6([0x2001, 0, 0, 0, 0, 0, 0, 0], 23),
        "a tunnel or reserved for protocols",
    ),
    (
        v6([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32),
        "for documentation",
    ),
    (
        v6([0x2002, 0, 0, 0, 0, 0, 0, 0], 16),
        "a tunnel to an IPv4 address",
    ),
    (v6([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20), "for documentation"),
    (v6([0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254], 128), METADATA),
    (v6([0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254], 128), METADATA),
    (v6([0xfc00, 0, 0, 0, 0, 0, 0, 0], 7), "private"),
    (v6([0xfe80, 0, 0, 0, 0, 0, 0, 0], 10), "link-local"),
    (v6([0xfec0, 0, 0, 0, 0, 0, 0, 0], 10), "site-local"),
    (v6([0xff00, 0, 0, 0, 0, 0, 0, 0], 8), "multicast"),
];

const fn v4(octets: [u8; 4], prefix: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::from_octets(octets), prefix)
}

const fn v6(segments: [u16; 8], prefix: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::from_segments(segments), prefix)
}
