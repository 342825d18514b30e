//! Every stream by every credential, and the streams that are open when a right ends.

use std::{
    io::{BufRead, BufReader, Read},
    net::TcpStream,
    time::Instant,
};

use baton_domain::access::Requirement;
use baton_testkit::Postgres;

use super::{
    everybody::{Everybody, PERSON, made_token},
    filled, head_of,
};
use crate::{
    access::{REVOKED_WITHIN, add_user_on, bearer, key, send, sign_in, status},
    support::{Served, run},
};

/// The stream of the pages: it is no part of the description.
const LIVE: &str = "/admin/live";
/// What a page says of itself when it opens that.
const ROOM: &str = "?room=overview&up=.&home=.";

/// The streams of the server, and what each requires.
fn streams() -> Vec<(&'static str, Requirement)> {
    let described = serde_json::to_value(baton_api::description()).unwrap();
    let is_stream = |path: &str| {
        let answer = &described["paths"][path]["get"]["responses"]["200"];
        let kinds = answer["content"].as_object();
        path == LIVE || kinds.is_some_and(|kinds| kinds.contains_key("text/event-stream"))
    };
    let rows = [baton_api::REQUIREMENTS, baton_console::REQUIREMENTS].concat();
    let streams = rows
        .into_iter()
        .filter(|(method, path, _)| *method == "GET" && is_stream(path))
        .map(|(_, path, requirement)| (path, requirement));
    streams.collect()
}

fn address(path: &str) -> String {
    let room = if path == LIVE { ROOM } else { "" };
    filled(path) + room
}

/// What is answered before the body.
pub fn head(answer: &mut impl BufRead) -> String {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert_ne!(answer.read_line(&mut head).unwrap(), 0, "{head}");
    }
    head
}

#[test]
fn each_stream_opens_for_the_rights_that_it_needs_and_for_nobody_else() {
    let everybody = Everybody::gathered();

    let (mut wrong, mut opened) = (Vec::new(), 0);
    for (path, requirement) in streams() {
        let Requirement::OneOf(needed) = requirement else {
            panic!("{path} is open to all");
        };
        for someone in &everybody.all {
            let rights = if path == LIVE {
                someone.pages
            } else {
                someone.api
            };
            let has_one = rights.is_some_and(|all| needed.iter().any(|one| all.has(*one)));
            let may = has_one && someone.reaches(path, needed);
            let head = head_of(&everybody.served, "GET", &address(path), someone);
            let is_open = head.contains("text/event-stream");
            opened += u32::from(is_open);
            if is_open != may || (status(&head) == "200") != may {
                wrong.push(format!("{}: {path}: {head}", someone.what));
            }
        }
    }

    assert_eq!(streams().len(), 3);
    assert!(opened > 8, "{opened}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_open_stream_ends_on_every_node_with_the_right_to_it() {
    let database = Postgres::shared().database();
    let url = database.url();
    let on = ["--database", &*url];
    let flags = [&on[..], &["--migrate", "--allow-unsafe-durability"]].concat();
    let start = || Served::start_guarded(tempfile::tempdir().unwrap(), &flags);
    let nodes = [start(), start()];
    let folder = nodes[0].folder.path();
    add_user_on(folder, "kim", "viewer", &on);
    let allow = "jobs:read inbox recipients:write";
    let (id, file) = key(folder, "app", allow, &on);
    let shown = bearer(folder, &file);
    let token = made_token(&nodes[0], &shown, PERSON);
    let session = sign_in(&nodes[0], "kim");
    let credentials = [
        ("/v1/events/stream", &shown),
        ("/v1/recipients/{id}/inbox/stream", &shown),
        ("/v1/recipients/{id}/inbox/stream", &token),
        (LIVE, &session),
    ];
    let pairs = nodes
        .iter()
        .flat_map(|node| credentials.iter().map(move |pair| (node, pair)));
    let opened: Vec<_> = pairs
        .map(|(node, (path, shown))| (*path, open(node, path, shown)))
        .collect();

    for lost in [["keys", "revoke", &id], ["users", "disable", "kim"]] {
        let lost = run(folder, &[&lost[..], &on].concat());
        assert_eq!(lost.code(), 0, "{}", lost.err());
    }
    let since = Instant::now();

    for (path, mut stream) in opened {
        let mut told = String::new();
        stream.read_to_string(&mut told).unwrap();
        let took = since.elapsed();
        assert!(took < REVOKED_WITHIN, "{path}: {took:?}");
    }
}

/// A stream that has begun.
fn open(served: &Served, path: &str, shown: &str) -> BufReader<TcpStream> {
    let line = format!("GET {}", address(path));
    let mut stream = BufReader::new(send(served, &line, &[shown], ""));
    let head = head(&mut stream);
    assert!(head.contains("text/event-stream"), "{path}: {head}");
    stream
}
