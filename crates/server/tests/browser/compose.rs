//! A campaign from an empty form to its end, as somebody does it who has never seen the API.

use std::{collections::BTreeSet, fmt::Write as _};

use baton_client::RowFormat;
use fantoccini::Locator;
use futures::stream;

use crate::{page::Page, server::Server};

/// So many people, each with a device.
async fn people(server: &Server, many: u32) {
    let mut rows = "id,platform,address.push\n".to_owned();
    for number in 0..many {
        writeln!(rows, "user-{number},ios,token-{number}").unwrap();
    }
    let rows = stream::iter([Ok(rows.into())]);
    let imported = server.api.import_recipients(RowFormat::Csv, false, rows);
    imported.await.unwrap();
}

async fn choose(page: &Page, choice: &str) {
    let css = format!("[name=whom][value={choice}]");
    let radio = page.find(Locator::Css(&css)).await.unwrap();
    radio.click().await.unwrap();
}

/// Presses on from what a campaign would do, until everybody was told.
async fn create_and_watch(page: &Page) {
    page.press("button[value=create]", "#campaign-id").await;
    page.until_there(".head[data-state=done]").await;
}

#[tokio::test]
async fn a_campaign_is_composed_looked_at_and_sent_to_its_end_by_hand() {
    let server = Server::start().await;
    people(&server, 5).await;
    let page = Page::open(&server, "/campaigns").await;

    page.press("a[href$='/campaigns/new']", "form.compose")
        .await;
    page.type_in("name", "Autumn notice").await;
    page.type_in("title", "We are open").await;
    page.type_in("body", "Hello {{id}}, come and see.").await;
    choose(&page, "ids").await;
    page.press("button.main[value=preview]", "#whom_ids-wrong")
        .await;
    let told = page.texts("#whom_ids-wrong").await;
    // The browser itself complains of an answer that refuses.
    page.complaints().await;
    page.type_in("whom_ids", "user-1\nuser-3\n").await;
    page.press("button.main[value=preview]", "[data-members]")
        .await;
    let reached = page.texts("[data-members]").await;
    let samples = page.texts(".said").await;
    create_and_watch(&page).await;

    assert_eq!(told, ["must be filled, since this was chosen"]);
    assert_eq!(reached, ["2"]);
    assert_eq!(
        samples,
        ["Hello user-1, come and see.", "Hello user-3, come and see."]
    );
    let sentence = page.texts(".head .sentence").await.concat();
    assert!(sentence.contains("2 of 2 ended"), "{sentence}");
    let calls = server.target.arrivals();
    let called: BTreeSet<_> = calls.iter().map(|call| call.job_id.clone()).collect();
    assert_eq!((calls.len(), called.len()), (2, 2));
    assert_eq!(page.complaints().await, [""; 0]);
}

#[tokio::test]
async fn a_duplicate_says_the_same_to_the_same_people_and_is_another_campaign() {
    let server = Server::start().await;
    people(&server, 2).await;
    let page = Page::open(&server, "/campaigns/new").await;
    page.type_in("name", "Autumn notice").await;
    page.type_in("title", "We are open").await;
    page.type_in("body", "Hello {{id}}.").await;
    page.press("button.main[value=preview]", "[data-members]")
        .await;
    create_and_watch(&page).await;
    let first = page.texts("#campaign-id").await;

    page.press("a[href*='/campaigns/new?of=']", "form.compose")
        .await;
    page.type_in("name", "Autumn notice, again").await;
    page.press("button.main[value=preview]", "[data-members]")
        .await;
    let reached = page.texts("[data-members]").await;
    let samples = page.texts(".said").await;
    create_and_watch(&page).await;
    let second = page.texts("#campaign-id").await;

    assert_eq!(reached, ["2"]);
    assert_eq!(samples, ["Hello user-0.", "Hello user-1."]);
    assert_ne!(first, second);
    assert_eq!(page.texts("h1").await, ["Autumn notice, again"]);
    assert_eq!(server.target.total(), 4);
    assert_eq!(page.complaints().await, [""; 0]);
}

#[tokio::test]
async fn a_campaign_in_two_languages_is_composed_without_a_mouse_and_each_reads_its_own() {
    let server = Server::start().await;
    let rows = "id,platform,address.push,locale\nann,ios,token-1,\nkim,ios,token-2,ko_KR\n";
    let rows = stream::iter([Ok(rows.into())]);
    let imported = server.api.import_recipients(RowFormat::Csv, false, rows);
    imported.await.unwrap();
    let page = Page::open(&server, "/campaigns/new").await;
    page.type_in("name", "Autumn notice").await;
    page.type_in("title", "We are open").await;
    page.type_in("body", "Hello {{id}}.").await;

    page.press("details.languages summary", "details.languages[open]")
        .await;
    page.type_in("translation_0_locale", "ko").await;
    page.type_in("translation_0_title", "문을 열었습니다").await;
    page.type_in("translation_0_body", "{{id}} 님, 안녕하세요.")
        .await;
    page.press(".languages button", "[name=translation_1_locale]")
        .await;
    let enter = page.find(Locator::Css("[name=name]")).await.unwrap();
    enter.send_keys("\u{E007}").await.unwrap();
    page.until_there("[data-translation=ko]").await;
    let readers = page.texts("[data-translation=ko]").await;
    let samples = page.texts(".said").await;
    create_and_watch(&page).await;

    assert_eq!(readers, ["1"]);
    assert_eq!(samples, ["Hello ann.", "kim 님, 안녕하세요."]);
    let calls = server.target.total();
    assert_eq!(calls, 2);
    assert!(
        page.texts("dd[lang=ko]")
            .await
            .concat()
            .contains("안녕하세요")
    );
    assert_eq!(page.complaints().await, [""; 0]);
}
