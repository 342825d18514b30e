//! What each role is shown on each page leads to what that role may do.

use std::collections::{BTreeSet, VecDeque};

use axum::http::StatusCode;
use baton_console::REQUIREMENTS;
use baton_domain::access::{Permissions, Principal, Requirement, Role};

use crate::{
    access::seen_by,
    approvals::held,
    fixture::{Answer, Fixture},
    language::crawl::{furnished, links, resolved},
};

#[tokio::test]
async fn no_role_is_shown_a_button_that_it_would_be_refused() {
    for role in Role::ALL {
        let fixture = Fixture::new();
        let mut paths = VecDeque::from(furnished(&fixture).await);
        let campaign = held(&fixture, Principal::CommandLine).await;
        paths.push_back(format!("/admin/campaigns/{campaign}"));
        paths.push_back("/admin/jobs?state=failed".to_owned());
        let fixture = seen_by(fixture, role);
        let (mut seen, mut offered) = (BTreeSet::new(), 0);

        while let Some(path) = paths.pop_front() {
            if !may(role, "GET", &path) || !seen.insert(path.clone()) {
                continue;
            }
            let page = fixture.get(&path).await;
            if page.status == StatusCode::OK {
                paths.extend(links(&page, &path));
            }
            for (method, address) in offers(&page, &path, role) {
                offered += 1;
                assert!(
                    may(role, method, &address),
                    "{path} offers {address} to a {role}"
                );
            }
        }

        assert!(seen.len() > 25, "a {role} saw only {} pages", seen.len());
        assert!(offered > seen.len(), "a {role} was offered {offered}");
    }
}

/// The forms that change something, and the links that lead to one, which whoever has this role sees.
fn offers(page: &Answer, here: &str, role: Role) -> Vec<(&'static str, String)> {
    let tags = page.body.split('<').skip(1);
    let tags = tags.filter_map(|part| part.split_once('>').map(|(tag, _)| tag));
    let shown = tags.filter(|tag| is_shown(tag, role.permissions()));
    let offered = shown.filter_map(|tag| {
        let leads = |to: &str| resolved(here, to);
        if tag.starts_with("form ") && tag.contains("method=\"post\"") {
            return Some(("POST", leads(attribute(tag, "action")?)));
        }
        let address = leads(attribute(tag.strip_prefix("a ")?, "href")?);
        row("POST", &address).map(|_| ("GET", address))
    });
    offered.collect()
}

/// Whether the style sheet leaves it there: it hides what needs a permission that whoever looks lacks.
fn is_shown(tag: &str, may: Permissions) -> bool {
    let needs = attribute(tag, "data-needs").unwrap_or_default();
    let mut words = needs.split_ascii_whitespace().peekable();
    words.peek().is_none() || words.any(|word| may.has(word.parse().unwrap()))
}

pub fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = tag.split_once(&format!("{name}=\""))?;
    rest.split('"').next()
}

fn may(role: Role, method: &str, address: &str) -> bool {
    match row(method, address) {
        Some(Requirement::OneOf(needed)) => needed.iter().any(|one| role.permissions().has(*one)),
        Some(Requirement::Public | Requirement::SignedIn) => true,
        // No such page: whoever leads there is told so.
        None => method == "GET",
    }
}

fn row(method: &str, address: &str) -> Option<Requirement> {
    route(method, address).map(|(_, requirement)| requirement)
}

/// The row of what the router would take: its path, and what it requires.
pub fn route(method: &str, address: &str) -> Option<(&'static str, Requirement)> {
    let (path, _) = address.split_once('?').unwrap_or((address, ""));
    let fits = |row: &str| {
        let (row, path): (Vec<_>, Vec<_>) = (row.split('/').collect(), path.split('/').collect());
        let mut pairs = row.iter().zip(&path);
        row.len() == path.len()
            && pairs.all(|(place, part)| place.starts_with('{') || place == part)
    };
    let rows = REQUIREMENTS.iter().filter(|row| row.0 == method);
    let fitting = rows.filter(|row| fits(row.1));
    let closest = fitting.min_by_key(|row| row.1.matches('{').count());
    closest.map(|row| (row.1, row.2))
}
