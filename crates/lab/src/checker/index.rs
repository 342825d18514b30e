//! A history by its names: one look instead of one search.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    history::{Act, ActKind, History, Notified, Posted, Request},
    moments::Moments,
    standstill::standstills,
    state::State,
    wire::{Attempt, Event, Job},
};
use crate::target::{Arrival, Script};

/// A move of a job, as the feed told it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Move<'a> {
    pub(super) to: State,
    pub(super) event: &'a Event,
}

/// A history by its names.
pub(super) struct Index<'a> {
    pub(super) history: &'a History,
    pub(super) jobs: BTreeMap<&'a str, &'a Job>,
    /// The attempts of a job, by their numbers.
    attempts: BTreeMap<&'a str, Vec<&'a Attempt>>,
    /// What arrived, by key, in order of arrival.
    pub(super) by_key: BTreeMap<&'a str, Vec<&'a Arrival>>,
    by_job: BTreeMap<&'a str, Vec<&'a Arrival>>,
    moves: BTreeMap<&'a str, Vec<Move<'a>>>,
    accepted: BTreeMap<&'a str, &'a Request>,
    /// Recipients that want nothing sent.
    silent: BTreeSet<&'a str>,
    acts: BTreeMap<&'a str, Vec<&'a Act>>,
    bulk: Vec<&'a Act>,
    pub(super) keys: BTreeMap<&'a str, Vec<&'a Request>>,
    /// Notifications that were asked for, by key.
    pub(super) notified: BTreeMap<&'a str, Vec<&'a Notified>>,
    standstills: Vec<(i64, i64)>,
    /// When what the store dates was, in the lab's time.
    pub(super) moments: Moments,
}

impl<'a> Index<'a> {
    pub(super) fn new(history: &'a History) -> Self {
        let mut index = Self {
            history,
            jobs: history.jobs.iter().map(|job| (&*job.id, job)).collect(),
            attempts: grouped(&history.attempts, |one| &one.job_id),
            by_key: grouped(&history.arrivals, |one| &one.key),
            by_job: grouped(&history.arrivals, |one| &one.job_id),
            moves: BTreeMap::new(),
            accepted: BTreeMap::new(),
            silent: BTreeSet::new(),
            acts: BTreeMap::new(),
            bulk: Vec::new(),
            keys: BTreeMap::new(),
            notified: grouped(&history.notifications.asked, |one| &one.key),
            standstills: standstills(&history.requests),
            moments: Moments::of(history),
        };
        for attempts in index.attempts.values_mut() {
            attempts.sort_by_key(|one| one.attempt);
        }
        for arrivals in index.by_key.values_mut().chain(index.by_job.values_mut()) {
            arrivals.sort_by_key(|one| one.at_us);
        }
        index.take_events();
        index.take_requests();
        index.take_acts();
        let recipients = history.campaigns.recipients.iter();
        let silent = recipients.filter(|one| !one.enabled);
        index.silent = silent.map(|one| &*one.id).collect();
        index
    }

    fn take_events(&mut self) {
        for event in &self.history.events {
            if let Some(to) = event.moved_to() {
                let moves = self.moves.entry(&event.subject).or_default();
                moves.push(Move { to, event });
            }
        }
    }

    fn take_requests(&mut self) {
        for request in &self.history.requests {
            if let Some(key) = &request.key {
                self.keys.entry(key).or_default().push(request);
            }
            if let Posted::Ok { id, .. } = &request.answer {
                self.accepted.entry(id).or_insert(request);
            }
        }
    }

    fn take_acts(&mut self) {
        let acts = self.history.acts.iter();
        for act in acts.filter(|act| act.answer.may_have_acted()) {
            match &act.job {
                Some(job) => self.acts.entry(job).or_default().push(act),
                None => self.bulk.push(act),
            }
        }
    }

