//! Bad input from the command line: what somebody is told who got it wrong, and what became of the rest.

use std::{
    fs::{self, File},
    io::{BufWriter, Write},
    path::Path,
    time::Duration,
};

use baton_testkit::eventually;

use crate::support::Served;

/// Where the quote is broken; the header is line 1.
const BROKEN: usize = 700_001;
/// How many rows of it are sent ahead, after which memory is to stay as it is: the caches of the database and the map of its journal have
/// their size.
const AHEAD: usize = 600_000;
/// By how much the server may grow over the whole file, in KiB: a row may leave not fifty bytes behind.
#[cfg(target_os = "linux")]
const GROWTH: u64 = 34 * 1024;

const ONE_PROVIDER: &str = "[providers.log]\nkind = \"log\"\n";

fn served() -> Served {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("baton.toml"), ONE_PROVIDER).unwrap();
    Served::start_in(folder, &[])
}

/// A file of rows that are never in memory together, with a broken quote if it is long enough.
fn write_rows(file: &Path, lines: usize) {
    let mut rows = BufWriter::new(File::create(file).unwrap());
    writeln!(rows, "id,platform,address.push").unwrap();
    for line in 2..=lines {
        let quote = if line == BROKEN { "\"" } else { "" };
        writeln!(rows, "user-{line},ios,{quote}token-of-user-{line}").unwrap();
    }
    rows.flush().unwrap();
}

#[test]
fn a_broken_quote_at_line_700001_is_told_by_its_line_and_all_before_it_is_in() {
    let served = served();
    write_rows(&served.folder.path().join("ahead.csv"), AHEAD);
    write_rows(&served.folder.path().join("people.csv"), BROKEN + 1_000);
    let ahead = served.run(&["recipients", "import", "ahead.csv"]);
    assert_eq!(ahead.code(), 0, "{}", ahead.err());
    #[cfg(target_os = "linux")]
    let before = served.peak_memory();

    let stopped = served.run(&["recipients", "import", "people.csv"]);
    #[cfg(target_os = "linux")]
    let grown = served.peak_memory() - before;
    let counted = served.run(&["recipients", "count"]);
    let last = served.run(&["recipients", "show", "user-700000"]);

    assert_eq!(stopped.code(), 6);
    let told = stopped.err();
    assert!(told.contains("Stopped at line 700001: "), "{told}");
    assert!(told.contains("quote"), "{told}");
    assert!(
        stopped
            .out()
            .starts_with("699999 rows: 100000 added, 0 changed, 599999 unchanged"),
        "{}",
        stopped.out()
    );
    assert_eq!((counted.out().as_str(), last.code()), ("699999\n", 0));
    #[cfg(target_os = "linux")]
    assert!(grown < GROWTH, "{grown} KiB");
}

#[test]
fn a_campaign_that_cannot_be_had_is_refused_in_words() {
    let served = served();
    let body = |zone: &str| {
        format!(
            r#"{{"name": "Quiz", "category": "notice", "action": "push", "audience": {{"all": true}},
            "message": {{"title": "t", "body": "b"}}, "send_at_local": "2035-01-01T09:00", "time_zone": "{zone}"}}"#
        )
    };
    fs::write(served.folder.path().join("mars.json"), body("Mars/Olympus")).unwrap();
    let create = |more: &[&str]| {
        let words = ["campaigns", "create", "--name", "Quiz", "--title", "Quiz"];
        let words = [&words, more].concat();
        served.run(&words)
    };
    let to = |audience: &str| create(&["--body", "Hello", "--audience", audience]);

    let refused = [
        (
            served.run(&["campaigns", "create", "mars.json"]),
            "IANA time zone",
        ),
        (
            to(r#"{"within": {"lat": 0, "lon": 0, "radius_m": 0}}"#),
            "must be above 0",
        ),
        (
            to(r#"{"within": {"lat": 90.1, "lon": 0, "radius_m": 9}}"#),
            "latitude",
        ),
        (
            to(r#"{"within": {"lat": 0, "lon": 180.5, "radius_m": 9}}"#),
            "longitude",
        ),
        (to("{}"), "audience"),
        (create(&["--body", "Dear {{name}}"]), "{{name}}"),
        (create(&["--body", "Dear {{id"]), "message.body"),
    ];

    for (refused, words) in refused {
        assert_eq!(refused.code(), 6, "{words}: {}", refused.out());
        assert!(refused.err().contains(words), "{words}: {}", refused.err());
    }
    let list = served.run(&["campaigns", "list"]);
    assert!(
        list.err().contains("There are no campaigns"),
        "{}",
        list.out()
    );
}

#[tokio::test]
async fn an_audience_of_nobody_is_said_in_the_preview_and_its_campaign_is_done_at_once() {
    let served = served();
    let quiz = |command: &str| {
        let words = [
            "--name", "Quiz", "--title", "Quiz", "--body", "Hello", "--json",
        ];
        let words = [&["campaigns", command], &words[..]].concat();
        served.run(&words)
    };

    let preview = quiz("preview");
    let words = [
        "campaigns",
        "preview",
        "--name",
        "Quiz",
        "--title",
        "Quiz",
        "--body",
        "Hello",
    ];
    let said = served.run(&words);
    let created = quiz("create").json();
    let id = created["id"].as_str().unwrap();
    eventually("it is done", Duration::from_secs(30), async || {
        let shown = served.run(&["campaigns", "show", id, "--json"]).json();
        shown["state"] == "done"
    })
    .await;

    assert_eq!((preview.code(), said.code()), (0, 0));
    assert_eq!(preview.json()["members"], 0);
    assert_eq!(said.out(), "0 recipients\n");
    assert!(
        said.err().contains("Nobody belongs to this audience"),
        "{}",
        said.err()
    );
    assert_eq!(served.run(&["campaigns", "watch", id]).code(), 0);
}
