//! Queues: look, pause, limit.

use baton_domain::{
    Timestamp,
    access::Permission,
    audit::AuditAction,
    job::FieldError,
    page::{Page, PageRequest},
    queue::{self, Queue, QueueChange},
    rollup::{Marker, Rollup},
    waits::WaitRollup,
};
use baton_ports::{Wakeup, store::RollupRequest};

use serde_json::{Map, Value, json};

use crate::{Caller, Error, Result, caller::Particulars};

impl Caller {
    /// Every queue, by name.
    pub async fn queues(&self) -> Result<Vec<Queue>> {
        self.needs(Permission::JobsRead)?;
        Ok(self.store().queues(self.now()).await?)
    }

    /// A page of the queues, by name. It is short where lines of campaigns stand among them.
    pub async fn queue_page(&self, page: &PageRequest) -> Result<Page<Queue>> {
        self.needs(Permission::JobsRead)?;
        let mut page = self.store().queue_page(page, self.now()).await?;
        let is_own = |queue: &Queue| queue::campaign_of(&queue.name).is_none();
        page.items.retain(is_own);
        Ok(page)
    }

    /// How many jobs came to each state and went from it since a moment, span by span.
    pub async fn rollups(&self, request: &RollupRequest, since: Timestamp) -> Result<Vec<Rollup>> {
        self.needs(Permission::JobsRead)?;
        Ok(self.store().rollups(request, since).await?)
    }

    /// How long the jobs waited that were claimed since a moment, span by span.
    pub async fn waits(
        &self,
        request: &RollupRequest,
        since: Timestamp,
    ) -> Result<Vec<WaitRollup>> {
        self.needs(Permission::JobsRead)?;
        Ok(self.store().waits(request, since).await?)
    }

    /// What pictures are marked with since a moment, so many minutes told as one.
    pub async fn markers(&self, minutes: u32, since: Timestamp) -> Result<Vec<Marker>> {
        self.needs(Permission::JobsRead)?;
        Ok(self.store().markers(minutes, since).await?)
    }

    /// Changes a queue, and makes it if there is none.
    pub async fn change_queue(&self, name: &str, change: &QueueChange) -> Result<Queue> {
        self.needs(Permission::Operate)?;
        let mut errors = errors_of(name, change);
        let allowed = &self.inner.settings.limits.queues;
        if errors.is_empty() && !allowed.allows(name) {
            errors.push(FieldError::new("name", allowed.refusal(name)));
        }
        if !errors.is_empty() {
            return Err(Error::Invalid(errors));
        }
        let known = self.store().queues(self.now()).await?;
        let before = known.iter().find(|queue| queue.name == name);
        let particulars = Particulars {
            before: before.map(|queue| told(&as_it_is(queue, change))),
            after: Some(told(change)),
            ..Particulars::default()
        };
        let queue = self
            .audited(AuditAction::QueueChange, name, particulars)
            .change_queue(name, change, self.now())
            .await?;
        self.inner.wakeups.send(Wakeup::Ready);
        self.inner.wakeups.send(Wakeup::Facts);
        Ok(queue)
    }
}

/// The change that would leave a queue as it is, of the same settings.
fn as_it_is(queue: &Queue, change: &QueueChange) -> QueueChange {
    QueueChange {
        paused: change.paused.map(|_| queue.paused),
        max_running: change.max_running.map(|_| queue.max_running),
        rate: change.rate.map(|_| queue.rate),
    }
}

/// What the audit log is told of a change: the settings that were given.
pub(crate) fn told(change: &QueueChange) -> Value {
    let mut given = Map::new();
    if let Some(paused) = change.paused {
        given.insert("paused".to_owned(), json!(paused));
    }
    if let Some(max_running) = change.max_running {
        given.insert("max_running".to_owned(), json!(max_running));
    }
    if let Some(rate) = change.rate {
        given.insert("rate".to_owned(), json!(rate));
    }
    Value::Object(given)
}

fn errors_of(name: &str, change: &QueueChange) -> Vec<FieldError> {
    let mut errors = Vec::new();
    if !queue::is_name(name) {
        errors.push(FieldError::new("name", queue::NAME_RULE));
    }
    if queue::campaign_of(name).is_some() {
        errors.push(FieldError::new("name", queue::RESERVED));
    }
    if change.max_running == Some(Some(0)) {
        errors.push(FieldError::new(
            "max_running",
            "must be 1 at least; to stop a queue, pause it",
        ));
    }
    if let Some(Some(rate)) = change.rate
        && !(rate.is_finite() && (0.001..=1_000_000.0).contains(&rate))
    {
        errors.push(FieldError::new(
            "rate",
            "must lie between 0.001 and 1000000 jobs a second",
        ));
    }
    errors
}
