//! Nothing of the server can be reached under a foreign name, whatever the path.

use std::collections::BTreeSet;

use crate::{
    routes::{self, Word, ask},
    support::Served,
};

const METHODS: [&str; 6] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

#[test]
fn nothing_answers_under_a_foreign_name() {
    let served = Served::start(&[]);
    let methods = METHODS.map(str::to_lowercase);
    let methods: Vec<_> = methods.iter().map(String::as_str).collect();
    let api = routes::of_the_api(&served, &methods, &Word("x"));
    let pages = routes::of_the_pages(&Word("x"));
    assert!(
        api.len() > 45 && pages.len() > 20,
        "{} {}",
        api.len(),
        pages.len()
    );

    is_refused(&served, &api);
    is_refused(&served, &pages);
}

#[test]
fn nothing_of_a_process_without_the_api_answers_under_a_foreign_name() {
    let served = Served::start(&["--roles", "engine,worker"]);
    let mut paths = routes::of_the_pages(&Word("x"));
    paths.extend(["/healthz", "/readyz", "/metrics", "/v1/jobs"].map(str::to_owned));

    is_refused(&served, &paths);

    let own = ask(&served, "GET", "/healthz", "localhost");
    assert!(own.starts_with("HTTP/1.1 200"), "{own}");
}

fn is_refused(served: &Served, paths: &BTreeSet<String>) {
    for path in paths {
        for method in METHODS {
            let answer = ask(served, method, path, "evil.example");

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
