//! Sign-in, sign-out, and the set-up of the first user: the pages for somebody whom the server does not know yet.

pub mod provider;

use askama::Template;
use axum::{
    Extension, Form,
    extract::Query,
    http::{HeaderValue, StatusCode, header},
    response::{Html, IntoResponse, Response},
};
use baton_domain::{
    Timestamp,
    access::{Browser, PASSWORD, Secret},
};
use baton_engine::{SignIn, SignInRefused, SignedIn};
use serde::Deserialize;

use super::search::encode;
use crate::{
    Console,
    errors::PageError,
    receipt::is_inside,
    root::Root,
    view::{Markup, span},
};

/// Where somebody wanted to go, and whether they have just left.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct SignInQuery {
    next: String,
    /// Whether they have signed out here, and had signed in at the provider.
    left: bool,
}

/// What was typed to sign in.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct SignInForm {
    name: String,
    password: String,
    next: String,
}

/// What was typed to set the first user up.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct SetUp {
    token: String,
    name: String,
    password: String,
}

/// Leads whoever has not signed in to where they can, and says where they wanted to go.
#[must_use]
pub fn ask(path: &str) -> Response {
    let (page, query) = path.split_once('?').unwrap_or((path, ""));
    let inner = page.strip_prefix("/admin").unwrap_or(page);
    let root = Root::seen_from(page, if inner.is_empty() { "/" } else { inner });
    let query = if query.is_empty() {
        String::new()
    } else {
        format!("?{query}")
    };
    let next = encode(&format!("{inner}{query}"));
    let to = root.href(&format!("/sign-in?next={next}"));
    (StatusCode::SEE_OTHER, [(header::LOCATION, to)]).into_response()
}

/// Asks for a name and a password.
pub async fn show(console: Console, root: Root, Query(wanted): Query<SignInQuery>) -> Response {
    // Nobody can sign in yet: it begins with the first user.
    let is_new = matches!(console.engine.has_principals().await, Ok(false));
    let elsewhere = match wanted.left {
        true => console.engine.provider_sign_out_url().await,
        false => None,
    };
    page(
        StatusCode::OK,
        &SignInPage {
            is_new,
            has_left: wanted.left,
            elsewhere,
            ..form(&console, &root, &wanted.next, "", None)
        },
    )
}

/// Begins a session.
pub async fn sign_in(
    console: Console,
    root: Root,
    Extension(browser): Extension<Browser>,
    Form(typed): Form<SignInForm>,
) -> Response {
    let asked = SignIn {
        name: typed.name.trim().to_lowercase(),
        password: typed.password,
        address: browser.address,
        request_id: console.engine.actor().request_id.clone(),
    };
    let name = asked.name.clone();
    let (status, trouble) = match console.engine.sign_in(asked).await {
        Ok(Ok(signed_in)) => return welcome(&root, &browser, &signed_in, &typed.next),
        Ok(Err(refused)) => told(refused, console.engine.now()),
        Err(error) => {
            let trouble = PageError::from(error);
            (
                trouble.status,
                format!("{} {}", trouble.detail, trouble.advice),
            )
        }
    };
    page(
        status,
        &form(&console, &root, &typed.next, &name, Some(trouble)),
    )
}

fn told(refused: SignInRefused, now: Timestamp) -> (StatusCode, String) {
    match refused {
        SignInRefused::Wrong => (
            StatusCode::UNAUTHORIZED,
            tr!("The name or the password is wrong.").to_owned(),
        ),
        SignInRefused::TooSoon(until) => (
            StatusCode::TOO_MANY_REQUESTS,
            tr!(
                "There were too many wrong passwords. Try again in {span}.",
                span = span(until.since(now))
            ),
        ),
    }
}

fn welcome(root: &Root, browser: &Browser, signed_in: &SignedIn, next: &str) -> Response {
    let next = if is_inside(next) { next } else { "/" };
    let headers = [
        (header::LOCATION, root.href(next)),
        (
            header::SET_COOKIE,
            cookie(browser, &signed_in.secret.reveal(), ""),
        ),
    ];
    (StatusCode::SEE_OTHER, headers).into_response()
}

/// The same answer, with which the browser goes on in a session that has just begun.
pub fn kept(mut answer: Response, browser: &Browser, signed_in: &SignedIn) -> Response {
    let cookie = cookie(browser, &signed_in.secret.reveal(), "");
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        answer.headers_mut().append(header::SET_COOKIE, cookie);
    }
    answer
}

/// A cookie for this session of the browser; a link from elsewhere finds whoever follows it signed in, a form does not.
fn cookie(browser: &Browser, value: &str, more: &str) -> String {
    cookie_named(browser.cookie(), browser, value, more)
}

fn cookie_named(name: &str, browser: &Browser, value: &str, more: &str) -> String {
    let secure = if browser.is_over_tls { "; Secure" } else { "" };
    format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax{secure}{more}")
}

