//! Starts a private Redis and prints its URL.
//!
//! It is kept until the standard input ends or the process does.
//!
//! Arguments are settings that stand above ours, such as `maxmemory=2mb`.

use std::env;
use std::io::{Read, stdin};

use baton_testkit::Redis;

fn main() {
    let settings: Vec<String> = env::args().skip(1).collect();
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    let redis = Redis::start_with(&settings);
    println!("{}", redis.url());
    let _ = stdin().read_to_end(&mut Vec::new());
}
