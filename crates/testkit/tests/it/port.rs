use std::collections::HashSet;
use std::net::TcpListener;

use baton_testkit::free_port;

#[test]
fn a_free_port_is_given_once_and_can_be_bound() {
    let ports: Vec<u16> = (0..50).map(|_| free_port()).collect();

    let bound = ports
        .iter()
        .filter(|port| TcpListener::bind(("127.0.0.1", **port)).is_ok())
        .count();

    assert_eq!(ports.iter().collect::<HashSet<_>>().len(), 50);
    assert_eq!(bound, 50);
}
