//! Which addresses are never connected to.

use std::net::IpAddr;

use baton_domain::job::Class;
use baton_ports::Handler;
use baton_providers::{HttpConfig, Policy};
use serde_json::json;

use crate::{
    bench::{accepted, call, failed, handler_with},
    target::Target,
};

const REFUSED: [&str; 59] = [
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.1",
    "100.100.100.200",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.2.1",
    "192.168.0.1",
    "192.168.255.255",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::2",
    "::7f00:1",
    "::8.8.8.8",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:0:127.0.0.1",
    "::ffff:0:8.8.8.8",
    "64:ff9b::127.0.0.1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::8.8.8.8",
    "100::1",
    "1000::1",
    "2001::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:2::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:808:808::1",
    "3fff::1",
    "4000::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fdff:ffff::1",
    "fe80::1",
    "febf::1",
    "fec0::1",
    "feff::1",
    "ff02::1",
    "ff0e::1",
];

/// No setting allows these.
const NEVER: [&str; 10] = [
    "169.254.169.254",
    "::ffff:169.254.169.254",
    "64:ff9b::169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "169.254.170.2",
    "168.63.129.16",
    "100.100.100.200",
    "192.88.99.1",
    "fd00:ec2::254",
    "fd20:ce::254",
];

const ALLOWED: [&str; 16] = [
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.167.255.255",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "2a00:1450:4001:800::200e",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8",
];

#[test]
fn addresses_that_the_internet_does_not_route_are_refused_in_every_form() {
    let policy = Policy::default();

    for text in REFUSED {
        let address: IpAddr = text.parse().unwrap();
        assert!(policy.check(address).is_err(), "{text}");
    }
    for text in ALLOWED {
        let address: IpAddr = text.parse().unwrap();
        assert_eq!(policy.check(address), Ok(()), "{text}");
    }
}

#[test]
fn one_bad_address_refuses_all_that_a_name_stands_for() {
    let policy = Policy::default();
    let addresses = |texts: &[&str]| {
        texts
            .iter()
            .map(|text| text.parse().unwrap())
            .collect::<Vec<IpAddr>>()
    };

    assert!(policy.check_all(addresses(&["8.8.8.8", "1.1.1.1"])).is_ok());
    assert!(
        policy
            .check_all(addresses(&["8.8.8.8", "10.0.0.1", "1.1.1.1"]))
            .is_err()
    );
}

#[test]
fn a_network_can_be_allowed_without_the_others_in_its_mapped_form_too() {
    let policy = Policy {
        allow_private_targets: false,
        allowed_networks: vec!["10.1.0.0/16".parse().unwrap(), "fd00::/8".parse().unwrap()],
    };

    for (text, is_allowed) in [
        ("10.1.2.3", true),
        ("::ffff:10.1.2.3", true),
        ("fd12::1", true),
        ("10.2.0.1", false),
        ("127.0.0.1", false),
        ("fc00::1", false),
    ] {
        assert_eq!(
            policy.check(text.parse().unwrap()).is_ok(),
            is_allowed,
            "{text}"
        );
    }
}

#[test]
fn everything_else_can_be_allowed() {
    let policy = Policy {
        allow_private_targets: true,
        allowed_networks: Vec::new(),
    };

    for text in REFUSED.iter().filter(|text| !NEVER.contains(text)) {
        assert_eq!(policy.check(text.parse().unwrap()), Ok(()), "{text}");
    }
}

#[tokio::test]
async fn no_spelling_of_this_machine_is_connected_to() {
    let target = Target::that_answers("200 OK", "", "").await;
    let handler = handler_with(HttpConfig::default());

    for host in [
        "127.0.0.1",
        "127.0.0.1.",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "0177.0.0.1",
        "017700000001",
        "127.0.0.01",
        "%31%32%37.0.0.1",
        "１２７.0.0.1",
        "127。0。0。1",
        "0.0.0.0",
        "0",
        "[::1]",
        "[0:0:0:0:0:0:0:1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::7f00:1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "localhost",
        "LOCALHOST",
    ] {
        let url = format!("http://{host}:{}/", target.port());
        let verdict = handler.run(call(&json!({"url": url}))).await;

        let failure = failed(&verdict, Class::Permanent, "address_not_allowed");
        assert!(
            failure.message.contains("allow_private_targets"),
            "{}",
            failure.message
        );
    }
    assert_eq!(target.connects(), 0);
}

#[tokio::test]
async fn an_allowed_network_is_called_by_name_and_by_address() {
    let target = Target::that_answers("200 OK", "", "").await;
    let handler = handler_with(HttpConfig {
        allowed_networks: vec!["127.0.0.0/8".parse().unwrap(), "::1/128".parse().unwrap()],
        ..HttpConfig::default()
    });

    for host in ["127.0.0.1", "localhost"] {
        let url = format!("http://{host}:{}/", target.port());

        let verdict = handler.run(call(&json!({"url": url}))).await;

        accepted(&verdict);
    }
}

#[test]
fn a_clouds_metadata_and_a_relay_to_anywhere_are_refused_whatever_the_settings_say() {
    let policy = Policy {
        allow_private_targets: true,
        allowed_networks: vec!["0.0.0.0/0".parse().unwrap(), "::/0".parse().unwrap()],
    };

    for text in NEVER {
        let refused = policy.check(text.parse().unwrap()).unwrap_err();

        assert!(
            refused.to_string().ends_with("whatever the settings say"),
            "{refused}"
        );
    }
}
