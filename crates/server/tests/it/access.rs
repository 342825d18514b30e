//! Who may do what: keys and users of the command line, the first admin, and where a server starts at all.

use std::{
    fs,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    os::unix::fs::PermissionsExt,
    path::Path,
    process::Stdio,
    time::{Duration, Instant},
};

use baton_testkit::{Postgres, Redis, eventually};
use serde_json::Value;

use crate::support::{Ran, Served, baton, run};

const TIMEOUT: Duration = Duration::from_secs(30);
/// How soon a key that was revoked is worth nothing, on any server.
pub const REVOKED_WITHIN: Duration = Duration::from_secs(5);
const PASSWORD: &str = "correct horse battery staple";

/// Makes a key on the command line: its id, and the file that holds it.
pub fn key(folder: &Path, name: &str, allow: &str, database: &[&str]) -> (String, String) {
    let words = ["keys", "create", name, "--allow", allow, "--json"];
    let made = run(folder, &[&words, database].concat());
    assert_eq!(made.code(), 0, "{}", made.err());
    let made = made.json();
    let file = format!("{name}.key");
    fs::write(folder.join(&file), text(&made, "token")).unwrap();
    (text(&made, "id"), file)
}

fn text(value: &Value, field: &str) -> String {
    value[field].as_str().unwrap().to_owned()
}

/// Runs a command that reads this from stdin.
fn run_with(folder: &Path, words: &[&str], input: &str) -> Ran {
    let mut child = baton(folder)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // One that needs nothing of it may have ended already.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    Ran::of(child.wait_with_output().unwrap())
}

pub fn add_user(folder: &Path, name: &str, role: &str) -> Ran {
    add_user_on(folder, name, role, &[])
}

/// The same on this database.
pub fn add_user_on(folder: &Path, name: &str, role: &str, database: &[&str]) -> Ran {
    let words = ["users", "add", name, "--role", role];
    run_with(folder, &[&words[..], database].concat(), PASSWORD)
}

/// A request that has been sent; its answer is not read yet.
pub fn send(served: &Served, line: &str, headers: &[&str], body: &str) -> TcpStream {
    let host = served.url.strip_prefix("http://").unwrap();
    let mut socket = TcpStream::connect(host).unwrap();
    let headers: String = headers.iter().map(|line| format!("{line}\r\n")).collect();
    let length = body.len();
    let head = format!(
        "{line} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n"
    );
    socket.write_all((head + body).as_bytes()).unwrap();
    socket.set_read_timeout(Some(TIMEOUT)).unwrap();
    socket
}

pub fn ask(served: &Served, line: &str, headers: &[&str], body: &str) -> String {
    let mut answer = String::new();
    let mut socket = send(served, line, headers, body);
    socket.read_to_string(&mut answer).unwrap();
    answer
}

pub fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap()
}

pub fn bearer(folder: &Path, file: &str) -> String {
    let token = fs::read_to_string(folder.join(file)).unwrap();
    format!("Authorization: Bearer {token}")
}

#[test]
fn a_key_made_on_the_command_line_opens_the_api_as_far_as_it_goes_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let (_, reader) = key(folder.path(), "reader", "jobs:read", &[]);
    let served = Served::start_guarded(folder, &[]);
    let folder = served.folder.path();

    let without = served.run(&["jobs", "list"]);
    let with = served.run(&["jobs", "list", "--key-file", &reader]);
    let beyond = served.run(&["jobs", "enqueue", "simulate", "--key-file", &reader]);
    let page = ask(&served, "GET /admin", &[&bearer(folder, &reader)], "");

    assert_eq!(with.code(), 0, "{}", with.err());
    assert_eq!(without.code(), 6, "{}", without.err());
    assert!(without.err().contains("--key-file"), "{}", without.err());
    assert_eq!(beyond.code(), 6, "{}", beyond.err());
    assert!(beyond.err().contains("jobs:create"), "{}", beyond.err());
    assert_ne!(status(&page), "200", "{page}");
}

