//! The walk over those an audience means: everybody once, in order, and nobody who came too late.

use std::collections::BTreeSet;

use baton_domain::{
    audience::Audience,
    globe::{Circle, Point},
    recipient::Profile,
};
use rand::{RngExt, SeedableRng, rngs::StdRng};

use super::fixtures::{at, on, somebody, with_topics};
use crate::{
    promises::{bench::Bench, promises},
    store::{AudienceCount, AudienceRange},
};

impl Bench {
    /// Whom a walk meets, in pages of so many.
    async fn walk(&self, audience: &Audience, until: i64, limit: u32) -> Vec<String> {
        let (mut ids, mut numbers) = (Vec::new(), Vec::new());
        let mut after = Some(0);
        while let Some(from) = after {
            let walk = AudienceRange {
                audience,
                after: from,
                until,
            };
            let members = self.store.members(&walk, limit).await.expect("members");
            assert!(members.recipients.len() <= limit as usize);
            assert!(
                members.next.is_none_or(|next| next > from),
                "{from} {:?}",
                members.next
            );
            numbers.extend(members.recipients.iter().map(|member| member.number));
            ids.extend(
                members
                    .recipients
                    .into_iter()
                    .map(|member| member.profile.id),
            );
            after = members.next;
        }
        assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
        ids
    }

    async fn members(&self, audience: &Audience) -> Vec<String> {
        let until = self.store.joined().await.expect("joined");
        let members = self.walk(audience, until, 100).await;
        assert_eq!(
            self.count(audience, until).await.members,
            members.len() as u64,
            "{audience:?}"
        );
        members
    }

    async fn count(&self, audience: &Audience, until: i64) -> AudienceCount {
        let count = self.store.count_members(audience, until).await;
        count.expect("count")
    }
}

fn platform(name: &str) -> Audience {
    Audience::Platform(name.to_owned())
}

fn topic(name: &str) -> Audience {
    Audience::Topic(name.to_owned())
}

fn ids(ids: &[&str]) -> Audience {
    Audience::Ids(ids.iter().map(|id| (*id).to_owned()).collect())
}

fn within(lat: f64, lon: f64, radius_m: f64) -> Audience {
    let centre = Point { lat, lon };
    Audience::Within(Circle { centre, radius_m })
}

fn not(audience: Audience) -> Audience {
    Audience::Not(Box::new(audience))
}

