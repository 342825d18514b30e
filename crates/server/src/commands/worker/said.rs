//! What a job's program says while it runs, a line of JSON each: a checkpoint, progress, a verdict.

use std::{sync::Arc, time::Duration};

use baton_domain::{
    Json,
    checkpoint::Progress,
    duration,
    job::{Class, Failure, JobSpec, Verdict},
};
use baton_ports::{Call, Checkpoints, checkpoints::Saved};
use baton_protocol::remote::VerdictWord;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json, value::RawValue};
use serde_with::skip_serializing_none;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// A line that a program says.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Line {
    /// It moves its cursor.
    Checkpoint {
        /// To where.
        checkpoint: Move,
    },
    /// It tells how far it is.
    Progress {
        /// How far.
        progress: Progress,
    },
    /// It says how it ends.
    Verdict(Said),
}

impl Line {
    /// Reads a line by the first word it has.
    pub fn read(line: &str) -> serde_json::Result<Self> {
        let words: Words<'_> = serde_json::from_str(line)?;
        if let Some(checkpoint) = words.checkpoint {
            let checkpoint = serde_json::from_str(checkpoint.get())?;
            Ok(Self::Checkpoint { checkpoint })
        } else if let Some(progress) = words.progress {
            let progress = serde_json::from_str(progress.get())?;
            Ok(Self::Progress { progress })
        } else {
            serde_json::from_str(line).map(Self::Verdict)
        }
    }
}

/// What kind of line it is; what it says is kept to the letter.
#[derive(Deserialize)]
struct Words<'a> {
    #[serde(default, borrow)]
    checkpoint: Option<&'a RawValue>,
    #[serde(default, borrow)]
    progress: Option<&'a RawValue>,
}

/// A move of a cursor.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Move {
    /// Where the job is.
    pub cursor: Json,
    /// How far it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<Progress>,
    /// The jobs it makes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub jobs: Vec<JobSpec>,
}

/// How a job ends, as its program says.
#[skip_serializing_none]
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Said {
    /// In a word.
    pub verdict: VerdictWord,
    /// What it answers, when it is accepted.
    pub result: Option<Json>,
    /// What sort of failure it was; `retry` if nothing is said.
    pub class: Option<Class>,
    /// A stable word for the failure.
    pub code: Option<String>,
    /// What happened.
    pub message: Option<String>,
    /// In how long to try again.
    #[serde(default, with = "duration::option")]
    pub retry_after: Option<Duration>,
    /// In how long to run it again, when it is snoozed.
    #[serde(default, with = "duration::option")]
    pub after: Option<Duration>,
    /// Why there was nothing to do, when it is skipped.
    pub why: Option<String>,
}

impl Said {
    /// A word without more.
    pub const fn new(verdict: VerdictWord) -> Self {
        Self {
            verdict,
            result: None,
            class: None,
            code: None,
            message: None,
            retry_after: None,
            after: None,
            why: None,
        }
    }

    /// The verdict.
    pub fn verdict(self) -> Verdict {
        match self.verdict {
            VerdictWord::Accepted => Verdict::Accepted {
                result: self.result.map(Json::into_text),
            },
            VerdictWord::Failed => Verdict::Failed {
                failure: Failure::new(
                    self.class.unwrap_or(Class::Retry),
                    self.code.as_deref().unwrap_or("failed"),
                    self.message.unwrap_or_default(),
                ),
                retry_after: self.retry_after,
            },
            VerdictWord::Snoozed => Verdict::Snoozed {
                after: self.after.unwrap_or_default(),
            },
            VerdictWord::Skipped => Verdict::Skipped {
                why: self.why.unwrap_or_default(),
            },
            VerdictWord::Canceled => Verdict::Canceled,
            VerdictWord::GivenBack => Verdict::Snoozed {
                after: Duration::ZERO,
            },
        }
    }
}

/// What a job's program can ask and say while it runs, by whichever way.
pub struct Conversation {
    checkpoints: Checkpoints,
    cancel: CancellationToken,
    stopping: CancellationToken,
    timeout: Duration,
    /// Since when its time-out counts.
    since: Mutex<Instant>,
    said: Mutex<Option<Said>>,
}

impl Conversation {
    /// About this call; `stopping` fires when the worker stops.
    pub fn about(call: &Call, stopping: CancellationToken) -> Arc<Self> {
        Arc::new(Self {
            checkpoints: call.checkpoints.clone(),
            cancel: call.cancel.clone(),
            stopping,
            timeout: call.timeout,
            since: Mutex::new(Instant::now()),
            said: Mutex::default(),
        })
    }

