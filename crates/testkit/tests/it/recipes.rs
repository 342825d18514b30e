//! The recipes of CONTRIBUTING.md: each fails here until its list is complete.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

/// What stores keep of a job that a caller does not choose.
const GIVEN_BY_BATON: [&str; 2] = ["id", "created_at"];
/// The columns of a job that each statement names by itself.
const NAMED_BY_STATEMENTS: [&str; 3] = ["key", "kind", "queue"];
/// What the schedule itself gives: the time, and no key, since each time is another job.
const GIVEN_BY_A_SCHEDULE: [&str; 4] = ["key", "run_at", "delay", "expires_at"];
/// What is asked for under one name and kept under another.
const ASKED_OTHERWISE: [(&str, &str); 2] = [("delay", "run_at"), ("timeout", "timeout_us")];
/// How starts are kept; they are told as `job.queued` and `job.running`.
const KEPT_ONLY: &str = "job.started";
const STORES: [&str; 3] = ["postgres", "sqlite", "mysql"];
const STATES: [&str; 9] = [
    "pending",
    "queued",
    "running",
    "retry_wait",
    "succeeded",
    "failed",
    "canceled",
    "skipped",
    "uncertain",
];

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(files(&path));
        } else {
            all.push(path);
        }
    }
    all
}

/// The text of all files below folders, but for those of which the path has this in it.
fn texts(folders: &[&str], but: &[&str]) -> String {
    let all = folders
        .iter()
        .flat_map(|folder| files(&root().join(folder)));
    let is_meant = |path: &PathBuf| {
        let path = path.to_string_lossy();
        !but.iter().any(|other| path.contains(other))
    };
    let meant = all.filter(is_meant);
    meant
        .map(|path| fs::read_to_string(path).unwrap())
        .collect()
}

/// The properties of a schema of the API.
fn properties(schema: &str) -> BTreeSet<String> {
    let document: Value = serde_json::from_str(&read("crates/api/openapi.json")).unwrap();
    let properties = document["components"]["schemas"][schema]["properties"].as_object();
    properties.unwrap().keys().cloned().collect()
}

/// The columns of a table of a store, as its schema dump has them.
fn columns(store: &str, table: &str) -> BTreeSet<String> {
    // MySQL's dump has each name between backquotes.
    let dump = read(&format!("crates/sql/schema/{store}.sql")).replace('`', "");
    let head = format!("CREATE TABLE {table} (");
    let (_, rest) = dump.split_once(&head).unwrap();
    let (body, _) = rest.split_once(";\n").unwrap();
    // SQLite puts a column that was added later on a line that begins with its comma.
    let words = body
        .lines()
        .filter_map(|line| line.trim_start_matches(',').split_whitespace().next());
    let names = words.filter(|word| {
        word.chars()
            .all(|letter| letter.is_ascii_lowercase() || letter == '_')
    });
    names.map(str::to_owned).collect()
}

/// Which of these words do not stand in a text, as whole words.
fn missing<'a>(words: impl IntoIterator<Item = &'a String>, text: &str) -> Vec<&'a String> {
    let found: BTreeSet<_> = text
        .split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
        .collect();
    let is_missing = |word: &&String| !found.contains(word.as_str());
    words.into_iter().filter(is_missing).collect()
}

fn kept_as(field: &str) -> &str {
    let other = ASKED_OTHERWISE.iter().find(|(asked, _)| *asked == field);
    other.map_or(field, |(_, kept)| kept)
}

