//! The palette: whatever has an id, a key or a name is found from every page, by whoever may see it.

use baton_domain::{
    access::Role,
    audit::{AuditAction, AuditFilter},
    job::{JobSpec, State},
    operation::{Action, DeadLetterFilter},
    page::PageRequest,
    schedule::{JobTemplate, ScheduleSpec},
};

use crate::{
    access::seen_by,
    campaigns::{in_inboxes, person},
    fixture::{Fixture, spec},
};

/// What the palette finds, without the page around it.
async fn found(fixture: &Fixture, sought: &str) -> String {
    let path = format!("/admin/search?q={}", sought.replace(' ', "+"));
    let page = fixture.get(&path).await;
    assert_eq!(page.status, 200, "{page:?}");
    let found = page.body.split("data-found").nth(1).expect("a part for it");
    found.split("</section>").next().unwrap().to_owned()
}

#[tokio::test]
async fn a_job_is_found_by_its_id_by_both_ends_of_it_and_by_its_key() {
    let fixture = Fixture::new();
    let keyed = JobSpec {
        key: Some("order 7".to_owned()),
        ..spec()
    };
    let id = fixture.enqueue(keyed).await.to_string();
    let other = fixture.enqueue(spec()).await;

    let end = &id[id.len() - 6..];
    let cut = format!("job_%E2%80%A6{end}");
    for sought in [id.as_str(), &id[4..], end, cut.as_str(), "order 7"] {
        let found = found(&fixture, sought).await;

        assert!(
            found.contains(&format!("href=\"./jobs/{id}\"")),
            "{sought}: {found}"
        );
        assert!(!found.contains(&other.to_string()), "{sought}: {found}");
    }
}

#[tokio::test]
async fn a_job_older_than_all_that_are_looked_through_is_found_by_the_beginning_of_its_id() {
    let fixture = Fixture::new();
    let id = fixture.job_in(State::Queued).await.to_string();
    fixture.clock.advance(std::time::Duration::from_hours(1));
    let many = std::iter::repeat_with(spec).take(150).collect();
    fixture.engine.enqueue_all(many).await.unwrap();

    let by_end = found(&fixture, &id[id.len() - 8..]).await;
    let by_beginning = found(&fixture, &id[..16]).await;

    assert!(!by_end.contains(&id), "{by_end}");
    assert!(by_beginning.contains(&id), "{by_beginning}");
}

#[tokio::test]
async fn what_has_a_name_is_found_by_a_part_of_it_in_any_case() {
    let fixture = Fixture::new();
    let campaign = in_inboxes(&fixture, "Autumn Notice").await;
    let plan = ScheduleSpec {
        name: "Autumn cleaning".to_owned(),
        cron: "0 9 * * *".to_owned(),
        time_zone: "UTC".to_owned(),
        job: Some(JobTemplate {
            kind: "simulate".to_owned(),
            payload: "{}".to_owned(),
            ..JobTemplate::default()
        }),
        ..ScheduleSpec::default()
    };
    let schedule = fixture.engine.create_schedule(plan).await.unwrap().0.id;
    let in_autumn = JobSpec {
        queue: Some("autumn-mail".to_owned()),
        ..spec()
    };
    fixture.enqueue(in_autumn).await;
    fixture.heartbeat("autumn-1:4711", "0.1.0").await;

    let found = found(&fixture, "aUTUMN").await;

    for path in [
        format!("./campaigns/{campaign}"),
        format!("./schedules/{schedule}"),
        "./queues/autumn-mail".to_owned(),
        "./fleet".to_owned(),
    ] {
        assert!(
            found.contains(&format!("href=\"{path}\"")),
            "{path}: {found}"
        );
    }
}

#[tokio::test]
async fn an_operation_is_found_by_its_id_and_by_what_it_does() {
    let fixture = Fixture::new();
    fixture.job_in(State::Failed).await;
    let filter = DeadLetterFilter::default();
    let begun = fixture.engine.start_operation(Action::Retry, &filter).await;
    let id = begun.unwrap().id.to_string();

    for sought in [id.as_str(), &id[id.len() - 6..], "retr"] {
        let found = found(&fixture, sought).await;

        assert!(
            found.contains(&format!("/operations/{id}\"")),
            "{sought}: {found}"
        );
    }
}

