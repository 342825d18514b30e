//! `baton recipients`: import, show, count, forget.

use std::fs;

use crate::support::Served;

const PEOPLE: &str =
    "id,platform,topics,lat,lon\na,ios,quiz|news,37.5,127\nb,web,quiz,,\nc,ios,,91,0\n";

#[test]
fn a_file_is_imported_and_what_was_refused_is_told_by_line() {
    let served = Served::start(&[]);
    fs::write(served.folder.path().join("people.csv"), PEOPLE).unwrap();

    let tried = served.run(&["recipients", "import", "people.csv", "--dry-run"]);
    let first = served.run(&["recipients", "import", "people.csv"]);
    let again = served.run(&["recipients", "import", "people.csv", "--json"]);

    assert_eq!(
        [tried.code(), first.code(), again.code()],
        [6, 6, 6],
        "{}",
        first.err()
    );
    assert_eq!(
        tried.out(),
        "3 rows: 2 added, 0 changed, 0 unchanged, 1 refused (a dry run: nothing was written)\n"
    );
    assert_eq!(
        first.out(),
        "3 rows: 2 added, 0 changed, 0 unchanged, 1 refused\n"
    );
    assert!(
        first.err().contains("line 4: lat: must be a latitude"),
        "{}",
        first.err()
    );
    assert_eq!(again.json()["unchanged"], 2);
}

#[test]
fn an_import_that_stops_says_where_and_what_is_in() {
    let served = Served::start(&[]);
    let file = "id,platform\na,ios\nb,\"ios\nc,ios\n";
    fs::write(served.folder.path().join("people.txt"), file).unwrap();

    let unnamed = served.run(&["recipients", "import", "people.txt"]);
    let stopped = served.run(&["recipients", "import", "people.txt", "--format", "csv"]);
    let missing = served.run(&["recipients", "import", "nobody.csv"]);

    assert_eq!(
        (unnamed.code(), missing.code()),
        (2, 2),
        "{}",
        missing.err()
    );
    assert_eq!(stopped.code(), 6);
    assert!(
        stopped.err().contains("Stopped at line 3: "),
        "{}",
        stopped.err()
    );
    assert!(
        stopped.out().starts_with("1 rows: 1 added"),
        "{}",
        stopped.out()
    );
}

#[test]
fn recipients_are_put_shown_counted_listed_and_forgotten() {
    let served = Served::start(&[]);
    let put = |id, more: &[&str]| {
        let words = [&["recipients", "put", id, "--platform", "ios"], more].concat();
        served.run(&words).code()
    };
    let near = r#"{"within": {"lat": -33.9, "lon": 151.2, "radius_m": 500}}"#;

    let made = [
        put(
            "a/b",
            &[
                "--lat",
                "-33.9",
                "--lon",
                "151.2",
                "--topic",
                "quiz",
                "--address",
                "push=t",
            ],
        ),
        put("c", &["--disabled"]),
        put("d", &["--lat", "1"]),
    ];
    let shown = served.run(&["recipients", "show", "a/b", "--json"]).json();
    let everybody = served.run(&["recipients", "count"]);
    let counted = served
        .run(&[
            "recipients",
            "count",
            "--audience",
            near,
            "--samples",
            "5",
            "--json",
        ])
        .json();
    let listed = served.run(&["recipients", "list"]).out();
    let forgotten = served.run(&["recipients", "delete", "a/b", "nobody"]);
    let gone = served.run(&["recipients", "show", "a/b"]);

    assert_eq!(made, [0, 0, 2]);
    assert_eq!(
        (&shown["lat"], &shown["addresses"]["push"]),
        (&(-33.9).into(), &"t".into())
    );
    assert_eq!(everybody.out(), "2\n");
    assert!(
        everybody.err().contains("1 of them are disabled"),
        "{}",
        everybody.err()
    );
    assert_eq!(
        (&counted["count"], &counted["samples"][0]["id"]),
        (&1.into(), &"a/b".into())
    );
    assert_eq!(
        listed
            .lines()
            .map(|line| line.split('\t').next().unwrap())
            .collect::<Vec<_>>(),
        ["c", "a/b"]
    );
    assert_eq!(
        (forgotten.out().as_str(), forgotten.code(), gone.code()),
        ("a/b is forgotten\n", 3, 3)
    );
}

#[test]
fn an_audience_that_is_none_is_refused_in_its_own_words() {
    let served = Served::start(&[]);

    let no_json = served.run(&["recipients", "count", "--audience", "{ios}"]);
    let no_circle = r#"{"within": {"lat": 1, "lon": 1, "radius_m": 0}}"#;
    let no_circle = served.run(&["recipients", "count", "--audience", no_circle]);

    assert_eq!((no_json.code(), no_circle.code()), (2, 6));
    assert!(
        no_circle.err().contains("must be above 0"),
        "{}",
        no_circle.err()
    );
}
