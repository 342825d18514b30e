//! Notifications: one or a few recipients are told something at once.

use std::collections::HashMap;

use baton_domain::{
    InboxItemId, NotificationId, Timestamp,
    delivery::{self, DeliveryPayload, InlineMessage},
    job::{FieldError, JobSpec, NewJob},
    message::Filled,
    notification::{Action, Notification, NotificationSpec, QUEUE, Sent},
    queue::WorkedBy,
    reach,
    recipient::Recipient,
};
use baton_ports::{
    SlotReservation,
    store::{self, Claimed, Dispatch, NewItem, Notified, Urgency},
};

use crate::{
    Caller, Error, Result, Settings, doubt::Doubt, enqueue_batcher::surely_after, jobs::hint_of,
};

/// What became of a notification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Its id.
    pub id: NotificationId,
    /// Whether this request made it.
    pub is_new: bool,
    /// What became of it for each recipient.
    pub sent: Vec<Sent>,
}

impl Settings {
    /// Who brings it: whom the caller has named, or the only one there is. Nobody has to if it only lies
    /// in inboxes.
    pub(crate) fn provider_of(
        &self,
        action: Action,
        named: Option<&str>,
    ) -> Result<Option<String>, FieldError> {
        if !action.has_push() {
            return Ok(None);
        }
        let wrong = |message: String| Err(FieldError::new("provider", message));
        let known = &self.providers;
        match (named, known.as_slice()) {
            (Some(name), known) if known.iter().any(|one| one == name) => {
                Ok(Some(name.to_owned()))
            }
            (None, [only]) => Ok(Some(only.clone())),
            (_, []) => wrong(
                "no provider is configured: add one as [providers.NAME], or send with the action \"inbox\""
                    .to_owned(),
            ),
            (Some(_), known) => wrong(format!(
                "no such provider is configured here; there is: {}",
                known.join(", ")
            )),
            (None, known) => wrong(format!("is missing; there is: {}", known.join(", "))),
        }
    }
}

impl Caller {
    /// Tells recipients something; returns when all of it is durable.
    pub async fn notify(&self, spec: NotificationSpec) -> Result<Notice> {
        self.may_enqueue(delivery::KIND, QUEUE)?;
        let notification = Notification::from_spec(spec).map_err(Error::Invalid)?;
        let provider = self
            .settings()
            .provider_of(notification.action, notification.provider.as_deref())
            .map_err(invalid)?;
        let people = self.people(&notification.recipients).await?;
        let dispatch = self.dispatch(&notification, provider.as_deref(), &people)?;
        let notified = match self.inner.batcher.reserve(QUEUE, dispatch.jobs.len()) {
            Some(reservation) => self.write_and_start(&dispatch, reservation).await?,
            None => self.write(&dispatch, &Doubt::default()).await?,
        };
        match notified {
            Notified::Accepted(started) => {
                self.sent(&dispatch.jobs, &started);
                Ok(Notice {
                    id: dispatch.id,
                    is_new: true,
                    sent: dispatch.sent,
                })
            }
            Notified::Known(id, sent) => Ok(Notice {
                id,
                is_new: false,
                sent,
            }),
            Notified::Conflict(holder) => Err(Error::KeyConflict {
                key: notification.key.unwrap_or_default(),
                holder: holder.to_string(),
            }),
        }
    }

    async fn write(&self, dispatch: &Dispatch, doubt: &Doubt) -> Result<Notified> {
        Ok(surely_after(doubt, || self.store().notify(dispatch, self.now())).await?)
    }

    /// Has the local worker start the jobs in the transaction that writes them. Whatever goes wrong,
    /// they are written after: all of it keeps its ids, so that the second time finds what a lost commit did.
    async fn write_and_start(
        &self,
        dispatch: &Dispatch,
        reservation: Box<dyn SlotReservation>,
    ) -> Result<Notified> {
        let starting = Dispatch {
            start: Some(reservation.inline_start().clone()),
            ..dispatch.clone()
        };
        match self.store().notify(&starting, self.now()).await {
            Ok(Notified::Accepted(started)) => {
                reservation.accept(started.clone());
                Ok(Notified::Accepted(started))
            }
            Ok(other) => {
                reservation.accept(Vec::new());
                Ok(other)
            }
            Err(error) => {
                tracing::debug!(%error, "a start was not confirmed; writing");
                if matches!(error, store::Error::Unavailable(_) | store::Error::Erasing) {
                    reservation.accept(Vec::new());
                }
                let doubt = Doubt::default();
                doubt.hear(&error);
                self.write(dispatch, &doubt).await
            }
        }
    }

