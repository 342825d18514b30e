//! What a browser may load, and who may press buttons: security headers, and a check against foreign writes.

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use crate::{ConsoleState, errors::PageError, shell::Shell};

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// Seals a response: nothing from elsewhere is loaded, nothing is guessed, nothing is told.
pub async fn seal(mut response: Response) -> Response {
    const SEALS: [(HeaderName, &str); 4] = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // Without any, a form would come from no origin that can be told.
        (header::REFERRER_POLICY, "same-origin"),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
    ];
    for (name, value) in SEALS {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Refuses a write that another site could have made this browser send.
pub async fn refuse_foreign_writes(
    State(console): State<ConsoleState>,
    request: Request,
    next: Next,
) -> Response {
    if is_safe(request.method()) || is_own(request.headers()) {
        return next.run(request).await;
    }
    tracing::warn!(
        path = request.uri().path(),
        "refused a write of the console that did not come from its own pages"
    );
    let (mut parts, _) = request.into_parts();
    let Ok(shell) = <Shell as axum::extract::FromRequestParts<ConsoleState>>::from_request_parts(
        &mut parts, &console,
    )
    .await;
    let trouble = PageError {
        status: StatusCode::FORBIDDEN,
        title: tr!("This did not come from the console"),
        detail: tr!(
            "The browser says that another site sent this request, or does not say who did."
        )
        .to_owned(),
        advice: tr!(
            "Nothing was changed. Press the button on the console's own page. Scripts use the \
                 API under /v1. If a proxy stands in front, let it pass on the Host header."
        ),
    };
    crate::receipt::answer(&shell, &parts.headers, "/", Err(trouble)).into_response()
}

fn is_safe(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

/// Browsers tell who sent a request: new ones in Sec-Fetch-Site, and over plain HTTP only in Origin.
fn is_own(headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    if headers.contains_key("sec-fetch-site") {
        return matches!(text("sec-fetch-site"), Some("same-origin" | "none"));
    }
    let origin = text("origin").and_then(|origin| origin.split_once("://"));
    matches!((origin, text("host")), (Some((_, from)), Some(host)) if from.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| {
                (
                    HeaderName::from_static(name),
                    HeaderValue::from_static(value),
                )
            })
            .collect()
    }

    #[test]
    fn only_the_consoles_own_pages_may_write() {
        assert!(is_own(&headers(&[("sec-fetch-site", "same-origin")])));
        assert!(is_own(&headers(&[("sec-fetch-site", "none")])));
        assert!(is_own(&headers(&[
            ("origin", "http://baton.local:7878"),
            ("host", "baton.local:7878")
        ])));
    }

    #[test]
    fn other_sites_and_the_silent_are_refused() {
        for foreign in [
            headers(&[]),
            headers(&[("host", "baton.local")]),
            headers(&[("origin", "null"), ("host", "baton.local")]),
            headers(&[("origin", "http://evil"), ("host", "baton.local")]),
            headers(&[("sec-fetch-site", "cross-site")]),
            headers(&[("sec-fetch-site", "same-site")]),
            // What Sec-Fetch-Site says is not overruled by an Origin that matches.
            headers(&[
                ("sec-fetch-site", "cross-site"),
                ("origin", "http://baton.local"),
                ("host", "baton.local"),
            ]),
        ] {
            assert!(!is_own(&foreign), "{foreign:?}");
        }
    }
}