/// Ends the session.
pub async fn sign_out(
    console: Console,
    root: Root,
    Extension(browser): Extension<Browser>,
) -> Response {
    let left = match &browser.session {
        Some(secret) => console.engine.sign_out(secret).await,
        None => Ok(false),
    };
    let to = match left {
        Ok(true) => "/sign-in?left=true",
        Ok(false) => "/sign-in",
        Err(error) => {
            let trouble = PageError::from(error);
            return (trouble.status, trouble.detail).into_response();
        }
    };
    self::left(&root, &browser, to)
}

/// Has the browser forget its session, and leads it somewhere.
pub fn left(root: &Root, browser: &Browser, to: &str) -> Response {
    let headers = [
        (header::LOCATION, root.href(to)),
        (header::SET_COOKIE, cookie(browser, "", "; Max-Age=0")),
    ];
    (StatusCode::SEE_OTHER, headers).into_response()
}

/// Asks for the set-up token and the first user.
pub async fn show_set_up(root: Root) -> Response {
    page(StatusCode::OK, &set_up_form(&root, "", None))
}

/// Adds the first user, who can sign in then.
pub async fn set_up(console: Console, root: Root, Form(typed): Form<SetUp>) -> Response {
    let name = typed.name.trim().to_lowercase();
    let Ok(token) = Secret::read(typed.token.trim()) else {
        let trouble = tr!("This is no set-up token: it has 64 digits and letters from a to f.");
        let form = set_up_form(&root, &name, Some(trouble.to_owned()));
        return page(StatusCode::BAD_REQUEST, &form);
    };
    let made = console.engine.set_up(&token, name.clone(), typed.password);
    match made.await {
        Ok(user) => page(
            StatusCode::OK,
            &form(&console, &root, "/", &user.name, None),
        ),
        Err(error) => {
            let trouble = PageError::from(error);
            let told = format!("{} {}", trouble.detail, trouble.advice);
            page(trouble.status, &set_up_form(&root, &name, Some(told)))
        }
    }
}

#[derive(Template)]
#[template(path = "rooms/sign_in.html")]
struct SignInPage<'a> {
    root: &'a Root,
    next: &'a str,
    name: &'a str,
    trouble: Option<String>,
    is_new: bool,
    /// Whether they have just signed out here, and had signed in at the provider.
    has_left: bool,
    /// Where they end their session at the provider.
    elsewhere: Option<String>,
    provider: Option<ProviderButton>,
}

/// The button that leads to where people can sign in beside here.
struct ProviderButton {
    label: String,
    href: String,
}

#[derive(Template)]
#[template(path = "rooms/set_up.html")]
struct SetUpPage<'a> {
    root: &'a Root,
    name: &'a str,
    trouble: Option<String>,
    least: usize,
}

fn form<'a>(
    console: &Console,
    root: &'a Root,
    next: &'a str,
    name: &'a str,
    trouble: Option<String>,
) -> SignInPage<'a> {
    let provider = console.engine.identity_provider();
    SignInPage {
        root,
        next,
        name,
        trouble,
        is_new: false,
        has_left: false,
        elsewhere: None,
        provider: provider.map(|provider| ProviderButton {
            label: provider.label().to_owned(),
            href: root.href(&format!("{}?next={}", provider::PATH, encode(next))),
        }),
    }
}

const fn set_up_form<'a>(root: &'a Root, name: &'a str, trouble: Option<String>) -> SetUpPage<'a> {
    SetUpPage {
        root,
        name,
        trouble,
        least: *PASSWORD.start(),
    }
}

fn page(status: StatusCode, page: &impl Template) -> Response {
    let mut response = (status, Html(Markup::of(page).to_string())).into_response();
    let no_store = HeaderValue::from_static("no-store");
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, no_store);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn led_to(path: &str) -> String {
        let response = ask(path);
        let to = &response.headers()[header::LOCATION];
        to.to_str().unwrap().to_owned()
    }

    #[test]
    fn whoever_is_asked_comes_back_to_where_they_wanted_to_go() {
        assert_eq!(led_to("/admin"), "admin/sign-in?next=");
        assert_eq!(
            led_to("/admin/jobs?state=failed"),
            "./sign-in?next=%2Fjobs%3Fstate%3Dfailed"
        );
        assert_eq!(
            led_to("/admin/jobs/job_1"),
            "../sign-in?next=%2Fjobs%2Fjob_1"
        );
    }

    #[test]
    fn over_tls_nobody_else_can_set_the_cookie_of_a_session() {
        let browser = Browser {
            is_over_tls: true,
            ..Browser::default()
        };

        let cookie = cookie(&browser, "abc", "");

        assert_eq!(
            cookie,
            "__Host-baton_session=abc; Path=/; HttpOnly; SameSite=Lax; Secure"
        );
    }
}
