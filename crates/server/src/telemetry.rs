//! Logs and metrics: where they go and how they look.

mod meanings;

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
/// How long requests and transactions take: few steps, as there are many routes.
const ANSWERS: [f64; 7] = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10.0];
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

/// Gathers the metrics, and gives what writes them: `show` tells first what holds for the moment of asking.
pub fn metrics(show: impl Fn() + Send + Sync + 'static) -> Result<Metrics, Failure> {
    let handle = gathered()?;
    Ok(Metrics::new(move || {
        show();
        handle.render()
    }))
}

/// The same for who has no API.
pub fn gathered() -> Result<PrometheusHandle, Failure> {
    let handle = recorder().map_err(|error| {
        Failure::new(format!("the metrics cannot be gathered: {error}"))
            .then("This is a mistake of Baton's own; please report it.")
    })?;
    meanings::describe();
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
        .set_buckets_for_metric(
            Matcher::Full("baton_http_request_seconds".to_owned()),
            &ANSWERS,
        )?
        .set_buckets_for_metric(Matcher::Full("baton_store_seconds".to_owned()), &ANSWERS)?
        .set_buckets_for_metric(
            Matcher::Full("baton_provider_request_seconds".to_owned()),
            &ANSWERS,
        )?
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)?
        .set_buckets_for_metric(Matcher::Suffix("_batch_size".to_owned()), &SIZES)?
        .install_recorder()
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
