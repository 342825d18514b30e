//! Composing a campaign: a form, what it would do, and the campaign.

mod copies;

use std::time::Duration;

use axum::http::StatusCode;
use baton_domain::{
    access::Role,
    campaign::{Campaign, SendAt},
    page::PageRequest,
    recipient::{Profile, RecipientSpec},
};
use baton_ports::store::Recipients as _;

use crate::{
    access::seen_by,
    campaigns::person,
    fixture::{Fixture, NOW},
};

pub const FORM: &str =
    "name=Quiz&category=question&action=both&title=Hello&body=For+%7B%7Bid%7D%7D&when=now";
const ALL: &str = "&audience=%7B%22all%22%3A+true%7D";

pub async fn all(fixture: &Fixture) -> Vec<Campaign> {
    let page = fixture.engine.campaigns(&PageRequest::default()).await;
    page.unwrap().items
}

/// What the next step is given, out of the page that asks for it.
pub fn carried(page: &str) -> String {
    let inputs = page.split("<input type=\"hidden\" name=\"").skip(1);
    let pairs = inputs.filter_map(|input| {
        let (name, rest) = input.split_once("\" value=\"")?;
        let value = rest.split("\">").next()?.replace("&#34;", "\"");
        let value: String = value.bytes().map(|byte| format!("%{byte:02x}")).collect();
        Some(format!("{name}={value}"))
    });
    pairs.collect::<Vec<_>>().join("&")
}

/// What a browser sends of a form that nobody has touched.
pub fn filled_in(page: &str) -> String {
    let form = page.split("<form class=\"stack compose\"").nth(1).unwrap();
    let form = form.split("</form>").next().unwrap();
    let attribute = |tag: &str, name: &str| {
        let text = tag.split(&format!("{name}=\"")).nth(1)?;
        Some(text.split('"').next()?.to_owned())
    };
    let mut pairs = Vec::new();
    for part in form.split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap();
        let Some(name) = attribute(tag, "name") else {
            if tag.starts_with("option") && tag.ends_with("selected") {
                let (_, value): &mut (String, String) = pairs.last_mut().unwrap();
                *value = attribute(tag, "value").unwrap_or_else(|| text.to_owned());
            }
            continue;
        };
        let is_left = tag.contains("radio") && !tag.ends_with("checked");
        let value = match tag.split(' ').next() {
            _ if is_left => continue,
            // A browser leaves out the line break that a text area begins with.
            Some("textarea") => text.strip_prefix('\n').unwrap_or(text).to_owned(),
            Some("input") => attribute(tag, "value").unwrap_or_default(),
            Some("select") => String::new(),
            _ => continue,
        };
        pairs.push((name, value));
    }
    let encoded = pairs.into_iter().map(|(name, value)| {
        let value = value.replace("&#34;", "\"");
        let value: String = value.bytes().map(|byte| format!("%{byte:02x}")).collect();
        format!("{name}={value}")
    });
    encoded.collect::<Vec<_>>().join("&")
}

/// Somebody who can be reached.
fn reached(token: &str) -> RecipientSpec {
    RecipientSpec {
        addresses: [("push".to_owned(), token.to_owned())].into(),
        ..RecipientSpec::on("ios")
    }
}

/// So many people who can be reached.
async fn crowd(fixture: &Fixture, from: u32, many: u32) {
    let people = (from..from + many).map(|number| {
        let spec = reached(&format!("token-{number}"));
        Profile::from_spec(format!("user-{number}"), spec).unwrap()
    });
    let people: Vec<_> = people.collect();
    for some in people.chunks(1_000) {
        fixture.store.put_recipients(some, NOW).await.unwrap();
    }
}

#[tokio::test]
async fn the_list_leads_to_an_empty_form() {
    let fixture = Fixture::new();

    let list = fixture.get("/admin/campaigns").await;
    let form = fixture.get("/admin/campaigns/new").await;

    list.has("href=\"./campaigns/new\"");
    form.has("name=\"title\"")
        .has("<option>gateway</option>")
        .has("name=\"whom\" value=\"all\" checked")
        .lacks("aria-invalid");
}

