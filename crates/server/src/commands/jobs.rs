//! `baton jobs`: enqueue, look at and control jobs.

pub mod enqueue;
mod show;
mod watch;

use baton_client::{Client, Job, JobsQuery, Resolution};
use baton_domain::JobId;
use baton_protocol::PageQuery;

use super::paged::paged;
use crate::{
    cli::{JobsCommand, ListArgs, ResolveAs},
    exit::{Exit, Failure},
    output::{Output, clean},
};

pub async fn run(command: JobsCommand, client: Client, output: &Output) -> Result<Exit, Failure> {
    match command {
        JobsCommand::Enqueue(args) => enqueue::run(*args, &client, output).await,
        JobsCommand::List(args) => list(args, &client, output).await,
        JobsCommand::Show { id } => show::run(id, &client, output).await,
        JobsCommand::Cancel { ids, force, reason } => {
            let cancel = |id| client.cancel(id, force, reason.clone());
            each(ids, cancel, output).await
        }
        JobsCommand::Retry { ids, afresh: false } => each(ids, |id| client.retry(id), output).await,
        JobsCommand::Retry { ids, afresh: true } => {
            each(ids, |id| client.retry_afresh(id), output).await
        }
        JobsCommand::RunNow { ids } => each(ids, |id| client.run_now(id), output).await,
        JobsCommand::Resolve { id, outcome } => {
            let outcome = match outcome {
                ResolveAs::Succeeded => Resolution::Succeeded,
                ResolveAs::Failed => Resolution::Failed,
            };
            each(vec![id], |id| client.resolve(id, outcome), output).await
        }
        JobsCommand::Watch(args) => watch::run(args.id, args.timeout, &client, output).await,
    }
}

/// Does one thing to each job; what fails is said, and the first failure is the command's.
async fn each<F: Future<Output = baton_client::Result<Job>>>(
    ids: Vec<JobId>,
    change: impl Fn(JobId) -> F,
    output: &Output,
) -> Result<Exit, Failure> {
    let mut first = None;
    for id in ids {
        match change(id).await {
            Ok(job) if output.is_json() => output.json(&job),
            Ok(job) => output.line(line(&job)),
            Err(error) => {
                if let Some(earlier) = first.replace(Failure::from(error)) {
                    output.failure(&earlier);
                }
            }
        }
    }
    first.map_or(Ok(Exit::Ok), Err)
}

/// A job in one line.
fn line(job: &Job) -> String {
    match (&job.reason, job.cancel_asked_at) {
        (Some(reason), _) => format!("{} {} ({})", job.id, job.state, clean(reason)),
        (None, Some(_)) => format!("{} {}, asked to stop", job.id, job.state),
        (None, None) => format!("{} {}", job.id, job.state),
    }
}

async fn list(args: ListArgs, client: &Client, output: &Output) -> Result<Exit, Failure> {
    let most = if args.all { usize::MAX } else { args.limit };
    let query = JobsQuery {
        state: args.state,
        kind: args.kind,
        queue: args.queue,
        tag: args.tag,
        key: args.key,
        ..JobsQuery::default()
    };
    let page = async |PageQuery { limit, after }| {
        let query = query.clone();
        let query = JobsQuery {
            limit,
            after,
            ..query
        };
        client.jobs_page(&query).await
    };
    let head = ["job", "kind", "queue", "state", "tries", "created", "error"];
    let shown = paged(most, page, &head, |job| row(job, output), output).await?;
    if shown == 0 && !output.is_json() {
        output.say("There are no such jobs.");
    }
    Ok(Exit::Ok)
}

fn row(job: &Job, output: &Output) -> Vec<String> {
    let error = job.last_error.as_ref();
    vec![
        job.id.to_string(),
        job.kind.clone(),
        job.queue.clone(),
        job.state.to_string(),
        format!("{}/{}", job.tries, job.max_attempts),
        output.moment(job.created_at),
        error.map_or_else(String::new, |error| clean(&error.code)),
    ]
}
