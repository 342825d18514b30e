use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

fn spec(title: &str, body: &str, data: Option<&str>) -> MessageSpec {
    MessageSpec {
        title: title.to_owned(),
        body: body.to_owned(),
        data: data.map(str::to_owned),
    }
}

fn message(title: &str, body: &str, data: Option<&str>) -> Message {
    Message::from_spec(spec(title, body, data)).unwrap()
}

fn errors(title: &str, body: &str, data: Option<&str>) -> Vec<(String, String)> {
    let errors = Message::from_spec(spec(title, body, data)).unwrap_err();
    errors.into_iter().map(|e| (e.field, e.message)).collect()
}

fn profile(id: &str) -> Profile {
    Profile {
        id: id.to_owned(),
        platform: "ios".to_owned(),
        location: None,
        topics: BTreeSet::new(),
        enabled: true,
        addresses: BTreeMap::from([("push".to_owned(), "token-1".to_owned())]),
        time_zone: None,
    }
}

#[test]
fn each_recipient_reads_its_own_values() {
    let data = r#"{"order": 4711, "who": "Kim \"K\"", "paid": true}"#;
    let message = message(
        "{{id}} on {{ platform }}",
        "{{data.who}}: order {{data.order}}, paid {{data.paid}}, to {{addresses.push}}",
        Some(data),
    );

    let filled = message.fill(&profile("user-1")).unwrap();

    assert_eq!(filled.title, "user-1 on ios");
    assert_eq!(filled.body, "Kim \"K\": order 4711, paid true, to token-1");
}

#[test]
fn a_place_that_nothing_can_fill_is_refused_when_the_message_is_written() {
    let wrong = errors(
        "{{name}}",
        "{{data.order}} {{data.list}}",
        Some(r#"{"list": []}"#),
    );

    let fields: Vec<_> = wrong.iter().map(|(field, _)| field.as_str()).collect();
    assert_eq!(fields, ["title", "body", "body"]);
    assert!(wrong[0].1.contains("{{name}}") && wrong[0].1.contains("{{platform}}"));
    assert!(wrong[1].1.contains("{{data.order}}"), "{}", wrong[1].1);
    assert!(wrong[2].1.contains("{{data.list}}"), "{}", wrong[2].1);
}

#[test]
fn a_value_that_a_recipient_lacks_is_an_error_that_names_both() {
    let message = message("Good morning", "It is 9 in {{time_zone}}", None);

    let missing = message.fill(&profile("user-1")).unwrap_err();

    assert!(matches!(&missing, Unfillable::Missing { place, .. } if place == "time_zone"));
    let said = missing.to_string();
    assert!(
        said.contains("{{time_zone}}") && said.contains("user-1"),
        "{said}"
    );
}

#[test]
fn what_is_empty_too_long_or_no_object_is_refused() {
    let long = "x".repeat(LONGEST_BODY + 1);
    let big = format!("{{\"x\": \"{}\"}}", "x".repeat(LONGEST_DATA));
    for (title, body, data, field) in [
        ("", "b", None, "title"),
        ("a\nb", "b", None, "title"),
        (&long[..=LONGEST_TITLE], "b", None, "title"),
        ("t", "", None, "body"),
        ("t", &long, None, "body"),
        ("t", "a\0b", None, "body"),
        ("t", "{{id", None, "body"),
        ("t", "b", Some("[1]"), "data"),
        ("t", "b", Some(big.as_str()), "data"),
    ] {
        let wrong = errors(title, body, data);

        assert_eq!(wrong[0].0, field, "{wrong:?}");
    }
}

#[test]
fn a_text_that_its_places_make_too_long_is_refused_when_the_message_is_written() {
    let data = format!(r#"{{"x": "{}"}}"#, "x".repeat(30_000));
    let many = "{{data.x}}".repeat(900);

    let body = errors("t", &many, Some(&data));
    let title = errors("{{addresses.push}} {{addresses.push}}", "b", None);

    assert_eq!(body[0].0, "body");
    assert!(body[0].1.contains("27000000") && body[0].1.contains("{{data.x}}"));
    assert_eq!(title[0].0, "title");
    assert!(title[0].1.contains("{{addresses.push}}"), "{title:?}");
}

#[test]
fn a_usual_message_has_room_for_an_address_in_its_title_and_several_in_its_body() {
    let title = "{{addresses.name}}, {{id}} on {{platform}} in {{time_zone}}";
    let body = format!(
        "{}{}",
        "{{addresses.name}} ".repeat(6),
        "{{id}} ".repeat(30)
    );

    let message = Message::from_spec(spec(title, &body, None));

    assert!(message.is_ok(), "{message:?}");
}

#[test]
fn what_got_in_all_the_same_is_filled_no_further_than_it_may_be() {
    let data = format!(r#"{{"x": "{}"}}"#, "x".repeat(30_000));
    let spec = spec("t", &"{{data.x}}".repeat(900), Some(&data));
    let message = Message::read(spec).unwrap();

    let why = message.fill(&profile("user-1")).unwrap_err();

    assert!(matches!(why, Unfillable::TooLong { field: "body", .. }));
    let said = why.to_string();
    assert!(said.contains("131072") && said.contains("user-1"), "{said}");
}

#[test]
fn data_is_kept_to_the_letter() {
    let text = r#"{"title":"t","body":"b","data":{"n":1.10,"big":123456789012345678901234567890}}"#;

    let read: MessageSpec = serde_json::from_str(text).unwrap();

    assert_eq!(serde_json::to_string(&read).unwrap(), text);
    let message = Message::from_spec(MessageSpec {
        body: "{{data.n}}".to_owned(),
        ..read
    })
    .unwrap();
    assert_eq!(message.fill(&profile("a")).unwrap().body, "1.10");
}

proptest! {
    #[test]
    fn a_text_without_places_reads_as_it_is_written(body in "[^\0]{1,80}") {
        prop_assume!(!body.contains("{{"));

        let filled = message("t", &body, None).fill(&profile("a")).unwrap();

        prop_assert_eq!(filled.body, body);
    }

    #[test]
    fn what_fills_a_place_is_never_read_again(id in "[a-z{}.]{1,20}", before in "[a-z }]{0,9}") {
        let body = format!("{before}{{{{id}}}}{{{{ id }}}}");

        let filled = message("t", &body, None).fill(&profile(&id)).unwrap();

        prop_assert_eq!(filled.body, format!("{before}{id}{id}"));
    }

    #[test]
    fn any_text_is_read_or_refused_and_what_is_read_lacks_values_of_the_recipient_only(
        body in "(\\{\\{|\\}\\}|id|platform|data\\.x|addresses\\.push| |é|\\{){1,12}",
    ) {
        let Ok(message) = Message::from_spec(spec("t", &body, Some(r#"{"x": 1}"#))) else {
            return Ok(());
        };

        let missing = message.fill(&profile("a")).err();

        let is_its_own = |missing: &Unfillable| {
            matches!(missing, Unfillable::Missing { place, .. } if place.starts_with("addresses.push"))
        };
        prop_assert!(missing.as_ref().is_none_or(is_its_own));
    }
}
