//! Everybody who can ask for anything: a credential of each sort, for each role, and of each way in which one is worth nothing.

use std::{path::Path, time::Duration};

use baton_domain::{
    Clock, Timestamp,
    access::{Digest, InboxToken, KeyToken, Permission, Permissions, Role},
    time::SystemClock,
};

use crate::{
    access::{add_user, ask, bearer, key, sign_in, status},
    support::Served,
};

const HOUR: Duration = Duration::from_hours(1);
/// Whose inbox there is.
pub const PERSON: &str = "nobody";
/// Whose inbox it is not.
const ANOTHER: &str = "another";
/// What they may do whose keys are bounded by kinds and queues: at the gate as much as others.
const BOUNDED: [Permission; 3] = [
    Permission::JobsCreate,
    Permission::JobsRead,
    Permission::Worker,
];

/// What somebody shows.
pub struct Shown {
    pub what: String,
    pub header: Option<String>,
    /// What they may do with the API; nothing if that does not know them.
    pub api: Option<Permissions>,
    /// What they may do on the pages.
    pub pages: Option<Permissions>,
    /// The only recipient whose inbox they may open, if they are so bounded.
    pub recipient: Option<&'static str>,
}

/// All of them, and the server that they ask.
pub struct Everybody {
    pub served: Served,
    pub all: Vec<Shown>,
}

impl Everybody {
    pub fn gathered() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let gone = add(folder.path());
        let before = Served::start_guarded(folder, &[]);
        let lapsed = ["idle", "long"].map(|name| sign_in(&before, name));
        before.signal("TERM");
        let (_, _, folder) = before.ended();
        lapse(folder.path());
        let served = Served::start_guarded(folder, &[]);
        let mut all = with_rights(&served);
        all.extend(without_rights(&served, &gone, lapsed));
        Self { served, all }
    }
}

/// A user and a key for each role, and those that are to be worth nothing; the id of the key that is to be revoked.
fn add(folder: &Path) -> String {
    for role in Role::ALL {
        let name = role.as_str();
        let added = add_user(folder, name, name);
        assert_eq!(added.code(), 0, "{}", added.err());
        key(folder, name, &role.permissions().to_string(), &[]);
    }
    let bounds = ["--kinds", "mail.*", "--queues", "low"];
    key(
        folder,
        "bounded",
        &Permissions::of(&BOUNDED).to_string(),
        &bounds,
    );
    key(
        folder,
        "expired",
        &Permissions::ALL.to_string(),
        &["--expires", "1h"],
    );
    for name in ["gone", "idle", "long", "out"] {
        add_user(folder, name, "admin");
    }
    key(folder, "gone", &Permissions::ALL.to_string(), &[]).0
}

/// Lets the time of what has one be over, as if the server had stood still meanwhile.
fn lapse(folder: &Path) {
    let file = folder.join("baton-data/baton.db");
    let database = rusqlite::Connection::open(file).unwrap();
    let changed = |text: &str| database.execute(text, []).unwrap();
    let of = |name: &str| format!("WHERE user_id = (SELECT id FROM users WHERE name = '{name}')");

    let key = "UPDATE api_keys SET expires_at = created_at + 1 WHERE name = 'expired'";
    let idle = format!(
        "UPDATE sessions SET idle_until = created_at + 1 {}",
        of("idle")
    );
    let long = format!(
        "UPDATE sessions SET idle_until = created_at + 1, ends_at = created_at + 1 {}",
        of("long")
    );

    assert_eq!([key, &idle, &long].map(changed), [1, 1, 1]);
}

