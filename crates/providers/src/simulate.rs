//! Pretends to do work: for demonstrations, load and fault tests.

use std::time::Duration;

use async_trait::async_trait;
use baton_domain::job::{AttemptCounters, Class, FieldError, Verdict};
use baton_ports::{Call, Handler, Watchdog};
use serde::Deserialize;

use crate::payload::Fields;

/// What a simulation may do.
#[derive(Debug, Clone, Default)]
pub struct SimulateConfig {
    /// Whether a payload may end the whole process; for fault tests only.
    pub allow_crash: bool,
    /// Whom to tell which loop of the process is to break.
    pub watchdog: Watchdog,
}

/// Does the work of kind `simulate`: sleeps, then fails or succeeds as its payload says.
#[derive(Debug)]
pub struct SimulateHandler {
    config: SimulateConfig,
}

impl SimulateHandler {
    /// A handler that may do what `config` says.
    #[must_use]
    pub const fn new(config: SimulateConfig) -> Self {
        Self { config }
    }

    fn read(&self, payload: &str) -> Result<Simulation, Vec<FieldError>> {
        let mut fields = Fields::read(payload)?;
        let sleep: Option<u64> = fields.take(
            "sleep_ms",
            "must be a whole number of milliseconds, 0 or more",
        );
        let fail_times = fields.take("fail_times", "must be a whole number, 0 or more");
        let error = fields.take("error", "must be retry, permanent, unknown, crash or panic");
        if matches!(
            error,
            Some(SimulatedFailure::Crash | SimulatedFailure::Panic)
        ) && !self.config.allow_crash
        {
            fields.refuse("error", CRASH_NOT_ALLOWED);
        }
        let end_of: Option<String> = fields.take("loop", "must be the name of a loop");
        if end_of.is_some() && error != Some(SimulatedFailure::Crash) {
            fields.refuse("loop", "says what crashes, so it needs error: crash");
        }
        let simulation = Simulation {
            end_of,
            sleep: Duration::from_millis(sleep.unwrap_or(0)),
            fail_times,
            error,
        };
        fields.finish("sleep_ms, fail_times, error and loop", Some(simulation))
    }
}

const CRASH_NOT_ALLOWED: &str = "crash ends the whole worker, panic breaks its handler, and this server does not allow it; to allow it, set allow_crash";

#[async_trait]
impl Handler for SimulateHandler {
    fn kind(&self) -> &'static str {
        "simulate"
    }

    fn check(&self, payload: &str) -> Result<(), Vec<FieldError>> {
        self.read(payload).map(drop)
    }

    async fn run(&self, call: Call) -> Verdict {
        let simulation = match self.read(&call.args.payload) {
            Ok(simulation) => simulation,
            Err(errors) => return crate::payload::refusal(&errors),
        };
        // Nothing leaves the process, so a cancel is honoured at once, at any moment.
        tokio::select! {
            biased;
            () = call.cancel.cancelled() => return Verdict::Canceled,
            () = tokio::time::sleep(simulation.sleep) => {}
        }
        match simulation.mishap(call.counters) {
            None => Verdict::Accepted { result: None },
            Some(mishap) => {
                if let Some(name) = &simulation.end_of {
                    self.config.watchdog.doom(name);
                    return Verdict::failed(Class::Retry, "simulated", "a loop was told to break");
                }
                mishap.happen()
            }
        }
    }
}

#[derive(Debug)]
struct Simulation {
    /// The loop that crashes instead of the process.
    end_of: Option<String>,
    sleep: Duration,
    fail_times: Option<u32>,
    error: Option<SimulatedFailure>,
}

impl Simulation {
    /// What goes wrong in this attempt: an error without a count goes wrong each time.
    fn mishap(&self, counters: AttemptCounters) -> Option<SimulatedFailure> {
        let times = match (self.fail_times, self.error) {
            (Some(times), _) => times,
            (None, Some(_)) => u32::MAX,
            (None, None) => 0,
        };
        // A crashed attempt is a loss and not a try, so the two together number the attempts of a run.
        let attempt = counters.tries.saturating_add(counters.losses);
        (attempt <= times).then(|| self.error.unwrap_or(SimulatedFailure::Retry))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SimulatedFailure {
    Retry,
    Permanent,
    Unknown,
    Crash,
    Panic,
}

impl SimulatedFailure {
    fn happen(self) -> Verdict {
        let class = match self {
            Self::Retry => Class::Retry,
            Self::Permanent => Class::Permanent,
            Self::Unknown => Class::Unknown,
            Self::Crash => std::process::abort(),
            Self::Panic => std::panic::panic_any("the payload asked for this panic"),
        };
        Verdict::failed(class, "simulated", "the payload asked for this failure")
    }
}
