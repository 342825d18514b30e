//! Starts a private PostgreSQL and prints its URL.
//!
//! It is kept until the standard input ends or the process does.
//!
//! Arguments are settings that go before those of tests, such as `fsync=on`; the data lies in `TMPDIR`.

use std::env;
use std::io::{Read, stdin};

use baton_testkit::Postgres;

fn main() {
    let settings: Vec<String> = env::args().skip(1).collect();
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    let postgres = Postgres::start_with(&settings);
    println!("{}", postgres.url());
    let _ = stdin().read_to_end(&mut Vec::new());
}
