//! Names: who answers for them may be slow, may never answer, or may lie.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use baton_domain::job::Class;
use baton_ports::Handler;
use baton_providers::{HttpConfig, HttpHandler};
use serde_json::json;
use tokio::{net::UdpSocket, task::JoinSet, time::timeout};

use crate::{
    bench::{accepted, call, failed, handler_with},
    target::Target,
};

/// Far more than any of it takes, on a machine that is busy with other things.
const TIMEOUT: Duration = Duration::from_mins(1);

/// A server of names that gives these addresses for every name; with none it never answers.
async fn nameserver(addresses: &'static [Ipv4Addr]) -> SocketAddr {
    let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let address = socket.local_addr().unwrap();
    tokio::spawn(async move {
        let mut question = [0; 1024];
        loop {
            let (length, from) = socket.recv_from(&mut question).await.unwrap();
            if !addresses.is_empty() {
                let answer = answer(&question[..length], addresses);
                socket.send_to(&answer, from).await.unwrap();
            }
        }
    });
    address
}

/// The question again, with the answer behind it; who asks for IPv6 hears that there is none.
fn answer(question: &[u8], addresses: &[Ipv4Addr]) -> Vec<u8> {
    let mut name = 12;
    while question[name] != 0 {
        name += 1 + usize::from(question[name]);
    }
    let end = name + 5;
    let is_v4 = question[name + 2] == 1;
    let addresses = if is_v4 { addresses } else { &[] };
    let count = u8::try_from(addresses.len()).unwrap();
    let mut answer = question[..2].to_vec();
    answer.extend([0x81, 0x80, 0, 1, 0, count, 0, 0, 0, 0]);
    answer.extend(&question[12..end]);
    for address in addresses {
        answer.extend([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4]);
        answer.extend(address.octets());
    }
    answer
}

fn asking(nameserver: SocketAddr, allow_private_targets: bool) -> HttpHandler {
    handler_with(HttpConfig {
        allow_private_targets,
        nameservers: vec![nameserver],
        ..HttpConfig::default()
    })
}

#[tokio::test]
async fn names_that_nobody_answers_for_hold_up_nothing_else() {
    let target = Target::that(|mut connection| async move {
        connection.receive().await;
        connection
            .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            .await;
    })
    .await;
    let handler = Arc::new(asking(nameserver(&[]).await, true));
    let mut hanging = JoinSet::new();
    for i in 0..600 {
        let handler = handler.clone();
        hanging.spawn(async move {
            let url = format!("http://silent-{i}.example/");
            handler.run(call(&json!({"url": url}))).await
        });
    }
    tokio::task::yield_now().await;

    let shared = timeout(TIMEOUT, tokio::task::spawn_blocking(|| "a file was read")).await;
    let verdict = timeout(TIMEOUT, handler.run(call(&json!({"url": target.url()})))).await;

    assert!(shared.is_ok());
    accepted(&verdict.unwrap());
    assert_eq!(hanging.len(), 600, "none of them has ended meanwhile");
}

#[tokio::test]
async fn a_name_that_nobody_answers_for_is_given_up_and_nothing_was_sent() {
    let handler = asking(nameserver(&[]).await, true);
    let mut call = call(&json!({"url": "http://silent.example/"}));
    call.timeout = Duration::from_millis(300);

    let verdict = handler.run(call).await;

    let failure = failed(&verdict, Class::Retry, "connect");
    assert!(!failure.message.is_empty());
}

#[tokio::test]
async fn one_forbidden_address_refuses_the_name() {
    const MIXED: &[Ipv4Addr] = &[Ipv4Addr::new(8, 8, 8, 8), Ipv4Addr::new(10, 0, 0, 1)];
    let handler = asking(nameserver(MIXED).await, false);

    let verdict = handler
        .run(call(&json!({"url": "http://mixed.example/"})))
        .await;

    let failure = failed(&verdict, Class::Permanent, "address_not_allowed");
    assert!(failure.message.contains("10.0.0.1"), "{}", failure.message);
}

#[tokio::test]
async fn exactly_the_addresses_that_were_told_are_called() {
    const LOOPBACK: &[Ipv4Addr] = &[Ipv4Addr::LOCALHOST];
    let target = Target::that(|mut connection| async move {
        connection.receive().await;
        connection
            .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            .await;
    })
    .await;
    let port = url_port(&target.url());
    let handler = asking(nameserver(LOOPBACK).await, true);

    let url = format!("http://anything.example:{port}/");
    let verdict = handler.run(call(&json!({"url": url}))).await;

    accepted(&verdict);
}

fn url_port(url: &str) -> u16 {
    let (_, port) = url.trim_end_matches('/').rsplit_once(':').unwrap();
    port.split('/').next().unwrap().parse().unwrap()
}
