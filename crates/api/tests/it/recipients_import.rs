//! Imports: streams of rows, told line by line.

use std::time::Duration;

use axum::{
    body::{Body, Bytes},
    http::{Request, header::CONTENT_TYPE},
};
use futures::{StreamExt, stream};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::fixture::{Fixture, Reply};

async fn import(fixture: &Fixture, media: &str, body: impl Into<Body>) -> Reply {
    import_to(fixture, "/v1/recipients/import", media, body).await
}

async fn import_to(fixture: &Fixture, path: &str, media: &str, body: impl Into<Body>) -> Reply {
    let request = Request::post(path)
        .header(CONTENT_TYPE, media)
        .body(body.into());
    fixture.send(request.unwrap()).await
}

fn counts(report: &Value) -> [u64; 5] {
    ["rows", "added", "changed", "unchanged", "refused"].map(|name| report[name].as_u64().unwrap())
}

async fn count(fixture: &Fixture) -> Value {
    let all = json!({"audience": {"all": true}});
    fixture.post("/v1/audiences/preview", all).await.ok()["count"].clone()
}

fn csv(rows: std::ops::Range<u32>) -> String {
    rows.map(|i| format!("r{i},ios\n")).collect()
}

#[tokio::test]
async fn an_ndjson_file_is_taken_in_and_the_same_again_changes_nothing() {
    let fixture = Fixture::new();
    let file = "{\"id\": \"a\", \"platform\": \"ios\", \"topics\": [\"quiz\"]}\n{\"id\": \"b\", \"platform\": \"web\"}\n";

    let first = import(&fixture, "application/x-ndjson", file).await.ok();
    let again = import(&fixture, "application/x-ndjson", file).await.ok();

    assert_eq!(
        (counts(&first), &first["complete"]),
        ([2, 2, 0, 0, 0], &json!(true))
    );
    assert_eq!(counts(&again), [2, 0, 0, 2, 0]);
    assert_eq!(
        fixture.get("/v1/recipients/a").await.ok()["topics"],
        json!(["quiz"])
    );
}

#[tokio::test]
async fn a_csv_file_is_taken_in_by_its_header() {
    let fixture = Fixture::new();
    let file = "\u{feff}platform,id,address.push,lat,lon\r\nios,\"Kim, \"\"J\"\"\",t1,37.5,127\r\nweb,b,,,\r\n";

    let report = import(&fixture, "text/csv; charset=utf-8", file).await.ok();

    assert_eq!(counts(&report), [2, 2, 0, 0, 0]);
    let kim = fixture.get("/v1/recipients/Kim%2C%20%22J%22").await.ok();
    assert_eq!(
        (&kim["addresses"], &kim["lat"]),
        (&json!({"push": "t1"}), &json!(37.5))
    );
    assert_eq!(
        fixture.get("/v1/recipients/b").await.ok()["addresses"],
        json!({})
    );
}