#[tokio::test]
async fn before_anything_is_created_it_is_said_how_many_are_reached_and_what_they_read() {
    let fixture = Fixture::new();
    person(&fixture, "ann", true).await;
    person(&fixture, "ben", false).await;

    let page = fixture
        .press("/admin/campaigns/new", &format!("{FORM}{ALL}"))
        .await;

    page.has("<h1>Quiz: 2 recipients</h1>")
        .has("<dd data-members>2</dd>")
        .has("For ann")
        .has("Create for 2 recipients");
    assert!(all(&fixture).await.is_empty());
}

/// Two translations, as the form sends them, with the empty fields of a third.
const TRANSLATED: &str = "&translation_0_locale=ko_KR&translation_0_title=%ED%80%B4%EC%A6%88&translation_0_body=%7B%7Bid%7D%7D+%EB%8B%98\
&translation_1_locale=de&translation_1_title=Hallo&translation_1_body=Hallo%2C+%7B%7Bid%7D%7D\
&translation_2_locale=&translation_2_title=&translation_2_body=";

#[tokio::test]
async fn a_message_in_several_languages_is_shown_as_each_of_them_reads_it_and_created_so() {
    let fixture = Fixture::new();
    for (id, locale) in [("ann", None), ("kim", Some("ko-KR"))] {
        let spec = RecipientSpec {
            locale: locale.map(str::to_owned),
            ..reached(id)
        };
        let profile = Profile::from_spec(id.to_owned(), spec).unwrap();
        fixture.store.put_recipients(&[profile], NOW).await.unwrap();
    }
    let typed = format!("{FORM}{ALL}{TRANSLATED}");

    let seen = fixture.press("/admin/campaigns/new", &typed).await;
    let create = format!("{}&step=create", carried(&seen.body));
    fixture.press("/admin/campaigns/new", &create).await;

    seen.has("<dd data-translation=\"ko-KR\">1</dd>")
        .has("<dd data-translation=\"de\">0</dd>")
        .has("<p class=\"said\">For ann</p>")
        .has("<p class=\"said\">kim 님</p>")
        .has("lang=\"ko-KR\"");
    let [created] = &all(&fixture).await[..] else {
        panic!("one campaign");
    };
    let translations = &created.plan.message.translations;
    assert_eq!(translations["ko-KR"].title, "퀴즈");
    assert_eq!(translations["de"].body, "Hallo, {{id}}");
    assert_eq!(translations.len(), 2);
}

#[tokio::test]
async fn the_form_keeps_each_language_and_has_room_for_one_more() {
    let fixture = Fixture::new();

    let form = fixture
        .press(
            "/admin/campaigns/new",
            &format!("{FORM}{ALL}{TRANSLATED}&step=edit"),
        )
        .await;
    let empty = fixture.get("/admin/campaigns/new").await;

    form.has("name=\"translation_0_locale\" value=\"ko_KR\"")
        .has("name=\"translation_1_title\" value=\"Hallo\"")
        .has("name=\"translation_2_locale\" value=\"\"")
        .lacks("translation_3_locale");
    empty
        .has("name=\"translation_0_locale\" value=\"\"")
        .lacks("translation_1_locale");
}

#[tokio::test]
async fn what_is_wrong_with_a_language_is_said_beside_the_languages() {
    let fixture = Fixture::new();
    let wrong = [
        (
            "&translation_0_locale=&translation_0_title=Hallo&translation_0_body=b",
            "which, such as ko",
        ),
        (
            "&translation_0_locale=moon+talk&translation_0_title=t&translation_0_body=b",
            "BCP 47",
        ),
        (
            "&translation_0_locale=ko&translation_0_title=t&translation_0_body=%7B%7Bx%7D%7D",
            "{{x}}",
        ),
        (
            "&translation_0_locale=ko&translation_0_title=t&translation_0_body=",
            "1 to 10000 characters",
        ),
        (
            "&translation_0_locale=ko&translation_0_title=t&translation_0_body=b&translation_1_locale=ko&translation_1_title=t&translation_1_body=c",
            "ko twice",
        ),
    ];

    for (typed, why) in wrong {
        let page = fixture
            .press(
                "/admin/campaigns/new",
                &format!("{FORM}{ALL}{typed}&step=create"),
            )
            .await;

        assert_eq!(page.status, StatusCode::BAD_REQUEST, "{typed}");
        page.has("href=\"#translations\"")
            .has("id=\"translations-wrong\"")
            .has(why);
    }
    assert!(all(&fixture).await.is_empty());
}

