//! Every route by every credential: who gets in where is what the tables say, and nothing else.

use std::{io::Read, path::Path};

use baton_domain::access::{Permissions, Requirement, Role};

use crate::{
    access::{add_user, ask, bearer, key, send, sign_in, status},
    support::Served,
};

/// What somebody shows.
struct Shown {
    what: String,
    header: Option<String>,
    /// What they may do with the API; nothing if that does not know them.
    api: Option<Permissions>,
    /// What they may do on the pages.
    pages: Option<Permissions>,
}

/// What has a test of its own: the first two end the session that they are pressed with, the others let in whom a provider knows.
const LEFT_OUT: [&str; 4] = [
    "/admin/sign-out",
    "/admin/account/sign-out",
    "/admin/sign-in/provider",
    "/admin/sign-in/callback",
];

#[test]
fn each_credential_opens_the_routes_of_its_rights_and_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let gone = add_everybody(folder.path());
    let served = Served::start_guarded(folder, &[]);
    let all = everybody(&served, &gone);

    let (mut wrong, mut asked) = (Vec::new(), 0);
    for someone in &all {
        let pages = baton_console::REQUIREMENTS
            .iter()
            .map(|row| (row, someone.pages));
        let api = baton_api::REQUIREMENTS.iter().map(|row| (row, someone.api));
        for ((method, path, requirement), rights) in pages.chain(api) {
            if LEFT_OUT.contains(path) {
                continue;
            }
            asked += 1;
            let status = status_of(&served, method, &filled(path), someone);
            let is_right = match (rights, requirement) {
                (_, Requirement::Public) => !["401", "403"].contains(&&*status),
                (Some(_), Requirement::SignedIn) => !["401", "403"].contains(&&*status),
                (Some(rights), Requirement::OneOf(needed)) => {
                    let may = needed.iter().any(|one| rights.has(*one));
                    status != "401" && (status == "403") != may
                }
                // A page leads whoever is unknown to where one signs in.
                (None, _) => ["401", "303"].contains(&&*status),
            };
            if !is_right {
                wrong.push(format!("{}: {method} {path}: {status}", someone.what));
            }
        }
    }

    assert!(asked > 1_000, "{asked}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A user and a key for each role, and a key that is to be revoked; its id.
fn add_everybody(folder: &Path) -> String {
    for role in Role::ALL {
        let name = role.as_str();
        let added = add_user(folder, name, name);
        assert_eq!(added.code(), 0, "{}", added.err());
        let allow: Vec<_> = role
            .permissions()
            .iter()
            .map(|one| one.to_string())
            .collect();
        key(folder, name, &allow.join(" "), &[]);
    }
    add_user(folder, "gone", "admin");
    key(folder, "gone", "jobs:read", &[]).0
}

fn everybody(served: &Served, gone: &str) -> Vec<Shown> {
    let folder = served.folder.path();
    let of_a_key = |name: &str| bearer(folder, &format!("{name}.key"));
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
                Some(of_a_key(name)),
            )
        });
    }
    all.push(unknown("an ended session", Some(sign_in(served, "gone"))));
    all.push(unknown("a revoked key", Some(of_a_key("gone"))));
    let admin = [&*of_a_key("admin"), "Content-Type: application/json"];
    for (line, body) in [
        ("PATCH /v1/users/gone".to_owned(), r#"{"disabled": true}"#),
        (format!("POST /v1/keys/{gone}/revoke"), ""),
    ] {
        let ended = ask(served, &line, &admin, body);
        assert_eq!(status(&ended), "200", "{line}: {ended}");
    }
    all
}

fn unknown(what: &str, header: Option<String>) -> Shown {
    Shown {
        what: what.to_owned(),
        header,
        api: None,
        pages: None,
    }
}

fn filled(path: &str) -> String {
    let parts = path.split('/').map(|part| match part {
        "{kind}" => "internal",
        part if part.starts_with('{') => "nobody",
        part => part,
    });
    parts.collect::<Vec<_>>().join("/")
}

/// The status alone: a stream has no end.
fn status_of(served: &Served, method: &str, path: &str, someone: &Shown) -> String {
    let headers: Vec<_> = ["Sec-Fetch-Site: same-origin"]
        .into_iter()
        .chain(someone.header.as_deref())
        .collect();
    let mut socket = send(served, &format!("{method} {path}"), &headers, "");
    let mut head = [0; 12];
    socket.read_exact(&mut head).unwrap();
    String::from_utf8_lossy(&head[9..]).into_owned()
}
