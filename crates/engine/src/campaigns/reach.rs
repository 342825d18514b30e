//! Whom a campaign is for: the rest of others first, where it is for a rest, and then its audience.

use baton_domain::campaign::{CampaignDefinition, NumberRange};
use baton_ports::{
    Store,
    store::{AudienceRange, Members, Result, Unreached},
};

/// The next recipients of a campaign, after a number and up to another one.
pub(crate) async fn members(
    store: &dyn Store,
    plan: &CampaignDefinition,
    (after, until): (i64, i64),
    limit: u32,
) -> Result<Members> {
    let Some(stretch) = ahead(plan, after).next() else {
        let walk = AudienceRange {
            audience: &plan.audience,
            after,
            until,
        };
        return store.members(&walk, limit).await;
    };
    let mut members = store.unreached(&within(stretch, after), limit).await?;
    // Where a stretch ends, the next one begins, or the audience.
    let end = Some(stretch.until).filter(|end| *end < until);
    members.next = members.next.or(end);
    Ok(members)
}

/// How many recipients a campaign has, after a number and up to another one.
pub(crate) async fn count(
    store: &dyn Store,
    plan: &CampaignDefinition,
    (after, until): (i64, i64),
) -> Result<u64> {
    let (mut count, mut after) = (0, after);
    for stretch in ahead(plan, after) {
        count += store
            .count_unreached(&within(stretch, after))
            .await?
            .total();
        after = stretch.until;
    }
    if after < until {
        count += store.count_members(&plan.audience, until).await?.members;
    }
    if (1..until).contains(&after) {
        let before = store.count_members(&plan.audience, after).await?.members;
        count = count.saturating_sub(before);
    }
    Ok(count)
}

fn ahead(plan: &CampaignDefinition, after: i64) -> impl Iterator<Item = &NumberRange> {
    let stretches = plan.rest.iter().flat_map(|rest| &rest.stretches);
    stretches.filter(move |stretch| stretch.until > after)
}

const fn within(stretch: &NumberRange, after: i64) -> Unreached {
    Unreached {
        campaign: stretch.campaign,
        after,
        until: stretch.until,
    }
}
