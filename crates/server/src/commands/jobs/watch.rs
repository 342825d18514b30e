//! `baton jobs watch`: follows a job until it ends.

use std::time::Duration;

use baton_client::{Client, Event, FeedMessage, Job, StreamQuery};
use baton_domain::{JobId, duration, job::State};
use futures::StreamExt;
use indicatif::ProgressBar;

use crate::{
    exit::{Exit, Failure},
    output::{Output, clean},
};

/// How often the spinner turns.
const TURN: Duration = Duration::from_millis(100);

/// Follows a job until it ends, for as long as `timeout` says. Ends with the code of its end.
pub async fn run(
    id: JobId,
    timeout: Option<Duration>,
    client: &Client,
    output: &Output,
) -> Result<Exit, Failure> {
    let outcome = async {
        match timeout {
            None => Ok(follow(id, client, output).await),
            Some(span) => tokio::time::timeout(span, follow(id, client, output)).await,
        }
    };
    tokio::select! {
        outcome = outcome => match outcome {
            Ok(ended) => Ok(show_end(&ended?, output)),
            Err(_) => Err(late(id, timeout.unwrap_or_default())),
        },
        _ = tokio::signal::ctrl_c() => {
            output.say(format!("Stopped watching; the job goes on. Again: baton jobs watch {id}"));
            Ok(Exit::Interrupted)
        }
    }
}

async fn follow(id: JobId, client: &Client, output: &Output) -> Result<Job, Failure> {
    let query = StreamQuery {
        subject: Some(id.to_string()),
        ..StreamQuery::default()
    };
    // The feed first, then the look: whatever happens after the look is heard.
    let feed = client.follow(query).await?;
    futures::pin_mut!(feed);
    let bar = spinner(output);
    let mut job = client.job(id).await?;
    show_state(&job, &bar);
    while !job.state.is_terminal() {
        match feed.next().await {
            Some(Ok(FeedMessage::Event(event))) => tell(&event, &bar, output),
            Some(Ok(FeedMessage::Reset(_))) => {}
            Some(Err(error)) => return Err(error.into()),
            None => return Err(Failure::new("the server ended the feed")),
        }
        job = client.job(id).await?;
        show_state(&job, &bar);
    }
    bar.finish_and_clear();
    Ok(job)
}

fn spinner(output: &Output) -> ProgressBar {
    let bar = output.bar(0, "");
    if let Ok(style) = indicatif::ProgressStyle::with_template("{spinner} {msg} {elapsed:.dim}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(TURN);
    bar
}

fn show_state(job: &Job, bar: &ProgressBar) {
    bar.set_message(format!("{} {}", job.id, job.state));
}

/// On a terminal the spinner moves below the lines; elsewhere they stand alone.
fn tell(event: &Event, bar: &ProgressBar, output: &Output) {
    let text = format!("{}  {}", event.at, clean(&event.kind));
    if bar.is_hidden() {
        output.say(text);
    } else {
        bar.println(text);
    }
}

fn show_end(job: &Job, output: &Output) -> Exit {
    if output.is_json() {
        output.json(job);
    } else {
        output.line(sentence(job));
        if let Some(result) = &job.result {
            output.line(clean(result.as_str()));
        }
    }
    match job.state {
        State::Succeeded => Exit::Ok,
        _ => Exit::NotSucceeded,
    }
}

fn sentence(job: &Job) -> String {
    let took = job
        .finished_at
        .map_or(Duration::ZERO, |at| at.since(job.created_at));
    let reason = job
        .reason
        .as_deref()
        .map(|reason| format!(" ({})", clean(reason)));
    let error = job
        .last_error
        .as_ref()
        .filter(|_| job.state != State::Succeeded);
    format!(
        "{} {}{} after {}, {} of {} tries{}",
        job.id,
        job.state,
        reason.unwrap_or_default(),
        duration::format(Duration::from_millis(
            u64::try_from(took.as_millis()).unwrap_or(u64::MAX)
        )),
        job.tries,
        job.max_attempts,
        error.map_or_else(String::new, |error| format!(
            ": {}",
            clean(&format!("{}: {}", error.code, error.message))
        )),
    )
}

fn late(id: JobId, timeout: Duration) -> Failure {
    Failure::new(format!(
        "{id} has not ended within {}",
        duration::format(timeout)
    ))
    .exit(Exit::TimedOut)
    .then(
        "The job goes on. See why it takes so long: baton jobs show, or wait on: baton jobs watch.",
    )
}
