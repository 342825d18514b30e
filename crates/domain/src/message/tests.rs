use proptest::prelude::*;

use super::*;
use crate::recipient::RecipientSpec;

fn spec(title: &str, body: &str, data: Option<&str>) -> MessageSpec {
    MessageSpec {
        title: title.to_owned(),
        body: body.to_owned(),
        data: data.map(str::to_owned),
        ..MessageSpec::default()
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
        addresses: BTreeMap::from([("push".to_owned(), "token-1".to_owned())]),
        ..Profile::from_spec("a".to_owned(), RecipientSpec::on("ios")).unwrap()
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

/// A message with translations, as an author writes them.
fn translated(translations: &[(&str, &str, &str)]) -> MessageSpec {
    let one = |(locale, title, body): &(&str, &str, &str)| {
        let translation = Translation {
            title: (*title).to_owned(),
            body: (*body).to_owned(),
        };
        ((*locale).to_owned(), translation)
    };
    MessageSpec {
        translations: translations.iter().map(one).collect(),
        ..spec("Hello", "Hello, {{id}}", Some(r#"{"n": 7}"#))
    }
}

/// The field of each thing that is wrong.
fn fields(spec: MessageSpec) -> Vec<String> {
    let errors = Message::from_spec(spec).unwrap_err().into_iter();
    errors.map(|error| error.field).collect()
}

#[test]
fn a_recipient_reads_its_own_language_or_a_wider_one_or_the_message_as_it_is() {
    let spec = translated(&[
        ("ko", "안녕", "{{id}} 님, {{data.n}}개"),
        ("PT_br", "Oi", "Oi, {{id}}"),
        ("zh-Hant", "你好", "你好"),
    ]);
    let message = Message::from_spec(spec).unwrap();
    let read = |locale: Option<&str>| {
        let locale = locale.map(str::to_owned);
        let profile = Profile {
            locale,
            ..profile("a")
        };
        let filled = message.fill(&profile).unwrap();
        let own = message.translation_of(&profile).map(str::to_owned);
        (own, filled.title, filled.body)
    };

    for (locale, own, title) in [
        (None, None, "Hello"),
        (Some("ko"), Some("ko"), "안녕"),
        (Some("ko-KR"), Some("ko"), "안녕"),
        (Some("pt-BR"), Some("pt-BR"), "Oi"),
        (Some("pt"), None, "Hello"),
        (Some("zh-Hant-TW"), Some("zh-Hant"), "你好"),
        (Some("zh-Hans-CN"), None, "Hello"),
        (Some("fr"), None, "Hello"),
    ] {
        let (seen, says, _) = read(locale);
        assert_eq!((seen.as_deref(), says.as_str()), (own, title), "{locale:?}");
    }
    assert_eq!(read(Some("ko")).2, "a 님, 7개");
}

#[test]
fn what_is_wrong_with_a_translation_is_named_by_its_language_and_field() {
    let spec = translated(&[
        ("de", "a\nb", "{{data.lacks}}"),
        ("fr", "", "{{name}}"),
        ("ja", "t", &"{{addresses.push}}".repeat(9)),
        ("the moon", "t", "b"),
    ]);

    let wrong = fields(spec);
    let long = fields(translated(&[("ja", "t", &"{{addresses.push}}".repeat(9))]));

    let wanted = [
        "translations.de.title",
        "translations.de.body",
        "translations.fr.title",
        "translations.fr.body",
        "translations.the moon",
    ];
    assert_eq!(wrong, wanted);
    assert_eq!(long, ["translations.ja.body"]);
}

#[test]
fn a_language_has_one_translation_and_a_message_so_many_and_no_more() {
    let twice = translated(&[("ko-kr", "t", "b"), ("ko_KR", "t", "b")]);
    let names: Vec<_> = ('a'..='z').map(|letter| format!("x{letter}")).collect();
    let more: Vec<_> = ('a'..='z').map(|letter| format!("y{letter}")).collect();
    let many: Vec<_> = names
        .iter()
        .chain(&more)
        .map(|name| (name.as_str(), "t", "b"))
        .collect();
    let body = "힣".repeat(LONGEST_BODY);
    let long: Vec<_> = names
        .iter()
        .take(9)
        .map(|name| (name.as_str(), "t", body.as_str()))
        .collect();

    assert_eq!(fields(twice), ["translations.ko_KR"]);
    assert_eq!(
        fields(translated(&many[..=MOST_TRANSLATIONS])),
        ["translations"]
    );
    assert!(Message::from_spec(translated(&many[..MOST_TRANSLATIONS])).is_ok());
    assert_eq!(fields(translated(&long)), ["translations"]);
    assert!(Message::from_spec(translated(&long[..8])).is_ok());
}

#[test]
fn what_somebody_lacks_is_told_with_the_text_that_asks_for_it() {
    let message = Message::from_spec(translated(&[("ko", "안녕", "{{time_zone}}")])).unwrap();
    let profile = Profile {
        locale: Some("ko".to_owned()),
        ..profile("kim")
    };

    let why = message.fill(&profile).unwrap_err().to_string();

    assert!(
        why.starts_with("the translation ko of the message asks for {{time_zone}}"),
        "{why}"
    );
}

#[test]
fn the_message_of_one_recipient_says_nothing_in_other_languages() {
    let spec = translated(&[("ko", "안녕", "{{id}} 님"), ("de", "Hallo", "Hallo")]);
    let message = Message::from_spec(spec).unwrap();
    let profile = Profile {
        locale: Some("ko-KR".to_owned()),
        ..profile("a")
    };

    let own = message.spec_of(&profile);

    assert_eq!(
        (own.title.as_str(), own.body.as_str()),
        ("안녕", "{{id}} 님")
    );
    assert_eq!(own.data.as_deref(), Some(r#"{"n": 7}"#));
    assert!(own.translations.is_empty());
    let filled = Message::from_spec(own).unwrap().fill(&profile);
    assert_eq!(filled, message.fill(&profile));
}

#[test]
fn a_client_that_says_more_of_a_translation_is_refused_and_what_was_kept_is_read() {
    let text = r#"{"recipients": ["a"], "message": {"title": "t", "body": "b",
        "translations": {"ko": {"title": "t", "body": "b", "sound": "bell"}}}}"#;
    let kept = r#"{"title": "t", "body": "b", "translations": {"ko": {"title": "t", "body": "b", "sound": "bell"}}}"#;

    let said = serde_json::from_str::<crate::notification::NotificationSpec>(text);
    let read = serde_json::from_str::<MessageSpec>(kept);

    let why = said.unwrap_err().to_string();
    assert!(why.contains("sound"), "{why}");
    assert_eq!(read.unwrap().translations.len(), 1);
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
