//! Campaigns: I15 and I16, and what I2, I3, I4 and I5 say of them.

mod audience;
mod books;
mod ends;
pub(super) mod stops;

use std::collections::BTreeMap;

use super::{
    Findings,
    history::{Posted, PostedCampaign},
    index::Index,
    wire::{Campaign, Job},
};

/// A campaign, with all that belongs to it.
struct Case<'a> {
    campaign: &'a Campaign,
    asked: &'a PostedCampaign,
    deliveries: Vec<&'a Job>,
}

pub(super) fn check(index: &Index<'_>, findings: &mut Findings) {
    exist(index, findings);
    for case in cases(index, findings) {
        audience::check(index, &case, findings);
        books::check(index, &case, findings);
        ends::check(index, &case, findings);
        stops::check(index, &case, findings);
    }
}

/// I1 and I3: a campaign that was accepted exists, and its key has one id in every answer.
fn exist(index: &Index<'_>, findings: &mut Findings) {
    let known = &index.history.campaigns;
    let mut ids = BTreeMap::<&str, &str>::new();
    for asked in &known.asked {
        let Posted::Ok { id, .. } = &asked.answer else {
            continue;
        };
        let first = *ids.entry(&asked.key).or_insert(id);
        if first != id {
            let key = &asked.key;
            findings.add(
                3,
                format!("the key {key} was answered with {first} and {id}"),
            );
        }
        if !known.ends.iter().any(|campaign| campaign.id == *id) {
            findings.add(1, format!("{id} was accepted and does not exist"));
        }
    }
}

/// Every campaign with its deliveries; I2: somebody asked for it, and a delivery belongs to one.
fn cases<'a>(index: &Index<'a>, findings: &mut Findings) -> Vec<Case<'a>> {
    let known = &index.history.campaigns;
    let mut deliveries = BTreeMap::<&str, Vec<&Job>>::new();
    for job in &index.history.jobs {
        if let Some(campaign) = &job.campaign_id {
            deliveries.entry(campaign).or_default().push(job);
        }
    }
    let mut cases = Vec::new();
    for campaign in &known.ends {
        let deliveries = deliveries.remove(&*campaign.id).unwrap_or_default();
        let mut asked = known.asked.iter();
        let is_it = |asked: &&PostedCampaign| {
            campaign.key.as_ref() == Some(&asked.key) && asked.answer.may_have_created()
        };
        match asked.find(is_it) {
            Some(asked) => cases.push(Case {
                campaign,
                asked,
                deliveries,
            }),
            None => findings.add(
                2,
                format!(
                    "{} exists, and no request that may have created it",
                    campaign.id
                ),
            ),
        }
    }
    for (campaign, deliveries) in deliveries {
        let count = deliveries.len();
        findings.add(
            2,
            format!("{count} deliveries belong to {campaign}, which is no campaign"),
        );
    }
    cases
}
