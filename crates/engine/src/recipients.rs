//! Recipients: write down, look, forget, take in many, and see whom an audience means.

use std::time::Duration;

use baton_domain::{
    OperationId,
    access::Permission,
    audience::Audience,
    audit::{AuditAction, recipient_object},
    job::Job,
    operation::Operation,
    page::{Page, PageRequest},
    recipient::{Profile, Recipient, is_id},
};
use baton_ports::{
    Wakeup,
    store::{self, AudienceCount, AudienceRange, UpsertOutcome, Urgency},
};
use futures::{StreamExt, TryStreamExt, stream};
use serde_json::json;

use crate::{Caller, Error, Result, caller::Particulars, doubt::Doubt};

/// Of how many campaigns deliveries to a recipient are looked for.
const LATEST_CAMPAIGNS: u32 = 20;
/// How many of these looks are under way at once.
const AT_ONCE: usize = 8;
/// How often a batch is written again when the database was away for a moment.
const TRIES: u32 = 5;
/// The wait before the second try; each one after waits twice as long.
const PAUSE: Duration = Duration::from_millis(200);

/// What became of a batch of recipients.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ImportCounts {
    /// How many were new.
    pub added: u64,
    /// How many were described differently before.
    pub changed: u64,
    /// How many were as they are.
    pub unchanged: u64,
    /// How many were left out, for they are being erased.
    pub erasing: u64,
}

/// Whom an audience means at this moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Preview {
    /// How many.
    pub count: AudienceCount,
    /// Some of them, those who came first.
    pub samples: Vec<Recipient>,
}

impl Caller {
    /// Writes a recipient down as it is described now.
    pub async fn put_recipient(&self, profile: Profile) -> Result<(Recipient, UpsertOutcome)> {
        self.needs(Permission::RecipientsWrite)?;
        let id = profile.id.clone();
        let put = self
            .audited(
                AuditAction::RecipientPut,
                recipient_object(&id),
                Particulars::default(),
            )
            .put_recipients(&[profile], self.now())
            .await?;
        let put = put.first().copied().unwrap_or(UpsertOutcome::Unchanged);
        if put == UpsertOutcome::Erasing {
            return Err(store::Error::Erasing.into());
        }
        Ok((self.find_recipient(&id).await?, put))
    }

    /// One recipient.
    pub async fn recipient(&self, id: &str) -> Result<Recipient> {
        self.needs(Permission::RecipientsRead)?;
        could_be(id)?;
        let found = self.find_recipient(id).await?;
        self.note_people(recipient_object(id), None).await?;
        Ok(found)
    }

    /// One recipient whose addresses are shown in full to whoever has asked for that on a page that masks them.
    pub async fn recipient_unmasked(&self, id: &str) -> Result<Recipient> {
        self.needs(Permission::RecipientsRead)?;
        could_be(id)?;
        let found = self.find_recipient(id).await?;
        let particulars = Particulars {
            after: Some(json!({ "shown": "addresses" })),
            ..Particulars::default()
        };
        let (action, object) = (AuditAction::RecipientRead, recipient_object(id));
        self.note_reading(action, object, particulars).await?;
        Ok(found)
    }

    /// Writes down that somebody looked at recipients.
    pub(crate) async fn note_people(&self, object: String, count: Option<u64>) -> Result<()> {
        let particulars = Particulars {
            count,
            ..Particulars::default()
        };
        self.note_reading(AuditAction::RecipientRead, object, particulars)
            .await
    }

    /// What the latest campaigns have for the recipient of this number, the newest first. The id of a delivery is made of the campaign's
    /// and the number, so nothing is searched.
    pub async fn latest_deliveries(&self, number: i64) -> Result<Vec<Job>> {
        self.needs(Permission::RecipientsRead)?;
        let page = PageRequest::first(LATEST_CAMPAIGNS);
        let campaigns = self.store().campaigns(&page, self.now()).await?;
        let campaigns = campaigns.items.into_iter();
        let ids: Vec<_> = campaigns.map(|one| one.id.delivery(number)).collect();
        let found: Vec<_> = stream::iter(ids)
            .map(|id| self.store().job(id))
            .buffered(AT_ONCE)
            .try_collect()
            .await?;
        let jobs = found.into_iter().flatten();
        Ok(jobs.map(|job| self.shown_job(job)).collect())
    }

    async fn find_recipient(&self, id: &str) -> Result<Recipient> {
        let mut found = self
            .store()
            .find_recipients(&[id.to_owned()], Urgency::Bulk)
            .await?;
        found.pop().ok_or_else(|| missing(id))
    }

    /// Every recipient, the newest first.
    pub async fn recipients(&self, page: &PageRequest) -> Result<Page<Recipient>> {
        self.needs(Permission::RecipientsRead)?;
        let found = self.store().recipients(page).await?;
        let count = found.items.len() as u64;
        self.note_people("recipients".to_owned(), Some(count))
            .await?;
        Ok(found)
    }

    /// The ids of a few recipients that begin so.
    pub async fn recipients_beginning(&self, text: &str, limit: u32) -> Result<Vec<String>> {
        self.needs(Permission::RecipientsRead)?;
        let mut ids = self.store().recipient_ids(text, limit).await?;
        ids.retain(|id| id.starts_with(text));
        if !ids.is_empty() {
            self.note_people("recipients".to_owned(), Some(ids.len() as u64))
                .await?;
        }
        Ok(ids)
    }