#[tokio::test]
async fn a_field_of_a_language_that_no_form_has_is_refused_and_not_passed_over() {
    let fixture = Fixture::new();

    for field in [
        "translation_99999_title",
        "translation_01_title",
        "translation_-1_body",
        "translation_0_sound",
    ] {
        let page = fixture
            .press(
                "/admin/campaigns/new",
                &format!("{FORM}{ALL}&{field}=Hallo"),
            )
            .await;

        assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY, "{field}");
    }
}

#[tokio::test]
async fn a_language_is_chosen_on_the_form_and_not_where_the_choice_would_lose_what_was_typed() {
    let fixture = Fixture::new();

    let form = fixture.get("/admin/campaigns/new").await;
    let preview = fixture
        .press("/admin/campaigns/new", &format!("{FORM}{ALL}"))
        .await;

    form.has("name=\"language\"");
    preview.lacks("name=\"language\"");
}

#[tokio::test]
async fn what_was_looked_at_is_created_once_however_often_the_button_is_pressed() {
    let fixture = Fixture::new();
    person(&fixture, "ann", true).await;
    let seen = fixture
        .press("/admin/campaigns/new", &format!("{FORM}{ALL}&rate=50"))
        .await;
    let create = format!("{}&step=create", carried(&seen.body));

    let first = fixture.press("/admin/campaigns/new", &create).await;
    let second = fixture.press("/admin/campaigns/new", &create).await;

    assert_eq!(first.status, 303, "{first:?}");
    assert_eq!(first.header("location"), second.header("location"));
    let [created] = &all(&fixture).await[..] else {
        panic!("one campaign");
    };
    assert!(first.header("location").ends_with(&created.id.to_string()));
    assert_eq!(created.plan.name, "Quiz");
    assert_eq!(created.plan.message.body, "For {{id}}");
    assert_eq!(created.rate, Some(50.0));
    assert_eq!(created.plan.provider.as_deref(), Some("gateway"));
}

#[tokio::test]
async fn what_cannot_be_read_is_said_at_its_field_and_what_was_typed_stays() {
    let fixture = Fixture::new();
    let typed = "name=&category=question&action=both&title=Hello&body=My+words&rate=fast&when=at&send_at=tomorrow&audience=everybody";

    let page = fixture.press("/admin/campaigns/new", typed).await;
    let later = typed
        .replace("fast", "5")
        .replace("when=at&send_at=tomorrow", "when=now")
        .replace("everybody", "%7B%22topics%22%3A%22x%22%7D");
    let again = fixture.press("/admin/campaigns/new", &later).await;

    assert_eq!(page.status, StatusCode::BAD_REQUEST);
    for field in ["rate", "send_at", "audience"] {
        page.has(&format!("href=\"#{field}\""))
            .has(&format!("id=\"{field}-wrong\""));
    }
    page.has("such as 2026-01-31T09:00")
        .has("My words")
        .has("value=\"fast\"");
    assert_eq!(again.status, StatusCode::BAD_REQUEST);
    again.has("id=\"name-wrong\"").has("id=\"audience-wrong\"");
    assert!(all(&fixture).await.is_empty());
}

#[tokio::test]
async fn a_moment_that_was_typed_is_kept() {
    let fixture = Fixture::new();
    let form = format!("{FORM}{ALL}&step=create")
        .replace("when=now", "when=at&send_at=2026-03-01T09:00:00%2B09:00");

    let created = fixture.press("/admin/campaigns/new", &form).await;

    assert_eq!(created.status, 303, "{created:?}");
    let at = "2026-03-01T00:00:00Z".parse().unwrap();
    assert_eq!(all(&fixture).await[0].plan.send_at, SendAt::At(at));
}

