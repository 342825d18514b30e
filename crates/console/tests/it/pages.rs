//! Each page, in each state that the fixture can be in.

use std::time::Duration;

use axum::{
    body::Body,
    http::{Request, StatusCode, header},
};
use baton_domain::{
    JobId,
    job::{Class, JobSpec, State, Verdict},
    queue::QueueChange,
};

use crate::fixture::{Fixture, NOW, spec};

#[tokio::test]
async fn an_empty_fixture_says_how_to_begin() {
    let fixture = Fixture::new();

    let overview = fixture.get("/admin").await;
    let jobs = fixture.get("/admin/jobs").await;
    let dead_letters = fixture.get("/admin/dead-letters").await;

    overview
        .has("The first job")
        .has("/v1/jobs")
        .has("No queue yet")
        .has("No worker is live")
        .has("No worker has been seen");
    jobs.has("No job was ever asked for");
    dead_letters
        .has("No dead letters")
        .has("leaves its record here");
}

#[tokio::test]
async fn the_overview_shows_queues_workers_and_the_newest_events() {
    let fixture = Fixture::new();
    fixture.heartbeat("web-1:4711", "0.1.0").await;
    fixture.job_in(State::Failed).await;
    fixture.job_in(State::Running).await;

    let page = fixture.get("/admin").await;

    page.has("data-panel=\"queues\"")
        .has("data-queue=\"default\"")
        .has("data-presence=\"live\"")
        .has("web-1:4711")
        .has("data-event=\"1\"")
        .has("3 / 10")
        .lacks("The first job");
}

#[tokio::test]
async fn the_overview_names_the_jobs_that_run_for_longest_and_what_stops_them() {
    let fixture = Fixture::new();
    let longest = fixture.job_in(State::Running).await;
    for _ in 0..5 {
        fixture.clock.advance(Duration::from_mins(1));
        fixture.job_in(State::Running).await;
    }

    let page = fixture.get("/admin").await;

    let (_, panel) = page.body.split_once("data-panel=\"longest\"").unwrap();
    let (panel, _) = panel.split_once("</section>").unwrap();
    assert_eq!(panel.matches("data-job=").count(), 5, "{panel}");
    let first = panel.split("data-job=").nth(1).unwrap();
    for wanted in [
        &format!("\"{longest}\""),
        "5 m <span",
        "tells no progress",
        &format!("/jobs/{longest}/force-stop\""),
        "data-action=\"cancel\"",
    ] {
        assert!(first.contains(wanted), "no {wanted:?} in {first}");
    }
}

#[tokio::test]
async fn what_needs_a_person_stands_first_and_says_why() {
    let fixture = Fixture::new();
    fixture.job_in(State::Failed).await;
    fixture.job_in(State::Uncertain).await;
    fixture.job_in(State::Queued).await;
    let pause = QueueChange {
        paused: Some(true),
        ..QueueChange::default()
    };
    fixture
        .engine
        .change_queue("default", &pause)
        .await
        .unwrap();

    let page = fixture.get("/admin").await;

    page.has("Needs you")
        .has("No worker is live and 1 job is ready to run")
        .has("Dead letters grew in the last hour")
        .has("no such template")
        .has("1 job is uncertain")
        .has("Queue default is paused with 1 job ready");
}

#[tokio::test]
async fn a_worker_gone_silent_is_news_for_ten_minutes() {
    let fixture = Fixture::new();
    fixture.heartbeat("web-1:4711", "0.1.0").await;

    fixture.clock.advance(Duration::from_mins(1));
    let soon = fixture.get("/admin").await;
    fixture.clock.advance(Duration::from_mins(10));
    let later = fixture.get("/admin").await;

    soon.has("Silent: web-1:4711").has("0 of 1 live");
    later
        .lacks("Silent: web-1:4711")
        .has("data-presence=\"silent\"");
}

#[tokio::test]
async fn a_calm_fixture_is_one_quiet_line() {
    let fixture = Fixture::new();
    fixture.heartbeat("web-1:4711", "0.1.0").await;
    fixture.job_in(State::Succeeded).await;
    baton_ports::store::Fleet::lead(
        &*fixture.engine.tools().store,
        fixture.worker,
        Duration::from_secs(15),
        NOW,
    )
    .await
    .unwrap();

    let page = fixture.get("/admin").await;

    page.has("All normal")
        .has("Leader</span> web-1:4711")
        .lacks("Needs you")
        .lacks("class=\"chip");
}

