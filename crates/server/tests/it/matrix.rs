//! Every route by every credential: who gets in where is what the tables say, and nothing else.

mod everybody;
mod streams;

use baton_domain::{
    InboxItemId, Timestamp,
    access::{Permission, Requirement},
};

use self::everybody::{Everybody, PERSON, Shown};
use crate::{access::send, support::Served};

/// What has a test of its own: the first two end the session that they are pressed with, the others let in whom a provider knows.
const LEFT_OUT: [&str; 4] = [
    "/admin/sign-out",
    "/admin/account/sign-out",
    "/admin/sign-in/provider",
    "/admin/sign-in/callback",
];

#[test]
fn each_credential_opens_the_routes_of_its_rights_and_no_others() {
    let everybody = Everybody::gathered();

    let (mut wrong, mut asked) = (Vec::new(), 0);
    for someone in &everybody.all {
        let pages = baton_console::REQUIREMENTS
            .iter()
            .map(|row| (row, someone.pages));
        let api = baton_api::REQUIREMENTS.iter().map(|row| (row, someone.api));
        for ((method, path, requirement), rights) in pages.chain(api) {
            if LEFT_OUT.contains(path) {
                continue;
            }
            asked += 1;
            let status = status_of(&everybody.served, method, &filled(path), someone);
            let is_right = match (rights, requirement) {
                (_, Requirement::Public) => !["401", "403"].contains(&&*status),
                (Some(_), Requirement::SignedIn) => !["401", "403"].contains(&&*status),
                (Some(rights), Requirement::OneOf(needed)) => {
                    let has_one = needed.iter().any(|one| rights.has(*one));
                    let may = has_one && someone.reaches(path, needed);
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

    assert!(asked > 3_000, "{asked}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

impl Shown {
    /// Whether what it opens is there for it: an inbox token opens one inbox, and signs no other token.
    fn reaches(&self, path: &str, needed: &[Permission]) -> bool {
        let Some(own) = self.recipient else {
            return true;
        };
        own == PERSON && needed.contains(&Permission::Inbox) && !path.ends_with("/token")
    }
}

/// A path with something in the place of each name: there is nothing of that name but a recipient.
fn filled(path: &str) -> String {
    let item = InboxItemId::new(Timestamp::from_micros(1)).to_string();
    let parts = path.split('/').map(|part| match part {
        "{kind}" => "internal",
        "{item}" => &item,
        part if part.starts_with('{') => PERSON,
        part => part,
    });
    parts.collect::<Vec<_>>().join("/")
}

/// The status alone: a stream has no end.
fn status_of(served: &Served, method: &str, path: &str, someone: &Shown) -> String {
    let head = head_of(served, method, path, someone);
    head.split(' ').nth(1).unwrap().to_owned()
}

/// What is answered before the body.
fn head_of(served: &Served, method: &str, path: &str, someone: &Shown) -> String {
    let headers: Vec<_> = ["Sec-Fetch-Site: same-origin"]
        .into_iter()
        .chain(someone.header.as_deref())
        .collect();
    let socket = send(served, &format!("{method} {path}"), &headers, "");
    streams::head(&mut std::io::BufReader::new(socket))
}
