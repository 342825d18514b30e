//! What each page and button requires of whoever asks for it, by its path in the server. A test sees that each has a line.

use baton_domain::access::{
    Permission as P,
    Requirement::{self, OneOf, Public, SignedIn},
    Requirements,
};

const READ: Requirement = OneOf(&[P::JobsRead]);
const CREATE: Requirement = OneOf(&[P::JobsCreate]);
const OPERATE: Requirement = OneOf(&[P::Operate]);
const SEND: Requirement = OneOf(&[P::CampaignsSend]);
const COMMAND: Requirement = OneOf(&[P::CampaignsSend, P::Operate]);
const STOP: Requirement = OneOf(&[P::SchedulesWrite, P::Operate]);
const PEOPLE: Requirement = OneOf(&[P::RecipientsRead]);
const ERASE: Requirement = OneOf(&[P::RecipientsErase]);
const ADMIN: Requirement = OneOf(&[P::KeysAdmin]);

/// Where the server has the pages.
const MOUNT: &str = "admin";

/// What each page and button requires.
pub const REQUIREMENTS: Requirements = &[
    ("GET", "/", Public),
    ("GET", "/admin/", Public),
    ("GET", "/admin", READ),
    ("GET", "/admin/search", READ),
    ("GET", "/admin/jobs", READ),
    ("GET", "/admin/jobs/matching/{action}", OPERATE),
    ("POST", "/admin/jobs/matching/{action}", OPERATE),
    ("GET", "/admin/jobs/new", CREATE),
    ("POST", "/admin/jobs/new", CREATE),
    ("GET", "/admin/jobs/{id}", READ),
    ("POST", "/admin/jobs/{id}/cancel", OPERATE),
    ("GET", "/admin/jobs/{id}/force-stop", OPERATE),
    ("POST", "/admin/jobs/{id}/force-stop", OPERATE),
    ("POST", "/admin/jobs/{id}/run-now", OPERATE),
    ("POST", "/admin/jobs/{id}/retry", OPERATE),
    ("POST", "/admin/jobs/{id}/resolve", OPERATE),
    ("GET", "/admin/events", READ),
    ("GET", "/admin/fleet", READ),
    ("POST", "/admin/fleet/{worker}/drain", OPERATE),
    ("POST", "/admin/fleet/{worker}/undrain", OPERATE),
    ("GET", "/admin/queues", READ),
    ("GET", "/admin/queues/{name}", READ),
    ("POST", "/admin/queues/{name}/limits", OPERATE),
    ("POST", "/admin/queues/{name}/pause", OPERATE),
    ("POST", "/admin/queues/{name}/resume", OPERATE),
    ("GET", "/admin/campaigns", READ),
    ("GET", "/admin/campaigns/new", SEND),
    ("POST", "/admin/campaigns/new", SEND),
    ("GET", "/admin/campaigns/{id}", READ),
    ("GET", "/admin/campaigns/{id}/send-to-rest", SEND),
    ("POST", "/admin/campaigns/{id}/send-to-rest", SEND),
    ("GET", "/admin/campaigns/{id}/approve", SEND),
    ("POST", "/admin/campaigns/{id}/approve", SEND),
    ("POST", "/admin/campaigns/{id}/rate", COMMAND),
    ("GET", "/admin/campaigns/{id}/{wish}", COMMAND),
    ("POST", "/admin/campaigns/{id}/{wish}", COMMAND),
    (
        "GET",
        "/admin/campaigns/{id}/retry-failed/{fingerprint}",
        COMMAND,
    ),
    (
        "POST",
        "/admin/campaigns/{id}/retry-failed/{fingerprint}",
        COMMAND,
    ),
    ("GET", "/admin/schedules", READ),
    ("GET", "/admin/schedules/{id}", READ),
    ("GET", "/admin/schedules/{id}/{press}", STOP),
    ("POST", "/admin/schedules/{id}/{press}", STOP),
    ("GET", "/admin/dead-letters", READ),
    ("POST", "/admin/dead-letters/{fingerprint}/probe", OPERATE),
    ("GET", "/admin/dead-letters/{fingerprint}/probe/{job}", READ),
    ("GET", "/admin/dead-letters/{fingerprint}/{action}", OPERATE),
    (
        "POST",
        "/admin/dead-letters/{fingerprint}/{action}",
        OPERATE,
    ),
    ("GET", "/admin/recipients", PEOPLE),
    ("GET", "/admin/recipients/{id}", PEOPLE),
    ("GET", "/admin/recipients/{id}/erase", ERASE),
    ("POST", "/admin/recipients/{id}/erase", ERASE),
    ("GET", "/admin/operations", READ),
    ("GET", "/admin/operations/{id}", READ),
    ("POST", "/admin/operations/{id}/stop", OPERATE),
    ("GET", "/admin/activity", OneOf(&[P::AuditRead])),
    ("GET", "/admin/activity/recoveries", READ),
    ("GET", "/admin/settings", OPERATE),
    ("GET", "/admin/access", ADMIN),
    ("POST", "/admin/access/keys", ADMIN),
    ("POST", "/admin/access/keys/{id}/revoke", ADMIN),
    ("POST", "/admin/access/keys/{id}/rotate", ADMIN),
    ("POST", "/admin/access/users", ADMIN),
    ("POST", "/admin/access/users/{name}/role", ADMIN),
    ("POST", "/admin/access/users/{name}/password", ADMIN),
    ("POST", "/admin/access/users/{name}/sign-out", ADMIN),
    ("POST", "/admin/access/users/{name}/{admission}", ADMIN),
    ("GET", "/admin/sign-in", Public),
    ("POST", "/admin/sign-in", Public),
    ("GET", "/admin/sign-in/provider", Public),
    ("GET", "/admin/sign-in/callback", Public),
    ("POST", "/admin/sign-out", SignedIn),
    ("GET", "/admin/account", SignedIn),
    ("POST", "/admin/account/password", SignedIn),
    ("POST", "/admin/account/sign-out", SignedIn),
    ("POST", "/admin/language", Public),
    ("GET", "/admin/set-up", Public),
    ("POST", "/admin/set-up", Public),
    ("GET", "/admin/live", READ),
    ("GET", "/admin/assets/{name}", Public),
];

