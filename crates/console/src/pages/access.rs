//! Access: the API keys and the users, and who may do what.

use askama::Template;
use axum::response::Response;
use baton_domain::{
    Timestamp,
    access::{ApiKey, PASSWORD, Permission, Role, User},
    page::PageRequest,
};

use crate::{
    Console,
    errors::PageError,
    overview_cache::with_timeout,
    root::Root,
    shell::Shell,
    view::{Markup, ago, moment},
};

/// How many of each a page shows.
const ROWS: PageRequest = PageRequest::first(200);

/// Shows the keys and the users.
pub async fn show(console: Console, shell: Shell) -> Response {
    with_token(&console, &shell, None).await
}

/// The same, with the token of a key that was made a moment ago: it is shown this once.
pub async fn with_token(console: &Console, shell: &Shell, token: Option<String>) -> Response {
    let both = async {
        let keys = console.engine.keys(&ROWS).await?;
        Ok((keys, console.engine.users(&ROWS).await?))
    };
    match with_timeout(both).await {
        Ok((keys, users)) => shell.page(&AccessPage {
            token,
            keys: keys
                .items
                .into_iter()
                .map(|key| KeyRow::new(key, shell))
                .collect(),
            users: users
                .items
                .into_iter()
                .map(|user| UserRow::new(user, shell))
                .collect(),
            permissions: Permission::ALL.map(Permission::as_str),
            roles: Role::ALL.map(Role::as_str),
            least: *PASSWORD.start(),
            shell,
        }),
        Err(trouble) => shell.trouble(&trouble),
    }
}

/// What was done, or why not.
pub async fn after(console: &Console, shell: &Shell, done: Result<(), PageError>) -> Response {
    match done {
        Ok(()) => with_token(console, shell, None).await,
        Err(trouble) => shell.trouble(&trouble),
    }
}

#[derive(Template)]
#[template(path = "rooms/access.html")]
struct AccessPage<'a> {
    shell: &'a Shell,
    token: Option<String>,
    keys: Vec<KeyRow>,
    users: Vec<UserRow>,
    permissions: [&'static str; Permission::ALL.len()],
    roles: [&'static str; Role::ALL.len()],
    least: usize,
}

struct KeyRow {
    id: String,
    name: String,
    allows: String,
    bounds: String,
    created: Markup,
    used: Option<Markup>,
    ends: Option<Markup>,
    /// Why it opens nothing, if it does not.
    over: Option<&'static str>,
    revoke: String,
    rotate: String,
}

impl KeyRow {
    fn new(key: ApiKey, shell: &Shell) -> Self {
        let now = shell.now;
        let over = match (key.revoked_at.is_some(), key.is_good(now)) {
            (true, _) => Some(tr!("revoked")),
            (false, false) => Some(tr!("expired")),
            (false, true) => None,
        };
        let bounds = [(tr!("kinds"), &key.kinds), (tr!("queues"), &key.queues)];
        let bounds = bounds.into_iter().filter(|(_, bound)| !bound.is_empty());
        Self {
            id: key.id.to_string(),
            allows: key.permissions.to_string(),
            bounds: bounds
                .map(|(what, bound)| format!("{what}: {}", bound.join(", ")))
                .collect::<Vec<_>>()
                .join("; "),
            created: ago(key.created_at, now),
            used: key.last_used_at.map(|at| ago(at, now)),
            ends: key.expires_at.map(moment),
            over,
            revoke: shell.root.href(&format!("/access/keys/{}/revoke", key.id)),
            rotate: shell.root.href(&format!("/access/keys/{}/rotate", key.id)),
            name: key.name,
        }
    }
}

struct UserRow {
    name: String,
    role: &'static str,
    is_disabled: bool,
    /// The provider that they sign in at, if they do.
    issuer: Option<String>,
    signed_in: Option<Markup>,
    change_role: String,
    admission: (&'static str, String),
    reset: String,
    sign_out: String,
}

impl UserRow {
    fn new(user: User, shell: &Shell) -> Self {
        let (root, now): (&Root, Timestamp) = (&shell.root, shell.now);
        let word = if user.is_disabled {
            "enable"
        } else {
            "disable"
        };
        let of = |what: &str| root.href(&format!("/access/users/{}/{what}", user.name));
        Self {
            role: user.role.as_str(),
            is_disabled: user.is_disabled,
            issuer: user.identity.map(|identity| identity.issuer),
            signed_in: user.signed_in_at.map(|at| ago(at, now)),
            change_role: of("role"),
            admission: (word, of(word)),
            reset: of("password"),
            sign_out: of("sign-out"),
            name: user.name,
        }
    }
}
