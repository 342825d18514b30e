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
            "whom=fits&fits=all&fits_topic=daily&fits_not=news&fits_platform=ios&fits_lat=37.5&fits_lon=127&fits_radius=5",
            "who is opted in to daily; and who is on ios; and who is within 5 km of 37.5, 127; and who is not opted in to news",
            json!({"all_of": [
                {"topic": "daily"}, {"platform": "ios"}, {"within": {"lat": 37.5, "lon": 127.0, "radius_m": 5000.0}},
                {"not": {"topic": "news"}},
            ]}),
        ),
        (
            "whom=fits&fits=any&fits_topic=daily&fits_platform=ios",
            "who is opted in to daily; or who is on ios",
            json!({"any_of": [{"topic": "daily"}, {"platform": "ios"}]}),
        ),
        (
            "whom=fits&fits=any&fits_lat=37.5&fits_lon=127&fits_radius=0.5",
            "who is within 0.5 km of 37.5, 127",
            json!({"within": {"lat": 37.5, "lon": 127.0, "radius_m": 500.0}}),
        ),
        (
            "whom=fits&fits_topic=daily&also=any&also_topics=a,+b&also_platforms=ios",
            "who is opted in to daily; and any of these: who is opted in to a, who is opted in to b, who is on ios",
            json!({"all_of": [
                {"topic": "daily"}, {"any_of": [{"topic": "a"}, {"topic": "b"}, {"platform": "ios"}]},
            ]}),
        ),
        (
            "whom=fits&fits=any&fits_topic=x&fits_platform=ios&also=none&also_topics=a+b",
            "any of these: who is opted in to x, who is on ios; and none of these: who is opted in to a, who is opted in to b",
            json!({"all_of": [
                {"any_of": [{"topic": "x"}, {"platform": "ios"}]}, {"not": {"any_of": [{"topic": "a"}, {"topic": "b"}]}},
            ]}),
        ),
        (
            "whom=fits&also=none&also_platforms=web",
            "none of these: who is on web",
            json!({"not": {"platform": "web"}}),
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
        (
            json!({"all_of": [{"topic": "a"}, {"within": {"lat": -33.9, "lon": 151.2, "radius_m": 1250.0}}, {"not": {"topic": "b"}}]}),
            "fits",
        ),
        (
            json!({"any_of": [{"topic": "a"}, {"platform": "ios"}]}),
            "fits",
        ),
        (json!({"not": {"topic": "b"}}), "fits"),
        (
            json!({"within": {"lat": 0.0, "lon": 0.0, "radius_m": 1.0}}),
            "fits",
        ),
        (json!({"all_of": [{"topic": "a"}, {"topic": "b"}]}), "fits"),
        (
            json!({"all_of": [{"topic": "a"}, {"platform": "ios"}, {"any_of": [{"topic": "b"}, {"topic": "c"}]}]}),
            "fits",
        ),
        (
            json!({"all_of": [{"any_of": [{"topic": "a"}, {"platform": "ios"}]}, {"not": {"any_of": [{"topic": "b"}, {"topic": "c"}]}}]}),
            "fits",
        ),
        (
            json!({"all_of": [{"topic": "a"}, {"any_of": [{"topic": "b"}, {"all_of": [{"topic": "c"}, {"topic": "d"}]}]}]}),
            "json",
        ),
        (
            json!({"all_of": [{"topic": "a"}, {"any_of": [{"topic": "b"}]}]}),
            "json",
        ),
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
                ..MessageSpec::default()
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
        ("whom=fits", "fits_topic"),
        ("whom=fits&fits_topic=a+b&fits_platform=ios", "fits_topic"),
        ("whom=fits&fits_topic=a&fits_platform=a+b", "fits_platform"),
        ("whom=fits&fits_topic=a&fits_not=a+b", "fits_not"),
        ("whom=fits&fits_not=a+b", "fits_not"),
        ("whom=fits&also_topics=a+%22", "also_topics"),
        (
            "whom=fits&fits_topic=a&fits_not=b&also_topics=a+%22",
            "also_topics",
        ),
        (
            "whom=fits&fits=any&fits_topic=a&fits_not=b&also=none&also_topics=a&also_platforms=%22",
            "also_platforms",
        ),
        ("whom=fits&fits_radius=5&fits_lon=1", "fits_lat"),
        (
            "whom=fits&fits_radius=5&fits_lat=1&fits_lon=181",
            "fits_lon",
        ),
        ("whom=fits&fits_lat=1&fits_lon=1", "fits_radius"),
        (
            "whom=fits&fits_lat=1&fits_lon=1&fits_radius=NaN",
            "fits_radius",
        ),
        ("whom=json", "audience"),
        ("whom=", "audience"),
    ] {
        let told = fixture.press(NEW, &format!("{FORM}&{typed}")).await;

        assert_eq!(told.status, StatusCode::BAD_REQUEST, "{typed}");
        let name = field.trim_start_matches("whom_");
        let name = name.trim_start_matches("fits_");
        let name = name.trim_start_matches("also_");
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
        ("whom=all&fits_radius=5", "fits_radius"),
        ("whom=topic&whom_topic=x&fits_topic=x", "fits_topic"),
        ("whom=all&also_platforms=ios", "also_platforms"),
        ("whom=fits&fits_topic=x&whom_topic=x", "whom_topic"),
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

#[tokio::test]
async fn circles_are_drawn_before_it_is_created_and_on_its_page() {
    let fixture = Fixture::new();
    let typed = "whom=fits&fits_topic=x&fits_lat=37.5&fits_lon=127&fits_radius=5";

    let seen = fixture.press(NEW, &format!("{FORM}&{typed}")).await;
    let create = format!("{}&step=create", carried(&seen.body));
    fixture.press(NEW, &create).await;
    let id = all(&fixture).await[0].id;
    let page = fixture.get(&format!("/admin/campaigns/{id}")).await;

    for page in [seen, page] {
        page.has("<polygon points=")
            .has("within 5 km of 37.5, 127")
            .has("who is opted in to x; and who is within 5 km of 37.5, 127");
    }
}
