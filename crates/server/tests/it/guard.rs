//! Nothing of the server can be reached under a foreign name, whatever the path.

use std::{
    collections::BTreeSet,
    io::{Read, Write},
    net::TcpStream,
};

use serde_json::Value;

use crate::support::Served;

/// What the console's router is made of, so that a page that is added is walked as well.
const CONSOLE: &str = include_str!("../../../console/src/lib.rs");
const METHODS: [&str; 6] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/// Sends a request as a browser would that was led here by another name, and answers with the head.
fn ask(served: &Served, method: &str, path: &str, host: &str) -> String {
    let address = served.url.strip_prefix("http://").unwrap();
    let mut socket = TcpStream::connect(address).unwrap();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    );
    socket.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    answer
}

/// Every path that the API describes, and its description itself.
fn of_the_api(served: &Served) -> BTreeSet<String> {
    let answer = ask(served, "GET", "/openapi.json", "localhost");
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    let description: Value = serde_json::from_str(body).unwrap();
    let paths = description["paths"].as_object().unwrap().keys();
    let beside = ["/", "/openapi.json", "/docs", "/nowhere"];
    paths
        .map(String::as_str)
        .chain(beside)
        .map(filled)
        .collect()
}

/// Every path of the console, read from where its router is made.
fn of_the_console() -> BTreeSet<String> {
    let routes = CONSOLE.split(".route(").skip(1);
    let paths = routes.filter_map(|rest| rest.split('"').nth(1));
    let beside = ["", "/nowhere"].into_iter();
    paths
        .chain(beside)
        .map(|path| filled(&format!("/admin{path}")))
        .collect()
}

/// The path with something in place of what it leaves open.
fn filled(path: &str) -> String {
    let parts = path.split('/');
    let parts = parts.map(|part| if part.starts_with('{') { "x" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

#[test]
fn nothing_answers_under_a_foreign_name() {
    let served = Served::start(&[]);
    let (api, console) = (of_the_api(&served), of_the_console());
    assert!(
        api.len() > 50 && console.len() > 20,
        "{} {}",
        api.len(),
        console.len()
    );

    for path in api.iter().chain(&console) {
        for method in METHODS {
            let answer = ask(&served, method, path, "evil.example");

            let line = answer.lines().next().unwrap();
            assert_eq!(line, "HTTP/1.1 403 Forbidden", "{method} {path}");
            assert!(answer.len() < 2_000, "{method} {path} shows {answer}");
        }
    }
}

#[test]
fn a_page_of_the_console_that_is_not_there_is_still_a_page() {
    let served = Served::start(&[]);

    let lost = ask(&served, "GET", "/admin/nowhere", "localhost");
    let nothing = ask(&served, "GET", "/nowhere", "localhost");

    assert!(
        lost.starts_with("HTTP/1.1 404") && lost.contains("<html"),
        "{lost}"
    );
    assert!(nothing.contains("application/problem+json"), "{nothing}");
}
