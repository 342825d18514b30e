//! The table of allowed arrows, and of who may name a heavy third party.

use super::manifest::Manifest;

/// A crate and the crates right below it. It may name these and whatever lies below them.
const ARROWS: &[(&str, &[&str])] = &[
    (
        SERVER,
        &[
            "baton-api",
            "baton-console",
            "baton-engine",
            "baton-sql",
            "baton-redis",
            "baton-remote",
            "baton-providers",
            "baton-worker",
            "baton-client",
            "baton-faults",
        ],
    ),
    ("baton-api", &["baton-engine", "baton-protocol"]),
    ("baton-console", &["baton-engine", "baton-protocol"]),
    ("baton-client", &["baton-protocol"]),
    ("baton-engine", &["baton-ports"]),
    ("baton-worker", &["baton-ports"]),
    ("baton-sql", &["baton-ports"]),
    ("baton-redis", &["baton-ports"]),
    ("baton-remote", &["baton-client", "baton-ports"]),
    ("baton-sdk", &["baton-remote", "baton-worker"]),
    ("baton-providers", &["baton-ports"]),
    ("baton-ports", &["baton-domain"]),
    ("baton-protocol", &["baton-domain"]),
    ("baton-domain", &[]),
    ("baton-lab", &[]),
    ("baton-faults", &["baton-client", "baton-lab"]),
    // Tests only: a model of leases, for a checker.
    ("baton-model", &[]),
    // Tests only: the engine, its workers, and those far away, together in virtual time.
    (
        "baton-simulation",
        &["baton-api", "baton-engine", "baton-remote", "baton-worker"],
    ),
    // Tests only: the lab's servers, and a browser.
    (TESTKIT, &["baton-lab"]),
];

const SERVER: &str = "baton";
const TESTKIT: &str = "baton-testkit";

/// A third party and the only crates that may name it. Tests are free to use any.
const THIRD_PARTIES: &[(&[&str], &[&str])] = &[
    (
        &[
            "rusqlite",
            "tokio-postgres",
            "tokio-postgres-rustls",
            "deadpool-postgres",
        ],
        &["baton-sql"],
    ),
    (&["redis"], &["baton-redis"]),
    (&["stateright"], &["baton-model"]),
    (&["reqwest"], &["baton-client"]),
    (
        &["opentelemetry-proto", "prost"],
        &["baton-providers", TESTKIT],
    ),
    (&["opentelemetry"], &["baton-sdk"]),
    // The lab has a service of a user's own, which a worker posts to.
    (
        &["axum"],
        &["baton-api", "baton-console", "baton-faults", SERVER],
    ),
    // Options and scenarios of a run are words of the command line.
    (&["clap"], &["baton-faults", SERVER]),
    (
        &["clap_complete", "comfy-table", "indicatif", "rpassword"],
        &[SERVER],
    ),
];

/// One sentence for each rule that is broken.
pub fn violations(manifests: &[Manifest]) -> Vec<String> {
    manifests.iter().flat_map(violations_of).collect()
}

fn violations_of(manifest: &Manifest) -> Vec<String> {
    let package = manifest.package.as_str();
    if arrows_of(package).is_none() {
        return vec![format!(
            "{package} is not in the table of arrows: \
             add it to crates/testkit/tests/it/architecture/rules.rs"
        )];
    }
    let shipped = manifest
        .dependencies
        .iter()
        .filter(|name| is_ours(name) && !lies_below(name, package));
    let tested = manifest
        .dev_dependencies
        .iter()
        .filter(|name| is_ours(name) && *name != package && !tests_may_name(name, package));
    let upward = shipped
        .chain(tested)
        .map(|name| format!("{package} must not depend on {name}: it lies beside or above it"));
    let foreign = manifest
        .dependencies
        .iter()
        .filter_map(|name| foreign_violation(name, package));
    upward.chain(foreign).collect()
}

fn arrows_of(package: &str) -> Option<&'static [&'static str]> {
    ARROWS
        .iter()
        .find(|(from, _)| *from == package)
        .map(|(_, to)| *to)
}

fn is_ours(name: &str) -> bool {
    name == SERVER || name.starts_with("baton-")
}

fn lies_below(name: &str, package: &str) -> bool {
    arrows_of(package)
        .unwrap_or_default()
        .iter()
        .any(|next| *next == name || lies_below(name, next))
}

fn tests_may_name(name: &str, package: &str) -> bool {
    name == TESTKIT || lies_below(name, package)
}

fn foreign_violation(name: &str, package: &str) -> Option<String> {
    let (_, allowed) = THIRD_PARTIES
        .iter()
        .find(|(names, _)| names.contains(&name))?;
    if allowed.contains(&package) {
        return None;
    }
    Some(format!(
        "{package} must not depend on {name}: only {} may",
        listed(allowed)
    ))
}

/// `api, console and server`.
fn listed(packages: &[&str]) -> String {
    let words: Vec<&str> = packages.iter().map(|package| word(package)).collect();
    match words.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => "nobody".to_owned(),
    }
}

fn word(package: &str) -> &str {
    if package == SERVER {
        "server"
    } else {
        package.trim_start_matches("baton-")
    }
}
