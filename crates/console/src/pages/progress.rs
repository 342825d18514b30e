//! How far a job is, as its handler has said: a bar, how fast it goes, and where it would go on.

use std::time::Duration;

use askama::Template;
use baton_domain::{
    Timestamp,
    checkpoint::{Checkpoint, Progress},
    job::{Attempt, Job, State},
};

use crate::view::{Markup, ago, count, pretty, rate, span};

#[derive(Template)]
#[template(path = "panels/progress.html")]
struct Panel {
    bar: Option<Bar>,
    /// Where the next attempt goes on: JSON text.
    cursor: Option<String>,
    seq: String,
    era: u32,
    at: Markup,
}

struct Bar {
    done: u64,
    whole: Option<u64>,
    /// In hundredths.
    percent: u64,
    text: String,
    per_second: Option<String>,
    to_go: Option<String>,
    note: Option<String>,
}

/// The panel; nothing of a job that has said nothing.
pub fn panel(
    job: &Job,
    attempts: &[Attempt],
    checkpoint: Option<&Checkpoint>,
    now: Timestamp,
) -> Markup {
    let Some(checkpoint) = checkpoint else {
        return Markup::default();
    };
    let progress = checkpoint.progress.as_ref();
    Markup::of(&Panel {
        bar: progress.map(|progress| Bar::of(progress, job, attempts, checkpoint.at)),
        cursor: checkpoint.cursor.as_deref().map(pretty),
        seq: count(checkpoint.seq),
        era: checkpoint.era,
        at: ago(checkpoint.at, now),
    })
}

/// How far a job is, in hundredths and in words; nothing where it does not say of how much.
pub fn short(checkpoint: &Checkpoint) -> Option<(u64, String)> {
    let progress = checkpoint.progress.as_ref()?;
    let whole = progress.total?.max(progress.done).max(1);
    let percent = percent(progress.done, whole);
    Some((percent, format!("{percent} %")))
}

impl Bar {
    fn of(progress: &Progress, job: &Job, attempts: &[Attempt], at: Timestamp) -> Self {
        let whole = progress.total.map(|total| total.max(progress.done).max(1));
        let per_second = pace(progress.done, worked(job, attempts, at));
        let left = whole.map(|whole| whole - progress.done);
        let is_running = job.state == State::Running;
        let to_go = left.zip(per_second).filter(|_| is_running);
        Self {
            done: progress.done,
            percent: whole.map_or(0, |whole| percent(progress.done, whole)),
            text: match whole {
                Some(whole) => tr!("{n} of {all}", n = count(progress.done), all = count(whole)),
                None => count(progress.done),
            },
            whole,
            per_second: per_second.map(rate),
            to_go: to_go.and_then(|(left, per_second)| Some(span(time_for(left, per_second)?))),
            note: progress.note.clone(),
        }
    }
}

fn percent(done: u64, whole: u64) -> u64 {
    let hundredths = u128::from(done) * 100 / u128::from(whole);
    u64::try_from(hundredths).unwrap_or(100)
}

/// For how long the attempts of this run had worked when the checkpoint was written; waits are left out.
fn worked(job: &Job, attempts: &[Attempt], until: Timestamp) -> Duration {
    let of_run = attempts.iter().filter(|attempt| attempt.run == job.run);
    let spans = of_run.filter_map(|attempt| {
        let end = attempt.ended_at.map_or(until, |ended| ended.min(until));
        Some(end.since(attempt.started_at?))
    });
    spans.sum()
}

#[expect(clippy::cast_precision_loss, reason = "a rate for the eye")]
fn pace(done: u64, worked: Duration) -> Option<f64> {
    let is_known = done > 0 && worked >= Duration::from_secs(1);
    is_known.then(|| done as f64 / worked.as_secs_f64())
}

/// Nothing where it would be longer than anybody can tell.
#[expect(clippy::cast_precision_loss, reason = "a span for the eye")]
fn time_for(left: u64, per_second: f64) -> Option<Duration> {
    let time = Duration::try_from_secs_f64(left as f64 / per_second).ok()?;
    (time < Duration::from_hours(24 * 365)).then_some(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_told_in_whole_hundredths_however_large_the_numbers() {
        assert_eq!(percent(0, 1), 0);
        assert_eq!(percent(2, 3), 66);
        assert_eq!(percent(u64::MAX, u64::MAX), 100);
    }

    #[test]
    fn a_pace_is_told_once_there_is_something_to_tell() {
        assert_eq!(pace(0, Duration::from_secs(9)), None);
        assert_eq!(pace(5, Duration::from_millis(20)), None);
        assert_eq!(pace(100, Duration::from_secs(10)), Some(10.0));
        assert_eq!(time_for(50, 10.0), Some(Duration::from_secs(5)));
        assert_eq!(time_for(u64::MAX, 0.001), None);
    }
}
