//! I15: the books of a campaign are the sum of its deliveries: at the end, and at each look on the way.

use std::collections::BTreeMap;

use super::{
    super::{
        Findings,
        history::CampaignReading,
        index::Index,
        state::State,
        wire::{Event, Progress},
    },
    Case,
};

pub(super) fn check(index: &Index<'_>, case: &Case<'_>, findings: &mut Findings) {
    add_up_at_the_end(case, findings);
    let mut looks: Vec<_> = index.history.campaigns.looks.iter().collect();
    looks.retain(|look| look.campaign.id == case.campaign.id);
    looks.sort_by_key(|look| look.start_us);
    for look in &looks {
        add_up(look, findings);
    }
    for pair in looks.windows(2).filter(|pair| is_after(pair[0], pair[1])) {
        never_fall(pair[0], pair[1], findings);
    }
    if index.history.rules.first_seq == 1 {
        follow_the_feed(index, &looks, findings);
    }
}

/// Whether the second look began when the first had been answered.
fn is_after(first: &CampaignReading, second: &CampaignReading) -> bool {
    first.end_us <= second.start_us
}

fn add_up_at_the_end(case: &Case<'_>, findings: &mut Findings) {
    let Progress { audience, counts } = &case.campaign.progress;
    let mut states = BTreeMap::<State, u64>::new();
    for job in &case.deliveries {
        *states.entry(job.state).or_default() += 1;
    }
    let id = &case.campaign.id;
    let deliveries = case.deliveries.len();
    if *audience != deliveries as u64 {
        findings.add(
            15,
            format!("{id} counts an audience of {audience}, and has {deliveries} deliveries"),
        );
    }
    let counted: BTreeMap<_, _> = counts.iter().filter(|(_, count)| **count > 0).collect();
    if !counted
        .iter()
        .map(|(state, count)| (**state, **count))
        .eq(states.clone())
    {
        findings.add(
            15,
            format!("the books of {id} say {counted:?}, and its deliveries are {states:?}"),
        );
    }
}

/// Facts are told in the order in which they were written, so the sum can only lag behind.
fn add_up(look: &CampaignReading, findings: &mut Findings) {
    let Progress { audience, counts } = &look.campaign.progress;
    let sum: u64 = counts.values().sum();
    if sum > *audience {
        let (id, at) = (&look.campaign.id, look.end_us);
        findings.add(
            15,
            format!("at {at} us {id} counted {sum} deliveries of an audience of {audience}"),
        );
    }
}

fn never_fall(first: &CampaignReading, second: &CampaignReading, findings: &mut Findings) {
    let sum = |look: &CampaignReading| look.campaign.progress.counts.values().sum::<u64>();
    let audience = |look: &CampaignReading| look.campaign.progress.audience;
    let (id, at) = (&second.campaign.id, second.end_us);
    for (what, before, after) in [
        ("audience", audience(first), audience(second)),
        ("sum of states", sum(first), sum(second)),
    ] {
        if after < before {
            findings.add(
                15,
                format!("at {at} us the {what} of {id} fell from {before} to {after}"),
            );
        }
    }
}

/// What a look saw is what the feed had told up to some event, and to no earlier one than a look before.
fn follow_the_feed(index: &Index<'_>, looks: &[&CampaignReading], findings: &mut Findings) {
    let Some(first) = looks.first() else { return };
    let mut told = FeedBooks::new(index, &first.campaign.id);
    let mut last = None;
    for look in looks {
        // Looks at the same time could have been answered in either order.
        if last.is_some_and(|last| !is_after(last, look)) {
            continue;
        }
        last = Some(look);
        if !told.comes_to(&look.campaign.progress.counts) {
            let (id, at) = (&look.campaign.id, look.end_us);
            findings.add(
                15,
                format!(
                    "at {at} us the books of {id} said {:?}, which the feed never came to after the look before",
                    look.campaign.progress.counts
                ),
            );
            return;
        }
    }
}

/// The books of a campaign as the feed tells them, event by event.
struct FeedBooks<'a> {
    events: Vec<(&'a Event, State)>,
    next: usize,
    states: BTreeMap<&'a str, State>,
    counts: BTreeMap<State, u64>,
}

impl<'a> FeedBooks<'a> {
    fn new(index: &Index<'a>, campaign: &str) -> Self {
        let is_its_own = |event: &&Event| {
            let job = index.jobs.get(&*event.subject);
            job.is_some_and(|job| job.campaign_id.as_deref() == Some(campaign))
        };
        let events = index.history.events.iter().filter(is_its_own);
        Self {
            events: events
                .filter_map(|event| Some((event, event.moved_to()?)))
                .collect(),
            next: 0,
            states: BTreeMap::new(),
            counts: BTreeMap::new(),
        }
    }

    /// Tells on until the books are these; `false` if they never are.
    fn comes_to(&mut self, books: &BTreeMap<State, u64>) -> bool {
        let wanted: BTreeMap<_, _> = books
            .iter()
            .filter(|(_, count)| **count > 0)
            .map(|(state, count)| (*state, *count))
            .collect();
        while self.counts != wanted {
            let Some((event, to)) = self.events.get(self.next).copied() else {
                return false;
            };
            self.next += 1;
            if let Some(from) = self.states.insert(&event.subject, to) {
                self.count(from, -1);
            }
            self.count(to, 1);
        }
        true
    }

    fn count(&mut self, state: State, by: i64) {
        let count = self.counts.entry(state).or_default();
        *count = count.saturating_add_signed(by);
        if *count == 0 {
            self.counts.remove(&state);
        }
    }
}
