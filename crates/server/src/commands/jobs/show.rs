//! `baton jobs show`: a job, its attempts, and why it is where it is.

use baton_client::{Attempt, Client, Explanation, Job, ProblemKind};
use baton_domain::{JobId, duration};
use serde_json::json;

use crate::{
    exit::{Exit, Failure},
    output::{Output, clean},
};

pub async fn run(id: JobId, client: &Client, output: &Output) -> Result<Exit, Failure> {
    let job = client.job(id).await?;
    let attempts = readable(client.attempts(id));
    let (attempts, explanation) = futures::try_join!(attempts, client.explain(id))?;
    if output.is_json() {
        output.json(&json!({"job": job, "attempts": attempts, "explanation": explanation}));
        return Ok(Exit::Ok);
    }
    show_job(&job, output);
    show_explanation(&explanation, output);
    let Some(attempts) = attempts else {
        output.line("\nIts attempts cannot be read: a row of the database is damaged, or a newer version wrote it.");
        return Ok(Exit::Ok);
    };
    if !attempts.is_empty() {
        output.line("");
        let rows = attempts
            .iter()
            .map(|attempt| row(attempt, output))
            .collect();
        output.table(
            &["attempt", "run", "outcome", "started", "ended", "error"],
            rows,
        );
    }
    Ok(Exit::Ok)
}

/// A part of a job's history; `None`: it is damaged, and the job itself need not be.
async fn readable<T>(
    history: impl Future<Output = baton_client::Result<T>>,
) -> baton_client::Result<Option<T>> {
    match history.await {
        Err(baton_client::Error::Problem(problem))
            if problem.known_kind() == Some(ProblemKind::Unreadable) =>
        {
            Ok(None)
        }
        history => history.map(Some),
    }
}

fn show_job(job: &Job, output: &Output) {
    let state = match &job.reason {
        Some(reason) => format!("{} ({})", job.state, clean(reason)),
        None => job.state.to_string(),
    };
    let failure = job.last_error.as_ref();
    let error = failure.map(|error| clean(&format!("{}: {}", error.code, error.message)));
    let lines = [
        ("job", Some(job.id.to_string())),
        ("state", Some(state)),
        ("kind", Some(job.kind.clone())),
        ("queue", Some(job.queue.clone())),
        ("key", job.key.as_deref().map(clean)),
        ("priority", Some(job.priority.to_string())),
        (
            "tries",
            Some(format!("{} of {}", job.tries, job.max_attempts)),
        ),
        ("backoff", Some(job.backoff.to_string())),
        ("timeout", Some(duration::format(job.timeout))),
        ("delivery", Some(job.delivery.to_string())),
        (
            "tags",
            (!job.tags.is_empty()).then(|| clean(&job.tags.join(", "))),
        ),
        (
            "trace",
            job.trace.as_ref().map(|trace| clean(&trace.traceparent)),
        ),
        ("run at", Some(job.run_at.to_string())),
        ("expires", job.expires_at.map(|at| at.to_string())),
        ("created", Some(job.created_at.to_string())),
        ("finished", job.finished_at.map(|at| at.to_string())),
        ("worker", job.worker.map(|worker| worker.to_string())),
        ("error", error),
        ("payload", Some(clean(job.payload.as_str()))),
        (
            "result",
            job.result.as_ref().map(|json| clean(json.as_str())),
        ),
    ];
    for (name, value) in lines {
        if let Some(value) = value {
            output.line(format!("{name:<9} {value}"));
        }
    }
}

fn show_explanation(explanation: &Explanation, output: &Output) {
    output.line(format!("why       {}", clean(&explanation.summary)));
    for blocker in &explanation.blockers {
        output.line(format!("          - {}", clean(blocker)));
    }
    output.line(format!("next      {}", clean(&explanation.next)));
}

fn row(attempt: &Attempt, output: &Output) -> Vec<String> {
    let time = |at: Option<baton_domain::Timestamp>| {
        at.map_or_else(|| "-".to_owned(), |at| output.moment(at))
    };
    let outcome = attempt.outcome;
    let error = attempt.error.as_ref();
    vec![
        attempt.attempt.to_string(),
        attempt.run.to_string(),
        outcome.map_or_else(|| "running".to_owned(), |outcome| outcome.to_string()),
        time(attempt.started_at),
        time(attempt.ended_at),
        error.map_or_else(String::new, |error| {
            output.excerpt(&format!("{}: {}", error.code, error.message))
        }),
    ]
}
