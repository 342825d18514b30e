//! Whether the process lives, and whether it can do its work.

use axum::{
    Extension, Json as Reply,
    http::{
        StatusCode,
        header::{CONTENT_TYPE, RETRY_AFTER},
    },
    response::{IntoResponse, Response},
};
use baton_domain::{Timestamp, time::SignedDuration};
use baton_engine::{ClockStep, Health, HintHealth, HintState, RoutineHealth, Schema, Unreadable};
use baton_protocol::{
    Problem, ProblemKind,
    health::{Alive, Component, NotReady, Readiness, Routine},
    problem::MEDIA_TYPE,
};

use crate::{Api, layers::RequestId};

/// What strangers are told of a turn that failed.
const FAILED: &str = "a turn failed; the log says why";

/// Is the process alive?
///
/// Asks nobody: restarting a process does not repair its database.
#[utoipa::path(
    get, path = "/healthz", tag = "health",
    responses((status = 200, description = "It is.", body = Alive))
)]
pub async fn alive() -> Reply<Alive> {
    Reply(Alive {
        status: "alive".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    })
}

/// Can the server do its work?
///
/// Looks at the database, at whether the server is stopping, and at its routines.
#[utoipa::path(
    get, path = "/readyz", tag = "health",
    responses(
        (status = 200, description = "It can.", body = Readiness),
        (status = 503, description = "`not-ready`: a problem that also says which part is not.",
            body = NotReady, content_type = "application/problem+json"),
    )
)]
pub async fn ready(api: Api, Extension(id): Extension<RequestId>) -> Response {
    let health = api.engine.health().await;
    if let Some(error) = &health.store_error {
        tracing::warn!(error, "the store does not answer: {error}");
    }
    let readiness = readiness(&health, api.engine.now());
    if readiness.ready {
        Reply(readiness).into_response()
    } else {
        not_ready(readiness, id)
    }
}

fn readiness(health: &Health, now: Timestamp) -> Readiness {
    let components: Vec<_> = [store(health), server(health)]
        .into_iter()
        .chain(health.schema.as_ref().map(schema))
        .chain(unreadable(&health.unreadable))
        .chain(health.clock_step.map(clock))
        .chain(health.hints.as_ref().map(hints))
        .collect();
    let routines: Vec<_> = health
        .routines
        .iter()
        .map(|routine| shown(routine, now))
        .collect();
    Readiness {
        ready: health.is_ready() && routines.iter().all(|routine| routine.ready),
        components,
        routines,
    }
}

fn store(health: &Health) -> Component {
    let detail = match &health.store_error {
        None => format!("{} answers", health.store),
        // Why is for the log: an error of a database quotes what it likes.
        Some(_) => format!("{} does not answer", health.store),
    };
    Component {
        name: "store".to_owned(),
        ready: health.store_error.is_none(),
        detail,
    }
}

fn server(health: &Health) -> Component {
    let detail = match &health.death {
        // How it died is for the log: a panic may quote anything.
        Some(death) => format!("the {} has died, so the process ends", death.name),
        None if health.draining => "stopping".to_owned(),
        None => "serving".to_owned(),
    };
    Component {
        name: "server".to_owned(),
        ready: !health.draining && health.death.is_none(),
        detail,
    }
}

/// A newer schema is none the worse for an older program, down to the line that its steps draw.
fn schema(schema: &Schema) -> Component {
    let standing = format!(
        "is of generation {}, this program of {}",
        schema.generation, schema.program
    );
    let detail = if schema.oldest > schema.program {
        let oldest = schema.oldest;
        format!("{standing}, and it needs {oldest} or newer: stop this one, start the newer")
    } else if !schema.pending.is_empty() {
        let pending = schema.pending.join(", ");
        format!("{standing}, and lacks {pending}: run `baton migrate`")
    } else if !schema.newer.is_empty() {
        format!("{standing}, which may run on it")
    } else {
        standing
    };
    Component {
        name: "schema".to_owned(),
        ready: schema.is_fit(),
        detail,
    }
}

/// Rows that cannot be read are passed over; it is no reason to send requests elsewhere.
fn unreadable(rows: &[Unreadable]) -> Option<Component> {
    let first = rows.first()?;
    let (count, table, row) = (rows.len(), first.table, &first.row);
    let by_table = Unreadable::by_table(rows);
    Some(Component {
        name: "rows".to_owned(),
        ready: true,
        detail: format!(
            "{count} cannot be read and are passed over: {by_table}, such as {row} of {table}; the log names each"
        ),
    })
}

/// A step of the clock is followed; it is no reason to send requests elsewhere.
fn clock(step: ClockStep) -> Component {
    let direction = if step.by.is_negative() {
        "back"
    } else {
        "forward"
    };
    let (by, ago) = (step.by.unsigned_abs(), step.ago.as_secs());
    let by = SignedDuration::from_secs(by.as_secs().cast_signed());
    Component {
        name: "clock".to_owned(),
        ready: true,
        detail: format!(
            "the database's clock was put {direction} by {by:#}, {ago} s ago; it is followed"
        ),
    }
}

/// How the hints are. Jobs are claimed from the database without them, so it is no reason to send
/// requests elsewhere.
fn hints(hints: &HintHealth) -> Component {
    let detail = match &hints.state {
        HintState::Open => "hints are to be had".to_owned(),
        HintState::Building => {
            "hints are being built anew; jobs are claimed from the database".to_owned()
        }
        // Why is for the log.
        HintState::Away(_) => {
            "hints are not to be had; jobs are claimed from the database".to_owned()
        }
    };
    Component {
        name: hints.kind.to_owned(),
        ready: hints.state == HintState::Open,
        detail,
    }
}

fn shown(routine: &RoutineHealth, now: Timestamp) -> Routine {
    Routine {
        name: routine.name.to_owned(),
        duty: routine.duty.to_owned(),
        state: routine.state.as_str().to_owned(),
        ready: routine.makes_progress(now),
        turns: routine.turns,
        last_turn_at: routine.last_turn_at,
        failures: routine.failures,
        // So is why.
        last_error: routine.last_error.as_ref().map(|_| FAILED.to_owned()),
    }
}

fn not_ready(readiness: Readiness, id: RequestId) -> Response {
    let failing: Vec<_> = readiness
        .components
        .iter()
        .filter(|component| !component.ready)
        .map(|component| component.name.as_str())
        .chain(
            readiness
                .routines
                .iter()
                .filter(|routine| !routine.ready)
                .map(|routine| routine.name.as_str()),
        )
        .collect();
    let problem = Problem {
        instance: Some("/readyz".to_owned()),
        request_id: Some(id.0),
        ..ProblemKind::NotReady.because(format!("Not as it should be: {}.", failing.join(", ")))
    };
    let headers = [(CONTENT_TYPE, MEDIA_TYPE), (RETRY_AFTER, "1")];
    let body = Reply(NotReady { problem, readiness });
    (StatusCode::SERVICE_UNAVAILABLE, headers, body).into_response()
}
