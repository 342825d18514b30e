//! Audiences: whom they mean.

use axum::http::Method;
use serde_json::{Value, json};

use crate::fixture::{Fixture, Reply};

async fn preview(fixture: &Fixture, audience: Value) -> Reply {
    fixture
        .post("/v1/audiences/preview", json!({"audience": audience}))
        .await
}

async fn fixture_of(people: &[(&str, Value)]) -> Fixture {
    let fixture = Fixture::new();
    for (id, body) in people {
        let path = format!("/v1/recipients/{id}");
        let put = fixture.call(Method::PUT, &path, Some(body.clone())).await;
        assert_eq!(put.status, 201, "{put:?}");
    }
    fixture
}

fn ids(preview: &Value) -> Vec<&str> {
    let samples = preview["samples"].as_array().unwrap();
    samples
        .iter()
        .map(|sample| sample["id"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn a_preview_counts_exactly_and_shows_some() {
    let fixture = fixture_of(&[
        (
            "a",
            json!({"platform": "ios", "topics": ["quiz"], "lat": 37.5, "lon": 127}),
        ),
        (
            "b",
            json!({"platform": "web", "topics": ["quiz"], "enabled": false}),
        ),
        ("c", json!({"platform": "ios"})),
    ])
    .await;

    let quiz = preview(&fixture, json!({"topic": "quiz"})).await.ok();
    let near = preview(
        &fixture,
        json!({"within": {"lat": 37.5, "lon": 127.001, "radius_m": 100}}),
    )
    .await
    .ok();
    let rest = preview(
        &fixture,
        json!({"not": {"any_of": [{"ids": ["a"]}, {"platform": "web"}]}}),
    )
    .await
    .ok();

    assert_eq!(
        (&quiz["count"], &quiz["disabled"], ids(&quiz)),
        (&json!(2), &json!(1), vec!["a", "b"])
    );
    assert_eq!((&near["count"], ids(&near)), (&json!(1), vec!["a"]));
    assert_eq!((&rest["count"], ids(&rest)), (&json!(1), vec!["c"]));
}

#[tokio::test]
async fn an_audience_of_nobody_is_an_answer() {
    let fixture = Fixture::new();

    let nobody = preview(&fixture, json!({"all": true})).await.ok();

    assert_eq!(nobody, json!({"count": 0, "disabled": 0, "samples": []}));
}

#[tokio::test]
async fn as_many_samples_are_shown_as_are_asked_for() {
    let people: Vec<_> = (0..15)
        .map(|i| (format!("r{i:02}"), json!({"platform": "ios"})))
        .collect();
    let people: Vec<_> = people
        .iter()
        .map(|(id, body)| (id.as_str(), body.clone()))
        .collect();
    let fixture = fixture_of(&people).await;
    let ask = |samples: Value| json!({"audience": {"all": true}, "samples": samples});

    let usual = preview(&fixture, json!({"all": true})).await.ok();
    let none = fixture
        .post("/v1/audiences/preview", ask(json!(0)))
        .await
        .ok();
    let many = fixture.post("/v1/audiences/preview", ask(json!(101))).await;

    assert_eq!(
        (ids(&usual).len(), ids(&none).len(), &none["count"]),
        (10, 0, &json!(15))
    );
    assert_eq!(many.wrong_fields(), ["samples"]);
}

#[tokio::test]
async fn what_is_no_audience_is_refused_with_what_would_be_one() {
    let fixture = Fixture::new();

    let zero = preview(
        &fixture,
        json!({"within": {"lat": 0, "lon": 0, "radius_m": 0}}),
    )
    .await;
    let two = preview(&fixture, json!({"platform": "ios", "topic": "quiz"})).await;
    let nothing = fixture.post("/v1/audiences/preview", json!({})).await;

    assert_eq!(zero.wrong_fields(), ["audience.within.radius_m"]);
    assert!(
        zero.json()["detail"]
            .as_str()
            .unwrap()
            .contains("must be above 0")
    );
    assert_eq!(two.wrong_fields(), ["audience"]);
    assert_eq!(nothing.wrong_fields(), ["audience"]);
}

#[tokio::test]
async fn a_circle_across_the_antimeridian_and_one_around_a_pole_mean_who_is_in_them() {
    let at = |lat: f64, lon: f64| json!({"platform": "ios", "lat": lat, "lon": lon});
    let fixture = fixture_of(&[
        ("east", at(-16.8, 179.999)),
        ("west", at(-16.8, -179.999)),
        ("greenwich", at(-16.8, 0.0)),
        ("pole", at(89.999, 10.0)),
        ("behind-the-pole", at(89.999, -170.0)),
        ("nowhere", json!({"platform": "ios"})),
    ])
    .await;
    let circle = |lat: f64, lon: f64, radius_m: f64| json!({"within": {"lat": lat, "lon": lon, "radius_m": radius_m}});

    let taveuni = preview(&fixture, circle(-16.8, 180.0, 1_000.0)).await.ok();
    let the_same = preview(&fixture, circle(-16.8, -180.0, 1_000.0)).await.ok();
    let north = preview(&fixture, circle(90.0, 45.0, 1_000.0)).await.ok();
    let south = preview(&fixture, circle(-90.0, 0.0, 1_000.0)).await.ok();
    let earth = preview(&fixture, circle(0.0, 0.0, 20_000_000.0)).await.ok();

    assert_eq!(ids(&taveuni), ["east", "west"]);
    assert_eq!(taveuni, the_same);
    assert_eq!(ids(&north), ["pole", "behind-the-pole"]);
    assert_eq!(south["count"], 0);
    assert_eq!(earth["count"], 5, "everybody who is somewhere");
}