#[test]
fn what_can_be_asked_of_a_job_is_read_hashed_kept_shown_and_offered_everywhere() {
    let asked = properties("EnqueueJob");

    for path in [
        "crates/domain/src/job/spec.rs",
        "crates/server/src/cli/jobs.rs",
        "crates/server/src/commands/jobs/enqueue.rs",
        "docs/concepts/life-of-a-job.md",
    ] {
        assert_eq!(
            missing(&asked, &read(path)),
            Vec::<&String>::new(),
            "{path}"
        );
    }
    let new = read("crates/domain/src/job/new.rs") + &read("crates/domain/src/job/options.rs");
    assert_eq!(missing(&asked, &new), Vec::<&String>::new(), "a new job");
    // The payload is hashed as it stands, and the key is what the digest is kept under.
    let hashed = asked
        .iter()
        .filter(|field| !["key", "payload"].contains(&field.as_str()));
    let path = "crates/domain/src/content/asked.rs";
    assert_eq!(
        missing(hashed, &read(path)),
        Vec::<&String>::new(),
        "{path}"
    );
    let scheduled = asked
        .iter()
        .filter(|field| !GIVEN_BY_A_SCHEDULE.contains(&field.as_str()));
    let path = "crates/domain/src/schedule/template.rs";
    assert_eq!(
        missing(scheduled, &read(path)),
        Vec::<&String>::new(),
        "{path}"
    );
    for store in STORES {
        let kept = columns(store, "jobs");
        let lost: Vec<_> = asked
            .iter()
            .filter(|field| !kept.contains(kept_as(field)))
            .collect();
        assert_eq!(lost, Vec::<&String>::new(), "columns of jobs on {store}");
    }
}

#[test]
fn what_is_kept_of_a_job_is_told_by_the_api_and_shown_to_the_operator() {
    let kept = columns("postgres", "jobs");
    let told = properties("Job");
    let named = |column: &String| match column.as_str() {
        "timeout_us" => "timeout".to_owned(),
        _ => column.clone(),
    };
    let kept: BTreeSet<_> = kept.iter().map(named).collect();

    let untold: Vec<_> = kept.difference(&told).collect();
    assert_eq!(untold, Vec::<&String>::new(), "openapi.json, Job");
    let chosen: BTreeSet<_> = kept
        .into_iter()
        .filter(|field| !GIVEN_BY_BATON.contains(&field.as_str()))
        .collect();
    for path in [
        "crates/console/src/pages/job.rs",
        "crates/server/src/commands/jobs/show.rs",
    ] {
        assert_eq!(
            missing(&chosen, &read(path)),
            Vec::<&String>::new(),
            "{path}"
        );
    }
    for store in STORES {
        assert_eq!(
            columns(store, "jobs"),
            columns("postgres", "jobs"),
            "{store}"
        );
    }
}

#[test]
fn what_is_kept_of_a_job_is_written_read_and_copied_by_the_stores() {
    let mut kept = columns("postgres", "jobs");
    for path in ["src/store/read.rs", "src/copy/tables.rs"] {
        let text = read(&format!("crates/sql/{path}"));
        assert_eq!(missing(&kept, &text), Vec::<&String>::new(), "{path}");
    }
    kept.retain(|column| !GIVEN_BY_BATON.contains(&column.as_str()));
    let path = "scratch.incoming.sql";
    let text = read(&format!("crates/sql/{path}"));
    assert_eq!(missing(&kept, &text), Vec::<&String>::new(), "{path}");
    kept.retain(|column| !NAMED_BY_STATEMENTS.contains(&column.as_str()));
    for path in ["build/asked.rs", "src/store/jobs.rs"] {
        let text = read(&format!("crates/sql/{path}"));
        assert_eq!(missing(&kept, &text), Vec::<&String>::new(), "{path}");
    }
}

#[test]
fn each_kind_of_provider_can_be_configured_is_described_and_is_tried() {
    let kinds = variants("crates/server/src/config/providers.rs", "ProviderKind");

    assert!(kinds.len() > 1, "{kinds:?}");
    for kind in &kinds {
        let written = kind.to_lowercase();
        for (path, words) in [
            ("crates/providers/src/provider.rs", format!("Kind::{kind}")),
            (
                "crates/server/config.default.toml",
                format!("\"{written}\""),
            ),
            ("docs/concepts/deliveries.md", format!("kind `{written}`")),
            (
                "crates/providers/tests/it/delivery.rs",
                format!("Kind::{kind}"),
            ),
        ] {
            assert!(read(path).contains(&words), "{path} lacks {words}");
        }
    }
}

/// The variants of an enum that have no fields.
fn variants(path: &str, name: &str) -> Vec<String> {
    let text = read(path);
    let (_, rest) = text.split_once(&format!("pub enum {name} {{")).unwrap();
    let (body, _) = rest.split_once('}').unwrap();
    let lines = body
        .lines()
        .filter_map(|line| line.trim().strip_suffix(','));
    lines.map(str::to_owned).collect()
}