    /// Forgets a recipient.
    pub async fn delete_recipient(&self, id: &str) -> Result<()> {
        self.needs_one_of(&[Permission::RecipientsWrite, Permission::RecipientsErase])?;
        could_be(id)?;
        let object = recipient_object(id);
        let store = self.audited(AuditAction::RecipientDelete, object, Particulars::default());
        if store.delete_recipient(id).await? {
            Ok(())
        } else {
            Err(missing(id))
        }
    }

    /// Begins to erase everything that names or quotes a recipient. It need not be there: who was deleted
    /// before can be erased as well.
    pub async fn erase_recipient(&self, id: &str) -> Result<Operation> {
        self.needs(Permission::RecipientsErase)?;
        could_be(id)?;
        let now = self.now();
        let object = recipient_object(id);
        let operation = self
            .audited(AuditAction::RecipientErase, object, Particulars::default())
            .begin_erasure(OperationId::new(now), id, now)
            .await?;
        self.inner.wakeups.send(Wakeup::Operations);
        self.inner.wakeups.send(Wakeup::Facts);
        Ok(operation)
    }

    /// Writes a batch of recipients down, no two with the same id. A database that is away for a moment
    /// is waited for: what was written already is found unchanged.
    pub async fn import_recipients(&self, profiles: &[Profile]) -> Result<ImportCounts> {
        self.needs(Permission::RecipientsWrite)?;
        let (doubt, mut pause) = (Doubt::default(), PAUSE);
        let put = || async move {
            let particulars = Particulars {
                count: Some(profiles.len() as u64),
                ..Particulars::default()
            };
            self.audited(AuditAction::RecipientImport, "recipients", particulars)
                .put_recipients(profiles, self.now())
                .await
        };
        for _ in 1..TRIES {
            match put().await {
                Err(error) if error.is_passing() => doubt.hear(&error),
                put => return Ok(ImportCounts::of(&put.map_err(|error| doubt.tell(error))?)),
            }
            tokio::time::sleep(pause).await;
            pause *= 2;
        }
        let put = put().await;
        Ok(ImportCounts::of(&put.map_err(|error| doubt.tell(error))?))
    }

    /// What would become of a batch of recipients if it were written down now.
    pub async fn compare_recipients(&self, profiles: &[Profile]) -> Result<ImportCounts> {
        self.needs(Permission::RecipientsWrite)?;
        let ids: Vec<_> = profiles.iter().map(|profile| profile.id.clone()).collect();
        let known = self.store().find_recipients(&ids, Urgency::Bulk).await?;
        let known = known
            .into_iter()
            .map(|known| (known.profile.id.clone(), known.profile));
        let known: std::collections::HashMap<_, _> = known.collect();
        let put = profiles.iter().map(|profile| match known.get(&profile.id) {
            None => UpsertOutcome::Added,
            Some(known) if known == profile => UpsertOutcome::Unchanged,
            Some(_) => UpsertOutcome::Changed,
        });
        Ok(ImportCounts::of(&put.collect::<Vec<_>>()))
    }

    /// How many members an audience has, exactly, and some of them.
    pub async fn preview_audience(&self, audience: &Audience, samples: u32) -> Result<Preview> {
        self.needs(Permission::RecipientsRead)?;
        let until = self.store().joined().await?;
        let count = self.store().count_members(audience, until).await?;
        let samples = self.first_members(audience, until, samples).await?;
        let shown = samples.len() as u64;
        self.note_people("samples of an audience".to_owned(), Some(shown))
            .await?;
        Ok(Preview { count, samples })
    }

    async fn first_members(
        &self,
        audience: &Audience,
        until: i64,
        wanted: u32,
    ) -> store::Result<Vec<Recipient>> {
        let mut members = Vec::new();
        let mut after = Some(0);
        while let Some(from) = after {
            let missing = wanted.saturating_sub(u32::try_from(members.len()).unwrap_or(u32::MAX));
            if missing == 0 {
                break;
            }
            let walk = AudienceRange {
                audience,
                after: from,
                until,
            };
            let page = self.store().members(&walk, missing).await?;
            members.extend(page.recipients);
            after = page.next;
        }
        Ok(members)
    }
}

impl ImportCounts {
    fn of(put: &[UpsertOutcome]) -> Self {
        let count = |wanted| put.iter().filter(|put| **put == wanted).count() as u64;
        Self {
            added: count(UpsertOutcome::Added),
            changed: count(UpsertOutcome::Changed),
            unchanged: count(UpsertOutcome::Unchanged),
            erasing: count(UpsertOutcome::Erasing),
        }
    }
}

/// A text that nobody can have as an id names nobody; no store is asked to look for it.
pub(crate) fn could_be(id: &str) -> Result<()> {
    if is_id(id) { Ok(()) } else { Err(missing(id)) }
}

pub(crate) fn missing(id: &str) -> Error {
    Error::NotFound {
        what: "recipient",
        id: id.to_owned(),
    }
}