    /// When its time is over, as far as is known.
    pub fn deadline(&self) -> Instant {
        *self.since.lock() + self.timeout
    }

    /// How it ends, if it has said so.
    pub fn said(&self) -> Option<Said> {
        self.said.lock().clone()
    }

    /// Where the job stands, and whether it is to stop.
    pub async fn stands(&self) -> Value {
        let stood = self.checkpoints.stands().await.ok().flatten();
        let cursor = stood.as_ref().and_then(|stood| stood.cursor.as_deref());
        let cursor = cursor.and_then(|text| serde_json::from_str::<Box<RawValue>>(text).ok());
        let (seq, progress) = stood.map(|stood| (stood.seq, stood.progress)).unzip();
        json!({"seq": seq, "cursor": cursor, "progress": progress.flatten(), "stop": self.stop()})
    }

    /// Answers to a line.
    pub async fn answer(&self, line: &str) -> Value {
        match Line::read(line) {
            Ok(Line::Checkpoint { checkpoint }) => self.save(checkpoint).await,
            Ok(Line::Progress { progress }) => self.tell(progress),
            Ok(Line::Verdict(said)) => {
                *self.said.lock() = Some(said);
                json!({"saved": "told", "stop": self.stop()})
            }
            Err(error) => refused(&[(
                "line".to_owned(),
                format!("is no checkpoint, no progress and no verdict: {error}"),
            )]),
        }
    }

    fn tell(&self, progress: Progress) -> Value {
        if let Some(error) = progress.error() {
            return refused(&[("progress".to_owned(), error)]);
        }
        self.checkpoints.tell(progress);
        json!({"saved": "told", "stop": self.stop()})
    }

    async fn save(&self, to: Move) -> Value {
        let Move {
            cursor,
            progress,
            jobs,
        } = to;
        match self
            .checkpoints
            .save(cursor.into_text(), progress, jobs)
            .await
        {
            Saved::Recorded {
                seq,
                jobs,
                is_to_stop,
            } => {
                *self.since.lock() = Instant::now();
                let jobs = jobs.iter();
                let jobs: Vec<_> = jobs
                    .map(|(id, created)| json!({"id": id, "created": created}))
                    .collect();
                let stop = self.stop().or(is_to_stop.then_some("canceled"));
                json!({"saved": "recorded", "seq": seq, "jobs": jobs, "stop": stop})
            }
            Saved::Lost => json!({"saved": "lost", "stop": "lost"}),
            Saved::Refused(errors) => {
                let errors = errors.into_iter();
                let errors: Vec<_> = errors.map(|error| (error.field, error.message)).collect();
                refused(&errors)
            }
        }
    }

    /// Why the job is to stop, if it is.
    fn stop(&self) -> Option<&'static str> {
        if self.cancel.is_cancelled() {
            Some("canceled")
        } else if self.stopping.is_cancelled() {
            Some("shutdown")
        } else {
            None
        }
    }
}

fn refused(errors: &[(String, String)]) -> Value {
    let errors = errors.iter();
    let errors: Vec<_> = errors
        .map(|(field, message)| json!({"field": field, "message": message}))
        .collect();
    json!({"saved": "refused", "errors": errors, "stop": null})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_checkpoint_a_telling_of_progress_or_a_verdict() {
        let moved = r#"{"checkpoint": {"cursor": {"after": 7}, "jobs": [{"kind": "x"}]}}"#;
        let told = r#"{"progress": {"done": 5, "total": 10}}"#;
        let said = r#"{"verdict": "accepted", "result": {"n": 1.0}}"#;

        let read = |line| Line::read(line).unwrap();

        let Line::Checkpoint { checkpoint } = read(moved) else {
            panic!("{moved}");
        };
        assert_eq!(checkpoint.cursor.as_str(), r#"{"after": 7}"#);
        assert!(matches!(read(told), Line::Progress { progress } if progress.done == 5));
        let Line::Verdict(said) = read(said) else {
            panic!("{said}");
        };
        let result = Some(r#"{"n": 1.0}"#.to_owned());
        assert_eq!(said.verdict(), Verdict::Accepted { result });
    }

    #[test]
    fn a_line_that_is_none_of_them_is_refused() {
        for line in [
            "",
            "{}",
            "7",
            r#"{"verdict": "maybe"}"#,
            r#"{"checkpoint": {}}"#,
        ] {
            assert!(Line::read(line).is_err(), "{line}");
        }
    }
}
