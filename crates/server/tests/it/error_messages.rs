//! What is said when something is in the way.

use std::{fs, net::TcpListener, os::unix::fs::symlink};

use crate::support::{Served, run};

#[test]
fn a_taken_port_is_named_with_the_flag_that_chooses_another() {
    let folder = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();

    let ran = run(folder.path(), &["serve", "--listen", &address]);

    assert_eq!(ran.code(), 5);
    assert!(ran.err().contains(&address), "{}", ran.err());
    assert!(ran.err().contains("--listen"), "{}", ran.err());
    assert_eq!(ran.out(), "");
}

#[test]
fn a_folder_that_cannot_be_written_is_named_with_the_flag_that_chooses_another() {
    let folder = tempfile::tempdir().unwrap();
    // Also for root, who may write into every folder, a file is none.
    fs::write(folder.path().join("file"), "").unwrap();

    let words = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--data-dir",
        "file/data",
    ];
    let ran = run(folder.path(), &words);

    assert_eq!(ran.code(), 1);
    assert!(ran.err().contains("file/data"), "{}", ran.err());
    assert!(ran.err().contains("--data-dir"), "{}", ran.err());
}

#[test]
fn a_second_server_on_the_same_file_is_refused() {
    let first = Served::start(&["--data-dir", "data"]);

    let words = ["serve", "--listen", "127.0.0.1:0", "--data-dir", "data"];
    let second = run(first.folder.path(), &words);

    assert_eq!(second.code(), 5);
    assert!(second.err().contains("another Baton"), "{}", second.err());
}

#[test]
fn a_second_server_is_refused_by_whatever_way_it_comes_to_the_file() {
    let first = Served::start(&["--data-dir", "data"]);
    let at = |path: &str| first.folder.path().join(path);
    for folder in ["link", "hard", "again"] {
        fs::create_dir(at(folder)).unwrap();
    }
    symlink(at("data/baton.db"), at("link/baton.db")).unwrap();
    fs::hard_link(at("data/baton.db"), at("hard/baton.db")).unwrap();
    fs::remove_file(at("data/baton.db.lock")).unwrap();

    for folder in ["link", "hard", "data"] {
        let words = ["serve", "--listen", "127.0.0.1:0", "--data-dir", folder];
        let second = run(first.folder.path(), &words);

        assert_eq!(second.code(), 5, "{folder}: {}", second.err());
        assert!(second.err().contains("another Baton"), "{}", second.err());
    }
}

#[test]
fn a_server_that_does_not_answer_is_told_from_one_that_says_no() {
    let folder = tempfile::tempdir().unwrap();
    let free = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();

    let nobody = run(
        folder.path(),
        &["--url", &format!("http://{free}"), "queues", "list"],
    );
    let nonsense = run(folder.path(), &["--url", "localhost", "queues", "list"]);

    assert_eq!((nobody.code(), nonsense.code()), (7, 2));
    assert!(nobody.err().contains("baton serve"), "{}", nobody.err());
}

#[test]
fn a_database_that_does_not_answer_is_not_waited_for_at_start() {
    let folder = tempfile::tempdir().unwrap();
    let url = "postgres://me:hush@127.0.0.1:1/jobs";

    let words = ["serve", "--listen", "127.0.0.1:0", "--database", url];
    let ran = run(folder.path(), &words);

    assert_eq!(ran.code(), 7);
    assert!(ran.err().contains("127.0.0.1:1/jobs"), "{}", ran.err());
    assert!(!ran.err().contains("hush"), "{}", ran.err());
}

#[test]
fn a_doctor_finds_what_is_in_the_way() {
    let folder = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();

    let ill = run(folder.path(), &["doctor", "--listen", &address]);
    let well = run(folder.path(), &["doctor", "--listen", "127.0.0.1:0"]);

    assert_eq!((ill.code(), well.code()), (1, 0));
    assert!(ill.out().contains("BAD  port"), "{}", ill.out());
    assert!(!folder.path().join("baton-data").exists());
}

#[test]
fn a_doctor_knows_a_server_that_runs_already() {
    let served = Served::start(&["--data-dir", "data"]);
    let address = served.url.trim_start_matches("http://").to_owned();

    let ran = served.run(&["doctor", "--listen", &address, "--data-dir", "data"]);

    assert_eq!(ran.code(), 0, "{}", ran.out());
    assert!(ran.out().contains("odd  port: a Baton"), "{}", ran.out());
    assert!(
        ran.out().contains("odd  database: another"),
        "{}",
        ran.out()
    );
}

#[test]
fn a_job_of_which_the_history_is_damaged_is_shown_and_the_damage_is_named() {
    let served = Served::start(&[]);
    let words = ["jobs", "enqueue", "simulate", "--wait", "20s", "--json"];
    let job = served.run(&words).json()["id"].as_str().unwrap().to_owned();
    let database =
        rusqlite::Connection::open(served.folder.path().join("baton-data/baton.db")).unwrap();
    let damage =
        "PRAGMA ignore_check_constraints = 1; UPDATE settlements SET leases = 'no such thing'";
    database.execute_batch(damage).unwrap();

    let shown = served.run(&["jobs", "show", &job]);
    let as_json = served.run(&["jobs", "show", &job, "--json"]).json();

    assert_eq!(shown.code(), 0, "{}", shown.err());
    assert!(shown.out().contains("succeeded"), "{}", shown.out());
    assert!(
        shown.out().contains("Its attempts cannot be read"),
        "{}",
        shown.out()
    );
    assert_eq!(as_json["job"]["state"], "succeeded");
    assert!(as_json["attempts"].is_null(), "{as_json}");
}
