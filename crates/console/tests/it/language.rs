//! The pages in the language of whoever reads them.

mod asked_for;
pub mod crawl;

use std::collections::{BTreeMap, BTreeSet};

use axum::{
    body::Body,
    http::{Request, StatusCode, header},
};
use baton_domain::job::State;
use baton_ports::Wakeup;

use crate::{
    fixture::{Answer, Fixture, own_post},
    live::Feed,
};

const KOREAN: &str = "ko-KR,ko;q=0.9,en;q=0.8";

impl Fixture {
    /// The same page for a reader of Korean.
    pub async fn get_in_korean(&self, path: &str) -> Answer {
        let request = Request::get(path).header(header::ACCEPT_LANGUAGE, KOREAN);
        self.ask(request.body(Body::empty()).unwrap()).await
    }
}

fn catalogue() -> BTreeMap<String, String> {
    toml::from_str(include_str!("../../locales/ko.toml")).unwrap()
}

#[test]
fn every_text_that_is_asked_for_stands_in_the_catalogue_and_no_other() {
    let asked_for = asked_for::texts();

    let catalogue = catalogue();

    let known: BTreeSet<_> = catalogue.into_keys().collect();
    let missing: Vec<_> = asked_for.difference(&known).collect();
    let idle: Vec<_> = known.difference(&asked_for).collect();
    assert!(asked_for.len() > 900, "only {} were found", asked_for.len());
    assert!(missing.is_empty(), "not in the catalogue: {missing:#?}");
    assert!(idle.is_empty(), "asked for by nobody: {idle:#?}");
}

#[test]
fn a_translation_has_the_same_places_and_marks_as_its_text() {
    for (english, korean) in catalogue() {
        assert_eq!(places(&english), places(&korean), "{english}");
        assert_eq!(marks(&english), marks(&korean), "{english}");
        assert!(!korean.trim().is_empty(), "{english}");
    }
}

/// The names of values that are put in.
fn places(text: &str) -> BTreeSet<&str> {
    let parts = text.split('{').skip(1);
    let names = parts.filter_map(|part| part.split_once('}').map(|(name, _)| name));
    names
        .filter(|name| name.chars().all(|c| c.is_ascii_lowercase()))
        .collect()
}

/// The tags, with how often each stands there.
fn marks(text: &str) -> BTreeMap<&str, usize> {
    let mut marks = BTreeMap::new();
    for part in text.split('<').skip(1) {
        let (mark, _) = part.split_once('>').unwrap_or((part, ""));
        *marks.entry(mark).or_default() += 1;
    }
    marks
}

#[tokio::test]
async fn a_page_is_in_the_language_that_the_browser_asks_for() {
    let fixture = Fixture::new();
    fixture.job_in(State::Failed).await;

    let korean = fixture.get_in_korean("/admin/jobs").await;
    let english = fixture.get("/admin/jobs").await;

    korean
        .has("<html lang=\"ko\">")
        .has("<h1>작업</h1>")
        .has("data-state=\"failed\"")
        .has("실패")
        .lacks("Jobs, newest first");
    english
        .has("<html lang=\"en\">")
        .has("<h1>Jobs</h1>")
        .lacks("작업")
        .lacks("data-words");
    for answer in [&korean, &english] {
        assert_eq!(answer.header("vary"), "accept-language, cookie");
    }
}

#[tokio::test]
async fn a_choice_is_kept_and_heard_before_the_browser() {
    let fixture = Fixture::new();
    let choose = own_post("/admin/language")
        .header(header::HOST, "baton.local")
        .header(header::REFERER, "http://baton.local/admin/queues?x=1");

    let chosen = choose.body(Body::from("language=en")).unwrap();
    let chosen = fixture.ask(chosen).await;
    let cookie = chosen.header("set-cookie").to_owned();
    let (kept, attributes) = cookie.split_once("; ").unwrap();
    let page = Request::get("/admin/queues")
        .header(header::ACCEPT_LANGUAGE, KOREAN)
        .header(header::COOKIE, kept);
    let page = fixture.ask(page.body(Body::empty()).unwrap()).await;

    assert_eq!(chosen.status, StatusCode::SEE_OTHER);
    assert_eq!(chosen.header("location"), "/admin/queues?x=1");
    assert_eq!(kept, "baton_language=en");
    assert!(attributes.contains("SameSite=Lax"), "{attributes}");
    assert!(!attributes.contains("Domain"), "{attributes}");
    page.has("<html lang=\"en\">").has("<h1>Queues</h1>");
}

#[tokio::test]
async fn a_language_that_there_is_not_gives_english() {
    let fixture = Fixture::new();

    let page = Request::get("/admin/fleet").header(header::ACCEPT_LANGUAGE, "fr-CH, fr;q=0.9");
    let page = fixture.ask(page.body(Body::empty()).unwrap()).await;

    page.has("<html lang=\"en\">").has("<h1>Fleet</h1>");
}

#[tokio::test]
async fn what_one_reader_was_shown_is_not_shown_to_the_next_in_their_language() {
    let fixture = Fixture::new();
    fixture.job_in(State::Queued).await;

    // All within the second that a look at the installation is shared for.
    let korean = fixture.get_in_korean("/admin/queues").await;
    let english = fixture.get("/admin/queues").await;
    fixture.cut(true);
    let broken_in_korean = fixture.get_in_korean("/admin").await;
    let broken = fixture.get("/admin/queues").await;

    korean.has("가장 오래된 대기").lacks("Oldest wait");
    english.has("Oldest wait").lacks("가장 오래된");
    broken_in_korean.has("데이터베이스가 응답하지 않습니다");
    broken.has("does not answer").lacks("응답 없음");
}

#[tokio::test]
async fn a_button_answers_in_the_language_of_whoever_presses_it() {
    let fixture = Fixture::new();
    fixture.job_in(State::Queued).await;
    let press = |path| own_post(path).header(header::ACCEPT_LANGUAGE, KOREAN);

    let paused = press("/admin/queues/default/pause")
        .header(header::ACCEPT, "application/json")
        .body(Body::empty());
    let paused = fixture.ask(paused.unwrap()).await;
    let refused = press("/admin/queues/default/limits").body(Body::from("rate=much"));
    let refused = fixture.ask(refused.unwrap()).await;

    paused.has("default 대기열을 일시정지했습니다");
    refused
        .has("요청한 대로 할 수 없습니다")
        .has("바뀐 것은 없습니다");
}

#[tokio::test(start_paused = true)]
async fn a_live_page_stays_in_its_language() {
    let fixture = Fixture::new();
    fixture.job_in(State::Succeeded).await;
    let mut korean = Feed::open_in(&fixture, "room=overview", KOREAN).await;
    let mut english = Feed::open_in(&fixture, "room=overview", "en").await;

    for feed in [&mut korean, &mut english] {
        feed.frame().await.unwrap();
    }
    fixture.job_in(State::Failed).await;
    fixture.engine.wakeups().send(Wakeup::Events);
    let (korean, english) = (
        korean.frame().await.unwrap(),
        english.frame().await.unwrap(),
    );

    for panel in ["queues", "needs", "events"] {
        let (korean, english) = (&korean["panels"][panel], &english["panels"][panel]);
        assert!(korean.to_string().contains(['다', '열', '벤']), "{korean}");
        assert!(english.is_string(), "{english}");
        assert!(!korean.to_string().contains("Queued"), "{korean}");
    }
}