    pub(super) fn attempts(&self, job: &str) -> &[&'a Attempt] {
        self.attempts.get(job).map_or(&[], Vec::as_slice)
    }

    pub(super) fn attempts_by_job(&self) -> impl Iterator<Item = (&'a str, &[&'a Attempt])> {
        self.attempts
            .iter()
            .map(|(job, all)| (*job, all.as_slice()))
    }

    pub(super) fn attempt(&self, arrival: &Arrival) -> Option<&'a Attempt> {
        self.attempts(&arrival.job_id)
            .iter()
            .copied()
            .find(|one| one.attempt == arrival.attempt)
    }

    pub(super) fn arrivals(&self, job: &str) -> &[&'a Arrival] {
        self.by_job.get(job).map_or(&[], Vec::as_slice)
    }

    pub(super) fn arrivals_by_job(&self) -> impl Iterator<Item = (&'a str, &[&'a Arrival])> {
        self.by_job.iter().map(|(job, all)| (*job, all.as_slice()))
    }

    pub(super) fn moves(&self, job: &str) -> &[Move<'a>] {
        self.moves.get(job).map_or(&[], Vec::as_slice)
    }

    pub(super) fn moves_by_job(&self) -> impl Iterator<Item = (&'a str, &[Move<'a>])> {
        self.moves.iter().map(|(job, all)| (*job, all.as_slice()))
    }

    /// The first request that was answered with this job.
    pub(super) fn acceptance(&self, job: &str) -> Option<&'a Request> {
        self.accepted.get(job).copied()
    }

    pub(super) fn is_accepted(&self, job: &str) -> bool {
        self.accepted.contains_key(job)
    }

    /// The request a job goes back to: the one that was answered with its id, or one with its key.
    pub(super) fn request(&self, job: &Job) -> Option<&'a Request> {
        self.accepted.get(&*job.id).copied().or_else(|| {
            let key = job.key.as_deref()?;
            let mut requests = self.keys.get(key)?.iter().copied();
            requests.find(|request| request.answer.may_have_created())
        })
    }

    pub(super) fn script(&self, job: &Job) -> Option<Script> {
        let request = self.request(job)?;
        Script::parse(request.path.as_deref()?)
    }

    /// What people did to a job, or may have done: what was answered with a definite no is left out.
    pub(super) fn acts(&self, job: &str) -> impl Iterator<Item = &'a Act> {
        let own = self.acts.get(job).map_or(&[][..], Vec::as_slice);
        own.iter().chain(&self.bulk).copied()
    }

    pub(super) fn has_act(&self, job: &str, kind: ActKind) -> bool {
        self.acts(job).any(|act| act.kind == kind)
    }

    /// Whether this recipient wants nothing sent.
    pub(super) fn is_silent(&self, recipient: Option<&str>) -> bool {
        recipient.is_some_and(|id| self.silent.contains(id))
    }

    /// Whether nothing happened that could excuse a call that no script asks for.
    pub(super) fn is_calm(&self) -> bool {
        let mut faults = self.history.faults.iter();
        !faults.any(|fault| fault.kind.excuses())
    }

    /// How long the store stood still in a span of time, in microseconds.
    pub(super) fn still_us(&self, from_us: i64, until_us: i64) -> i64 {
        let shared =
            |(from, until): &(i64, i64)| (until.min(&until_us) - from.max(&from_us)).max(0);
        self.standstills.iter().map(shared).sum()
    }

    pub(super) fn last_fault_us(&self) -> i64 {
        let faults = self.history.faults.iter();
        faults.map(|fault| fault.until_us).max().unwrap_or(0)
    }
}

fn grouped<'a, T>(
    items: &'a [T],
    name: impl Fn(&'a T) -> &'a String,
) -> BTreeMap<&'a str, Vec<&'a T>> {
    let mut groups = BTreeMap::<&str, Vec<&T>>::new();
    for item in items {
        groups.entry(name(item)).or_default().push(item);
    }
    groups
}