/// The words of the permissions of which an address asks for one, as a page leads to it; none where it asks for none.
/// The style sheet hides by them what whoever looks would be refused.
pub fn needed(method: &str, href: impl AsRef<str>) -> String {
    match requirement(method, href.as_ref()) {
        Some(OneOf(permissions)) => {
            let words: Vec<_> = permissions.iter().map(|one| one.as_str()).collect();
            words.join(" ")
        }
        Some(Public | SignedIn) | None => String::new(),
    }
}

/// What the row says that the router would take: of those that fit, the one with the fewest places.
fn requirement(method: &str, href: &str) -> Option<Requirement> {
    let (path, _) = href.split_once('?').unwrap_or((href, ""));
    let inner = segments(path).filter(|part| ![".", ".."].contains(part));
    let inner: Vec<_> = inner.collect();
    let inner = inner.strip_prefix(&[MOUNT]).unwrap_or(&inner);
    let fits = |row: &str| {
        let row: Vec<_> = segments(row).skip(1).collect();
        let same = |(part, place): (&&str, &&str)| place.starts_with('{') || part == place;
        row.len() == inner.len() && inner.iter().zip(&row).all(same)
    };
    let rows = REQUIREMENTS.iter();
    let fitting = rows.filter(|row| row.0 == method && fits(row.1));
    let closest = fitting.min_by_key(|row| row.1.matches('{').count());
    closest.map(|row| row.2)
}

fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The routes as the router of this crate says them, and the methods of each.
    fn routes() -> Vec<(&'static str, Vec<&'static str>)> {
        let source = include_str!("lib.rs");
        let parts = source.split(".route(").skip(1);
        let routes = parts.filter_map(|part| {
            let path = part.split('"').nth(1)?;
            let methods = [("get(", "GET"), ("post(", "POST")].into_iter();
            let methods = methods.filter(|(word, _)| part.contains(word));
            Some((path, methods.map(|(_, method)| method).collect()))
        });
        routes.collect()
    }

    #[test]
    fn each_route_of_the_pages_says_what_it_requires() {
        let routes = routes();

        assert!(routes.len() > 20, "{routes:?}");
        for (route, methods) in routes {
            let path = format!("/admin{}", route.trim_end_matches('/'));
            let rows = REQUIREMENTS.iter().filter(|row| row.1 == path);
            let rows: Vec<_> = rows.map(|row| row.0).collect();
            assert_eq!(rows, methods, "{path}");
        }
    }

    #[test]
    fn a_button_that_changes_something_is_never_public_but_for_those_that_sign_in() {
        for (method, path, requirement) in REQUIREMENTS {
            let signs_in = ["/admin/sign-in", "/admin/set-up"].contains(path);
            // A choice that the browser keeps, and nobody else.
            let is_of_the_browser = *path == "/admin/language";
            let is_public = *requirement == Public;
            assert!(
                *method == "GET" || signs_in || is_of_the_browser || !is_public,
                "{path}"
            );
        }
    }

    #[test]
    fn an_address_needs_what_its_row_says_from_wherever_it_is_seen() {
        for (method, href, words) in [
            ("POST", "../jobs/job_1/cancel", "operate"),
            ("POST", "admin/jobs/job_1/cancel", "operate"),
            ("GET", "./campaigns/cmp_1/approve", "campaigns:send"),
            ("GET", "./campaigns/cmp_1/stop", "campaigns:send operate"),
            ("GET", "./jobs/matching/retry?state=failed", "operate"),
            ("POST", "./sign-out", ""),
        ] {
            assert_eq!(needed(method, href), words, "{href}");
        }
    }

    #[test]
    fn the_style_sheet_hides_each_button_from_whoever_lacks_what_it_needs() {
        let style = include_str!("../assets/console.css");
        let rows = REQUIREMENTS.iter().filter(|row| row.0 == "POST");

        for (_, path, requirement) in rows {
            let OneOf(permissions) = requirement else {
                continue;
            };
            let words: Vec<_> = permissions.iter().map(|one| one.as_str()).collect();
            let lacks = words
                .iter()
                .map(|word| format!(":not([data-may~=\"{word}\"])"));
            let lacks: String = lacks.collect();
            let hidden = format!("body{lacks} [data-needs=\"{}\"]", words.join(" "));
            assert!(style.contains(&hidden), "{path}: no {hidden}");
        }
    }
}
