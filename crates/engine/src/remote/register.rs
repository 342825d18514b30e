//! Registering: a worker says who it is.

use std::collections::BTreeMap;

use baton_domain::{
    Timestamp, WorkerId,
    access::Permission,
    fleet::{Heartbeat, RemoteWorker},
    job::FieldError,
    queue::{NAME_RULE, WorkedBy, is_name},
};

use crate::{Caller, Error, Result};

/// What part of a lease may pass between two beats.
pub const BEAT_SHARE: u32 = 3;

const MOST_KINDS: usize = 100;
const MOST_QUEUES: usize = 200;
const MOST_SLOTS: u32 = 10_000;
const MOST_LABELS: usize = 16;
const LONGEST_WORD: usize = 200;

/// Who a worker is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registration {
    /// The machine it runs on, and its process id there.
    pub name: String,
    /// What it is written with.
    pub sdk: String,
    /// The version of the program it is part of.
    pub app_version: Option<String>,
    /// The kinds it handles.
    pub kinds: Vec<String>,
    /// The queues it claims from; those of its kinds if none are named.
    pub queues: Vec<String>,
    /// How many jobs it runs at once.
    pub slots: u32,
    /// Words of its operator's.
    pub labels: BTreeMap<String, String>,
}

impl Caller {
    /// Takes a remote worker up, or what it says anew of itself; says whether it is new.
    pub async fn register_worker(&self, id: WorkerId, mut said: Registration) -> Result<bool> {
        self.needs(Permission::Worker)?;
        if said.queues.is_empty() {
            said.queues.clone_from(&said.kinds);
        }
        let errors = self.wrong_with(&said).await?;
        if !errors.is_empty() {
            return Err(Error::Invalid(errors));
        }
        let before = match self.known_worker(id).await {
            Ok(known) => Some(known),
            Err(Error::NotFound { .. }) => None,
            Err(error) => return Err(error),
        };
        if before.is_some() {
            self.own_worker(id).await?;
        }
        let started_at = before
            .as_ref()
            .map_or_else(|| self.now(), |known| known.heartbeat.started_at);
        let heartbeat = self.heartbeat_of(id, said, started_at);
        let wish = self.store().heartbeat(&heartbeat, self.now()).await?;
        if wish.has_left {
            self.remote().known.forget(id);
            return Err(Error::WorkerLeft(id));
        }
        self.remote().known.heard(heartbeat, wish.drain);
        Ok(before.is_none())
    }

    fn heartbeat_of(&self, id: WorkerId, said: Registration, started_at: Timestamp) -> Heartbeat {
        let remote = RemoteWorker {
            free: said.slots,
            kinds: said.kinds,
            queues: said.queues,
            slots: said.slots,
            sdk: said.sdk,
            app_version: said.app_version,
            labels: said.labels,
            asked_at: None,
        };
        let slots = remote.queues.iter();
        Heartbeat {
            worker: id,
            name: said.name,
            version: remote.sdk.clone(),
            lease: Some(self.inner.settings.lease),
            slots: slots.map(|queue| (queue.clone(), remote.slots)).collect(),
            running: 0,
            draining: false,
            started_at,
            remote: Some(remote),
        }
    }

    async fn wrong_with(&self, said: &Registration) -> Result<Vec<FieldError>> {
        let mut errors = Vec::new();
        let mut wrong = |field: String, why: String| errors.push(FieldError::new(&field, why));
        for (field, text) in [("name", &said.name), ("sdk", &said.sdk)] {
            if !is_word(text) {
                wrong(
                    field.into(),
                    format!("must be 1 to {LONGEST_WORD} characters, without control characters"),
                );
            }
        }
        if said.app_version.as_ref().is_some_and(|text| !is_word(text)) {
            wrong(
                "version".into(),
                format!("must be 1 to {LONGEST_WORD} characters, without control characters"),
            );
        }
        if said.kinds.is_empty() || said.kinds.len() > MOST_KINDS {
            wrong("kinds".into(), format!("must be 1 to {MOST_KINDS} names"));
        }
        if said.queues.len() > MOST_QUEUES {
            wrong(
                "queues".into(),
                format!("must be {MOST_QUEUES} names at the most"),
            );
        }
        if !(1..=MOST_SLOTS).contains(&said.slots) {
            wrong("slots".into(), format!("must be 1 to {MOST_SLOTS}"));
        }
        let is_label = |(name, text): (&String, &String)| {
            is_word(name)
                && text.chars().count() <= LONGEST_WORD
                && !text.contains(char::is_control)
        };
        if said.labels.len() > MOST_LABELS || !said.labels.iter().all(is_label) {
            wrong(
                "labels".into(),
                format!("must be {MOST_LABELS} words at the most, of {LONGEST_WORD} characters"),
            );
        }
        for (i, kind) in said.kinds.iter().enumerate() {
            if !is_name(kind) {
                wrong(format!("kinds[{i}]"), NAME_RULE.into());
            } else if self.is_built_in(kind) {
                wrong(
                    format!("kinds[{i}]"),
                    format!("{kind:?} is a kind of the server's own; give yours another name"),
                );
            }
        }
        for (i, queue) in said.queues.iter().enumerate() {
            if !is_name(queue) {
                wrong(format!("queues[{i}]"), NAME_RULE.into());
            } else if !self.may_work(queue) {
                wrong(
                    format!("queues[{i}]"),
                    format!("this key may not work off the queue {queue:?}"),
                );
            }
        }
        for (queue, worked_by) in self.store().worked_by(&said.queues).await? {
            if worked_by == WorkedBy::Server {
                let place = said
                    .queues
                    .iter()
                    .position(|one| *one == queue)
                    .unwrap_or(0);
                errors.push(FieldError::new(
                    &format!("queues[{place}]"),
                    format!("{queue:?} is worked off by the servers themselves; name another queue, and enqueue there"),
                ));
            }
        }
        Ok(errors)
    }

    /// Whether the server itself runs jobs of this kind, or keeps the name for itself.
    pub(crate) fn is_built_in(&self, kind: &str) -> bool {
        kind.starts_with("baton.")
            || self
                .inner
                .handlers
                .iter()
                .any(|handler| handler.kind() == kind)
    }
}

fn is_word(text: &str) -> bool {
    (1..=LONGEST_WORD).contains(&text.chars().count()) && !text.contains(char::is_control)
}