promises! {
    async fn an_audience_has_the_members_that_its_condition_says(bench: Bench) {
        let people = [on("ios", "a"), on("web", "b"), with_topics("c", &["quiz", "news"]), with_topics("d", &["quiz"])];
        bench.put(&people).await;

        assert_eq!(bench.members(&Audience::All).await, ["a", "b", "c", "d"]);
        assert_eq!(bench.members(&platform("web")).await, ["b"]);
        assert_eq!(bench.members(&topic("quiz")).await, ["c", "d"]);
        assert_eq!(bench.members(&topic("news")).await, ["c"]);
        assert_eq!(bench.members(&ids(&["d", "nobody", "a"])).await, ["a", "d"]);
        assert!(bench.members(&topic("nothing")).await.is_empty());
    }

    async fn conditions_are_combined(bench: Bench) {
        let people = [
            Profile { platform: "web".into(), ..with_topics("a", &["quiz"]) },
            with_topics("b", &["quiz", "news"]),
            with_topics("c", &["news"]),
            on("web", "d"),
        ];
        bench.put(&people).await;

        let both = Audience::AllOf(vec![platform("ios"), topic("quiz")]);
        let either = Audience::AnyOf(vec![topic("quiz"), platform("web"), ids(&["d"])]);
        let nested = Audience::AllOf(vec![either.clone(), not(ids(&["a"]))]);

        assert_eq!(bench.members(&both).await, ["b"]);
        assert_eq!(bench.members(&either).await, ["a", "b", "d"]);
        assert_eq!(bench.members(&nested).await, ["b", "d"]);
        assert_eq!(bench.members(&not(either)).await, ["c"]);
    }

    async fn a_circle_has_who_is_in_it_to_the_metre(bench: Bench) {
        // A thousandth of a degree of latitude is 111.195 metres.
        let people = [at(37.5, 127.0, "here"), at(37.501, 127.0, "near"), at(37.6, 127.0, "far"), somebody("nowhere")];
        bench.put(&people).await;

        assert_eq!(bench.members(&within(37.5, 127.0, 111.0)).await, ["here"]);
        assert_eq!(bench.members(&within(37.5, 127.0, 112.0)).await, ["here", "near"]);
        assert_eq!(bench.members(&within(37.5, 127.0, 20_000.0)).await, ["here", "near", "far"]);
        assert_eq!(bench.members(&within(37.5, 127.0, 20_000_000.0)).await, ["here", "near", "far"]);
    }

    async fn the_antimeridian_and_the_poles_are_no_borders(bench: Bench) {
        let people = [
            at(0.0, 179.99, "west"), at(0.0, -179.99, "east"), at(0.0, 180.0, "on"), at(0.0, -180.0, "on too"),
            at(90.0, 0.0, "pole"), at(89.99, -120.0, "behind"), at(-90.0, 0.0, "south"),
        ];
        bench.put(&people).await;

        assert_eq!(bench.members(&within(0.0, 180.0, 2_000.0)).await, ["west", "east", "on", "on too"]);
        assert_eq!(bench.members(&within(0.0, -179.995, 1_000.0)).await, ["east", "on", "on too"]);
        assert_eq!(bench.members(&within(89.995, 60.0, 2_000.0)).await, ["pole", "behind"]);
        assert_eq!(bench.members(&within(-89.999, 7.0, 500_000.0)).await, ["south"]);
    }

    async fn a_move_or_a_change_of_mind_is_seen_at_once(bench: Bench) {
        bench.put(&[with_topics("a", &["quiz"]), at(10.0, 10.0, "b"), on("web", "c")]).await;

        bench.put(&[at(-33.9, 151.2, "b"), on("ios", "c")]).await;
        bench.store.switch_topic("a", "quiz", false, bench.now()).await.unwrap();
        bench.store.switch_topic("c", "quiz", true, bench.now()).await.unwrap();

        assert!(bench.members(&within(10.0, 10.0, 1_000.0)).await.is_empty());
        assert_eq!(bench.members(&within(-33.9, 151.2, 1_000.0)).await, ["b"]);
        assert!(bench.members(&platform("web")).await.is_empty());
        assert_eq!(bench.members(&platform("ios")).await, ["a", "b", "c"]);
        assert_eq!(bench.members(&topic("quiz")).await, ["c"]);
    }

    async fn who_is_deleted_is_no_member_of_anything(bench: Bench) {
        let profile = Profile { topics: with_topics("a", &["quiz"]).topics, ..at(1.0, 1.0, "a") };
        bench.put(&[profile]).await;

        bench.store.delete_recipient("a").await.unwrap();

        for audience in [Audience::All, platform("ios"), topic("quiz"), within(1.0, 1.0, 10.0), ids(&["a"])] {
            assert!(bench.members(&audience).await.is_empty(), "{audience:?}");
        }
    }

    async fn a_disabled_member_is_counted_as_such(bench: Bench) {
        let off = |id: &str| Profile { enabled: false, ..with_topics(id, &["quiz"]) };
        bench.put(&[off("a"), with_topics("b", &["quiz"]), somebody("c"), off("d")]).await;

        for audience in [topic("quiz"), not(ids(&["c"])), Audience::AllOf(vec![topic("quiz"), platform("ios")])] {
            let count = bench.count(&audience, 4).await;
            assert_eq!((count.members, count.disabled), (3, 2), "{audience:?}");
        }
        let all = bench.count(&Audience::All, 3).await;
        assert_eq!((all.members, all.disabled), (3, 1));
    }

    async fn whoever_joins_during_a_walk_waits_for_the_next_one(bench: Bench) {
        bench.put(&["a", "b"].map(|id| with_topics(id, &["quiz"]))).await;
        let until = bench.store.joined().await.unwrap();

        bench.put(&["c", "a"].map(|id| with_topics(id, &["quiz", "late"]))).await;

        for audience in [Audience::All, topic("quiz"), not(topic("x")), ids(&["a", "b", "c"])] {
            assert_eq!(bench.walk(&audience, until, 1).await, ["a", "b"], "{audience:?}");
            assert_eq!(bench.count(&audience, until).await.members, 2);
        }
        assert_eq!(bench.walk(&topic("late"), until, 10).await, ["a"]);
    }

    async fn a_walk_goes_on_after_any_of_its_pages(bench: Bench) {
        let people: Vec<_> = (0..50).map(|i| with_topics(&format!("{i:02}"), if i % 7 == 0 { &["rare"] } else { &[] })).collect();
        bench.put(&people).await;

        for audience in [Audience::All, topic("rare"), not(topic("rare")), Audience::AnyOf(vec![topic("rare"), ids(&["03", "04"])])] {
            let whole = bench.walk(&audience, 50, 100).await;
            for limit in [1, 2, 3, 7, 49, 50] {
                assert_eq!(bench.walk(&audience, 50, limit).await, whole, "{audience:?} {limit}");
            }
        }
    }

    /// Random people, random audiences: whoever walks meets those and only those who belong.
    async fn every_walk_meets_those_and_only_those_who_belong(bench: Bench) {
        let mut chance = StdRng::seed_from_u64(4711);
        let mut people: Vec<_> = (0..300).map(|i| random_profile(&mut chance, i)).collect();
        bench.put(&people).await;
        for i in 0..60 {
            people[i * 5] = random_profile(&mut chance, i * 5);
        }
        let moved: Vec<_> = (0..60).map(|i| people[i * 5].clone()).collect();
        bench.put(&moved).await;

        for _ in 0..60 {
            let audience = random_audience(&mut chance, 3);
            let limit = chance.random_range(1..120);
            let members = people.iter().filter(|profile| audience.is_member(profile));
            let wanted: Vec<_> = members.map(|profile| profile.id.clone()).collect();
            assert_eq!(bench.walk(&audience, 300, limit).await, wanted, "{audience:?}");
            assert_eq!(bench.count(&audience, 300).await.members, wanted.len() as u64, "{audience:?}");
        }
    }
}

