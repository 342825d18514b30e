//! Checkpoints and progress as they travel.

use std::sync::Arc;

use baton_client::Client;
use baton_domain::{Json, job::FieldError};
use baton_ports::{
    store::{ProgressReport, Result},
    work_source::{CheckpointAnswer, CursorMove, MoveOutcome},
};
use baton_protocol::remote::{
    SaveCheckpoint, SaveCheckpoints, Saved, SavedCheckpoint, TellProgress,
};

use crate::source::RemoteSource;

impl RemoteSource {
    /// Moves one cursor.
    pub(crate) async fn move_cursor(&self, step: &CursorMove) -> Result<CheckpointAnswer> {
        let Some(token) = self.held.token(step.lease, step.job) else {
            return Ok(lost());
        };
        let checkpoint = SaveCheckpoint {
            token: token.to_string(),
            seq: step.seq,
            cursor: Json::from_text(&step.cursor),
            progress: step.progress.clone(),
            jobs: step.jobs.clone(),
        };
        let body = Arc::new(SaveCheckpoints {
            checkpoints: vec![checkpoint],
        });
        let saved = self.session.told(|client: Client, worker| {
            let body = Arc::clone(&body);
            async move { client.save_checkpoints(worker, &body).await }
        });
        let items = saved.await?.items;
        Ok(items.first().map_or_else(lost, read))
    }

    /// Keeps the last word of each job for the next beat.
    pub(crate) fn keep_progress(&self, reports: &[ProgressReport]) {
        let mut told = self.progress.lock();
        for report in reports {
            if let Some(token) = self.held.token(report.lease, report.job) {
                told.insert(token, report.progress.clone());
            }
        }
        drop(told);
        self.has_progress.notify_one();
    }

    /// What there is to tell.
    pub(crate) fn take_progress(&self) -> Vec<TellProgress> {
        let told = std::mem::take(&mut *self.progress.lock());
        let told = told.into_iter().map(|(token, progress)| TellProgress {
            token: token.to_string(),
            progress,
        });
        told.collect()
    }
}

const fn lost() -> CheckpointAnswer {
    CheckpointAnswer {
        outcome: MoveOutcome::Lost,
        is_canceled: false,
    }
}

fn read(saved: &SavedCheckpoint) -> CheckpointAnswer {
    let outcome = match saved.saved {
        Saved::Recorded | Saved::Repeated => {
            let jobs = saved.jobs.iter().map(|job| (job.id, job.created));
            MoveOutcome::Recorded(jobs.collect())
        }
        Saved::Lost => MoveOutcome::Lost,
        Saved::OutOfOrder => MoveOutcome::OutOfOrder(saved.seq.unwrap_or(0)),
        Saved::Refused => {
            let errors = saved.errors.iter().map(|error| {
                let field = error.field.strip_prefix("checkpoints[0].");
                FieldError::new(field.unwrap_or(&error.field), error.message.clone())
            });
            MoveOutcome::Refused(errors.collect())
        }
    };
    CheckpointAnswer {
        outcome,
        is_canceled: saved.stop.is_some(),
    }
}
