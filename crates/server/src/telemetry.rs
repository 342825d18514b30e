//! Logs and metrics: where they go and how they look.

use std::{
    borrow::Cow,
    fmt,
    io::{IsTerminal, stderr},
    time::Duration,
};

use baton_api::Metrics;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing::{Event, Subscriber};
use tracing_subscriber::{
    EnvFilter,
    fmt::{FmtContext, FormatEvent, FormatFields, format::Writer},
    registry::LookupSpan,
};

use crate::{
    config::{Config, LogFormat},
    exit::Failure,
};

/// How often histograms are folded, so that one that nobody scrapes stays small.
const UPKEEP: Duration = Duration::from_secs(5);

/// Spans of time from a fast handler to a slow one.
const SECONDS: [f64; 14] = [
    0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 30.0, 120.0,
];
/// How long jobs wait: anything from at once to hours.
const WAITS: [f64; 12] = [
    0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 300.0, 1_800.0, 7_200.0,
];
const SIZES: [f64; 10] = [
    1.0, 2.0, 5.0, 10.0, 25.0, 50.0, 100.0, 250.0, 500.0, 1_000.0,
];

/// Parts that tell at the lower levels what nobody may read: the parameters of statements, which are
/// payloads, whatever level is asked for. What a database remarks on is no news either, which the driver tells as such.
const QUIET: [&str; 2] = ["tokio_postgres=warn", "tokio_postgres::query=warn"];

/// Sends the log to stderr.
pub fn log(config: &Config) {
    log_as(&config.log.level, config.log.format);
}

/// The same without a configuration.
pub fn log_as(level: &str, format: LogFormat) {
    let filter = EnvFilter::try_new(level).unwrap_or_else(|_| EnvFilter::new("info"));
    let filter = QUIET
        .iter()
        .filter_map(|quiet| quiet.parse().ok())
        .fold(filter, EnvFilter::add_directive);
    let is_terminal = stderr().is_terminal();
    let is_pretty = match format {
        LogFormat::Auto => is_terminal,
        LogFormat::Pretty => true,
        LogFormat::Json => false,
    };
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(stderr);
    // Only a test can have set one before, and then that one is meant.
    let _ = if is_pretty {
        builder
            .with_ansi(is_terminal && std::env::var_os("NO_COLOR").is_none())
            .with_target(false)
            .try_init()
    } else {
        let builder = builder.json().flatten_event(true);
        builder.map_event_format(Pathless).try_init()
    };
}

/// Lines without the paths of the machine that built this program: libraries that tell by way of `log` name the file of each line.
struct Pathless<F>(F);

/// What such lines are called, and what of them is left out.
const OF_LOG: &str = "log event";
const PATH: &str = "\"log.file\":\"";

impl<S, N, F> FormatEvent<S, N> for Pathless<F>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
    F: FormatEvent<S, N>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        if event.metadata().name() != OF_LOG {
            return self.0.format_event(context, writer, event);
        }
        let mut line = String::new();
        self.0
            .format_event(context, Writer::new(&mut line), event)?;
        writer.write_str(&without_path(&line))
    }
}

fn without_path(line: &str) -> Cow<'_, str> {
    let Some((before, rest)) = line.split_once(PATH) else {
        return Cow::Borrowed(line);
    };
    let after = rest.split_once("\",").map_or("}\n", |(_, after)| after);
    Cow::Owned(format!("{before}{after}"))
}

/// Has a thread that panics say so in the log, without the paths of the machine that built this program.
pub fn tell_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map_or_else(String::new, |place| {
            let file = place.file().rsplit(['/', '\\']).next().unwrap_or_default();
            format!(" in {file}:{}", place.line())
        });
        let thread = std::thread::current();
        let thread = thread.name().unwrap_or("without a name");
        let words = baton_ports::watchdog::message(panic.payload());
        tracing::error!(thread, "a thread panicked{place}: {words}");
        // Before the log is there, nobody would hear of it.
        if !tracing::event_enabled!(tracing::Level::ERROR) {
            eprintln!("a thread panicked{place}: {words}");
        }
    }));
}

/// Gathers the metrics, and gives what writes them.
pub fn metrics() -> Result<Metrics, Failure> {
    let handle = gathered()?;
    Ok(Metrics::new(move || handle.render()))
}

/// The same for who has no API.
pub fn gathered() -> Result<PrometheusHandle, Failure> {
    let handle = recorder().map_err(|error| {
        Failure::new(format!("the metrics cannot be gathered: {error}"))
            .then("This is a mistake of Baton's own; please report it.")
    })?;
    describe();
    baton_redis::describe();
    metrics::gauge!("baton_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
    let folding = handle.clone();
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(UPKEEP).await;
            folding.run_upkeep();
        }
    });
    Ok(handle)
}