#[tokio::test]
async fn whoever_may_not_send_creates_nothing() {
    let fixture = seen_by(Fixture::new(), Role::Operator);

    let refused = fixture
        .press("/admin/campaigns/new", &format!("{FORM}{ALL}&step=create"))
        .await;

    assert_eq!(refused.status, 403, "{refused:?}");
    assert!(all(&fixture).await.is_empty());
}

#[tokio::test]
async fn a_moment_is_picked_on_the_clocks_of_a_zone_and_shown_as_it_was_picked() {
    let fixture = Fixture::new();
    person(&fixture, "ann", true).await;
    let typed = format!("{FORM}{ALL}").replace(
        "when=now",
        "when=at&send_at=2026-03-01T09:00&send_at_zone=Asia/Seoul",
    );

    let form = fixture.get("/admin/campaigns/new").await;
    let seen = fixture.press("/admin/campaigns/new", &typed).await;
    let create = format!("{}&step=create", carried(&seen.body));
    fixture.press("/admin/campaigns/new", &create).await;
    let nowhere = typed.replace("Asia/Seoul", "Seoul");
    let nowhere = fixture.press("/admin/campaigns/new", &nowhere).await;

    form.has("type=\"datetime-local\" id=\"send_at\"")
        .has("data-zone-here");
    seen.has("At 2026-03-01 09:00 Asia/Seoul.");
    let at = "2026-03-01T00:00:00Z".parse().unwrap();
    assert_eq!(all(&fixture).await[0].plan.send_at, SendAt::At(at));
    nowhere
        .has("id=\"send_at_zone-wrong\"")
        .has("value=\"2026-03-01T09:00\"");
}

#[tokio::test]
async fn a_zone_that_the_page_has_filled_in_is_no_moment() {
    let fixture = Fixture::new();
    person(&fixture, "ann", true).await;

    let seen = fixture
        .press(
            "/admin/campaigns/new",
            &format!("{FORM}{ALL}&send_at_zone=Asia/Seoul"),
        )
        .await;

    seen.has("Create for 1 recipient").has("At once.");
}

#[tokio::test]
async fn a_moment_that_has_passed_is_said_to_be_at_once_before_anything_is_created() {
    let fixture = Fixture::new();
    let at = |when: &str| format!("{FORM}{ALL}").replace("when=now", when);

    let passed = fixture
        .press(
            "/admin/campaigns/new",
            &at("when=at&send_at=2026-01-30T00:00:00Z"),
        )
        .await;
    let somewhere = fixture
        .press(
            "/admin/campaigns/new",
            &at("when=local&send_at_local=2026-01-31T09:00&time_zone=Asia/Seoul"),
        )
        .await;
    let ahead = fixture
        .press(
            "/admin/campaigns/new",
            &at("when=at&send_at=2026-03-01T00:00:00Z"),
        )
        .await;

    passed.has("At once: that moment has passed.");
    somewhere.has("at once wherever it has passed");
    ahead.has("At 2026-03-01T00:00:00Z.").lacks("has passed");
}

#[tokio::test]
async fn a_moment_that_was_typed_and_not_chosen_is_told_and_never_dropped() {
    let fixture = Fixture::new();

    for (typed, field) in [
        ("when=now&send_at=2026-03-01T00:00:00Z", "send_at"),
        ("when=now&send_at_local=2026-03-01T09:00", "send_at_local"),
        ("when=now&time_zone=Asia/Seoul", "time_zone"),
        (
            "when=local&send_at_local=2026-03-01T09:00&send_at=2026-03-01T00:00:00Z",
            "send_at",
        ),
    ] {
        let form = format!("{FORM}{ALL}").replace("when=now", typed);
        let told = fixture.press("/admin/campaigns/new", &form).await;

        assert_eq!(told.status, StatusCode::BAD_REQUEST, "{typed}");
        told.has(&format!("id=\"{field}-wrong\""))
            .has("or empty it");
    }
}

