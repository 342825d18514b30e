//! Starts a private PostgreSQL, prints its URL, and keeps it until the standard input ends or the
//! process does.

use std::io::{Read, stdin};

use baton_testkit::Postgres;

fn main() {
    let postgres = Postgres::start();
    println!("{}", postgres.url());
    let _ = stdin().read_to_end(&mut Vec::new());
}