#[tokio::test]
async fn rows_that_are_wrong_are_told_with_their_lines_and_the_others_count() {
    let fixture = Fixture::new();
    let file = "id,platform,lat,lon\na,ios,,\nb,ios,91,0\n\nc,ios\n,ios,,\nd,ios,1,1\n";

    let report = import(&fixture, "text/csv", file).await.ok();

    assert_eq!(
        (counts(&report), &report["complete"]),
        ([5, 2, 0, 0, 3], &json!(true))
    );
    let errors = report["errors"].as_array().unwrap();
    let told: Vec<_> = errors
        .iter()
        .map(|row| {
            (
                row["line"].as_u64().unwrap(),
                row["errors"][0]["field"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(told, [(3, "lat"), (5, "row"), (6, "id")]);
}

#[tokio::test]
async fn an_id_that_stands_twice_means_what_the_later_row_says() {
    let fixture = Fixture::new();
    let file = "id,platform\na,ios\nb,ios\na,web\na,web\n";

    let report = import(&fixture, "text/csv", file).await.ok();

    assert_eq!(counts(&report), [4, 2, 1, 1, 0]);
    assert_eq!(
        fixture.get("/v1/recipients/a").await.ok()["platform"],
        "web"
    );
}

#[tokio::test]
async fn a_broken_quote_stops_at_its_line_and_what_came_before_is_in() {
    let fixture = Fixture::new();
    let file = format!(
        "id,platform\n{}x,\"ios\n{}",
        csv(0..7_000),
        csv(7_000..9_000)
    );

    let report = import(&fixture, "text/csv", file).await.ok();

    assert_eq!(
        (counts(&report), &report["complete"]),
        ([7_000, 7_000, 0, 0, 0], &json!(false))
    );
    assert_eq!(report["stopped"]["line"], 7_002);
    assert!(
        report["stopped"]["message"]
            .as_str()
            .unwrap()
            .contains("quote"),
        "{report}"
    );
    assert_eq!(count(&fixture).await, 7_000);
}

#[tokio::test]
async fn a_dry_run_says_what_would_become_of_the_rows_and_writes_nothing() {
    let fixture = Fixture::new();
    import(&fixture, "text/csv", "id,platform\na,ios\nb,ios\n")
        .await
        .ok();

    let file = "id,platform\na,ios\nb,web\nc,ios\nd,\n";
    let report = import_to(
        &fixture,
        "/v1/recipients/import?dry_run=true",
        "text/csv",
        file,
    )
    .await
    .ok();

    assert_eq!(
        (counts(&report), &report["dry_run"]),
        ([4, 1, 1, 1, 1], &json!(true))
    );
    assert_eq!(count(&fixture).await, 2);
    assert_eq!(
        fixture.get("/v1/recipients/b").await.ok()["platform"],
        "ios"
    );
}

#[tokio::test]
async fn the_first_hundred_refused_rows_are_told_and_all_are_counted() {
    let fixture = Fixture::new();
    let file = "{}\n".repeat(250);

    let report = import(&fixture, "application/x-ndjson", file).await.ok();

    assert_eq!(counts(&report), [250, 0, 0, 0, 250]);
    assert_eq!(report["errors"].as_array().unwrap().len(), 100);
}

#[tokio::test]
async fn what_is_no_file_of_recipients_is_refused() {
    let fixture = Fixture::new();

    let json = import(&fixture, "application/json", "{}").await;
    let no_header = import(&fixture, "text/csv", "").await;
    let strange = import(&fixture, "text/csv", "id,platform,shoe\na,ios,43\n").await;
    let nothing = import(&fixture, "application/x-ndjson", "").await.ok();

    json.problem("unsupported-media-type");
    assert_eq!(no_header.wrong_fields(), ["header"]);
    assert_eq!(strange.wrong_fields(), ["header"]);
    assert_eq!(counts(&nothing), [0; 5]);
    assert_eq!(count(&fixture).await, 0);
}

#[tokio::test]
async fn a_body_that_breaks_off_leaves_what_came_before() {
    let fixture = Fixture::new();
    let broken = stream::iter([
        Ok(Bytes::from("id,platform\na,ios\nb,io")),
        Err(std::io::Error::other("the line went dead")),
    ]);

    let report = import(&fixture, "text/csv", Body::from_stream(broken))
        .await
        .ok();

    assert_eq!(
        (counts(&report), &report["complete"]),
        ([1, 1, 0, 0, 0], &json!(false))
    );
    assert_eq!(report["stopped"]["line"], 3);
}

#[tokio::test(start_paused = true)]
async fn a_body_that_does_not_go_on_is_given_up() {
    let fixture = Fixture::new();
    let silent = stream::iter([Ok::<_, std::io::Error>(Bytes::from("id,platform\na,ios\n"))]);
    let silent = futures::StreamExt::chain(silent, stream::pending());

    let report = import(&fixture, "text/csv", Body::from_stream(silent))
        .await
        .ok();

    assert_eq!(
        (&report["added"], &report["stopped"]["line"]),
        (&json!(1), &json!(3))
    );
}

#[tokio::test(start_paused = true)]
async fn a_database_that_is_away_is_waited_for_and_then_told() {
    let fixture = Fixture::new();
    fixture.cut();

    let reply = import(&fixture, "text/csv", "id,platform\na,ios\n").await;

    reply.problem("unavailable");
}

#[tokio::test(start_paused = true)]
async fn an_import_that_brings_less_than_a_kilobyte_a_second_is_ended() {
    let fixture = Fixture::new();
    let drip = |piece: usize| {
        let rows = stream::iter(0..).then(move |i| async move {
            sleep(Duration::from_secs(2)).await;
            let row = format!("{{\"id\": \"r{i}\", \"platform\": \"ios\"}}");
            Ok::<_, std::io::Error>(Bytes::from(format!("{row:piece$}\n")))
        });
        Body::from_stream(rows.take(100))
    };

    let slow = import(&fixture, "application/x-ndjson", drip(60))
        .await
        .ok();
    let steady = import(&fixture, "application/x-ndjson", drip(3_000))
        .await
        .ok();

    let why = slow["stopped"]["message"].as_str().unwrap();
    assert!(why.contains("a kilobyte a second"), "{slow}");
    assert_eq!(counts(&slow)[1], 14, "what came in before is in");
    assert_eq!(
        (counts(&steady)[0], &steady["complete"]),
        (100, &json!(true))
    );
}

#[tokio::test]
async fn an_import_leaves_out_who_is_being_erased() {
    let fixture = Fixture::new();
    let path = "/v1/recipients/a?erase=true";
    fixture.call(axum::http::Method::DELETE, path, None).await;

    let rows = "{\"id\":\"a\",\"platform\":\"ios\"}\n{\"id\":\"b\",\"platform\":\"ios\"}\n";
    let answer = import(&fixture, "application/x-ndjson", rows).await.ok();

    assert_eq!(counts(&answer), [2, 1, 0, 0, 1]);
}
