//! What is written: a table for people, one document or a line for each workload for programs.

use serde::Serialize;
use serde_json::{Value, json};

use crate::output::Output;

use super::{
    figure::Figure,
    machine::{self, Machine},
    rig::config_for,
    session::Session,
};

/// Says what is going to be measured on.
pub fn announce(session: &Session<'_>) {
    let machine = Machine::here();
    let cpu = machine
        .cpu
        .unwrap_or_else(|| "unknown processor".to_owned());
    let load = machine
        .load
        .map_or_else(String::new, |load| format!(", load {load}"));
    session.output.say(format!(
        "{} cores, {cpu}, {}{load}",
        machine.cores, machine.os
    ));
}

/// One workload in the form of the peers' drivers.
#[derive(Serialize)]
struct Line<'a> {
    peer: &'static str,
    store: &'a str,
    #[serde(flatten)]
    figure: Figure,
}

/// Writes one workload in the form of the peers' drivers.
pub fn line(figure: &Figure, store: &str, output: &Output) {
    let load = machine::load().map_or_else(String::new, |load| format!(" load1={load:.1}"));
    let notes = format!("{}{load}", figure.notes);
    output.json(&Line {
        peer: "baton",
        store,
        figure: figure.clone().note(notes.trim()),
    });
}

/// Everything, at the end.
pub fn show(session: &Session<'_>) {
    if session.output.is_json() {
        session.output.json(&document(session));
    } else if !session.args.lines {
        table(session);
    }
}

fn document(session: &Session<'_>) -> Value {
    let config = config_for(session.args, "");
    let database: serde_json::Map<_, _> = session
        .settings
        .iter()
        .map(|(name, value)| (name.clone(), json!(value)))
        .collect();
    json!({
        "machine": Machine::here(),
        "settings": {
            "baton": env!("CARGO_PKG_VERSION"),
            "store": session.store(),
            "database": database,
            "slots": config.worker.slots,
            "prefetch": session.prefetch,
            "connections": config.database.connections,
            "lease_seconds": config.worker.lease.as_secs(),
        },
        "warnings": session.warnings,
        "measurements": session.figures,
    })
}

fn table(session: &Session<'_>) {
    let of_interest = [
        "server_version",
        "version",
        "fsync",
        "synchronous_commit",
        "synchronous",
        "shared_buffers",
    ];
    let settings: Vec<_> = session
        .settings
        .iter()
        .filter(|(name, _)| of_interest.contains(&name.as_str()))
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    session
        .output
        .say(format!("{}: {}", session.store(), settings.join(", ")));
    let head = [
        "measurement",
        "workload",
        "callers or slots",
        "n",
        "figure",
        "p50 / p99 / max ms",
        "ratio",
        "notes",
    ];
    session
        .output
        .table(&head, session.figures.iter().map(row).collect());
}

fn row(figure: &Figure) -> Vec<String> {
    let latency = figure
        .latency
        .map(|it| format!("{:.2} / {:.2} / {:.2}", it.p50_ms, it.p99_ms, it.max_ms));
    let ratio = figure
        .ratio
        .map(|ratio| format!("{:.2} x {}", ratio.value, ratio.to));
    vec![
        figure.measurement.to_owned(),
        figure.workload.clone(),
        figure.concurrency.to_string(),
        figure.n.to_string(),
        figure.to_string(),
        latency.unwrap_or_default(),
        ratio.unwrap_or_default(),
        figure.notes.clone(),
    ]
}
