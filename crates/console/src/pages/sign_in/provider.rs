//! Sign-in at a provider: the way there, and the way back.

use std::time::Duration;

use axum::{
    Extension,
    extract::{OriginalUri, Query, rejection::QueryRejection},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{AppendHeaders, IntoResponse, Response},
};
use baton_domain::{Timestamp, access::Browser};
use baton_engine::{NotLetIn, ProviderError, SignInCallback};
use serde::Deserialize;

use super::{SignInQuery, form, page};
use crate::{Console, errors::PageError, receipt::is_inside, root::Root, view::span};

/// The way there, below the mount, and the way back.
pub const PATH: &str = "/sign-in/provider";
const BACK: &str = "/sign-in/callback";

/// What the provider has sent the browser back with.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct SentBack {
    state: String,
    code: Option<String>,
    error: Option<String>,
    iss: Option<String>,
}

/// Sends a browser to the provider.
pub async fn leave(
    console: Console,
    root: Root,
    Extension(browser): Extension<Browser>,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
    Query(wanted): Query<SignInQuery>,
) -> Response {
    let back = way_back(&browser, &headers, uri.path());
    let next = if is_inside(&wanted.next) {
        &wanted.next
    } else {
        "/"
    };
    let sent = console.engine.begin_sign_in(&back, next).await;
    match sent {
        Ok(Ok(sent)) => {
            let kept = kept(&browser, &sent.begun, sent.within);
            let headers = [
                (header::LOCATION, sent.address),
                (header::SET_COOKIE, kept),
                (header::CACHE_CONTROL, "no-store".to_owned()),
            ];
            (StatusCode::SEE_OTHER, headers).into_response()
        }
        Ok(Err(why)) => shown(&console, &root, next, told(&why, console.engine.now())),
        Err(error) => shown(&console, &root, next, trouble(error)),
    }
}

/// Begins a session for whoever comes back from the provider.
pub async fn come_back(
    console: Console,
    root: Root,
    Extension(browser): Extension<Browser>,
    headers: HeaderMap,
    sent_back: Result<Query<SentBack>, QueryRejection>,
) -> Response {
    let Query(sent_back) = sent_back.unwrap_or_default();
    let came = SignInCallback {
        begun: cookie_of(&headers, name(&browser)),
        state: sent_back.state,
        code: sent_back.code,
        error: sent_back.error,
        issuer: sent_back.iss,
        address: browser.address,
        request_id: console.engine.actor().request_id.clone(),
    };
    let response = match console.engine.finish_sign_in(came).await {
        Ok(Ok((signed_in, next))) => super::welcome(&root, &browser, &signed_in, &next),
        Ok(Err(why)) => shown(&console, &root, "/", told(&why, console.engine.now())),
        Err(error) => shown(&console, &root, "/", trouble(error)),
    };
    // What was begun is over, one way or the other.
    let over = kept(&browser, "", Duration::ZERO);
    let no_store = (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    (
        [no_store],
        AppendHeaders([(header::SET_COOKIE, over)]),
        response,
    )
        .into_response()
}

/// The sentence for somebody who is not let in.
fn told(why: &NotLetIn, now: Timestamp) -> (StatusCode, String) {
    let sentence = match why {
        NotLetIn::NoProvider => tr!("No identity provider is configured here. Sign in with a name and a password.").to_owned(),
        NotLetIn::NotBegunHere => tr!(
            "This sign-in was begun in another browser, or more than ten minutes ago, or was used already. \
             Begin it again."
        )
            .to_owned(),
        NotLetIn::Canceled(word) if word == "access_denied" => tr!("You were not signed in: it was canceled at the identity provider.").to_owned(),
        NotLetIn::Canceled(word) => tr!(
            "The identity provider did not sign you in and says: {word}. Try again, or ask who runs it.",
            word = word
        ),
        NotLetIn::TooSoon(until) => {
            let wait = span(until.since(now));
            let sentence = tr!("Too many are signing in. Try again in {span}.", span = wait);
            return (StatusCode::TOO_MANY_REQUESTS, sentence);
        }
        NotLetIn::Provider(ProviderError::Away(_)) => {
            let sentence = tr!("The identity provider cannot be asked now who you are. Try again in a moment; `baton doctor` says what is wrong.");
            return (StatusCode::BAD_GATEWAY, sentence.to_owned());
        }
        NotLetIn::Provider(ProviderError::Refused(_)) => {
            tr!("The identity provider has not confirmed this sign-in. Begin it again; if it stays so, ask an admin: the audit log says why.").to_owned()
        }
        NotLetIn::Provider(ProviderError::Untrusted(_)) => {
            tr!("What the identity provider said of you cannot be trusted. Begin again; if it stays so, ask an admin: the audit log says why.").to_owned()
        }
        NotLetIn::NoRole(decided_by) => {
            let sentence = tr!(
                "The identity provider knows you, and nothing in {place} gives you a role here. Ask who runs this server to add one of your \
                 values to access.oidc.roles, or to give you one there.",
                place = decided_by
            );
            return (StatusCode::FORBIDDEN, sentence);
        }
        NotLetIn::KeptOut => {
            let sentence = tr!("You are kept out of this server. Ask one of its admins to let you in.");
            return (StatusCode::FORBIDDEN, sentence.to_owned());
        }
    };
    (StatusCode::UNAUTHORIZED, sentence)
}

fn trouble(error: baton_engine::Error) -> (StatusCode, String) {
    let trouble = PageError::from(error);
    let sentence = format!("{} {}", trouble.detail, trouble.advice);
    (trouble.status, sentence)
}

fn shown(
    console: &Console,
    root: &Root,
    next: &str,
    (status, trouble): (StatusCode, String),
) -> Response {
    page(status, &form(console, root, next, "", Some(trouble)))
}

/// The address of the way back as the browser sees it. The server answers under its own names alone, so the header says one of them.
fn way_back(browser: &Browser, headers: &HeaderMap, path: &str) -> String {
    let scheme = if browser.is_over_tls { "https" } else { "http" };
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let mount = path.strip_suffix(PATH).unwrap_or_default();
    format!("{scheme}://{}{mount}{BACK}", host.unwrap_or_default())
}

fn name(browser: &Browser) -> &'static str {
    match browser.is_over_tls {
        true => "__Host-baton_sign_in",
        false => "baton_sign_in",
    }
}

/// The cookie of a sign-in that was begun. The provider leads back from elsewhere, and a link finds it there.
fn kept(browser: &Browser, value: &str, within: Duration) -> String {
    let seconds = within.as_secs();
    super::cookie_named(
        name(browser),
        browser,
        value,
        &format!("; Max-Age={seconds}"),
    )
}

fn cookie_of(headers: &HeaderMap, name: &str) -> Option<String> {
    let lines = headers.get_all(header::COOKIE).iter();
    let mut cookies = lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='));
    let (_, value) = cookies.find(|(given, _)| *given == name)?;
    Some(value.to_owned())
}
