//! Campaigns: created once, walked once, stopped and resumed to the row.

pub(super) mod approvals;
pub(super) mod books;
pub(super) mod control;
pub(super) mod fixtures;
pub(super) mod gaps;
pub(super) mod line;
pub(super) mod losses;
pub(super) mod midst;
pub(super) mod storm;
pub(super) mod unreached;

use std::collections::BTreeSet;

use baton_domain::{
    campaign::{SendAt, State},
    job,
    message::Translation,
    reach::Skip,
    recipient::Profile,
};
use serde_json::json;

use self::fixtures::{ids_of, quiz};
use super::{
    bench::{ALL, Bench, HOUR, MINUTE, SECOND},
    promises,
    recipients::fixtures::with_address,
};
use crate::store::Created;

promises! {
    async fn a_campaign_reads_back_as_it_was_created(bench: Bench) {
        let new = bench.new_campaign(quiz());

        let created = bench.store.create_campaign(&new).await.unwrap();

        let campaign = bench.campaign(new.id).await;
        assert_eq!(created, Created::Added);
        assert_eq!(campaign.plan, new.plan);
        assert_eq!((campaign.state, campaign.epoch, campaign.cursor), (State::Scheduled, 0, 0));
        assert_eq!((campaign.start_at, campaign.created_at), (new.start_at, new.created_at));
    }

    async fn the_same_key_means_the_same_campaign(bench: Bench) {
        let mut spec = quiz();
        spec.key = Some("quiz-1".to_owned());
        let first = bench.create(spec.clone()).await;

        let again = bench.new_campaign(spec.clone());
        let known = bench.store.create_campaign(&again).await.unwrap();
        spec.name = "Another".to_owned();
        let other = bench.new_campaign(spec);
        let conflict = bench.store.create_campaign(&other).await.unwrap();

        assert_eq!((known, conflict), (Created::Known(first), Created::Conflict(first)));
        assert!(bench.store.campaign(again.id, bench.now()).await.unwrap().is_none());
    }

    async fn creating_a_campaign_is_safe_to_repeat(bench: Bench) {
        let new = bench.new_campaign(quiz());

        bench.store.create_campaign(&new).await.unwrap();
        let again = bench.store.create_campaign(&new).await.unwrap();

        assert!(matches!(again, Created::Added | Created::Known(_)));
        assert_eq!(bench.campaigns().await.len(), 1);
    }

    async fn campaigns_are_listed_newest_first_page_by_page(bench: Bench) {
        let mut created = Vec::new();
        for _ in 0..5 {
            created.push(bench.create(quiz()).await);
        }

        let (first, rest) = bench.two_pages(3).await;

        created.reverse();
        assert_eq!([first, rest].concat(), created);
    }

    async fn a_chunk_writes_its_deliveries_and_moves_the_cursor(bench: Bench) {
        bench.crowd(5).await;
        let id = bench.create(quiz()).await;

        let campaign = bench.take().await.unwrap();
        let chunk = bench.chunk(&campaign, 3).await;
        assert!(bench.expand(&chunk).await);

        let campaign = bench.campaign(id).await;
        assert_eq!((campaign.state, campaign.cursor, campaign.expanded), (State::Expanding, 3, 3));
        assert_eq!(ids_of(&bench.deliveries(id).await), ["p3", "p2", "p1"]);
    }

    async fn the_last_chunk_completes_the_walk(bench: Bench) {
        bench.crowd(5).await;
        let id = bench.create(quiz()).await;

        bench.walk_through(3).await;

        let campaign = bench.campaign(id).await;
        assert_eq!((campaign.state, campaign.cursor, campaign.chunks), (State::Sending, 5, 2));
        assert_eq!(campaign.walked(), 1.0);
        assert_eq!(bench.deliveries(id).await.len(), 5);
    }

    async fn the_same_chunk_is_written_once(bench: Bench) {
        bench.crowd(5).await;
        let id = bench.create(quiz()).await;
        let campaign = bench.take().await.unwrap();
        let chunk = bench.chunk(&campaign, 3).await;

        let (first, again) = (bench.expand(&chunk).await, bench.expand(&chunk).await);

        assert_eq!((first, again), (true, false));
        assert_eq!(bench.campaign(id).await.expanded, 3);
        assert_eq!(bench.deliveries(id).await.len(), 3);
    }

    async fn of_two_who_expand_at_once_one_writes_each_chunk(bench: Bench) {
        bench.crowd(40).await;
        let id = bench.create(quiz()).await;
        let campaign = bench.take().await.unwrap();
        let chunk = bench.chunk(&campaign, 40).await;

        let written = bench.expand_at_once(&chunk, 4).await;

        assert_eq!(written.iter().filter(|written| **written).count(), 1);
        let reached: BTreeSet<_> = ids_of(&bench.deliveries(id).await).into_iter().collect();
        assert_eq!(reached.len(), 40);
    }

    async fn who_joins_during_the_run_waits_for_the_next(bench: Bench) {
        bench.crowd(4).await;
        let id = bench.create(quiz()).await;
        let campaign = bench.take().await.unwrap();
        let chunk = bench.chunk(&campaign, 2).await;
        bench.expand(&chunk).await;

        bench.person("late", true).await;
        bench.walk_through(2).await;

        assert_eq!(bench.campaign(id).await.state, State::Sending);
        assert_eq!(ids_of(&bench.deliveries(id).await), ["p4", "p3", "p2", "p1"]);
    }

    async fn who_gets_nothing_is_a_row_that_says_why(bench: Bench) {
        bench.crowd(1).await;
        bench.person("off", false).await;
        let id = bench.create(quiz()).await;

        bench.walk_through(10).await;

        let deliveries = bench.deliveries(id).await;
        let skipped = &deliveries[0];
        assert_eq!((skipped.state, skipped.reason.as_deref()), (job::State::Skipped, Some("disabled")));
        assert_eq!(bench.campaign(id).await.expanded, 2);
        assert_eq!(deliveries[1].state, job::State::Queued);
    }

    async fn each_reason_why_somebody_gets_nothing_is_kept_as_its_word(bench: Bench) {
        bench.crowd(Skip::ALL.len()).await;
        let id = bench.create(quiz()).await;
        let campaign = bench.take().await.unwrap();
        let mut chunk = bench.chunk(&campaign, ALL).await;
        chunk.skipped = chunk.deliveries.drain(..).zip(Skip::ALL).collect();

        bench.expand(&chunk).await;

        let skipped = bench.deliveries(id).await;
        let reasons: BTreeSet<_> = skipped.iter().filter_map(|job| job.reason.as_deref()).collect();
        assert_eq!(reasons, Skip::ALL.map(Skip::as_str).into());
        assert!(skipped.iter().all(|job| job.state == job::State::Skipped));
    }

    async fn a_chunk_of_nobody_moves_the_cursor_too(bench: Bench) {
        bench.crowd(3).await;
        let mut spec = quiz();
        spec.audience = json!({ "platform": "nokia" });
        let id = bench.create(spec).await;

        bench.walk_through(10).await;

        let campaign = bench.campaign(id).await;
        assert_eq!((campaign.state, campaign.expanded), (State::Sending, 0));
    }

    async fn a_campaign_waits_for_its_time(bench: Bench) {
        bench.crowd(1).await;
        let mut spec = quiz();
        spec.send_at = Some(bench.now() + 10 * MINUTE);
        spec.lead = Some(MINUTE);
        bench.create(spec).await;

        let early = bench.take().await;
        bench.pass(9 * MINUTE);
        let in_time = bench.take().await;

        assert!(early.is_none());
        assert!(in_time.is_some());
    }

    async fn what_is_written_ahead_waits_until_it_is_sent(bench: Bench) {
        bench.crowd(2).await;
        let at = bench.now() + 10 * MINUTE;
        let mut spec = quiz();
        spec.send_at = Some(at);
        spec.lead = Some(10 * MINUTE);
        let id = bench.create(spec).await;

        bench.walk_through(10).await;

        let campaign = bench.campaign(id).await;
        assert_eq!(campaign.plan.send_at, SendAt::At(at));
        for delivery in bench.deliveries(id).await {
            assert_eq!((delivery.state, delivery.run_at), (job::State::Pending, at));
        }
    }

    async fn one_campaign_of_a_lane_expands_at_a_time_and_others_say_for_whom_they_wait(bench: Bench) {
        bench.crowd(4).await;
        let first = bench.create(quiz()).await;
        let second = bench.create(quiz()).await;
        let mut elsewhere = quiz();
        elsewhere.lane = Some("other".to_owned());
        let third = bench.create(elsewhere).await;

        let taken = [bench.take().await, bench.take().await, bench.take().await];

        let taken: Vec<_> = taken.into_iter().flatten().map(|campaign| campaign.id).collect();
        assert_eq!(taken, [first, third]);
        let waiting = bench.campaign(second).await;
        assert_eq!((waiting.state, waiting.waits_for), (State::Scheduled, Some(first)));
    }

    async fn the_next_of_a_lane_begins_when_the_walk_before_it_is_complete(bench: Bench) {
        bench.crowd(2).await;
        bench.create(quiz()).await;
        let second = bench.create(quiz()).await;

        bench.walk_through(10).await;

        assert_eq!(bench.take().await.map(|campaign| campaign.id), Some(second));
    }

    async fn an_expansion_whose_node_went_silent_is_taken_over_after_its_cursor(bench: Bench) {
        bench.crowd(5).await;
        let id = bench.create(quiz()).await;
        let before = bench.take().await.unwrap();
        let chunk = bench.chunk(&before, 2).await;
        bench.expand(&chunk).await;

        let too_early = bench.take_as(bench.another_worker()).await;
        bench.pass(fixtures::HOLD + SECOND);
        let heir = bench.another_worker();
        let taken = bench.take_as(heir).await.unwrap();

        assert!(too_early.is_none());
        assert_eq!((taken.id, taken.cursor), (id, 2));
        let stale = bench.chunk(&bench.with_cursor(&before, 2), 2).await;
        assert!(!bench.expand(&stale).await);
        let fresh = bench.chunk_as(heir, &taken, ALL).await;
        assert!(bench.expand(&fresh).await);
        assert_eq!(bench.deliveries(id).await.len(), 5);
    }

    async fn an_expansion_held_by_a_clock_that_was_put_back_since_is_taken_over(bench: Bench) {
        bench.crowd(5).await;
        let id = bench.create(quiz()).await;
        bench.take().await.unwrap();

        bench.clock.set(bench.now() - fixtures::HOLD / 2);
        let too_early = bench.take_as(bench.another_worker()).await;
        bench.clock.set(bench.now() - HOUR);
        let taken = bench.take_as(bench.another_worker()).await;

        assert!(too_early.is_none());
        assert_eq!(taken.map(|campaign| campaign.id), Some(id));
    }

    async fn deliveries_of_one_chunk_stand_where_their_times_put_them(bench: Bench) {
        bench.crowd(3).await;
        let mut spec = quiz();
        spec.expires_after = Some(5 * MINUTE);
        let id = bench.create(spec).await;
        let campaign = bench.take().await.unwrap();
        let mut chunk = bench.chunk(&campaign, 10).await;
        let later = &mut chunk.deliveries[1];
        later.run_at = later.run_at + 10 * MINUTE;
        later.expires_at = later.expires_at.map(|at| at + 10 * MINUTE);

        assert!(bench.expand(&chunk).await);

        let states: Vec<_> = bench.deliveries(id).await.iter().map(|one| one.state).collect();
        assert_eq!(states, [job::State::Queued, job::State::Pending, job::State::Queued]);
        bench.sequence().await;
        let counts = bench.campaign(id).await.counts;
        assert_eq!((counts.of(job::State::Queued), counts.of(job::State::Pending)), (2, 1));
        bench.pass(6 * MINUTE);
        assert_eq!(bench.store.expire(10, bench.now()).await.unwrap(), 2);
    }

    async fn what_lies_in_inboxes_is_written_with_the_chunk(bench: Bench) {
        bench.crowd(3).await;
        bench.person("off", false).await;
        let mut spec = quiz();
        spec.action = "both".to_owned();
        let id = bench.create(spec).await;

        bench.walk_through(2).await;

        let campaign = bench.campaign(id).await;
        assert_eq!((campaign.expanded, campaign.items), (4, 3));
        assert_eq!(bench.deliveries(id).await.len(), 4);
        for person in ["p1", "p2", "p3"] {
            assert_eq!(bench.inbox_of(person).await, [(Some(id), format!("For {person}"))]);
        }
        assert!(bench.inbox_of("off").await.is_empty());
    }

    async fn each_finds_in_its_inbox_what_was_said_in_its_language(bench: Bench) {
        for (id, locale) in [("p1", None), ("p2", Some("ko-KR")), ("p3", Some("fr"))] {
            let locale = locale.map(str::to_owned);
            let profile = Profile { locale, ..with_address(id, "token") };
            bench.store.put_recipients(&[profile], bench.now()).await.unwrap();
        }
        let mut spec = quiz();
        spec.action = "inbox".to_owned();
        let korean = Translation { title: "퀴즈".to_owned(), body: "{{id}} 님에게".to_owned() };
        spec.message.translations = [("ko".to_owned(), korean)].into();
        let id = bench.create(spec).await;

        bench.walk_through(10).await;

        for (person, body) in [("p1", "For p1"), ("p2", "p2 님에게"), ("p3", "For p3")] {
            assert_eq!(bench.inbox_of(person).await, [(Some(id), body.to_owned())]);
        }
    }

    async fn a_campaign_for_inboxes_alone_makes_no_deliveries(bench: Bench) {
        bench.crowd(3).await;
        let mut spec = quiz();
        spec.action = "inbox".to_owned();
        let id = bench.create(spec).await;

        bench.walk_through(10).await;

        let campaign = bench.campaign(id).await;
        assert_eq!((campaign.expanded, campaign.items), (3, 3));
        assert!(bench.deliveries(id).await.is_empty());
    }

    async fn a_chunk_that_is_void_lays_nothing_into_inboxes(bench: Bench) {
        bench.crowd(2).await;
        let mut spec = quiz();
        spec.action = "inbox".to_owned();
        bench.create(spec).await;
        let campaign = bench.take().await.unwrap();
        let chunk = bench.chunk(&campaign, 10).await;

        bench.expand(&chunk).await;
        bench.expand(&chunk).await;

        assert_eq!(bench.inbox_of("p1").await.len(), 1);
    }
}
