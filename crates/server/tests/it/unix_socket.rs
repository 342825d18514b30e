//! A server at a Unix socket: for the user that runs it, and for nobody else of the machine.

use std::{
    fs,
    io::{Read, Write},
    os::unix::{
        fs::{FileTypeExt, PermissionsExt},
        net::{UnixListener, UnixStream},
    },
    path::{Path, PathBuf},
};

use tempfile::TempDir;

use crate::support::{Served, run};

/// A folder, and where the socket in it is to be.
fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("baton.sock");
    (folder, socket)
}

fn named(socket: &Path) -> String {
    format!("unix:{}", socket.display())
}

fn refusal(folder: &Path, flags: &[&str]) -> String {
    let ran = run(folder, &[&["serve", "--dev"], flags].concat());
    assert_ne!(ran.code(), 0, "{}", ran.out());
    ran.err()
}

#[test]
fn the_command_line_speaks_to_a_server_at_a_socket_that_its_user_alone_may_open() {
    let (folder, socket) = place();
    let at = named(&socket);

    let served = Served::start_in(folder, &["--listen", &at]);
    let job = served.run(&["jobs", "enqueue", "simulate", "--json"]);
    let shown = served.run(&["jobs", "show", job.json()["id"].as_str().unwrap()]);

    let found = fs::symlink_metadata(&socket).unwrap();
    assert_eq!(served.url, at);
    assert_eq!(
        (job.code(), shown.code()),
        (0, 0),
        "{}{}",
        job.err(),
        shown.err()
    );
    assert!(found.file_type().is_socket());
    assert_eq!(found.permissions().mode() & 0o777, 0o600);
}

#[test]
fn whatever_speaks_http_is_answered_under_a_name_of_loopback_and_no_other() {
    let (folder, socket) = place();
    let _served = Served::start_in(folder, &["--listen", &named(&socket)]);
    let ask = |host: &str| {
        let mut stream = UnixStream::connect(&socket).unwrap();
        let head = format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };

    let own = ask("localhost");
    let foreign = ask("evil.example");

    assert!(own.starts_with("HTTP/1.1 200"), "{own}");
    assert!(foreign.starts_with("HTTP/1.1 4"), "{foreign}");
}

#[test]
fn a_socket_is_gone_with_its_server_and_one_that_a_killed_server_left_is_replaced() {
    let (folder, socket) = place();
    let other = tempfile::tempdir().unwrap();
    let at = named(&socket);
    let killed = Served::start_in(other, &["--listen", &at]);

    drop(killed);
    let is_left = socket.exists();
    let second = Served::start_in(folder, &["--listen", &at]);
    second.signal("TERM");
    let (status, _) = second.last_words();

    assert!(is_left && status.success(), "{status:?}");
    assert!(!socket.exists());
}

#[test]
fn a_socket_at_which_somebody_listens_and_what_is_no_socket_are_left_alone() {
    let (folder, socket) = place();
    let _listens = UnixListener::bind(&socket).unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "precious").unwrap();

    let taken = refusal(folder.path(), &["--listen", &named(&socket)]);
    let no_socket = refusal(folder.path(), &["--listen", &named(&file)]);
    let no_folder = refusal(
        folder.path(),
        &["--listen", &named(&folder.path().join("none/s"))],
    );

    assert!(
        taken.contains("is taken") && taken.contains("--listen unix:PATH"),
        "{taken}"
    );
    assert!(no_socket.contains("is no socket"), "{no_socket}");
    assert!(no_folder.contains("is not there"), "{no_folder}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "precious");
    assert!(UnixStream::connect(&socket).is_ok());
}

#[test]
fn a_certificate_at_a_socket_and_half_a_path_are_refused_with_what_to_do() {
    let (folder, socket) = place();
    let certificate = ["tls_certificate = \"a.pem\"", "tls_key = \"a.key\""].join("\n");
    let config = folder.path().join("c.toml");
    fs::write(&config, format!("[server]\n{certificate}\n")).unwrap();
    let config = config.to_str().unwrap();

    let tls = refusal(
        folder.path(),
        &["--config", config, "--listen", &named(&socket)],
    );
    let half = refusal(folder.path(), &["--listen", "unix:baton.sock"]);

    assert!(tls.contains("no TLS is spoken at unix:"), "{tls}");
    assert!(half.contains("unix:/run/baton/baton.sock"), "{half}");
}
