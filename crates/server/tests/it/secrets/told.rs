//! All that a server tells: commands, answers, pages, streams, metrics and the log.

use std::{
    collections::BTreeMap,
    io::{ErrorKind, Read, Write},
    net::TcpStream,
    time::Duration,
};

use serde_json::Value;

use crate::{
    routes::{self, Fill, ask},
    support::Served,
};

/// Lists, and by what their items are called in paths.
const LISTS: [(&str, &str); 7] = [
    ("jobs", "id"),
    ("schedules", "id"),
    ("campaigns", "id"),
    ("recipients", "id"),
    ("operations", "id"),
    ("queues", "name"),
    ("dead-letters", "fingerprint"),
];
/// What can be pressed, wished or done on pages that ask once more.
const PRESSES: [&str; 7] = [
    "stop", "resume", "cancel", "pause", "fire", "retry", "discard",
];
/// The lists that the pages show live.
const LIVE_LISTS: [&str; 9] = [
    "overview",
    "jobs",
    "events",
    "fleet",
    "queues",
    "campaigns",
    "schedules",
    "operations",
    "dead-letters",
];
/// How long a stream may be silent before all is heard that it has to say by itself.
const SILENCE: Duration = Duration::from_millis(500);
const TIMEOUT: Duration = Duration::from_secs(20);

/// What stands in paths: all there is, and something made up.
pub struct Known(BTreeMap<&'static str, Vec<String>>);

impl Known {
    /// What the lists hold that somebody reads in this way.
    pub fn by(read: impl Fn(&str) -> String) -> Self {
        let listed = |(list, name): (&'static str, &str)| {
            let answer = read(&format!("/v1/{list}?limit=500"));
            let (_, body) = answer.split_once("\r\n\r\n").unwrap();
            let page: Value = serde_json::from_str(body).unwrap();
            let items = page["items"].as_array().unwrap().iter();
            let names = items.map(|item| item[name].as_str().unwrap().to_owned());
            let names: Vec<_> = names.collect();
            assert!(!names.is_empty(), "there are no {list}");
            (list, names)
        };
        Self(LISTS.map(listed).into())
    }
}

impl Fill for Known {
    fn fill(&self, before: &str, open: &str) -> Vec<String> {
        let there = match (open, before) {
            ("wish" | "press" | "action", _) => PRESSES.map(str::to_owned).into(),
            ("fingerprint", _) => self.0["dead-letters"].clone(),
            (_, list) => self.0.get(list).cloned().unwrap_or_default(),
        };
        [there, vec!["made-up".to_owned()]].concat()
    }
}

/// Makes one of everything that has a page, beside what there is.
pub fn stock(served: &Served) -> String {
    let put = "recipients put user-1 --platform ios --address push=token";
    let create = "campaigns create --name News --title News --body news --json";
    let fails = "jobs enqueue simulate --max-attempts 1 --wait 30s --payload";
    let fails = [&words(fails)[..], &[r#"{"error": "permanent"}"#]].concat();
    let schedule = "schedules create hourly --kind simulate --json --cron";
    let schedule = [&words(schedule)[..], &["0 * * * *"]].concat();
    let made = [
        words(put),
        words("notify user-1 --title Hi --body news --json"),
        words(create),
        schedule,
        words("dead-letters retry --kind nothing"),
    ];
    let mut told = String::new();
    for words in made {
        let ran = served.run(&words);
        assert_eq!(ran.code(), 0, "{words:?}: {}", ran.err());
        told += &(ran.out() + &ran.err());
    }
    let failed = served.run(&fails);
    told + &failed.out() + &failed.err()
}

fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

/// What commands, answers, pages, metrics and the log tell of a server and of one of its jobs.
pub fn everything(served: &Served, job: &str) -> String {
    let known = Known::by(|path| ask(served, "GET", path, "localhost"));
    let mut told = by_command(served, job);
    let read = routes::of_the_api(served, &["get"], &known);
    let pages = routes::of_the_pages(&known);
    assert!(read.len() > 40 && pages.len() > 40, "{read:?} {pages:?}");
    for path in read.iter().chain(&pages) {
        for query in queries(path, job, &known) {
            told += &got(served, &format!("{path}{query}"), "Accept: */*");
        }
    }
    told + &served.log()
}

/// What has to stand behind a path, or lets it say more.
pub fn queries(path: &str, job: &str, known: &Known) -> Vec<String> {
    let one = |list: &str| known.0[list].first().unwrap();
    match path {
        "/v1/attempts" => vec![format!("?jobs={job}")],
        "/v1/events/stream" => vec!["?after=start".to_owned()],
        "/admin/live" => {
            let of_one = ["campaign", "schedule", "queue", "operation"];
            let of_one = of_one.map(|room| format!("?room={room}&id={}", one(&format!("{room}s"))));
            let lists = LIVE_LISTS.map(|room| format!("?room={room}"));
            let job = format!("?room=job&id={job}");
            of_one.into_iter().chain(lists).chain([job]).collect()
        }
        _ => vec![String::new()],
    }
}

fn by_command(served: &Served, job: &str) -> String {
    let mut told = String::new();
    let shown = format!("jobs show {job}");
    for line in [
        &shown,
        "jobs list",
        "schedules list",
        "campaigns list",
        "recipients list",
        "recipients show user-1",
        "recipients inbox user-1",
        "queues list",
        "events tail --after start --no-follow",
        "dead-letters list",
        "operations list",
        "workers",
    ] {
        for more in ["", " --json"] {
            let line = format!("{line}{more}");
            let ran = served.run(&words(&line));
            assert_eq!(ran.code(), 0, "{line}: {}", ran.err());
            told += &(ran.out() + &ran.err());
        }
    }
    told
}

/// What a path answers to whoever sends this header along, head and body; of a stream what it says by itself.
pub fn got(served: &Served, path: &str, header: &str) -> String {
    let is_stream = path.contains("/stream") || path.contains("/live");
    let address = served.url.strip_prefix("http://").unwrap();
    let mut socket = TcpStream::connect(address).unwrap();
    let timeout = if is_stream { SILENCE } else { TIMEOUT };
    socket.set_read_timeout(Some(timeout)).unwrap();
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{header}\r\n\r\n");
    socket.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    match socket.read_to_end(&mut answer) {
        Ok(_) => {}
        Err(error) if is_stream && error.kind() == ErrorKind::WouldBlock => {}
        Err(error) => panic!("{path}: {error}"),
    }
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let is_answered = answer.starts_with("HTTP/1.1 ") && !answer.starts_with("HTTP/1.1 5");
    assert!(is_answered, "{path}: {answer}");
    answer
}
