//! A target that gives its answers one after the other, and a cursor that keeps what it is told.

use std::{
    collections::VecDeque,
    fmt::Write as _,
    sync::{Arc, atomic::Ordering},
};

use async_trait::async_trait;
use baton_domain::{
    JobId,
    checkpoint::{Checkpoint, Progress},
    job::{FieldError, JobSpec, Verdict},
};
use baton_ports::{
    Checkpoints, Handler,
    checkpoints::{Cursor, Saved},
    store,
};
use baton_providers::{HttpConfig, WalkHandler};
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;
use tokio_util::sync::CancellationToken;

use crate::{
    bench::{NOW, call, handler_with},
    target::Target,
};

/// An answer: a status, headers with their line ends, and a body.
pub type Answer = (&'static str, String, String);

/// What a page answers that says all this.
pub fn page(body: &Value) -> Answer {
    ("200 OK", String::new(), body.to_string())
}

/// A target that gives these answers, each once; after that it is down.
pub async fn target(answers: impl IntoIterator<Item = Answer>) -> Target {
    let answers: VecDeque<Answer> = answers.into_iter().collect();
    let answers = Arc::new(parking_lot::Mutex::new(answers));
    Target::that(move |mut connection| {
        let answers = Arc::clone(&answers);
        async move {
            while connection.receive().await.is_some() {
                let next = answers.lock().pop_front();
                let (status, headers, body) = next
                    .unwrap_or_else(|| ("503 Service Unavailable", String::new(), String::new()));
                connection.answer(status, &headers, &body).await;
            }
        }
    })
    .await
}

/// A payload that walks a target by a cursor in its pages.
pub fn by_cursor(target: &Target) -> Value {
    json!({
        "url": format!("{}?limit=2", target.url()),
        "items": "/users",
        "next": {"cursor": "/next", "param": "after"},
        "job": {"kind": "resize", "key": "r-{{/id}}", "payload": {"id": {"$row": "/id"}}},
    })
}

/// So many rows with ids, from this one on.
pub fn rows(ids: std::ops::Range<u64>) -> Value {
    ids.map(|id| json!({"id": id})).collect()
}

/// A cursor as it is kept beside a job.
#[derive(Default)]
pub struct MemoryCursor {
    pub saved: parking_lot::Mutex<Vec<Save>>,
    /// What is wrong with every checkpoint, if anything.
    pub refused: Vec<FieldError>,
    /// Whether each answer asks the job to stop.
    pub is_to_stop: AtomicBool,
    /// Whether somebody has canceled the job by then.
    pub cancel: Option<CancellationToken>,
}

/// What was saved.
#[derive(Debug, Clone)]
pub struct Save {
    pub cursor: String,
    pub progress: Progress,
    pub jobs: Vec<JobSpec>,
}

#[async_trait]
impl Cursor for MemoryCursor {
    async fn stands(&self) -> store::Result<Option<Checkpoint>> {
        let saved = self.saved.lock();
        Ok(saved.last().map(|last| Checkpoint {
            job: JobId::new(NOW),
            seq: saved.len() as u64,
            era: 1,
            attempt: 1,
            cursor: Some(last.cursor.clone()),
            progress: Some(last.progress.clone()),
            moved: true,
            at: NOW,
        }))
    }

    async fn save(&self, to: String, progress: Option<Progress>, jobs: Vec<JobSpec>) -> Saved {
        if !self.refused.is_empty() {
            return Saved::Refused(self.refused.clone());
        }
        let mut saved = self.saved.lock();
        let answers = jobs.iter().map(|_| (JobId::new(NOW), true)).collect();
        saved.push(Save {
            cursor: to,
            progress: progress.unwrap_or_default(),
            jobs,
        });
        let is_to_stop = self.is_to_stop.load(Ordering::Relaxed);
        if let Some(cancel) = self.cancel.as_ref().filter(|_| is_to_stop) {
            cancel.cancel();
        }
        Saved::Recorded {
            seq: saved.len() as u64,
            jobs: answers,
            is_to_stop,
        }
    }

    fn tell(&self, _: Progress) {}
}

impl MemoryCursor {
    /// The payloads of the jobs that were made, checkpoint by checkpoint.
    pub fn made(&self) -> Vec<Vec<String>> {
        let saved = self.saved.lock();
        let payloads = |save: &Save| save.jobs.iter().map(|job| job.payload.clone()).collect();
        saved.iter().map(payloads).collect()
    }

    /// How much was said to be done, checkpoint by checkpoint.
    pub fn done(&self) -> Vec<(u64, Option<u64>)> {
        let saved = self.saved.lock();
        let told = saved
            .iter()
            .map(|save| (save.progress.done, save.progress.total));
        told.collect()
    }
}

/// A handler that may call this machine.
pub fn walker() -> WalkHandler {
    walker_with(HttpConfig {
        allow_private_targets: true,
        ..HttpConfig::default()
    })
}

pub fn walker_with(config: HttpConfig) -> WalkHandler {
    WalkHandler::new(Arc::new(handler_with(config)))
}

/// One attempt of a walk, from where this cursor stands.
pub async fn attempt(payload: &Value, kept: &Arc<MemoryCursor>) -> Verdict {
    attempt_by(&walker(), payload, kept).await
}

pub async fn attempt_by(
    handler: &WalkHandler,
    payload: &Value,
    kept: &Arc<MemoryCursor>,
) -> Verdict {
    let mut call = call(payload);
    call.checkpoints = Checkpoints::of(Arc::clone(kept) as _);
    if let Some(cancel) = &kept.cancel {
        call.cancel = cancel.clone();
    }
    handler.run(call).await
}

/// What is wrong with a payload, one a line.
pub fn wrong(payload: &Value) -> String {
    let errors = walker().check(&payload.to_string()).unwrap_err();
    let mut told = String::new();
    for error in errors {
        let _ = writeln!(told, "{} {}", error.field, error.message);
    }
    told
}