#[test]
fn a_server_that_asks_nobody_says_so_on_its_pages_in_its_metrics_and_of_each_act() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::start_guarded(folder, &["--insecure-no-auth"]);

    let paused = served.run(&["queues", "pause", "default"]);
    let page = ask(&served, "GET /admin", &[], "");
    let acts = ask(&served, "GET /v1/audit", &[], "");
    let metrics = ask(&served, "GET /metrics", &[], "");

    assert_eq!(paused.code(), 0, "{}", paused.err());
    assert!(
        page.contains("This server asks nobody who they are"),
        "{page}"
    );
    assert!(
        acts.contains("queue.change") && acts.contains("anonymous"),
        "{acts}"
    );
    assert!(metrics.contains("baton_access_open 1"), "{metrics}");
}

#[test]
fn what_is_done_on_the_command_line_stands_in_the_audit_log_with_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let because = ["--because", "너무 많음, 100%"];
    let (_, file) = key(folder.path(), "all", "operate audit:read", &because);
    let served = Served::start_guarded(folder, &[]);

    let pause = ["queues", "pause", "default", "--key-file", &file];
    let paused = served.run(&[&pause[..], &because].concat());

    assert_eq!(paused.code(), 0, "{}", paused.err());
    let shown = bearer(served.folder.path(), &file);
    let log = ask(&served, "GET /v1/audit", &[&shown], "");
    for action in ["key.create", "queue.change"] {
        assert!(log.contains(action), "{log}");
    }
    let given = log.matches("\"reason\":\"너무 많음, 100%\"");
    assert_eq!(given.count(), 2, "{log}");
}

#[test]
fn a_key_is_bounded_by_queues_and_ends_when_its_time_has_come() {
    let folder = tempfile::tempdir().unwrap();
    let bounds = ["--queues", "shop-*", "--expires", "1h"];
    let (id, shop) = key(folder.path(), "shop", "jobs:create", &bounds);
    let listed = run(folder.path(), &["keys", "list", "--json"]).json();
    let served = Served::start_guarded(folder, &[]);

    let enqueue = |queue: &str| {
        let words = ["jobs", "enqueue", "simulate", "--queue", queue];
        served.run(&[&words[..], &["--key-file", &shop]].concat())
    };

    assert_eq!(enqueue("shop-mail").code(), 0);
    let refused = enqueue("billing");
    assert_eq!(refused.code(), 6, "{}", refused.err());
    assert!(refused.err().contains("billing"), "{}", refused.err());
    assert_eq!(text(&listed, "id"), id);
    assert_eq!(listed["queues"][0], "shop-*");
    assert!(listed["expires_at"].is_string(), "{listed}");
}

