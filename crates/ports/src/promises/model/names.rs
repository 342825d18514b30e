//! A walk among people, notifications and schedules whose names differ by what some databases do not tell apart.

mod reading;

use std::{collections::BTreeMap, fmt::Debug, sync::Arc};

use baton_domain::{
    content::RequestDigest,
    recipient::{Profile, is_id},
    schedule::{Schedule, ScheduleDefinition},
};
use rand::{RngExt, SeedableRng, rngs::StdRng};

use super::super::{
    bench::{Bench, SECOND},
    schedules::fixtures::plan,
};
use crate::{
    MemoryStore,
    store::{Dispatch, ScheduleChange},
};

/// Texts that no store takes for one another: they differ by case, a space at an end, accent, composed or not, width, a ligature, a letter
/// that folds into two, one that is not seen, and what stands outside the first 65,536 characters.
pub(super) const ODD: [&str; 18] = [
    "k",
    "K",
    "k ",
    " k",
    "ķ",
    "k\u{327}",
    "ｋ",
    "k😀",
    "k😁",
    "k\u{200b}",
    "k\u{ad}",
    "k\u{a0}",
    "\u{212a}",
    "ﬁ",
    "fi",
    "ß",
    "ss",
    "ẞ",
];
/// All in which a name that a server gives a meaning to can differ, with what a pattern takes for any letter.
const TOPICS: [&str; 5] = ["news", "News", "n-ws", "n_ws", "new"];
const PLATFORMS: [&str; 2] = ["ios", "iOS"];

/// Two stores side by side.
pub(super) struct Names {
    seed: u64,
    step: usize,
    chance: StdRng,
    store: Bench,
    model: Bench,
    schedules: Vec<Schedule>,
}

impl Names {
    pub(super) fn new(store: Bench, seed: u64) -> Self {
        let model = Bench {
            store: Arc::new(MemoryStore::new()),
            ..store.clone()
        };
        Self {
            seed,
            step: 0,
            chance: StdRng::seed_from_u64(seed),
            store,
            model,
            schedules: Vec::new(),
        }
    }

    pub(super) async fn step(&mut self, step: usize) {
        self.step = step;
        self.store.pass(SECOND);
        match self.chance.random_range(0..100) {
            0..30 => self.put().await,
            30..45 => self.switch().await,
            45..55 => self.bury().await,
            55..62 => self.forget().await,
            62..77 => self.notify().await,
            77..85 => self.add_schedule().await,
            85..90 => self.rename_schedule().await,
            90..93 => self.delete_schedule().await,
            _ => self.compare_everything().await,
        }
    }

    async fn put(&mut self) {
        let mut profiles = BTreeMap::new();
        for _ in 0..self.chance.random_range(1..6) {
            let profile = self.some_profile();
            profiles.insert(profile.id.clone(), profile);
        }
        let profiles: Vec<_> = profiles.into_values().collect();
        let now = self.store.now();
        both!(self, "put", |bench| bench
            .store
            .put_recipients(&profiles, now));
    }

    fn some_profile(&mut self) -> Profile {
        let id = self.some_id().to_owned();
        let chance = &mut self.chance;
        let topics = TOPICS.iter().filter(|_| chance.random_bool(0.4));
        let topics = topics.map(|topic| (*topic).to_owned()).collect();
        let address = ODD[chance.random_range(0..ODD.len())].to_owned();
        let locale = chance.random_bool(0.5).then(|| "ko-KR".to_owned());
        Profile {
            id,
            platform: PLATFORMS[chance.random_range(0..2)].to_owned(),
            location: None,
            topics,
            enabled: chance.random_bool(0.8),
            addresses: BTreeMap::from([(self.some_topic().to_owned(), address)]),
            time_zone: None,
            locale,
        }
    }

    async fn switch(&mut self) {
        let (id, topic, now) = (self.some_id(), self.some_topic(), self.store.now());
        let on = self.chance.random_bool(0.5);
        both!(self, "switch", |bench| bench
            .store
            .switch_topic(id, topic, on, now));
    }

    async fn bury(&mut self) {
        let (id, channel, now) = (self.some_id(), self.some_topic(), self.store.now());
        let address = ODD[self.chance.random_range(0..ODD.len())];
        both!(self, "bury", |bench| bench
            .store
            .bury_address(id, channel, address, now));
    }

    async fn forget(&mut self) {
        let id = self.some_id();
        both!(self, "delete", |bench| bench.store.delete_recipient(id));
    }

    /// Tells somebody something, under a key or not; the same again is asked for by chance.
    async fn notify(&mut self) {
        let id = self.some_id();
        let found = both!(self, "find", |bench| self::reading::find(bench, &[id]));
        let Some(number) = found.first().map(|found| found.number) else {
            return;
        };
        let now = self.store.now();
        let item = self.store.new_item(id, number, id);
        let key = ODD[self.chance.random_range(0..ODD.len())];
        let content = ["one", "other"][self.chance.random_range(0..2)];
        let dispatch = Dispatch {
            key: self.chance.random_bool(0.7).then(|| key.to_owned()),
            content: RequestDigest::with_digest(content),
            category: self.some_topic().to_owned(),
            ..self.store.dispatch(vec![item])
        };
        both!(self, "notify", |bench| bench.store.notify(&dispatch, now));
    }

    async fn add_schedule(&mut self) {
        let name = self.some_id();
        let schedule = self.store.new_schedule(plan(name));
        let now = self.store.now();
        both!(self, "add_schedule", |bench| bench
            .store
            .add_schedule(&schedule, now));
        self.schedules.push(schedule);
    }

    async fn rename_schedule(&mut self) {
        let (name, now) = (self.some_id().to_owned(), self.store.now());
        let Some(schedule) = self.some_schedule() else {
            return;
        };
        let found = both!(self, "find_schedule", |bench| bench
            .store
            .find_schedule(schedule.id));
        let Some(found) = found else { return };
        let renamed = Schedule {
            plan: ScheduleDefinition {
                name,
                ..found.plan.clone()
            },
            revision: found.revision + 1,
            updated_at: now,
            ..found
        };
        both!(self, "change_schedule", |bench| bench
            .store
            .change_schedule(&renamed, ScheduleChange::Changed, now));
    }

    async fn delete_schedule(&mut self) {
        let now = self.store.now();
        let Some(schedule) = self.some_schedule() else {
            return;
        };
        both!(self, "delete_schedule", |bench| bench
            .store
            .delete_schedule(schedule.id, now));
    }

    fn some_schedule(&mut self) -> Option<Schedule> {
        let count = self.schedules.len();
        (count > 0).then(|| self.schedules[self.chance.random_range(0..count)].clone())
    }

    /// What may be the id of a recipient may be the name of a schedule.
    fn some_id(&mut self) -> &'static str {
        let ids: Vec<_> = ODD.into_iter().filter(|text| is_id(text)).collect();
        ids[self.chance.random_range(0..ids.len())]
    }

    fn some_topic(&mut self) -> &'static str {
        TOPICS[self.chance.random_range(0..TOPICS.len())]
    }

    fn compare<T: PartialEq + Debug>(&self, what: &str, store: &T, model: &T) {
        assert!(
            store == model,
            "seed {}, step {}: {what}\n the store: {store:?}\n the model: {model:?}",
            self.seed,
            self.step
        );
    }
}
