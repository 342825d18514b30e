//! Signing in at a provider: settings, servers that share the work, and what is told when it goes wrong.

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    path::Path,
};

use baton_testkit::{
    Identities, Postgres, Twist,
    identities::{CLIENT, SECRET},
};
use tempfile::TempDir;

use crate::support::{Served, run};

fn settings(issuer: &str) -> String {
    format!(
        "[access.oidc]\nissuer = \"{issuer}\"\nclient_id = \"{CLIENT}\"\nclient_secret = {{ file = \"secret\" }}\nroles = {{ admins = \
         \"admin\" }}\n"
    )
}

fn folder(settings: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), settings);
    folder
}

fn write(folder: &Path, settings: &str) {
    fs::write(folder.join("secret"), SECRET).unwrap();
    fs::write(folder.join("baton.toml"), settings).unwrap();
}

/// The answer to a page that is asked for with these cookies.
fn get(served: &Served, path: &str, cookies: &str) -> String {
    let host = served.url.strip_prefix("http://").unwrap();
    let mut socket = TcpStream::connect(host).unwrap();
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookies}\r\nAccept: text/html\r\nConnection: close\r\n\r\n"
    );
    socket.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    answer
}

fn header(answer: &str, name: &str) -> Vec<String> {
    let lines = answer.lines().filter_map(|line| line.split_once(": "));
    let found = lines.filter(|(given, _)| given.eq_ignore_ascii_case(name));
    found.map(|(_, value)| value.to_owned()).collect()
}

fn cookie(answer: &str, name: &str) -> String {
    let all = header(answer, "set-cookie");
    let found = all.iter().find(|one| one.starts_with(name));
    let found = found.unwrap_or_else(|| panic!("no {name} in {answer}"));
    found.split(';').next().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_begins_at_one_server_and_ends_at_another_and_opens_the_pages_of_both() {
    let (provider, database) = (Identities::start().await, Postgres::shared().database());
    let back = "redirect_url = \"http://127.0.0.1:7878/admin/sign-in/callback\"\n";
    let settings = settings(&provider.issuer()) + back;
    let url = database.url();
    let flags = ["--database", &url, "--migrate", "--allow-unsafe-durability"];
    let one = Served::start_guarded(folder(&settings), &flags);
    let other = Served::start_guarded(folder(&settings), &flags);

    let sent = get(&one, "/admin/sign-in/provider?next=%2Fjobs", "");
    let to = provider.visit(&header(&sent, "location")[0]);
    let path = format!("{}?{}", to.path(), to.query().unwrap());
    let came = get(&other, &path, &cookie(&sent, "baton_sign_in="));
    let session = cookie(&came, "baton_session=");

    assert_eq!(header(&came, "location"), ["../jobs"]);
    for served in [&one, &other] {
        let page = get(served, "/admin/access", &session);
        assert!(page.contains("kim.lee"), "{page}");
        assert!(!served.log().contains(&session), "no session in the log");
    }
    let code = to.query_pairs().find(|(name, _)| name == "code").unwrap().1;
    let log = other.log();
    assert!(!log.contains(&*code) && !log.contains("eyJ"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_list_of_users_tells_where_each_signs_in() {
    let (provider, database) = (Identities::start().await, Postgres::shared().database());
    let url = database.url();
    let flags = ["--database", &url, "--migrate", "--allow-unsafe-durability"];
    let served = Served::start_guarded(folder(&settings(&provider.issuer())), &flags);
    let on = ["--database", &url, "--allow-unsafe-durability"];
    fs::write(
        served.folder.path().join("password"),
        "correct horse battery",
    )
    .unwrap();
    let add = [
        "users",
        "add",
        "ann",
        "--role",
        "viewer",
        "--password-file",
        "password",
    ];
    run(served.folder.path(), &[&add[..], &on].concat());

    let sent = get(&served, "/admin/sign-in/provider", "");
    let to = provider.visit(&header(&sent, "location")[0]);
    let path = format!("{}?{}", to.path(), to.query().unwrap());
    get(&served, &path, &cookie(&sent, "baton_sign_in="));
    let listed = run(
        served.folder.path(),
        &[&["users", "list"][..], &on].concat(),
    );

    let out = listed.out();
    let line = |name| out.lines().find(|line| line.contains(name)).unwrap_or(&out);
    assert!(line("kim.lee").contains(&provider.issuer()), "{out}");
    assert!(line("ann").contains("password"), "{out}");
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_says_whether_the_provider_is_there_and_is_the_one() {
    let provider = Identities::start().await;
    let folder = folder(&settings(&provider.issuer()));

    let good = run(folder.path(), &["doctor"]);
    provider.twist(Twist::WrongMetadata);
    let other = run(folder.path(), &["doctor"]);
    drop(provider);
    let gone = run(folder.path(), &["doctor"]);

    assert!(
        good.out().contains("with 1 keys that can be used"),
        "{}",
        good.out()
    );
    assert_eq!((other.code(), gone.code()), (1, 1));
    assert!(other.out().contains("letter by letter"), "{}", other.out());
    assert!(
        gone.out().contains("nobody can sign in at"),
        "{}",
        gone.out()
    );
    for ran in [&good, &other, &gone] {
        assert!(!ran.out().contains(SECRET), "{}", ran.out());
    }
}

#[test]
fn settings_that_let_nobody_in_are_refused_by_name_before_anything_is_opened() {
    let good = settings("https://sso.example");
    for (file, told) in [
        (good.replace("https://", "http://"), "access.oidc.issuer"),
        (good.replace(CLIENT, ""), "access.oidc.client_id"),
        (good.replace("\"secret\"", "\"nowhere\""), "client_secret"),
        (good.replace("admins = ", ""), "roles"),
        (good.replace("\"admin\"", "\"root\""), "roles"),
        (
            good.replace("roles = { admins = \"admin\" }", ""),
            "access.oidc.roles",
        ),
        (
            good.clone() + "redirect_url = \"https://jobs.example/\"\n",
            "access.oidc.redirect_url",
        ),
        (good.clone() + "secret = \"x\"\n", "secret"),
    ] {
        let folder = folder(&file);

        let ran = run(folder.path(), &["serve"]);

        assert_eq!(ran.code(), 2, "{file}: {}", ran.err());
        assert!(ran.err().contains(told), "{file}: {}", ran.err());
        assert!(!folder.path().join("baton-data").exists());
    }
}
