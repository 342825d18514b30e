//! Everything that can be read of those names, read from both.

use baton_domain::{audience::Audience, inbox::Item, page::PageRequest, recipient::Recipient};

use super::{super::super::bench::Bench, Names, ODD, PLATFORMS, TOPICS};
use crate::store::{AudienceRange, Result, Urgency};

impl Names {
    /// Everything that can be read is read from both.
    pub(in crate::promises::model) async fn compare_everything(&mut self) {
        let page = page();
        both!(self, "recipients", |bench| bench.store.recipients(&page));
        both!(self, "schedules", |bench| bench.store.schedules(&page));
        both!(self, "all of them", |bench| find(bench, &ODD));
        for odd in ODD {
            both!(self, "find", |bench| find(bench, &[odd]));
            both!(self, "recipient_ids", |bench| bench
                .store
                .recipient_ids(odd, 3));
            both!(self, "inbox", |bench| inbox(bench, odd));
            both!(self, "unread", |bench| bench.store.unread(odd));
        }
        for audience in audiences() {
            self.compare_audience(&audience).await;
        }
    }

    async fn compare_audience(&mut self, audience: &Audience) {
        let until = both!(self, "joined", |bench| bench.store.joined());
        both!(self, "count_members", |bench| bench
            .store
            .count_members(audience, until));
        both!(self, "members", |bench| members(bench, audience, until));
    }
}

/// Those of these ids, by their numbers.
pub(super) async fn find(bench: &Bench, ids: &[&str]) -> Result<Vec<Recipient>> {
    let ids: Vec<_> = ids.iter().map(|id| (*id).to_owned()).collect();
    let mut found = bench.store.find_recipients(&ids, Urgency::Bulk).await?;
    found.sort_by_key(|recipient| recipient.number);
    Ok(found)
}

/// What lies there; versions are each store's own.
async fn inbox(bench: &Bench, id: &str) -> Result<Option<Vec<Item>>> {
    let lies = bench.store.inbox(id, &page()).await?;
    Ok(lies.map(|page| page.items))
}

/// Of any store whole, in as many pages as it likes.
async fn members(bench: &Bench, audience: &Audience, until: i64) -> Result<Vec<Recipient>> {
    let (mut members, mut next) = (Vec::new(), Some(0));
    while let Some(after) = next {
        let walk = AudienceRange {
            audience,
            after,
            until,
        };
        let page = bench.store.members(&walk, 7).await?;
        members.extend(page.recipients);
        next = page.next;
    }
    Ok(members)
}

fn audiences() -> impl Iterator<Item = Audience> {
    let topics = TOPICS.map(|topic| Audience::Topic(topic.to_owned()));
    let platforms = PLATFORMS.map(|platform| Audience::Platform(platform.to_owned()));
    let ids = ODD.map(|id| Audience::Ids([id.to_owned()].into()));
    topics.into_iter().chain(platforms).chain(ids)
}

fn page() -> PageRequest {
    PageRequest::first(500)
}
