//! Which language a request is answered in: the one that somebody has chosen, else one that their browser asks for.

use axum::{
    Extension, Form,
    extract::Request,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use baton_domain::access::Browser;
use serde::Deserialize;

use super::Language;
use crate::root::Root;

const COOKIE: &str = "baton_language";
/// For how long a choice is remembered: a year.
const REMEMBERED: u32 = 365 * 24 * 60 * 60;

/// Answers a request in its language.
pub async fn answer_in(request: Request, next: Next) -> Response {
    let language = of_request(request.headers());
    let is_asset = request.uri().path().starts_with("/assets/");
    let mut response = language.scope(next.run(request)).await;
    if !is_asset {
        let varies = HeaderValue::from_static("accept-language, cookie");
        response.headers_mut().append(header::VARY, varies);
    }
    response
}

/// What was chosen.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Chosen {
    language: String,
}

/// Remembers a choice, and leads back to the page that it was made on.
pub async fn choose(
    root: Root,
    headers: HeaderMap,
    browser: Option<Extension<Browser>>,
    Form(chosen): Form<Chosen>,
) -> Response {
    let language = Language::of_tag(&chosen.language).unwrap_or(Language::English);
    let is_over_tls = browser.is_some_and(|Extension(browser)| browser.is_over_tls);
    let back = page_before(&headers).unwrap_or_else(|| root.href("/"));
    let headers = [
        (header::LOCATION, back),
        (header::SET_COOKIE, cookie(language, is_over_tls)),
    ];
    (StatusCode::SEE_OTHER, headers).into_response()
}

fn cookie(language: Language, is_over_tls: bool) -> String {
    let secure = if is_over_tls { "; Secure" } else { "" };
    let tag = language.tag();
    format!("{COOKIE}={tag}; Path=/; Max-Age={REMEMBERED}; HttpOnly; SameSite=Lax{secure}")
}

/// The page of this server that a request came from, as its browser sees it.
fn page_before(headers: &HeaderMap) -> Option<String> {
    let text = |name| headers.get(name)?.to_str().ok();
    let (_, referer) = text(header::REFERER)?.split_once("://")?;
    let (host, page) = referer.split_once('/')?;
    let is_own = text(header::HOST).is_some_and(|own| own.eq_ignore_ascii_case(host));
    // What begins with two slashes would lead elsewhere.
    let is_path = !page.starts_with(['/', '\\']);
    (is_own && is_path).then(|| format!("/{page}"))
}

fn of_request(headers: &HeaderMap) -> Language {
    let chosen = chosen(headers).or_else(|| asked_for(headers));
    chosen.unwrap_or(Language::English)
}

fn chosen(headers: &HeaderMap) -> Option<Language> {
    let lines = headers.get_all(header::COOKIE).iter();
    let mut cookies = lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='));
    let (_, tag) = cookies.find(|(name, _)| *name == COOKIE)?;
    Language::of_tag(tag)
}

/// The language that the browser prefers of those there are; of several it likes as much, the one that stands first.
fn asked_for(headers: &HeaderMap) -> Option<Language> {
    let lines = headers.get_all(header::ACCEPT_LANGUAGE).iter();
    let asked = lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','))
        .filter_map(weighed);
    let best = asked.reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.map(|(language, _)| language)
}

/// `ko-KR;q=0.9`.
fn weighed(asked: &str) -> Option<(Language, f32)> {
    let (tag, more) = asked.split_once(';').unwrap_or((asked, ""));
    let weight = match more.trim().strip_prefix("q=") {
        Some(weight) => weight.trim().parse().ok()?,
        None => 1.0,
    };
    let language = Language::of_tag(tag.trim())?;
    (weight > 0.0).then_some((language, weight))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: &[(header::HeaderName, &'static str)]) -> Language {
        let pairs = pairs.iter().cloned();
        let headers = pairs.map(|(name, value)| (name, HeaderValue::from_static(value)));
        of_request(&headers.collect())
    }

    #[test]
    fn the_browser_is_heard_and_a_choice_is_heard_before_it() {
        let (accept, cookie) = (header::ACCEPT_LANGUAGE, header::COOKIE);

        assert_eq!(of(&[]), Language::English);
        assert_eq!(
            of(&[(accept.clone(), "ko-KR,ko;q=0.9,en;q=0.8")]),
            Language::Korean
        );
        assert_eq!(
            of(&[(accept.clone(), "en;q=0.5, ko;q=0.9")]),
            Language::Korean
        );
        assert_eq!(
            of(&[(accept.clone(), "ko;q=0, en;q=0.1")]),
            Language::English
        );
        assert_eq!(of(&[(accept.clone(), "fr, de")]), Language::English);
        let both = [
            (accept.clone(), "ko"),
            (cookie.clone(), "a=b; baton_language=en"),
        ];
        assert_eq!(of(&both), Language::English);
        let unknown = [(accept, "ko"), (cookie, "baton_language=xx")];
        assert_eq!(of(&unknown), Language::Korean);
    }

    #[test]
    fn a_choice_leads_back_to_the_page_it_was_made_on_and_nowhere_else() {
        let back = |referer: &'static str| {
            let headers = [
                (header::HOST, HeaderValue::from_static("baton.local:7878")),
                (header::REFERER, HeaderValue::from_static(referer)),
            ];
            page_before(&headers.into_iter().collect())
        };

        let page = back("https://baton.local:7878/ops/admin/jobs?state=failed");
        assert_eq!(page.as_deref(), Some("/ops/admin/jobs?state=failed"));
        assert_eq!(back("https://evil/admin/jobs"), None);
        assert_eq!(back("https://baton.local:7878//evil"), None);
    }
}