#[test]
fn a_mistyped_key_is_told_before_anything_is_sent() {
    let folder = tempfile::tempdir().unwrap();
    let (_, file) = key(folder.path(), "reader", "jobs:read", &[]);
    let token = fs::read_to_string(folder.path().join(&file)).unwrap();
    fs::write(folder.path().join(&file), &token[..token.len() - 1]).unwrap();
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    server.set_nonblocking(true).unwrap();
    let url = format!("http://{}", server.local_addr().unwrap());

    let words = ["--url", &url, "--key-file", &file, "jobs", "list"];
    let ran = run(folder.path(), &words);

    assert_eq!(ran.code(), 2);
    assert!(ran.err().contains("checksum"), "{}", ran.err());
    assert!(!ran.err().contains(&token[40..]), "{}", ran.err());
    assert!(server.accept().is_err(), "nobody has called");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_key_is_worth_nothing_within_seconds_on_every_server_and_its_streams_end() {
    let database = Postgres::shared().database();
    let url = database.url();
    let on = ["--database", &*url];
    let flags = [&on[..], &["--migrate", "--allow-unsafe-durability"]].concat();
    let start = || Served::start_guarded(tempfile::tempdir().unwrap(), &flags);
    let nodes = [start(), start()];
    let folder = nodes[0].folder.path();
    let (id, file) = key(folder, "reader", "jobs:read", &on);
    let shown = bearer(folder, &file);
    let is_good = |served: &Served| {
        let answer = ask(served, "GET /v1/jobs", &[&shown], "");
        status(&answer) == "200"
    };
    assert!(nodes.iter().all(is_good));
    let stream = |served| send(served, "GET /v1/events/stream", &[&shown], "");
    let streams = nodes.each_ref().map(stream);

    let revoked = run(folder, &[&["keys", "revoke", &id], &on[..]].concat());
    assert_eq!(revoked.code(), 0, "{}", revoked.err());
    let revoked = Instant::now();

    for node in &nodes {
        eventually("the key is worth nothing", TIMEOUT, async || {
            let asked = revoked.elapsed();
            let is_good = is_good(node);
            assert!(!is_good || asked < REVOKED_WITHIN, "good after {asked:?}");
            !is_good
        })
        .await;
    }
    for mut stream in streams {
        let mut told = String::new();
        stream.read_to_string(&mut told).unwrap();
        assert_eq!(status(&told), "200", "{told}");
    }
}

#[test]
fn whoever_is_on_this_machine_passes_nobody_by_who_has_a_key() {
    let folder = tempfile::tempdir().unwrap();
    key(folder.path(), "reader", "jobs:read", &[]);

    let words = ["serve", "--dev", "--listen", "127.0.0.1:0"];
    let refused = run(folder.path(), &words);

    assert_eq!(refused.code(), 5, "{}", refused.err());
    for way in ["without --dev", "--key-file", "--data-dir"] {
        assert!(refused.err().contains(way), "{}", refused.err());
    }
}

#[test]
fn a_server_that_others_reach_starts_with_tls_or_a_proxy_that_speaks_it() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["serve", "--listen", "0.0.0.0:0", "--hosts", "jobs.example"];

    let bare = run(folder.path(), &words);
    let dev = run(folder.path(), &[&words[..], &["--dev"]].concat());

    assert_eq!((bare.code(), dev.code()), (2, 2));
    for way in ["server.tls_certificate", "server.trusted_proxies"] {
        assert!(bare.err().contains(way), "{}", bare.err());
    }
    assert!(dev.err().contains("127.0.0.1:7878"), "{}", dev.err());
}

/// Signs in on the page: what the browser sends along from then on.
pub fn sign_in(served: &Served, name: &str) -> String {
    sign_in_with(served, name, "Cookie: none=none")
}

/// The same in a browser that sends this along.
fn sign_in_with(served: &Served, name: &str, cookie: &str) -> String {
    let body = format!("name={name}&password={PASSWORD}").replace(' ', "+");
    let origin = format!("Origin: {}", served.url);
    let form = "Content-Type: application/x-www-form-urlencoded";
    let answer = ask(
        served,
        "POST /admin/sign-in",
        &[&origin, form, cookie],
        &body,
    );
    let lines = answer.lines().filter_map(|line| line.split_once(": "));
    let mut cookies = lines.filter(|(name, _)| name.eq_ignore_ascii_case("set-cookie"));
    let session = cookies.find(|(_, cookie)| cookie.starts_with("baton_session="));
    let (_, session) = session.unwrap_or_else(|| panic!("no session in {answer}"));
    format!("Cookie: {}", session.split(';').next().unwrap())
}

#[test]
fn a_page_hears_of_nothing_any_more_once_whoever_looks_has_lost_the_right() {
    let database = Postgres::shared().database();
    let url = database.url();
    let on = ["--database", &*url];
    let flags = [&on[..], &["--migrate", "--allow-unsafe-durability"]].concat();
    let served = Served::start_guarded(tempfile::tempdir().unwrap(), &flags);
    let folder = served.folder.path();

    for (name, loses) in [
        ("kim", &["users", "disable", "kim"][..]),
        ("lee", &["users", "sign-out", "lee"]),
        ("ann", &["users", "role", "ann", "operator"]),
    ] {
        assert_eq!(add_user_on(folder, name, "viewer", &on).code(), 0);
        let session = sign_in(&served, name);
        let room = "GET /admin/live?room=overview&up=.&home=.";
        let mut live = send(&served, room, &[&session], "");
        let mut begun = [0; 12];
        live.read_exact(&mut begun).unwrap();

        let lost = run(folder, &[loses, &on].concat());
        let since = Instant::now();
        let mut told = String::new();
        live.read_to_string(&mut told).unwrap();

        assert_eq!(&begun, b"HTTP/1.1 200");
        assert_eq!(lost.code(), 0, "{}", lost.err());
        let took = since.elapsed();
        assert!(took < REVOKED_WITHIN, "{name}: {took:?}");
    }
}

