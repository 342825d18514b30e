//! API keys that get a new secret on the command line.

use std::fs;

use serde_json::Value;

use crate::support::{Served, run};

fn text(value: &Value, field: &str) -> String {
    value[field].as_str().unwrap().to_owned()
}

#[test]
fn a_key_that_was_rotated_on_the_command_line_opens_the_api_in_the_place_of_the_old_one() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let words = ["keys", "create", "shop", "--allow", "jobs:read", "--json"];
    let old = run(here, &words).json();
    fs::write(here.join("old.key"), text(&old, "token")).unwrap();

    let rotated = run(
        here,
        &["keys", "rotate", &text(&old, "id"), "--overlap", "0"],
    );
    assert_eq!(rotated.code(), 0, "{}", rotated.err());
    fs::write(here.join("new.key"), rotated.out()).unwrap();
    let again = run(here, &["keys", "rotate", &text(&old, "id")]);

    assert_eq!(rotated.out().lines().count(), 1, "the key alone");
    assert!(
        rotated.err().contains("shown this once"),
        "{}",
        rotated.err()
    );
    assert_ne!(again.code(), 0, "{}", again.out());
    assert!(again.err().contains("has expired"), "{}", again.err());
    let served = Served::start_guarded(folder, &[]);
    let list = |key| served.run(&["jobs", "list", "--key-file", key]);
    assert_eq!(list("new.key").code(), 0, "{}", list("new.key").err());
    assert_eq!(list("old.key").code(), 6, "{}", list("old.key").err());
}