#[tokio::test]
async fn a_second_press_says_that_nothing_was_created() {
    let fixture = Fixture::new();
    let seen = fixture
        .press("/admin/campaigns/new", &format!("{FORM}{ALL}"))
        .await;
    let create = format!("{}&step=create", carried(&seen.body));
    fixture
        .press_by_script("/admin/campaigns/new", &create)
        .await;

    let second = fixture
        .press_by_script("/admin/campaigns/new", &create)
        .await;

    second.has("Nothing was created: this form has made Quiz already.");
    assert_eq!(all(&fixture).await.len(), 1);
}

#[tokio::test]
async fn what_was_changed_after_it_was_created_is_a_campaign_of_its_own() {
    let fixture = Fixture::new();
    let first = fixture
        .press("/admin/campaigns/new", &format!("{FORM}{ALL}"))
        .await;
    let carried_on = carried(&first.body);
    fixture
        .press("/admin/campaigns/new", &format!("{carried_on}&step=create"))
        .await;
    fixture.clock.advance(Duration::from_secs(1));

    let form = fixture
        .press("/admin/campaigns/new", &format!("{carried_on}&step=edit"))
        .await;
    let changed = filled_in(&form.body).replace("name=%51%75%69%7a", "name=Other");
    let seen = fixture.press("/admin/campaigns/new", &changed).await;
    let create = format!("{}&step=create", carried(&seen.body));
    let created = fixture.press("/admin/campaigns/new", &create).await;

    assert_eq!(created.status, 303, "{created:?}");
    assert_eq!(all(&fixture).await.len(), 2);
}

#[tokio::test]
async fn a_form_that_does_not_say_whom_it_is_for_is_for_nobody() {
    let fixture = Fixture::new();

    let told = fixture
        .press("/admin/campaigns/new", &format!("{FORM}&step=create"))
        .await;

    assert_eq!(told.status, StatusCode::BAD_REQUEST);
    told.has("id=\"audience-wrong\"");
    assert!(all(&fixture).await.is_empty());
}

#[tokio::test]
async fn a_send_to_a_crowd_is_created_once_its_number_was_typed() {
    let fixture = Fixture::new();
    crowd(&fixture, 0, 10_001).await;
    let seen = fixture
        .press("/admin/campaigns/new", &format!("{FORM}{ALL}"))
        .await;
    let create = format!("{}&step=create", carried(&seen.body));

    let untyped = fixture.press("/admin/campaigns/new", &create).await;
    let wrong = fixture
        .press("/admin/campaigns/new", &format!("{create}&confirm=1001"))
        .await;
    let none = all(&fixture).await;
    let typed = fixture
        .press("/admin/campaigns/new", &format!("{create}&confirm=10001"))
        .await;

    seen.has("name=\"confirm\"");
    for refused in [untyped, wrong] {
        assert_eq!(refused.status, StatusCode::BAD_REQUEST);
        refused.has("Type 10001").has("name=\"confirm\"");
    }
    assert!(none.is_empty());
    assert_eq!(typed.status, 303, "{typed:?}");
}

#[tokio::test]
async fn a_crowd_that_has_grown_by_more_than_a_tenth_is_to_be_looked_at_again() {
    let fixture = Fixture::new();
    crowd(&fixture, 0, 10_001).await;
    let seen = fixture
        .press("/admin/campaigns/new", &format!("{FORM}{ALL}"))
        .await;
    let create = format!("{}&step=create&confirm=10001", carried(&seen.body));
    crowd(&fixture, 20_000, 1_001).await;

    let refused = fixture.press("/admin/campaigns/new", &create).await;
    let again = format!("{}&step=create&confirm=11,002", carried(&refused.body));
    let nothing = all(&fixture).await;
    let created = fixture.press("/admin/campaigns/new", &again).await;

    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    refused.has("has grown from 10,001 to 11,002");
    assert!(nothing.is_empty());
    assert_eq!(created.status, 303, "{created:?}");
}