#[test]
fn a_session_that_was_put_into_a_browser_beforehand_is_not_the_one_that_begins() {
    let folder = tempfile::tempdir().unwrap();
    add_user(folder.path(), "kim", "viewer");
    add_user(folder.path(), "mallory", "viewer");
    let served = Served::start_guarded(folder, &[]);
    let made_up = format!("Cookie: baton_session={}", "a".repeat(64));
    let of_another = sign_in(&served, "mallory");

    let own = [&made_up, &of_another].map(|put| sign_in_with(&served, "kim", put));

    let whose = |session: &str| ask(&served, "GET /admin/account", &[session], "");
    assert!(own.iter().all(|session| whose(session).contains("kim")));
    assert_ne!(own[0], own[1]);
    // Whoever put it there is let in nowhere by it, or as themselves.
    assert_eq!(status(&whose(&made_up)), "401");
    let others = whose(&of_another);
    assert!(!others.contains("kim"), "{others}");
}

#[test]
fn an_admin_sees_what_holds_and_who_said_so_and_what_the_server_finds_of_itself_and_no_secret() {
    let folder = tempfile::tempdir().unwrap();
    add_user(folder.path(), "kim", "admin");
    let file = "[worker]\nlease = \"9s\"\n[providers.push]\nkind = \"http\"\nurl = \"https://push.example/canary\"\nheaders = { A = \"canary\" }\n";
    fs::write(folder.path().join("baton.toml"), file).unwrap();
    let served = Served::start_guarded(folder, &["--slots", "7"]);

    let session = sign_in(&served, "kim");
    let page = ask(&served, "GET /admin/settings", &[&session], "");

    let setting = |name: &str| {
        let mark = format!("data-setting=\"{name}\"");
        let row = page.split(&mark).nth(1);
        let row = row.unwrap_or_else(|| panic!("no {name} in {page}"));
        row.split("</tr>").next().unwrap()
    };
    let (slots, lease) = (setting("worker.slots"), setting("worker.lease"));
    assert!(slots.contains("<code>7</code>"), "{slots}");
    assert!(slots.contains("command line --slots"), "{slots}");
    assert!(lease.contains("<code>9s</code>"), "{lease}");
    assert!(lease.contains("file baton.toml"), "{lease}");
    assert!(setting("worker.grace").contains(">default<"), "{page}");
    assert!(
        setting("providers.push.headers.A").contains(">set<"),
        "{page}"
    );
    for subject in [
        "data folder",
        "files",
        "database",
        "durability",
        "schema",
        "clock",
    ] {
        assert!(
            page.contains(&format!("<b>{subject}</b>")),
            "{subject}: {page}"
        );
    }
    assert!(!page.contains("data-finding=\"bad\""), "{page}");
    assert!(!page.contains("canary"), "{page}");
}

#[test]
fn a_server_tells_an_admin_how_the_redis_is_that_it_uses() {
    let redis = Redis::start();
    let folder = tempfile::tempdir().unwrap();
    add_user(folder.path(), "kim", "admin");
    let served = Served::start_guarded(folder, &["--redis", &redis.url()]);

    let session = sign_in(&served, "kim");
    let page = ask(&served, "GET /admin/settings", &[&session], "");

    assert!(page.contains("maxmemory-policy"), "{page}");
}