fn recorder() -> Result<PrometheusHandle, metrics_exporter_prometheus::BuildError> {
    PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Full("baton_job_wait_seconds".to_owned()), &WAITS)?
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)?
        .set_buckets_for_metric(Matcher::Suffix("_batch_size".to_owned()), &SIZES)?
        .install_recorder()
}

/// What the metrics mean that the engine writes; the worker describes its own.
#[expect(clippy::too_many_lines, reason = "a table of metrics")]
fn describe() {
    use metrics::{
        describe_counter as counter, describe_gauge as gauge, describe_histogram as histogram,
    };

    gauge!("baton_build_info", "1, with the version as a label.");
    gauge!(
        "baton_queue_jobs",
        "Jobs by queue and state; written by the leader."
    );
    gauge!(
        "baton_queue_oldest_ready_seconds",
        "How long the longest waiting claimable job has been due."
    );
    gauge!("baton_queue_paused", "1 if the queue is paused.");
    gauge!("baton_leader", "1 if this node leads.");
    gauge!(
        "baton_clock_bound_seconds",
        "How far this node's clock can be from the database's."
    );
    gauge!(
        "baton_clock_offset_seconds",
        "How far the database's clock is ahead of this machine's; behind, if below zero."
    );
    counter!(
        "baton_clock_steps_total",
        "How often the database's clock was put forward or back by more than a second."
    );
    counter!(
        "baton_feed_epochs_total",
        "How often the database was another copy than it was, and readers of events were reset."
    );
    counter!(
        "baton_unreadable_rows_total",
        "Rows that could not be read and were passed over, by table."
    );
    counter!(
        "baton_store_deadlocks_total",
        "Transactions that MySQL ended for a deadlock; each is tried again at once."
    );
    counter!("baton_events_total", "Events numbered.");
    counter!(
        "baton_remote_claims_total",
        "Claims of remote workers that were answered, by how their jobs were found."
    );
    counter!(
        "baton_remote_results_total",
        "Results of remote workers, by what became of them; stale ones came too late."
    );
    counter!(
        "baton_remote_given_back_total",
        "Jobs given back that a remote worker had not heard of, by why."
    );
    counter!(
        "baton_staged_jobs_total",
        "Jobs asked for in transactions of other programs, by whether they were enqueued or refused."
    );
    counter!(
        "baton_checkpoints_total",
        "Cursors that jobs wanted to move, by what became of it."
    );
    counter!(
        "baton_checkpoint_jobs_total",
        "Jobs that were made with a checkpoint."
    );
    gauge!(
        "baton_remote_waiters",
        "Claims of remote workers that wait here for a job."
    );
    counter!("baton_jobs_released_total", "Jobs that became due.");
    counter!(
        "baton_rows_refused_total",
        "Rows that the store refused alone, after the batch they were in was halved; more than none is worth a look."
    );
    counter!(
        "baton_jobs_rescued_total",
        "Jobs taken back from workers that went silent."
    );
    counter!(
        "baton_jobs_expired_total",
        "Jobs that failed because their time had passed."
    );
    counter!(
        "baton_jobs_pruned_total",
        "Finished jobs that were forgotten."
    );
    counter!(
        "baton_counter_drifts_total",
        "Counters that had to be repaired; more than none is worth a look."
    );
    gauge!(
        "baton_hints_open",
        "1 if hints are to be had on this node; 0 while jobs are claimed from the database."
    );
    counter!(
        "baton_hints_rebuilt_total",
        "Generations of hints that were built."
    );
    counter!(
        "baton_hints_again_total",
        "Jobs that were hinted at again because their hint was lost."
    );
    counter!(
        "baton_routine_failures_total",
        "Turns of routines that failed."
    );
    histogram!(
        "baton_routine_turn_seconds",
        "How long the turns of a routine took."
    );
    counter!(
        "baton_campaign_chunks_total",
        "Chunks of audiences that were expanded."
    );
    counter!(
        "baton_campaign_recipients_total",
        "Recipients that campaigns were expanded to."
    );
    counter!(
        "baton_schedule_fires_total",
        "Jobs that schedules have enqueued."
    );
    histogram!(
        "baton_schedule_delay_seconds",
        "How long after its moment a schedule fired."
    );
    counter!(
        "baton_schedule_missed_total",
        "Moments of schedules for which no job was enqueued, because they had passed."
    );
    histogram!(
        "baton_commit_group_size",
        "Writes that shared one commit of SQLite."
    );
    gauge!("baton_connections", "Open HTTP connections.");
    counter!(
        "baton_connections_refused_total",
        "HTTP connections that were refused because a limit was reached."
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_told_without_the_file_it_comes_from() {
        let line = "{\"message\":\"m\",\"log.file\":\"/home/x/.cargo/a.rs\",\"log.line\":3}\n";

        assert_eq!(without_path(line), "{\"message\":\"m\",\"log.line\":3}\n");
        assert_eq!(
            without_path("{\"message\":\"m\"}\n"),
            "{\"message\":\"m\"}\n"
        );
    }
}
