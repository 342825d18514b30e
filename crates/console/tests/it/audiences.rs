//! Whom a campaign is for, chosen in a form.

use axum::http::StatusCode;
use baton_domain::{audience::Audience, campaign::CampaignSpec, message::MessageSpec};
use serde_json::{Value, json};

use crate::{
    compose::{FORM, all, carried, filled_in},
    fixture::Fixture,
};

const NEW: &str = "/admin/campaigns/new";

fn audience(of: &Value) -> Audience {
    Audience::read("audience", of).unwrap()
}

#[tokio::test]
async fn each_choice_is_the_audience_that_it_says() {
    for (typed, said, meant) in [
        ("whom=all", "everybody", json!({"all": true})),
        (
            "whom=topic&whom_topic=+daily-quiz+",
            "who is opted in to daily-quiz",
            json!({"topic": "daily-quiz"}),
        ),
        (
            "whom=platform&whom_platform=ios",
            "who is on ios",
            json!({"platform": "ios"}),
        ),
        (
            "whom=ids&whom_ids=ann%0D%0A%0D%0A+a,+b+%0D%0A",
            "2 ids: ann, a, b",
            json!({"ids": ["ann", "a, b"]}),
        ),
        (
            "whom=json&audience=%7B%22not%22:%7B%22platform%22:%22web%22%7D%7D",
            "not",
            json!({"not": {"platform": "web"}}),
        ),
    ] {
        let fixture = Fixture::new();

        let seen = fixture.press(NEW, &format!("{FORM}&{typed}")).await;
        let create = format!("{}&step=create", carried(&seen.body));
        let created = fixture.press(NEW, &create).await;

        seen.has(said);
        assert_eq!(created.status, 303, "{typed}: {created:?}");
        let plan = &all(&fixture).await[0].plan;
        assert_eq!(plan.audience, audience(&meant), "{typed}");
    }
}

#[tokio::test]
async fn a_copy_begins_with_the_choice_that_its_audience_is() {
    for (meant, choice) in [
        (json!({"all": true}), "all"),
        (json!({"topic": "daily-quiz"}), "topic"),
        (json!({"platform": "ios"}), "platform"),
        (json!({"ids": ["ann", "ben"]}), "ids"),
        (json!({"not": {"platform": "web"}}), "json"),
    ] {
        let fixture = Fixture::new();
        let spec = CampaignSpec {
            name: "Quiz".to_owned(),
            category: "question".to_owned(),
            action: "both".to_owned(),
            audience: meant.clone(),
            message: MessageSpec {
                title: "Quiz".to_owned(),
                body: "For {{id}}".to_owned(),
                data: None,
            },
            ..CampaignSpec::default()
        };
        let id = fixture.engine.create_campaign(spec).await.unwrap().id();

        let form = fixture.get(&format!("{NEW}?of={id}")).await;
        let seen = fixture.press(NEW, &filled_in(&form.body)).await;
        let create = format!("{}&step=create", carried(&seen.body));
        fixture.press(NEW, &create).await;

        form.has(&format!("name=\"whom\" value=\"{choice}\" checked"));
        let copies = all(&fixture).await;
        assert_eq!(copies.len(), 2, "{choice}: {seen:?}");
        assert_eq!(copies[0].plan.audience, audience(&meant), "{choice}");
    }
}

#[tokio::test]
async fn a_choice_without_its_word_is_told_at_its_field() {
    let fixture = Fixture::new();

    for (typed, field) in [
        ("whom=topic&whom_topic=+", "whom_topic"),
        ("whom=topic&whom_topic=a+b", "whom_topic"),
        ("whom=platform", "whom_platform"),
        ("whom=ids&whom_ids=%0D%0A", "whom_ids"),
        ("whom=json", "audience"),
        ("whom=", "audience"),
    ] {
        let told = fixture.press(NEW, &format!("{FORM}&{typed}")).await;

        assert_eq!(told.status, StatusCode::BAD_REQUEST, "{typed}");
        let name = field.trim_start_matches("whom_");
        told.has(&format!("href=\"#{field}\">{name}</a>"))
            .has(&format!("id=\"{field}-wrong\""));
    }
}

#[tokio::test]
async fn an_audience_that_was_typed_and_not_chosen_is_told_and_never_dropped() {
    let fixture = Fixture::new();

    for (typed, field) in [
        ("whom=all&whom_topic=x", "whom_topic"),
        ("whom=all&audience=%7B%7D", "audience"),
        ("whom=topic&whom_topic=x&whom_platform=ios", "whom_platform"),
        ("whom=platform&whom_platform=ios&whom_ids=ann", "whom_ids"),
        (
            "whom=json&audience=%7B%22all%22:true%7D&whom_ids=ann",
            "whom_ids",
        ),
    ] {
        let told = fixture.press(NEW, &format!("{FORM}&{typed}")).await;

        assert_eq!(told.status, StatusCode::BAD_REQUEST, "{typed}");
        told.has(&format!("id=\"{field}-wrong\""))
            .has("or empty it");
    }
}