fn with_rights(served: &Served) -> Vec<Shown> {
    let folder = served.folder.path();
    let mut all = vec![unknown("nothing", None)];
    for role in Role::ALL {
        let (name, rights) = (role.as_str(), Some(role.permissions()));
        all.push(Shown {
            pages: rights,
            ..unknown(
                &format!("the session of a {name}"),
                Some(sign_in(served, name)),
            )
        });
        all.push(Shown {
            api: rights,
            ..unknown(
                &format!("a key with the rights of a {name}"),
                Some(of_a_key(folder, name)),
            )
        });
    }
    all.push(Shown {
        api: Some(Permissions::of(&BOUNDED)),
        ..unknown(
            "a key that is bounded by kinds and queues",
            Some(of_a_key(folder, "bounded")),
        )
    });
    let backend = of_a_key(folder, "admin");
    let inbox = Some(Permissions::of(&[Permission::Inbox]));
    for recipient in [PERSON, ANOTHER] {
        all.push(Shown {
            api: inbox,
            recipient: Some(recipient),
            ..unknown(
                &format!("an inbox token for {recipient}"),
                Some(made_token(served, &backend, recipient)),
            )
        });
    }
    all
}

fn without_rights(served: &Served, gone: &str, lapsed: [String; 2]) -> Vec<Shown> {
    let folder = served.folder.path();
    let [idle, long] = lapsed;
    let (disabled, out) = (sign_in(served, "gone"), sign_in(served, "out"));
    let admin = KeyToken::read(&token_of(folder, "admin")).unwrap();
    let late = signed(
        folder,
        "admin",
        &admin.secret.digest(),
        SystemClock.now() - HOUR,
    );
    let forged = signed(folder, "admin", &[0; 32], SystemClock.now() + HOUR);
    let of_gone = KeyToken::read(&token_of(folder, "gone")).unwrap();
    let of_gone = signed(
        folder,
        "gone",
        &of_gone.secret.digest(),
        SystemClock.now() + HOUR,
    );
    let admin = of_a_key(folder, "admin");
    let admin = [&*admin, "Content-Type: application/json"];
    for (line, body) in [
        ("PATCH /v1/users/gone".to_owned(), r#"{"disabled": true}"#),
        ("POST /v1/users/out/sign-out".to_owned(), ""),
        (format!("POST /v1/keys/{gone}/revoke"), ""),
    ] {
        let ended = ask(served, &line, &admin, body);
        assert_eq!(status(&ended), "200", "{line}: {ended}");
    }
    [
        ("the session of somebody who is kept out", disabled),
        ("a session that was signed out", out),
        ("a session that nobody used for too long", idle),
        ("a session that has lasted too long", long),
        ("a revoked key", of_a_key(folder, "gone")),
        ("an expired key", of_a_key(folder, "expired")),
        ("an expired inbox token", late),
        ("an inbox token that no key has signed", forged),
        ("an inbox token of a revoked key", of_gone),
    ]
    .map(|(what, header)| unknown(what, Some(header)))
    .into()
}

fn unknown(what: &str, header: Option<String>) -> Shown {
    Shown {
        what: what.to_owned(),
        header,
        api: None,
        pages: None,
        recipient: None,
    }
}

fn of_a_key(folder: &Path, name: &str) -> String {
    bearer(folder, &format!("{name}.key"))
}

fn token_of(folder: &Path, name: &str) -> String {
    let file = folder.join(format!("{name}.key"));
    std::fs::read_to_string(file).unwrap()
}

/// An inbox token as a backend has it made, for a recipient that is there from then on.
pub fn made_token(served: &Served, backend: &str, recipient: &str) -> String {
    let json = [backend, "Content-Type: application/json"];
    let path = format!("/v1/recipients/{recipient}");
    let put = ask(
        served,
        &format!("PUT {path}"),
        &json,
        r#"{"platform": "ios"}"#,
    );
    let made = ask(served, &format!("POST {path}/inbox/token"), &json, "{}");
    assert_eq!((status(&put), status(&made)), ("201", "201"), "{put}{made}");
    let token = made.split("\"token\":\"").nth(1).unwrap();
    authorization(token.split('"').next().unwrap())
}

/// An inbox token that claims to be of this key.
fn signed(folder: &Path, name: &str, digest: &Digest, end: Timestamp) -> String {
    let key = KeyToken::read(&token_of(folder, name)).unwrap().id;
    authorization(&InboxToken::sign(key, digest, PERSON, end).reveal())
}

fn authorization(token: &str) -> String {
    format!("Authorization: Bearer {token}")
}