#[tokio::test]
async fn an_overview_without_its_store_keeps_what_it_saw_and_says_so() {
    let fixture = Fixture::new();
    fixture.heartbeat("web-1:4711", "0.1.0").await;
    fixture.job_in(State::Queued).await;
    fixture.get("/admin").await;

    fixture.cut(true);
    let overview = fixture.get("/admin").await;
    let jobs = fixture.get("/admin/jobs").await;

    overview
        .has("The database does not answer")
        .has("data-queue=\"default\"")
        .has("web-1:4711");
    assert_eq!(overview.status, StatusCode::OK);
    assert_eq!(jobs.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(jobs.header("retry-after"), "5");
    jobs.has("The database cannot be reached")
        .has("what was accepted is safe");
}

#[tokio::test]
async fn a_job_in_each_state_has_its_shape_its_word_and_only_its_legal_buttons() {
    let expected: [(State, &str, &[&str], &[&str]); 9] = [
        (State::Pending, "◷", &["run-now", "cancel"], &["cancel"]),
        (State::Queued, "○", &["cancel"], &["cancel"]),
        (State::Running, "◐", &["cancel", "force-stop"], &["cancel"]),
        (State::RetryWait, "↻", &["run-now", "cancel"], &["cancel"]),
        (State::Succeeded, "✓", &[], &[]),
        (State::Failed, "✕", &["retry"], &["retry"]),
        (State::Canceled, "⊘", &["retry"], &["retry"]),
        (State::Skipped, "–", &["retry"], &["retry"]),
        (
            State::Uncertain,
            "?",
            &["retry", "resolve-succeeded", "resolve-failed"],
            &["retry"],
        ),
    ];
    for (state, glyph, on_page, in_list) in expected {
        let fixture = Fixture::new();
        let id = fixture.job_in(state).await;

        let page = fixture.get(&format!("/admin/jobs/{id}")).await;
        let list = fixture.get(&format!("/admin/jobs?state={state}")).await;

        page.has(&format!("data-state=\"{state}\"")).has(glyph);
        assert_eq!(page.buttons(), on_page, "the page of a job that is {state}");
        list.has(&format!("<tr data-job=\"{id}\" data-state=\"{state}\">"));
        assert_eq!(list.buttons(), in_list, "the list of jobs that are {state}");
    }
}

#[tokio::test]
async fn a_running_job_that_was_asked_to_stop_is_not_asked_again() {
    let fixture = Fixture::new();
    let id = fixture.job_in(State::Running).await;
    fixture
        .engine
        .cancel(id, baton_engine::Cancel::default())
        .await
        .unwrap();

    let page = fixture.get(&format!("/admin/jobs/{id}")).await;

    assert_eq!(page.buttons(), ["force-stop"]);
    page.has("Asked to stop");
}

#[tokio::test]
async fn a_timeline_tells_attempts_causes_and_waits_in_order() {
    let fixture = Fixture::new();
    fixture.heartbeat("web-1:4711", "0.1.0").await;
    let id = fixture.job_in(State::RetryWait).await;
    fixture.clock.advance(Duration::from_secs(7));
    fixture.engine.run_now(id).await.unwrap();
    let claimed = fixture.claim().await;
    let verdict = Verdict::failed(Class::Permanent, "http_422", "name missing");
    fixture.settle(claimed, verdict).await;

    let page = fixture.get(&format!("/admin/jobs/{id}")).await;

    let timeline = page.body.split("class=\"timeline\"").nth(1).unwrap();
    let told = [
        "Accepted, ready at once",
        "Attempt 1: failed",
        "on web-1:4711",
        "retry · http_503: try later",
        "waited 7.0 s for its next try",
        "Released, ready to run",
        "Attempt 2: failed",
        "permanent · http_422: name missing",
        "no other try follows by itself",
    ];
    let mut from = 0;
    for part in told {
        let at = timeline[from..].find(part);
        from += at.unwrap_or_else(|| panic!("{part:?} is missing or too early in:\n{timeline}"));
    }
}

#[tokio::test]
async fn a_payload_is_shown_to_the_letter() {
    let fixture = Fixture::new();
    let id = fixture
        .enqueue(JobSpec {
            payload: r#"{"account":12345678901234567890123}"#.to_owned(),
            tags: vec!["monthly".to_owned()],
            ..spec()
        })
        .await;

    let page = fixture.get(&format!("/admin/jobs/{id}")).await;

    page.has("12345678901234567890123")
        .has("href=\"../jobs?tag=monthly\"");
}

#[tokio::test]
async fn a_list_is_paged_from_the_newest_without_gap_or_repeat() {
    let fixture = Fixture::new();
    let mut ids = Vec::new();
    for _ in 0..120 {
        ids.push(fixture.enqueue(spec()).await.to_string());
        fixture.clock.advance(Duration::from_millis(1));
    }
    ids.reverse();

    let mut shown = Vec::new();
    let mut path = "/admin/jobs?state=queued".to_owned();
    let pages = loop {
        let page = fixture.get(&path).await;
        let rows = page.body.split("<tr data-job=\"").skip(1);
        shown.extend(rows.filter_map(|row| row.split('"').next().map(str::to_owned)));
        match page.body.split("rel=\"next\" href=\"./").nth(1) {
            Some(next) => path = format!("/admin/{}", next.split('"').next().unwrap()),
            None => break page,
        }
        path = path.replace("&#38;", "&").replace("&amp;", "&");
    };

    assert_eq!(shown, ids);
    pages.has(">Newest</a>").lacks(">Older</a>");
}

#[tokio::test]
async fn a_search_filters_and_an_id_leads_to_its_job() {
    let fixture = Fixture::new();
    let wanted = fixture
        .enqueue(JobSpec {
            key: Some("order:7".to_owned()),
            queue: Some("mail".to_owned()),
            ..spec()
        })
        .await;
    let other = fixture.enqueue(spec()).await;

    let by_key = fixture.get("/admin/jobs?q=order%3A7").await;
    let by_queue = fixture.get("/admin/jobs?queue=mail").await;
    let by_id = fixture.get(&format!("/admin/jobs?q={wanted}")).await;
    let nothing = fixture.get("/admin/jobs?kind=simulate&tag=none").await;

    for list in [by_key, by_queue] {
        list.has(&wanted.to_string()).lacks(&other.to_string());
    }
    assert_eq!(by_id.status, StatusCode::SEE_OTHER);
    assert_eq!(by_id.header("location"), format!("./jobs/{wanted}"));
    nothing.has("No job matches").has("Show all jobs");
}

#[tokio::test]
async fn tabs_count_by_the_counters_and_only_what_they_count() {
    let fixture = Fixture::new();
    fixture.job_in(State::Failed).await;
    fixture.job_in(State::Canceled).await;

    let list = fixture.get("/admin/jobs?state=failed").await;
    let narrow = fixture.get("/admin/jobs?state=failed&kind=simulate").await;

    list.has("failed <span class=\"count\" data-number>1</span>")
        .has("</span>canceled</a>");
    narrow.lacks("class=\"count\"");
}

#[tokio::test]
async fn dead_letters_are_grouped_by_cause() {
    let fixture = Fixture::new();
    for _ in 0..3 {
        fixture.job_in(State::Failed).await;
    }

    let page = fixture.get("/admin/dead-letters").await;

    assert_eq!(page.body.matches("data-group=\"fp_").count(), 1);
    page.has("data-number>3</span>").has("no such template");
    assert_eq!(page.buttons(), ["probe", "retry-group", "discard-group"]);
}

#[tokio::test]
async fn what_is_not_there_is_told_kindly() {
    let fixture = Fixture::new();
    let absent = JobId::new(NOW);

    let cases = [
        (format!("/admin/jobs/{absent}"), 404, "It is not there"),
        ("/admin/jobs/42".to_owned(), 400, "is not the id of a job"),
        ("/admin/jobs?state=dead".to_owned(), 400, "is no state"),
        (
            "/admin/jobs?after=zzz".to_owned(),
            400,
            "This page of the list is gone",
        ),
        ("/admin/nowhere".to_owned(), 404, "There is no such page"),
        (
            "/admin/dead-letters/fp_0/retry".to_owned(),
            404,
            "It is not there",
        ),
        (
            "/admin/dead-letters/fp_0/burn".to_owned(),
            400,
            "can be done to dead letters",
        ),
    ];

    for (path, status, words) in cases {
        let page = fixture.get(&path).await;

        assert_eq!(page.status.as_u16(), status, "{path}");
        page.has(words).has("Overview</a>");
    }
}

#[tokio::test]
async fn pages_link_relatively_so_that_any_mount_works() {
    let fixture = Fixture::new();
    let id = fixture.job_in(State::Queued).await;

    for path in [
        "/admin".to_owned(),
        "/admin/jobs".to_owned(),
        format!("/admin/jobs/{id}"),
        "/admin/dead-letters".to_owned(),
    ] {
        let page = fixture.get(&path).await;

        page.lacks("href=\"/").lacks("src=\"/").lacks("action=\"/");
    }
}

#[tokio::test]
async fn files_are_kept_for_ever_by_their_exact_address_only() {
    let fixture = Fixture::new();
    let page = fixture.get("/admin").await;
    let address = page.body.split("src=\"").nth(1).unwrap();
    let address = format!("/{}", address.split('"').next().unwrap());

    let exact = fixture.get(&address).await;
    let bare = fixture.get("/admin/assets/console.js").await;
    let known = Request::get(&address).header(header::IF_NONE_MATCH, exact.header("etag"));
    let again = fixture.ask(known.body(Body::empty()).unwrap()).await;
    let absent = fixture.get("/admin/assets/../Cargo.toml").await;

    assert!(
        address.starts_with("/admin/assets/console.js?v="),
        "{address}"
    );
    assert!(exact.header("cache-control").contains("immutable"));
    assert_eq!(
        exact.header("content-type"),
        "text/javascript; charset=utf-8"
    );
    assert_eq!(bare.header("cache-control"), "no-cache");
    assert_eq!(again.status, StatusCode::NOT_MODIFIED);
    assert_eq!(absent.status, StatusCode::NOT_FOUND);
}
