use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use baton_testkit::{Redis, Reply, eventually};

use crate::residue;

#[test]
fn a_redis_answers_commands_as_it_means_them() {
    let redis = Redis::start();

    let answers = [
        redis.command(&["RPUSH", "list", "one", "two words"]),
        redis.command(&["LRANGE", "list", "0", "-1"]),
        redis.command(&["GET", "nothing"]),
        redis.command(&["PING"]),
    ];

    let text = |text: &str| Reply::Text(text.to_owned());
    assert_eq!(
        answers,
        [
            Reply::Number(2),
            Reply::List(vec![text("one"), text("two words")]),
            Reply::Nil,
            text("PONG"),
        ]
    );
}

#[test]
#[should_panic(expected = "Redis was asked for `LPOP word`: it refused: WRONGTYPE")]
fn a_command_that_redis_refuses_fails_with_what_it_said() {
    let redis = Redis::start();
    redis.command(&["SET", "word", "value"]);

    redis.command(&["LPOP", "word"]);
}

#[test]
fn a_killed_redis_comes_back_on_its_port_and_empty() {
    let mut redis = Redis::start();
    let url = redis.url();
    redis.command(&["SET", "word", "value"]);

    redis.kill();
    let refused = TcpStream::connect(("127.0.0.1", redis.port()));
    redis.restart();

    assert!(refused.is_err());
    assert_eq!(redis.url(), url);
    assert_eq!(redis.command(&["DBSIZE"]), Reply::Number(0));
}

#[test]
fn a_redis_that_is_stopped_and_started_keeps_nothing() {
    let mut redis = Redis::start();
    redis.command(&["SET", "word", "value"]);

    redis.stop();
    redis.restart();

    assert_eq!(redis.command(&["DBSIZE"]), Reply::Number(0));
}

#[test]
fn an_old_dump_brings_back_what_was_there_then() {
    let mut redis = Redis::start();
    redis.command(&["SET", "word", "old"]);
    let dump = redis.dump();
    redis.command(&["SET", "word", "new"]);

    redis.restart_from(&dump);

    let word = redis.command(&["GET", "word"]);
    assert_eq!(word, Reply::Text("old".to_owned()));
}

#[test]
fn a_paused_redis_takes_connections_and_answers_when_it_goes_on() {
    let redis = Redis::start();
    redis.pause();
    let mut stream = TcpStream::connect(("127.0.0.1", redis.port())).unwrap();
    let timeout = Some(Duration::from_millis(100));
    stream.set_read_timeout(timeout).unwrap();
    stream.write_all(b"PING\r\n").unwrap();

    let while_paused = stream.read(&mut [0; 7]);
    redis.resume();
    stream.set_read_timeout(None).unwrap();
    let mut answer = [0; 7];
    stream.read_exact(&mut answer).unwrap();

    assert!(while_paused.is_err());
    assert_eq!(&answer, b"+PONG\r\n");
}

#[test]
fn settings_are_those_that_were_asked_for() {
    let redis = Redis::start_with(&["requirepass=secret", "maxmemory=3mb"]);

    let maxmemory = redis.command(&["CONFIG", "GET", "maxmemory"]);

    let text = |text: &str| Reply::Text(text.to_owned());
    assert_eq!(
        maxmemory,
        Reply::List(vec![text("maxmemory"), text("3145728")])
    );
    assert!(redis.url().starts_with("redis://:secret@127.0.0.1:"));
}

#[tokio::test]
async fn nothing_is_left_of_a_redis_when_its_process_is_killed() {
    let mut process = start_scratch_redis();
    assert!(!residue::of(process.id()).is_empty());

    process.kill().unwrap();
    process.wait().unwrap();

    let nothing_is_left = async || residue::of(process.id()).is_empty();
    eventually("nothing is left", Duration::from_secs(20), nothing_is_left).await;
}

fn start_scratch_redis() -> Child {
    let mut process = Command::new(env!("CARGO_BIN_EXE_scratch-redis"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut url = String::new();
    let said = process.stdout.take().unwrap();
    BufReader::new(said).read_line(&mut url).unwrap();
    assert!(url.starts_with("redis://127.0.0.1:"), "{url}");
    process
}