    /// The recipients of these ids, in their order.
    async fn people(&self, ids: &[String]) -> Result<Vec<Recipient>> {
        let found = self
            .store()
            .find_recipients(ids, Urgency::Interactive)
            .await?;
        let found = found.into_iter().map(|one| (one.profile.id.clone(), one));
        let mut found: HashMap<_, _> = found.collect();
        let (mut people, mut errors) = (Vec::with_capacity(ids.len()), Vec::new());
        for (i, id) in ids.iter().enumerate() {
            match found.remove(id) {
                Some(recipient) => people.push(recipient),
                None => errors.push(wrong(
                    i,
                    format!("there is no recipient {id:?}; put it first"),
                )),
            }
        }
        if errors.is_empty() {
            Ok(people)
        } else {
            Err(Error::Invalid(errors))
        }
    }

    /// Everything that is to be written.
    fn dispatch(
        &self,
        notification: &Notification,
        provider: Option<&str>,
        people: &[Recipient],
    ) -> Result<Dispatch> {
        let now = self.now();
        let mut dispatch = Dispatch {
            id: NotificationId::new(now),
            key: notification.key.clone(),
            content: notification.content.clone(),
            sent: Vec::with_capacity(people.len()),
            numbers: people.iter().map(|one| one.number).collect(),
            category: notification.category.clone(),
            items: Vec::new(),
            jobs: Vec::new(),
            start: None,
        };
        let mut errors = Vec::new();
        for (i, recipient) in people.iter().enumerate() {
            let mut sent = nothing_sent(recipient);
            match (
                reach::may_be_told(recipient, notification.topic.as_deref()),
                notification.message.fill(&recipient.profile),
            ) {
                (Err(skip), _) => sent.skipped = Some(skip.as_str().to_owned()),
                (Ok(()), Err(missing)) => errors.push(wrong(i, missing.to_string())),
                (Ok(()), Ok(filled)) => {
                    if notification.action.has_inbox() {
                        let item = item(notification, recipient, filled, now);
                        sent.item_id = Some(item.id);
                        dispatch.items.push(item);
                    }
                    if let Some(provider) = provider {
                        let job = self.delivery(notification, provider, dispatch.id, recipient)?;
                        sent.job_id = Some(job.id);
                        dispatch.jobs.push(job);
                    }
                }
            }
            dispatch.sent.push(sent);
        }
        if errors.is_empty() {
            Ok(dispatch)
        } else {
            Err(Error::Invalid(errors))
        }
    }

    /// The job that brings it to a recipient.
    fn delivery(
        &self,
        notification: &Notification,
        provider: &str,
        id: NotificationId,
        recipient: &Recipient,
    ) -> Result<NewJob> {
        let note = InlineMessage {
            notification_id: Some(id),
            provider: provider.to_owned(),
            channel: notification.channel.clone(),
            topic: notification.topic.clone(),
            category: notification.category.clone(),
            message: notification.message.spec_of(&recipient.profile),
        };
        let delivery_payload = DeliveryPayload {
            recipient_id: recipient.profile.id.clone(),
            campaign_id: None,
            inline: Some(note),
        };
        let spec = JobSpec {
            kind: delivery::KIND.to_owned(),
            payload: serde_json::to_string(&delivery_payload).unwrap_or_default(),
            queue: Some(QUEUE.to_owned()),
            expires_at: notification.expires_after.map(|span| self.now() + span),
            delivery: Some(notification.delivery),
            tags: vec![notification.category.clone()],
            ..JobSpec::default()
        };
        self.check(spec).map_err(Error::Invalid)
    }

    /// Has the jobs run at once that nobody has yet.
    fn sent(&self, jobs: &[NewJob], started: &[Claimed]) {
        let is_waiting = |job: &&NewJob| started.iter().all(|one| one.args.id != job.id);
        let waiting: Vec<_> = jobs.iter().filter(is_waiting).collect();
        if !waiting.is_empty() {
            let line = (QUEUE, WorkedBy::Server);
            self.inner.batcher.joined([line].into_iter());
            self.inner
                .offers
                .claimable(waiting.into_iter().map(hint_of));
        }
        self.announce(false);
    }
}

fn nothing_sent(recipient: &Recipient) -> Sent {
    Sent {
        recipient_id: recipient.profile.id.clone(),
        item_id: None,
        job_id: None,
        skipped: None,
    }
}

fn item(
    notification: &Notification,
    recipient: &Recipient,
    filled: Filled,
    now: Timestamp,
) -> NewItem {
    NewItem {
        id: InboxItemId::new(now),
        number: recipient.number,
        recipient: recipient.profile.id.clone(),
        title: filled.title,
        body: filled.body,
        data: notification.message.data().map(str::to_owned),
    }
}

fn wrong(i: usize, message: String) -> FieldError {
    FieldError::new(&format!("recipients[{i}]"), message)
}

fn invalid(error: FieldError) -> Error {
    Error::Invalid(vec![error])
}
