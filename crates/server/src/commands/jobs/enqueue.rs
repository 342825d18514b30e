//! `baton jobs enqueue`: adds a job, and waits for its end if asked.

use std::{env, fs, io::Read};

use baton_client::{Client, EnqueueJob, Enqueued, Json};
use baton_domain::{
    Trace,
    job::{Backoff, Strategy},
};

use crate::{
    cli::{EnqueueArgs, Growth},
    exit::{Exit, Failure},
    output::Output,
};

use super::watch;

pub async fn run(args: EnqueueArgs, client: &Client, output: &Output) -> Result<Exit, Failure> {
    let wait = args.wait;
    let Enqueued {
        job,
        created,
        is_unserved,
    } = client.enqueue(&asked(args)?).await?;
    if is_unserved {
        let kind = &job.kind;
        output.say(format!(
            "No worker claims from the queue {} yet; the job waits until one does: baton worker --kind {kind} -- COMMAND",
            job.queue
        ));
    }
    if let Some(timeout) = wait {
        output.say(format!("{} is accepted; waiting for its end", job.id));
        return watch::run(job.id, Some(timeout), client, output).await;
    }
    if output.is_json() {
        output.json(&job);
    } else {
        output.line(format!("{} {}", job.id, job.state));
    }
    if !created {
        output.say("The key was known: this is the job that has it.");
    }
    Ok(Exit::Ok)
}

fn asked(args: EnqueueArgs) -> Result<EnqueueJob, Failure> {
    let backoff = backoff(&args);
    Ok(EnqueueJob {
        payload: payload(&args.payload)?.into(),
        kind: args.kind,
        key: args.key,
        queue: args.queue,
        priority: args.priority,
        run_at: args.run_at,
        delay: args.delay,
        max_attempts: args.max_attempts,
        backoff,
        timeout: args.timeout,
        expires_at: args.expires_at,
        delivery: args.delivery,
        tags: args.tags,
        trace: args.trace.map(said).or_else(trace_here),
    })
}

fn said(traceparent: String) -> Trace {
    Trace {
        traceparent,
        tracestate: None,
    }
}

/// The trace of whoever runs this command, as its environment says it: that of the job, inside `baton worker`.
fn trace_here() -> Option<Trace> {
    let (parent, state) = (env::var("TRACEPARENT").ok(), env::var("TRACESTATE").ok());
    Trace::from_headers(parent.as_deref(), state.as_deref())
}

/// What is not said keeps its default; saying nothing at all leaves it to the server.
fn backoff(args: &EnqueueArgs) -> Option<Backoff> {
    if args.backoff.is_none() && args.backoff_cap.is_none() && args.backoff_strategy.is_none() {
        return None;
    }
    let usual = Backoff::default();
    let base = args.backoff.unwrap_or(usual.base);
    Some(Backoff {
        strategy: args.backoff_strategy.map_or(usual.strategy, strategy),
        base,
        cap: args.backoff_cap.unwrap_or(usual.cap.max(base)),
        jitter: usual.jitter,
    })
}

const fn strategy(growth: Growth) -> Strategy {
    match growth {
        Growth::Exponential => Strategy::Exponential,
        Growth::Linear => Strategy::Linear,
        Growth::Fixed => Strategy::Fixed,
    }
}

/// JSON, a file that holds it, or stdin.
pub fn payload(text: &str) -> Result<Json, Failure> {
    let text = if text == "-" {
        let mut read = String::new();
        std::io::stdin()
            .read_to_string(&mut read)
            .map_err(|error| Failure::usage(format!("stdin cannot be read: {error}")))?;
        read
    } else if let Some(path) = text.strip_prefix('@') {
        fs::read_to_string(path)
            .map_err(|error| Failure::usage(format!("{path} cannot be read: {error}")))?
    } else {
        text.to_owned()
    };
    serde_json::from_str(&text).map_err(|error| {
        Failure::usage(format!("the payload is not JSON: {error}")).then(
            "Give JSON in quotes ('{\"url\": \"https://example.com\"}'), @FILE, or - for stdin.",
        )
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use clap::Parser;

    use super::*;
    use crate::cli::{Cli, Command, JobsCommand};

    fn asked_by(words: &[&str]) -> Result<EnqueueJob, Failure> {
        let words = ["baton", "jobs", "enqueue", "http"].iter().chain(words);
        match Cli::parse_from(words).command {
            Command::Jobs(JobsCommand::Enqueue(args)) => asked(*args),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_not_said_is_left_to_the_server() {
        let job = asked_by(&[]).unwrap();

        assert_eq!(job, EnqueueJob::new("http", Json::empty_object()));
    }

    #[test]
    fn a_payload_is_kept_to_the_letter() {
        let job = asked_by(&["--payload", r#"{"n": 1.10}"#]).unwrap();

        assert_eq!(job.payload.as_str(), r#"{"n": 1.10}"#);
    }

    #[test]
    fn a_payload_that_is_not_json_is_a_mistake_of_usage() {
        let failure = asked_by(&["--payload", "{oops"]).unwrap_err();

        assert_eq!(failure.exit, Exit::Usage);
    }

    #[test]
    fn a_base_longer_than_the_usual_cap_lifts_the_cap() {
        let job = asked_by(&["--backoff", "1h"]).unwrap();

        assert_eq!(job.backoff.unwrap().cap, Duration::from_hours(1));
    }
}