const PLATFORMS: [&str; 3] = ["ios", "android", "web"];
const TOPICS: [&str; 4] = ["news", "quiz", "rare", "t:x"];

fn random_profile(chance: &mut StdRng, i: usize) -> Profile {
    let topics: BTreeSet<_> = TOPICS
        .iter()
        .filter(|_| chance.random_bool(0.3))
        .map(|topic| (*topic).to_owned())
        .collect();
    let place = random_point(chance);
    Profile {
        platform: PLATFORMS[chance.random_range(0..3)].to_owned(),
        topics,
        location: chance.random_bool(0.8).then_some(place),
        ..somebody(&format!("r{i:03}"))
    }
}

/// In a town, on the antimeridian, at a pole, or anywhere.
fn random_point(chance: &mut StdRng) -> Point {
    let (lat, lon) = match chance.random_range(0..4) {
        0 => (
            chance.random_range(37.4..37.6),
            chance.random_range(126.9..127.1),
        ),
        1 => (
            chance.random_range(-0.1..0.1),
            180.0 - chance.random_range(0.0..0.1),
        ),
        2 => (
            chance.random_range(89.9..90.0),
            chance.random_range(-180.0..180.0),
        ),
        _ => (
            chance.random_range(-90.0..90.0),
            chance.random_range(-180.0..180.0),
        ),
    };
    Point { lat, lon }
}

fn random_audience(chance: &mut StdRng, depth: u32) -> Audience {
    let kinds = if depth == 0 { 5 } else { 8 };
    let parts = |chance: &mut StdRng| {
        let count = chance.random_range(1..4);
        (0..count)
            .map(|_| random_audience(chance, depth - 1))
            .collect()
    };
    match chance.random_range(0..kinds) {
        0 => Audience::All,
        1 => platform(PLATFORMS[chance.random_range(0..3)]),
        2 => topic(TOPICS[chance.random_range(0..4)]),
        3 => Audience::Within(Circle {
            centre: random_point(chance),
            radius_m: 10f64.powf(chance.random_range(2.0..7.2)),
        }),
        4 => Audience::Ids(
            (0..20)
                .map(|_| format!("r{:03}", chance.random_range(0..320)))
                .collect(),
        ),
        5 => Audience::AllOf(parts(chance)),
        6 => Audience::AnyOf(parts(chance)),
        _ => not(random_audience(chance, depth - 1)),
    }
}
