//! Pages of other sites are kept out.

use axum::{
    body::Body,
    http::{Request, header::CONTENT_TYPE},
};
use baton_api::Options;

use crate::fixture::{Fixture, Reply};

async fn post_with(fixture: &Fixture, headers: &[(&str, &str)]) -> Reply {
    let mut request = Request::post("/v1/jobs").header(CONTENT_TYPE, "application/json");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    fixture
        .send(request.body(Body::from(r#"{"kind":"note"}"#)).unwrap())
        .await
}

#[tokio::test]
async fn a_page_of_another_site_cannot_change_anything() {
    let fixture = Fixture::new();

    for headers in [
        &[
            ("host", "localhost:7878"),
            ("origin", "https://evil.example"),
        ][..],
        &[("host", "localhost:7878"), ("origin", "null")],
        &[
            ("host", "localhost:7878"),
            ("origin", "http://localhost:9999"),
        ],
        &[("host", "localhost:7878"), ("sec-fetch-site", "cross-site")],
        &[("host", "localhost:7878"), ("sec-fetch-site", "same-site")],
    ] {
        let reply = post_with(&fixture, headers).await;

        assert_eq!(reply.status, 403, "{headers:?}");
        reply.problem("forbidden");
    }
    let jobs = fixture.get("/v1/jobs").await.ok();
    assert_eq!(jobs["items"].as_array().unwrap().len(), 0);
}

#[tokio::test]
async fn an_own_page_and_a_program_are_let_in() {
    let fixture = Fixture::new();

    for headers in [
        &[][..],
        &[("host", "127.0.0.1:7878")],
        &[("host", "[::1]:7878")],
        &[
            ("host", "localhost:7878"),
            ("origin", "http://localhost:7878"),
            ("sec-fetch-site", "same-origin"),
        ],
        &[("host", "localhost"), ("sec-fetch-site", "none")],
    ] {
        let reply = post_with(&fixture, headers).await;

        assert_eq!(reply.status, 201, "{headers:?}");
    }
}

#[tokio::test]
async fn a_foreign_host_name_on_loopback_is_refused_even_for_a_look() {
    let fixture = Fixture::new();

    for host in [
        "evil.example",
        "evil.example:7878",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "10.0.0.7",
    ] {
        let request = Request::get("/v1/jobs").header("host", host);
        let reply = fixture.send(request.body(Body::empty()).unwrap()).await;

        assert_eq!(reply.status, 403, "{host}");
        reply.problem("forbidden");
    }
}

#[tokio::test]
async fn a_host_name_the_server_was_told_of_is_its_own() {
    let fixture = Fixture::with(Options {
        hosts: vec!["jobs.internal".to_owned()],
        ..Options::default()
    });

    let reply = post_with(&fixture, &[("host", "jobs.internal:80")]).await;

    assert_eq!(reply.status, 201);
}

#[tokio::test]
async fn an_address_the_server_was_told_of_is_its_own_in_every_way_to_write_it() {
    let fixture = Fixture::with(Options {
        hosts: vec!["10.0.0.7".to_owned(), "2001:db8::1".to_owned()],
        ..Options::default()
    });

    for host in [
        "10.0.0.7",
        "10.0.0.7:80",
        "[2001:db8::1]:80",
        "[2001:DB8:0::1]",
    ] {
        let reply = post_with(&fixture, &[("host", host)]).await;

        assert_eq!(reply.status, 201, "{host}");
    }
}

#[tokio::test]
async fn a_request_for_two_hosts_is_refused() {
    let fixture = Fixture::new();

    for host in ["evil.example", "127.0.0.1"] {
        let reply = post_with(&fixture, &[("host", "localhost"), ("host", host)]).await;

        reply.problem("forbidden");
    }
}

#[tokio::test]
async fn a_process_without_the_api_answers_under_no_foreign_name_either() {
    let fixture = Fixture::new().without_api();

    for path in ["/healthz", "/readyz", "/metrics", "/", "/admin", "/v1/jobs"] {
        let under = |host| {
            let request = Request::get(path).header("host", host);
            fixture.send(request.body(Body::empty()).unwrap())
        };
        let (foreign, own) = (under("evil.example").await, under("localhost").await);

        foreign.problem("forbidden");
        assert_ne!(own.status, 403, "{path}");
    }
}
