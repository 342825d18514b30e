//! Recipients: who is reached, and the walk over those an audience means.

use std::{collections::BTreeMap, ops::RangeInclusive};

use async_trait::async_trait;
use baton_domain::{
    Timestamp,
    audience::Audience,
    page::{Page, PageRequest},
    recipient::{MOST_TOPICS, Profile, Recipient},
};

use super::{MemoryStore, Tables};
use crate::store::{
    AudienceCount, AudienceRange, Members, Recipients, Result, UpsertOutcome, Urgency,
};

/// Recipients by number, and the number of each id.
#[derive(Default)]
pub(super) struct People {
    by_number: BTreeMap<i64, Recipient>,
    numbers: BTreeMap<String, i64>,
    last: i64,
}

#[async_trait]
impl Recipients for MemoryStore {
    async fn put_recipients(
        &self,
        profiles: &[Profile],
        now: Timestamp,
    ) -> Result<Vec<UpsertOutcome>> {
        let tables = &mut *self.tables();
        let put = profiles
            .iter()
            .map(|profile| match tables.is_erasing(&profile.id) {
                true => UpsertOutcome::Erasing,
                false => tables.recipients.put(profile, now),
            });
        let put: Vec<_> = put.collect();
        self.put_down(tables, put.iter().any(|one| one.has_changed()));
        Ok(put)
    }

    async fn find_recipients(&self, ids: &[String], _: Urgency) -> Result<Vec<Recipient>> {
        let people = &self.tables().recipients;
        Ok(ids
            .iter()
            .filter_map(|id| people.find(id))
            .cloned()
            .collect())
    }

    async fn recipients_between(&self, numbers: RangeInclusive<i64>) -> Result<Vec<Recipient>> {
        let found = &self.tables().recipients.by_number;
        Ok(found.range(numbers).map(|(_, one)| one.clone()).collect())
    }

    async fn recipients(&self, page: &PageRequest) -> Result<Page<Recipient>> {
        let before = page.cursor()?.unwrap_or(i64::MAX);
        Ok(self.tables().recipients.page(before, page.limit as usize))
    }

    async fn recipient_ids(&self, from: &str, limit: u32) -> Result<Vec<String>> {
        let numbers = &self.tables().recipients.numbers;
        let ids = numbers.range(from.to_owned()..).map(|(id, _)| id.clone());
        Ok(ids.take(limit as usize).collect())
    }

    async fn delete_recipient(&self, id: &str) -> Result<bool> {
        let mut tables = self.tables();
        let is_deleted = tables.forget_recipient(id).is_some();
        self.put_down(&mut tables, is_deleted);
        Ok(is_deleted)
    }

    async fn switch_topic(&self, id: &str, topic: &str, on: bool, now: Timestamp) -> Result<bool> {
        let people = &mut self.tables().recipients;
        Ok(people.switch_topic(id, topic, on, now).is_some())
    }

    async fn bury_address(
        &self,
        id: &str,
        channel: &str,
        address: &str,
        now: Timestamp,
    ) -> Result<bool> {
        let people = &mut self.tables().recipients;
        Ok(people.bury_address(id, channel, address, now).is_some())
    }

    async fn joined(&self) -> Result<i64> {
        Ok(self.tables().recipients.last)
    }

    async fn members(&self, walk: &AudienceRange<'_>, limit: u32) -> Result<Members> {
        let people = &self.tables().recipients;
        let members = people.members(walk).take(limit as usize + 1);
        let mut recipients: Vec<_> = members.cloned().collect();
        let has_more = recipients.len() > limit as usize;
        recipients.truncate(limit as usize);
        let last = recipients.last().filter(|_| has_more);
        Ok(Members {
            next: last.map(|last| last.number),
            recipients,
            ..Members::default()
        })
    }

    async fn count_members(&self, audience: &Audience, until: i64) -> Result<AudienceCount> {
        let people = &self.tables().recipients;
        let walk = AudienceRange {
            audience,
            after: 0,
            until,
        };
        let mut count = AudienceCount::default();
        for member in people.members(&walk) {
            count.members += 1;
            count.disabled += u64::from(!member.profile.enabled);
        }
        Ok(count)
    }
}

impl Tables {
    /// Forgets a recipient and its inbox.
    pub(super) fn forget_recipient(&mut self, id: &str) -> Option<Recipient> {
        let number = self.recipients.numbers.remove(id)?;
        self.forget_inbox(number);
        self.recipients.by_number.remove(&number)
    }
}

impl People {
    /// The highest number given so far.
    pub(super) const fn last(&self) -> i64 {
        self.last
    }

    fn put(&mut self, profile: &Profile, now: Timestamp) -> UpsertOutcome {
        let Some(known) = self.find_mut(&profile.id) else {
            self.add(profile.clone(), now);
            return UpsertOutcome::Added;
        };
        if known.profile == *profile {
            return UpsertOutcome::Unchanged;
        }
        known.profile = profile.clone();
        known.updated_at = now;
        UpsertOutcome::Changed
    }

    fn add(&mut self, profile: Profile, now: Timestamp) {
        self.last += 1;
        self.numbers.insert(profile.id.clone(), self.last);
        let recipient = Recipient {
            number: self.last,
            profile,
            dead: BTreeMap::new(),
            created_at: now,
            updated_at: now,
        };
        self.by_number.insert(self.last, recipient);
    }

    pub(super) fn numbered(&self, number: i64) -> Option<&Recipient> {
        self.by_number.get(&number)
    }

    pub(super) fn number_of(&self, id: &str) -> Option<i64> {
        self.numbers.get(id).copied()
    }

    fn find(&self, id: &str) -> Option<&Recipient> {
        self.by_number.get(self.numbers.get(id)?)
    }

    fn find_mut(&mut self, id: &str) -> Option<&mut Recipient> {
        self.by_number.get_mut(self.numbers.get(id)?)
    }

    fn page(&self, before: i64, limit: usize) -> Page<Recipient> {
        let newest_first = self.by_number.range(..before).rev();
        let mut items: Vec<_> = newest_first
            .take(limit + 1)
            .map(|(_, recipient)| recipient.clone())
            .collect();
        let has_more = items.len() > limit;
        items.truncate(limit);
        let next = items.last().filter(|_| has_more);
        Page {
            next: next.map(|last| last.number.to_string()),
            items,
        }
    }

    fn switch_topic(&mut self, id: &str, topic: &str, on: bool, now: Timestamp) -> Option<()> {
        let known = self.find_mut(id)?;
        let topics = &mut known.profile.topics;
        let has_room = topics.len() < MOST_TOPICS;
        let has_changed = if on {
            has_room && topics.insert(topic.to_owned())
        } else {
            topics.remove(topic)
        };
        known.updated_at = has_changed.then_some(now)?;
        Some(())
    }

    fn bury_address(
        &mut self,
        id: &str,
        channel: &str,
        address: &str,
        now: Timestamp,
    ) -> Option<()> {
        let known = self.find_mut(id)?;
        if known.address(channel)? != address {
            return None;
        }
        known.dead.insert(channel.to_owned(), address.to_owned());
        known.updated_at = now;
        Some(())
    }

    fn members(&self, walk: &AudienceRange<'_>) -> impl Iterator<Item = &Recipient> {
        let everybody = self.by_number.values();
        everybody.filter(|recipient| {
            walk.after < recipient.number
                && recipient.number <= walk.until
                && walk.audience.is_member(&recipient.profile)
        })
    }
}