#[test]
fn the_first_admin_is_added_with_a_token_that_only_the_servers_user_reads_and_that_works_once() {
    let served = Served::start_guarded(tempfile::tempdir().unwrap(), &[]);
    let file = served.folder.path().join("baton-data/set-up-token");
    let token = fs::read_to_string(&file).unwrap().trim().to_owned();
    let mode = fs::metadata(&file).unwrap().permissions().mode() & 0o777;
    let set_up = |token: &str, name: &str| {
        let body = format!("token={token}&name={name}&password={PASSWORD}").replace(' ', "+");
        // As the page itself sends it.
        let origin = format!("Origin: {}", served.url);
        let form = "Content-Type: application/x-www-form-urlencoded";
        ask(&served, "POST /admin/set-up", &[&origin, form], &body)
    };

    let wrong = set_up(&"0".repeat(64), "mallory");
    let first = set_up(&token, "kim");
    let again = set_up(&token, "mallory");
    until(|| served.log().contains("set-up-token"));
    let logged = served.log();
    served.signal("TERM");
    let (_, said, folder) = served.ended();

    assert_eq!(mode, 0o600);
    for told in [logged, said] {
        assert!(!told.contains(&token), "{told}");
    }
    for refused in [wrong, again] {
        assert!(status(&refused).starts_with('4'), "{refused}");
    }
    assert_eq!(status(&first), "200", "{first}");
    let users = run(folder.path(), &["users", "list"]).out();
    assert!(users.contains("kim\tadmin"), "{users}");
    assert!(!users.contains("mallory"), "{users}");
    let served = Served::start_guarded(folder, &[]);
    assert!(!file_of(&served).exists());
}

/// Waits for what must come.
fn until(has_come: impl Fn() -> bool) {
    let end = Instant::now() + TIMEOUT;
    while !has_come() {
        assert!(Instant::now() < end, "waited in vain");
        std::thread::yield_now();
    }
}

fn file_of(served: &Served) -> std::path::PathBuf {
    served.folder.path().join("baton-data/set-up-token")
}

#[test]
fn users_are_added_changed_and_kept_out_on_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let users = |words: &[&str]| run(folder, &[&["users"], words].concat());

    let added = add_user(folder, "kim", "admin");
    let other = add_user(folder, "lee", "viewer");
    let taken = add_user(folder, "kim", "viewer");
    let short = run_with(folder, &["users", "add", "jo", "--role", "viewer"], "short");
    let none = run(folder, &["users", "add", "jo", "--role", "viewer"]);
    let unknown = users(&["role", "jo", "viewer"]);
    let last = users(&["disable", "kim"]);
    let promoted = users(&["role", "lee", "operator"]);
    let disabled = users(&["disable", "lee"]);
    let signed_out = users(&["sign-out", "lee"]);

    for done in [&added, &other, &promoted, &disabled, &signed_out] {
        assert_eq!(done.code(), 0, "{}", done.err());
    }
    for (refused, code, word) in [
        (taken, 6, "taken"),
        (short, 6, "12 to 256"),
        (none, 2, "--password-file"),
        (unknown, 3, "jo"),
        (last, 5, "last admin"),
    ] {
        assert_eq!(refused.code(), code, "{}", refused.err());
        assert!(refused.err().contains(word), "{}", refused.err());
    }
    let listed = users(&["list"]).out();
    assert!(listed.contains("kim\tadmin\tenabled"), "{listed}");
    assert!(listed.contains("lee\toperator\tdisabled"), "{listed}");
}

#[test]
fn a_password_is_told_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("secret"), PASSWORD).unwrap();
    let add = ["users", "add", "kim", "--role", "admin", "--json"];

    let words = [&add[..], &["--password-file", "secret"]].concat();
    let added = run(folder.path(), &words);
    let listed = run(folder.path(), &["users", "list", "--json"]);

    assert_eq!(added.code(), 0, "{}", added.err());
    for ran in [added, listed] {
        let told = ran.out() + &ran.err();
        assert!(told.contains("\"admin\""), "{told}");
        assert!(
            !told.contains("horse") && !told.contains("argon2"),
            "{told}"
        );
    }
}

#[test]
fn beside_a_server_on_a_file_a_command_says_what_to_do() {
    let served = Served::start_guarded(tempfile::tempdir().unwrap(), &[]);

    let words = ["keys", "create", "late", "--allow", "jobs:read"];
    let refused = run(served.folder.path(), &words);

    assert_eq!(refused.code(), 5, "{}", refused.err());
    for way in ["Stop the server", "/admin", "PostgreSQL"] {
        assert!(refused.err().contains(way), "{}", refused.err());
    }
}
