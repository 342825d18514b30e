//! A job that can be had, out of what a client asks for.

use super::{FieldError, JobOptions, JobSpec, Limits};
use crate::{JobId, Timestamp, content::RequestDigest, queue::WorkedBy};

/// A job that can be had: every field checked, every default filled in.
#[derive(Debug, Clone, PartialEq)]
pub struct NewJob {
    /// Its id.
    pub id: JobId,
    /// The caller's own key.
    pub key: Option<String>,
    /// What was asked: the same key with other content is a conflict. Nothing without a key.
    pub content: RequestDigest,
    /// The name that chooses the handler.
    pub kind: String,
    /// The line it stands in.
    pub queue: String,
    /// Smaller is sooner.
    pub priority: i16,
    /// JSON text.
    pub payload: String,
    /// Not before this moment.
    pub run_at: Timestamp,
    /// Not after this moment.
    pub expires_at: Option<Timestamp>,
    /// How it is to be run, and what it is known by.
    pub options: JobOptions,
    /// When it was accepted.
    pub created_at: Timestamp,
    /// Who is to work its queue off, if nobody has named that before.
    pub worked_by: WorkedBy,
}

impl NewJob {
    /// Checks what was asked and fills in what was not.
    pub fn from_spec(
        mut spec: JobSpec,
        limits: &Limits,
        now: Timestamp,
    ) -> Result<Self, Vec<FieldError>> {
        let errors = spec.errors(limits, now);
        if !errors.is_empty() {
            return Err(errors);
        }
        // Only a key is ever compared by it; the digest is a tenth of what accepting a job costs.
        let key = spec.key.as_ref();
        let content = key.map_or_else(RequestDigest::default, |_| spec.content());
        let run_at = spec
            .run_at
            .or(spec.delay.map(|delay| now + delay))
            .unwrap_or(now)
            .max(now);
        let options = JobOptions::of(&mut spec);
        let worked_by = limits.kinds.worked_by(&spec.kind);
        let queue = spec.queue;
        let queue = queue.unwrap_or_else(|| limits.kinds.queue_of(&spec.kind).to_owned());
        Ok(Self {
            id: JobId::new(now),
            key: spec.key,
            content,
            kind: spec.kind,
            queue,
            priority: spec
                .priority
                .and_then(|p| i16::try_from(p).ok())
                .unwrap_or(0),
            payload: spec.payload,
            run_at,
            expires_at: spec.expires_at,
            options,
            created_at: now,
            worked_by,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::Trace;

    const NOW: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

    fn spec() -> JobSpec {
        JobSpec {
            kind: "http".to_owned(),
            payload: "{}".to_owned(),
            key: Some("k".to_owned()),
            ..JobSpec::default()
        }
    }

    fn wrong_fields(spec: JobSpec) -> Vec<String> {
        let errors = NewJob::from_spec(spec, &Limits::default(), NOW).unwrap_err();
        errors.into_iter().map(|error| error.field).collect()
    }

    #[test]
    fn what_is_not_given_takes_its_default() {
        let job = NewJob::from_spec(spec(), &Limits::default(), NOW).unwrap();

        assert_eq!(
            (job.queue.as_str(), job.priority, job.options.max_attempts),
            ("default", 0, 4)
        );
        assert_eq!(
            (job.run_at, job.options.timeout),
            (NOW, Duration::from_secs(30))
        );
    }

    #[test]
    fn everything_that_is_wrong_is_said_at_once() {
        let fields = wrong_fields(JobSpec {
            kind: "no spaces".to_owned(),
            priority: Some(101),
            max_attempts: Some(0),
            key: Some("a\nb".to_owned()),
            expires_at: Some(NOW),
            ..spec()
        });

        assert_eq!(
            fields,
            ["kind", "key", "priority", "max_attempts", "expires_at"]
        );
    }

    #[test]
    fn a_time_and_a_delay_exclude_each_other() {
        let fields = wrong_fields(JobSpec {
            run_at: Some(NOW),
            delay: Some(Duration::from_secs(1)),
            ..spec()
        });

        assert_eq!(fields, ["delay"]);
    }

    #[test]
    fn the_same_request_has_the_same_content_at_any_moment() {
        let earlier = NewJob::from_spec(spec(), &Limits::default(), NOW).unwrap();
        let later =
            NewJob::from_spec(spec(), &Limits::default(), NOW + Duration::from_mins(1)).unwrap();
        let other = NewJob::from_spec(
            JobSpec {
                priority: Some(1),
                ..spec()
            },
            &Limits::default(),
            NOW,
        )
        .unwrap();

        assert_eq!(earlier.content, later.content);
        assert_ne!(earlier.content, other.content);
    }

    #[test]
    fn the_same_request_has_the_same_content_under_any_trace() {
        let under = |span: &str| {
            let traceparent = format!("00-4bf92f3577b34da6a3ce929d0e0e4736-{span}-01");
            let trace = Some(Trace {
                traceparent,
                tracestate: None,
            });
            NewJob::from_spec(JobSpec { trace, ..spec() }, &Limits::default(), NOW).unwrap()
        };

        let first = under("00f067aa0ba902b7");
        let second = under("b7ad6b7169203331");
        let without = NewJob::from_spec(spec(), &Limits::default(), NOW).unwrap();

        assert_ne!(first.options.trace, second.options.trace);
        assert_eq!(first.content, second.content);
        assert_eq!(first.content, without.content);
    }

    #[test]
    fn a_trace_that_is_wrong_is_named_by_its_field() {
        let trace = Some(Trace {
            traceparent: "here".to_owned(),
            tracestate: Some("there".to_owned()),
        });

        let fields = wrong_fields(JobSpec { trace, ..spec() });

        assert_eq!(fields, ["trace.traceparent", "trace.tracestate"]);
    }
}