#[test]
fn each_dialect_has_a_schema_plans_and_the_promises() {
    // Which scripts it may lack, a test of `baton-sql` sees to.
    let words = read("crates/sql/build/dialects.rs");
    for store in STORES {
        assert!(
            words.contains(&format!("\"{store}\"")),
            "build/dialects.rs does not know {store}"
        );
        for path in [
            format!("crates/sql/schema/{store}.sql"),
            format!("crates/sql/tests/it/plans/{store}.rs"),
        ] {
            assert!(root().join(&path).exists(), "{path} is missing");
        }
        for path in [
            "crates/sql/tests/it/databases.rs",
            "crates/sql/tests/it/unreadable.rs",
            "crates/sql/src/open.rs",
        ] {
            assert!(
                read(path).to_lowercase().contains(store),
                "{path} does not know {store}"
            );
        }
    }
}

/// What people do has words of its own, and is no event.
const ACTIONS: &str = "crates/domain/src/audit.rs";

#[test]
fn each_kind_of_event_is_described_and_each_that_is_described_is_told() {
    let page = read("docs/concepts/events.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let described: BTreeSet<_> = rows
        .filter_map(|row| row.split('`').next())
        .map(str::to_owned)
        .collect();

    let told = texts(
        &[
            "crates/domain/src",
            "crates/ports/src",
            "crates/engine/src",
            "crates/sql/src",
            "crates/sql/statements",
        ],
        &["/promises/", ACTIONS],
    );
    let things = things();
    let is_kind = |word: &&str| {
        word.split_once('.')
            .is_some_and(|(thing, what)| things.contains(thing) && is_plain(what))
    };
    let words = told.split(['"', '\'']).filter(is_kind);
    let mut told: BTreeSet<_> = words.map(str::to_owned).collect();
    told.remove(KEPT_ONLY);
    told.extend(STATES.map(|state| format!("job.{state}")));

    let unknown: Vec<_> = told.difference(&described).collect();
    assert_eq!(unknown, Vec::<&String>::new(), "events.md lacks them");
    let invented: Vec<_> = described.difference(&told).collect();
    assert_eq!(invented, Vec::<&String>::new(), "nothing tells them");
}

#[test]
fn each_action_of_the_audit_log_is_described() {
    let page = read("docs/concepts/audit.md");

    let actions = read(ACTIONS);
    let words = actions.lines().filter_map(|line| {
        let (_, word) = line.trim().split_once(" = \"")?;
        word.strip_suffix("\",")
    });
    let words: Vec<_> = words.collect();

    let is_lacking = |word: &&str| !page.contains(&format!("| `{word}` |"));
    let lacking: Vec<_> = words.iter().copied().filter(is_lacking).collect();
    assert_eq!(lacking, Vec::<&str>::new(), "audit.md lacks them");
    assert!(words.len() > 20, "{words:?}");
}

/// Of what there are events: what stands as a kind where a fact is written.
fn things() -> BTreeSet<String> {
    let rust = texts(
        &["crates/domain/src", "crates/ports/src", "crates/engine/src"],
        &["/promises/", ACTIONS],
    );
    let sql = texts(&["crates/sql/statements"], &[]);
    let written = rust
        .split("Fact::about(")
        .skip(1)
        .filter_map(|call| call.trim_start().strip_prefix('"')?.split('"').next());
    let inserted = sql
        .split("INSERT INTO facts")
        .skip(1)
        .filter_map(|rest| rest.split(';').next())
        .flat_map(|statement| statement.split('\'').skip(1).step_by(2));
    let kinds = written
        .chain(inserted)
        .filter_map(|kind| kind.split_once('.'));
    let things = kinds.map(|(thing, _)| thing.to_owned());
    // An event that cannot be read is written nowhere: it is told in place of one.
    things
        .filter(|thing| is_plain(thing))
        .chain(["event".to_owned()])
        .collect()
}

fn is_plain(part: &str) -> bool {
    !part.is_empty()
        && part
            .chars()
            .all(|letter| letter.is_ascii_lowercase() || letter == '_')
}
