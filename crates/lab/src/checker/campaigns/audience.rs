//! I15: each member of the frozen audience has one delivery, and nobody else has any.

use std::collections::BTreeMap;

use super::{
    super::{Findings, history::Recipient, index::Index, wire::Job},
    Case,
};

/// How many of many are named.
const NAMED: usize = 5;

pub(super) fn check(index: &Index<'_>, case: &Case<'_>, findings: &mut Findings) {
    let reached = by_recipient(case, findings);
    let recipients = &index.history.campaigns.recipients;
    let known: BTreeMap<_, _> = recipients.iter().map(|one| (&*one.id, one)).collect();
    for (recipient, deliveries) in &reached {
        let ids: Vec<_> = deliveries.iter().map(|job| &*job.id).collect();
        if ids.len() > 1 {
            let id = &case.campaign.id;
            findings.add(15, format!("{recipient} has in {id} {ids:?}"));
        }
        if !known
            .get(recipient)
            .is_some_and(|one| may_belong(index, case, one))
        {
            findings.add(
                15,
                format!(
                    "{recipient} is no member of the audience of {}, and has {ids:?}",
                    case.campaign.id
                ),
            );
        }
    }
    if case.campaign.completed_at.is_none() {
        return;
    }
    let members = recipients.iter().filter(|one| must_belong(case, one));
    let missing: Vec<_> = members
        .filter(|one| !reached.contains_key(&*one.id))
        .map(|one| &*one.id)
        .collect();
    if !missing.is_empty() {
        let named = &missing[..missing.len().min(NAMED)];
        findings.add(
            15,
            format!(
                "{} members of the audience of {} have no delivery, among them {named:?}",
                missing.len(),
                case.campaign.id
            ),
        );
    }
}

fn by_recipient<'a>(case: &Case<'a>, findings: &mut Findings) -> BTreeMap<&'a str, Vec<&'a Job>> {
    let mut reached = BTreeMap::<&str, Vec<&Job>>::new();
    for job in &case.deliveries {
        match &job.recipient_id {
            Some(recipient) => reached.entry(recipient).or_default().push(job),
            None => findings.add(15, format!("{} is for nobody", job.id)),
        }
    }
    reached
}

/// Who was there before the campaign was asked for belongs to it.
fn must_belong(case: &Case<'_>, recipient: &Recipient) -> bool {
    is_meant(case, recipient)
        && recipient
            .end_us
            .is_some_and(|end_us| end_us < case.asked.start_us)
}

/// Who came after its walk had begun does not.
fn may_belong(index: &Index<'_>, case: &Case<'_>, recipient: &Recipient) -> bool {
    let rules = &index.history.rules;
    // The walk is dated a moment before its end is frozen.
    let frozen = case.campaign.began_at.map_or(i64::MIN, |began| {
        index.moments.latest(began.0) + rules.statement_us + rules.clock_us
    });
    is_meant(case, recipient) && recipient.start_us <= frozen
}

fn is_meant(case: &Case<'_>, recipient: &Recipient) -> bool {
    let topic = case.asked.topic.as_ref();
    topic.is_none_or(|topic| recipient.topics.contains(topic))
}
