//! What a browser may load, and who may press buttons.

use axum::{
    body::Body,
    http::{Request, StatusCode, header},
};
use baton_domain::job::State;

use crate::fixture::Fixture;

#[tokio::test]
async fn every_answer_is_sealed() {
    let fixture = Fixture::new();

    for path in [
        "/admin",
        "/admin/jobs",
        "/admin/nowhere",
        "/admin/assets/console.css",
    ] {
        let answer = fixture.get(path).await;

        let policy = answer.header("content-security-policy");
        for part in [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "connect-src 'self'",
            "img-src 'self' data:",
            "form-action 'self'",
            "frame-ancestors 'none'",
            "base-uri 'none'",
        ] {
            assert!(policy.contains(part), "{path} lacks {part}: {policy}");
        }
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("referrer-policy"), "same-origin");
    }
}

#[tokio::test]
async fn pages_hold_no_inline_script_and_no_inline_style() {
    let fixture = Fixture::new();
    let id = fixture.job_in(State::Failed).await;

    for path in [
        "/admin".to_owned(),
        "/admin/jobs".to_owned(),
        format!("/admin/jobs/{id}"),
        "/admin/dead-letters".to_owned(),
    ] {
        let page = fixture.get(&path).await;

        let files = "<script type=\"module\" src=\"";
        assert_eq!(page.body.matches("<script").count(), 2, "{path}");
        assert_eq!(page.body.matches(files).count(), 2, "{path}");
        page.lacks("style=").lacks("<style");
        let tags = page.body.split('<').filter_map(|tag| tag.split('>').next());
        for tag in tags {
            let mut words = tag.split_whitespace().skip(1);
            let handler = words.find(|word| word.starts_with("on") && word.contains('='));
            assert_eq!(handler, None, "{path}: <{tag}>");
        }
    }
}

#[tokio::test]
async fn a_write_from_another_site_is_refused_and_changes_nothing() {
    let fixture = Fixture::new();
    let id = fixture.job_in(State::Queued).await;
    let path = format!("/admin/jobs/{id}/cancel");
    let sources: [&[(&str, &str)]; 4] = [
        &[],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site")],
        &[("origin", "https://evil.example"), ("host", "baton.local")],
    ];

    for source in sources {
        let mut request = Request::post(&path);
        for (name, value) in source {
            request = request.header(*name, *value);
        }
        let answer = fixture.ask(request.body(Body::empty()).unwrap()).await;

        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{source:?}");
        answer
            .has("This did not come from the console")
            .has("Nothing was changed");
        assert_eq!(fixture.job(id).await.state, State::Queued);
    }
}

#[tokio::test]
async fn a_write_over_plain_http_is_known_by_its_origin() {
    let fixture = Fixture::new();
    let id = fixture.job_in(State::Queued).await;
    let request = Request::post(format!("/admin/jobs/{id}/cancel"))
        .header(header::ORIGIN, "http://baton.local:7878")
        .header(header::HOST, "baton.local:7878")
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");

    let answer = fixture.ask(request.body(Body::empty()).unwrap()).await;

    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    assert_eq!(fixture.job(id).await.state, State::Canceled);
}

#[tokio::test]
async fn reading_changes_nothing_whatever_the_address() {
    let fixture = Fixture::new();
    let id = fixture.job_in(State::Queued).await;

    for action in ["cancel", "retry", "run-now", "resolve"] {
        let answer = fixture.get(&format!("/admin/jobs/{id}/{action}")).await;

        assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "{action}");
    }
    assert_eq!(fixture.job(id).await.state, State::Queued);
}
