//! I15, I16, I4: each member of an audience is reached once, and nobody while the campaign stands.

use std::{collections::BTreeMap, time::Duration};

use baton_domain::{
    CampaignId, Timestamp,
    campaign::{Campaign, State},
    delivery::DeliveryPayload,
    job::{self, Job},
};

use super::Found;
use crate::{
    journal::{Called, History},
    witness::Deed,
};

/// How long after a stop a call may start.
const BOUND: Duration = Duration::from_secs(2);
/// How long after it woke a worker may make a call it was about to make.
const WAKING: Duration = Duration::from_secs(1);
/// Faults that make a process stand still.
const SLEEPS: [&str; 3] = ["frozen", "node disturbed", "story"];

fn deliveries<'a>(history: &'a History, campaign: &Campaign) -> impl Iterator<Item = &'a Job> {
    let line = campaign.id.to_string();
    let jobs = history.jobs.values();
    jobs.filter(move |job| job.queue == line)
}

/// I15
pub fn each_member_of_an_audience_has_one_delivery(history: &History) -> Found {
    let mut found = Vec::new();
    for campaign in &history.campaigns {
        let mut reached = BTreeMap::<String, u32>::new();
        for job in deliveries(history, campaign) {
            let delivery_payload = serde_json::from_str::<DeliveryPayload>(&job.payload);
            let recipient = delivery_payload
                .map(|delivery_payload| delivery_payload.recipient_id)
                .unwrap_or_default();
            *reached.entry(recipient).or_default() += 1;
        }
        let id = campaign.id;
        for (recipient, count) in &reached {
            if *count > 1 || !history.recipients.contains(recipient) {
                found.push((
                    None,
                    format!("{id} has {count} deliveries to {recipient:?}"),
                ));
            }
        }
        let members = history.recipients.iter();
        let missing = members
            .filter(|member| !reached.contains_key(*member))
            .count();
        if campaign.completed_at.is_some() && missing > 0 {
            found.push((None, format!("{id} has no delivery to {missing} members")));
        }
    }
    found
}

/// I15
pub fn the_books_of_a_campaign_are_the_sum_of_its_deliveries(history: &History) -> Found {
    let mut found = Vec::new();
    for campaign in &history.campaigns {
        let count = |state: Option<job::State>| {
            let all = deliveries(history, campaign);
            let such = all.filter(|job| state.is_none_or(|state| job.state == state));
            such.count() as u64
        };
        let id = campaign.id;
        if campaign.expanded != count(None) {
            let (said, there) = (campaign.expanded, count(None));
            found.push((
                None,
                format!("{id} says it has {said} deliveries of {there}"),
            ));
        }
        for state in job::State::ALL {
            let (said, there) = (campaign.counts.of(state), count(Some(state)));
            if said != there {
                found.push((None, format!("{id} counts {said} {state} of {there}")));
            }
        }
    }
    found
}

/// I16, the walk
pub fn nothing_is_written_for_a_campaign_that_stands(history: &History) -> Found {
    let mut states = BTreeMap::<CampaignId, State>::new();
    let mut found = Vec::new();
    for (at, deed) in &history.deeds {
        match deed {
            Deed::Commanded { campaign, to } => {
                states.insert(*campaign, *to);
            }
            Deed::Expanded { campaign, .. } => {
                let state = states.get(campaign);
                if let Some(State::Stopped | State::Canceled) = state {
                    let message = format!("a chunk of {campaign} was written at {at}: {state:?}");
                    found.push((None, message));
                }
            }
            _ => {}
        }
    }
    found
}

/// I16, the calls; counted from the commit, which is before the answer.
pub fn no_call_starts_two_seconds_after_a_stop(history: &History) -> Found {
    let mut found = Vec::new();
    for campaign in &history.campaigns {
        let line = campaign.id.to_string();
        let is_ours = |call: &&Called| {
            let job = history.jobs.get(&call.job);
            job.is_some_and(|job| job.queue == line)
        };
        let calls: Vec<_> = history.calls.iter().filter(is_ours).collect();
        for (from, until) in stands(history, campaign.id) {
            let late = calls.iter().filter(|call| {
                let meanwhile = call.started > from + BOUND && call.started < until;
                meanwhile && !was_asleep(history, call, from + BOUND)
            });
            found.extend(late.map(|call| {
                let message = format!("was called at {} and stopped at {from}", call.started);
                (Some(call.job), message)
            }));
        }
    }
    found
}

/// From each stop or cancellation until the next resume.
fn stands(history: &History, id: CampaignId) -> Vec<(Timestamp, Timestamp)> {
    let mut stands = Vec::new();
    let mut since = None;
    for (at, deed) in &history.deeds {
        let Deed::Commanded { campaign, to } = deed else {
            continue;
        };
        if *campaign != id {
            continue;
        }
        match (to.may_send(), since) {
            (false, None) => since = Some(*at),
            (true, Some(from)) => {
                stands.push((from, *at));
                since = None;
            }
            _ => {}
        }
    }
    stands.extend(since.map(|from| (from, Timestamp::from_micros(i64::MAX))));
    stands
}

/// Whether the worker stood still when the time was up, and called as it woke.
fn was_asleep(history: &History, call: &Called, latest: Timestamp) -> bool {
    history.faults.iter().any(|fault| {
        SLEEPS.contains(&fault.what)
            && fault.process == Some(call.worker)
            && fault.from <= latest
            && fault.from <= call.started
            && call.started <= fault.until + WAKING
    })
}

/// I4
pub fn campaigns_end(history: &History) -> Found {
    let open = history
        .campaigns
        .iter()
        .filter(|one| one.finished_at.is_none());
    open.map(|one| (None, format!("{} is still {}", one.id, one.state)))
        .collect()
}