#[tokio::test]
async fn without_a_word_the_palette_names_the_rooms_that_one_may_enter() {
    let fixture = seen_by(Fixture::new(), Role::Viewer);

    let all = found(&fixture, "").await;
    let one = found(&fixture, "dead l").await;
    let closed = found(&fixture, "acces").await;

    assert!(
        all.contains("href=\"./jobs\"") && all.contains("href=\"../admin\""),
        "{all}"
    );
    assert!(
        !all.contains("recipients") && !all.contains("settings"),
        "{all}"
    );
    assert_eq!(one.matches("<li>").count(), 1, "{one}");
    assert!(one.contains("href=\"./dead-letters\""), "{one}");
    assert!(closed.contains("Nothing is called so"), "{closed}");
}

#[tokio::test]
async fn a_viewer_finds_neither_people_nor_keys() {
    let fixture = Fixture::new();
    person(&fixture, "ann", true).await;
    let keyed = JobSpec {
        key: Some("order-7".to_owned()),
        ..spec()
    };
    fixture.enqueue(keyed).await;

    let operator = seen_by(fixture, Role::Operator);
    let seen = [
        found(&operator, "ann").await,
        found(&operator, "order-7").await,
    ];
    let viewer = seen_by(operator, Role::Viewer);
    let hidden = [found(&viewer, "ann").await, found(&viewer, "order-7").await];

    assert!(seen[0].contains("href=\"./recipients/ann\""), "{seen:?}");
    assert!(seen[1].contains("href=\"./jobs/job_"), "{seen:?}");
    for found in hidden {
        assert!(found.contains("Nothing is called so"), "{found}");
    }
}

#[tokio::test]
async fn what_was_stored_and_what_was_typed_is_text_and_never_markup() {
    let fixture = Fixture::new();
    in_inboxes(&fixture, "<b>Quiz</b>").await;

    let page = fixture.get("/admin/search?q=%3Cb%3E").await;

    page.has("&#60;b&#62;Quiz")
        .lacks("<b>Quiz")
        .lacks("value=\"<b>");
}

#[tokio::test]
async fn while_the_store_is_away_rooms_are_found_and_it_is_said_that_this_is_not_all() {
    let fixture = Fixture::new();
    fixture.get("/admin").await;
    fixture.cut(true);

    let found = found(&fixture, "jobs").await;

    assert!(found.contains("href=\"./jobs\""), "{found}");
    assert!(
        found.contains("Not everything could be looked through"),
        "{found}"
    );
}

#[tokio::test]
async fn recipients_are_found_by_the_beginning_of_their_id_and_that_stands_in_the_audit_log() {
    let fixture = Fixture::new();
    for id in ["ann", "anna-1", "ben", "Anton"] {
        person(&fixture, id, true).await;
    }

    let beginning = found(&fixture, "an").await;
    let whole = found(&fixture, "anna-1").await;
    let nobody = found(&fixture, "bernd").await;
    let seen_by_viewer = found(&seen_by(Fixture::new(), Role::Viewer), "an").await;

    for (page, met, unmet) in [
        (&beginning, &["ann", "anna-1"][..], &["ben", "Anton"][..]),
        (&whole, &["anna-1"], &["ann\""]),
        (&nobody, &[], &["ann", "ben"]),
    ] {
        for id in met {
            assert!(
                page.contains(&format!("href=\"./recipients/{id}\"")),
                "{page}"
            );
        }
        for id in unmet {
            assert!(!page.contains(&format!("./recipients/{id}")), "{page}");
        }
    }
    assert!(
        !seen_by_viewer.contains("./recipients/"),
        "{seen_by_viewer}"
    );
    let readings = AuditFilter {
        action: Some(AuditAction::RecipientRead),
        ..AuditFilter::default()
    };
    let page = PageRequest::default();
    let noted = fixture.engine.audit_entries(&readings, &page).await;
    let noted = noted.unwrap().items;
    assert!(!noted.is_empty(), "a look is written down");
    assert!(noted.iter().all(|entry| entry.object == "recipients"));
}
