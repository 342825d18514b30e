//! What is written: a table for people, one document or a line for each workload for programs.

use serde::Serialize;
use serde_json::{Value, json};

use crate::output::Output;

use super::{figure::Figure, machine, rig::config_for, session::Session};

/// Says what is going to be measured on.
pub fn announce(session: &Session<'_>) {
    let machine = &session.machine;
    let cpu = machine.cpu.as_deref().unwrap_or("unknown processor");
    let load = machine
        .load
        .map_or_else(String::new, |load| format!(", load {load}"));
    let (cores, os) = (machine.cores, &machine.os);
    session
        .output
        .say(format!("{cores} cores, {cpu}, {os}{load}"));
    session
        .output
        .say(format!("{}: {}", session.store(), settings(session)));
}

/// What decides most of what a commit costs.
fn settings(session: &Session<'_>) -> String {
    let of_interest = [
        "server_version",
        "version",
        "fsync",
        "synchronous_commit",
        "synchronous",
        "shared_buffers",
    ];
    let settings = session.settings.iter();
    let settings = settings.filter(|(name, _)| of_interest.contains(&name.as_str()));
    let settings: Vec<_> = settings
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    settings.join(", ")
}

/// One workload in the form of the peers' drivers.
#[derive(Serialize)]
struct ReportRow<'a> {
    peer: &'static str,
    store: &'a str,
    #[serde(flatten)]
    figure: Figure,
}

/// Writes one workload in the form of the peers' drivers.
pub fn line(figure: &Figure, store: &str, output: &Output) {
    let load = machine::load().map_or_else(String::new, |load| format!(" load1={load:.1}"));
    let notes = format!("{}{load}", figure.notes);
    output.json(&ReportRow {
        peer: "baton",
        store,
        figure: figure.clone().note(notes.trim()),
    });
}

/// Shows a person one figure as it is found.
pub fn glance(figure: &Figure, output: &Output) {
    let name = format!("{} ({})", figure.workload, figure.concurrency);
    let ratio = figure.ratio.map(|ratio| format!("  {ratio}"));
    output.say(format!("{name:<28} {figure}{}", ratio.unwrap_or_default()));
}

/// Everything, at the end.
pub fn show(session: &Session<'_>) {
    if session.output.is_json() {
        session.output.json(&document(session));
    } else if !session.args.lines {
        table(session);
    }
}

/// What was found before a failure.
pub fn show_part(session: &Session<'_>) {
    if !session.figures.is_empty() && !session.output.is_json() {
        show(session);
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
        "machine": session.machine,
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
    vec![
        figure.measurement.to_owned(),
        figure.workload.clone(),
        figure.concurrency.to_string(),
        figure.n.to_string(),
        figure.to_string(),
        latency.unwrap_or_default(),
        figure
            .ratio
            .map(|ratio| ratio.to_string())
            .unwrap_or_default(),
        figure.notes.clone(),
    ]
}
