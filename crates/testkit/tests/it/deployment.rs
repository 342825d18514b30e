//! What is deployed beside the program: alerts that can be followed, about metrics that there are.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::Value;

/// A file of the repository.
fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join(path)).unwrap()
}

/// The words of a text that begin so.
fn words<'a>(text: &'a str, begin: &str) -> BTreeSet<&'a str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = text.split(|c: char| !is_part(c));
    words.filter(|word| word.starts_with(begin)).collect()
}

#[test]
fn each_alert_has_a_runbook_and_each_runbook_an_alert() {
    let rules = read("deploy/baton.rules.yml");
    let runbooks = read("docs/operations/alerts.md");
    let alerts = alerts(&rules);

    let told: BTreeSet<_> = runbooks
        .lines()
        .filter_map(|line| line.strip_prefix("## "))
        .collect();

    assert!(alerts.len() > 10, "{alerts:?}");
    assert_eq!(alerts, told);
    for alert in alerts {
        let link = format!("alerts.md#{}", alert.to_lowercase());
        assert!(rules.contains(&link), "no rule leads to {link}");
    }
}

/// The names of the alerts.
fn alerts(rules: &str) -> BTreeSet<&str> {
    let lines = rules.lines();
    let alerts = lines.filter_map(|line| line.trim().strip_prefix("- alert: "));
    alerts.collect()
}

/// What histograms have beside their name.
const PARTS: [&str; 3] = ["_bucket", "_sum", "_count"];

/// The files that describe the metrics.
fn described() -> String {
    let files = [
        "crates/server/src/telemetry/meanings.rs",
        "crates/worker/src/telemetry.rs",
    ];
    files.into_iter().map(read).collect()
}

/// The expressions of a dashboard, those of its variables and annotations as well.
fn expressions(part: &Value) -> String {
    match part {
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| match value {
                Value::String(text) if name == "expr" || name == "query" => format!("{text}\n"),
                value => expressions(value),
            })
            .collect(),
        Value::Array(parts) => parts.iter().map(expressions).collect(),
        _ => String::new(),
    }
}

#[test]
fn each_metric_of_the_dashboard_is_one_that_is_described() {
    let dashboard: Value = serde_json::from_str(&read("deploy/grafana/baton.json")).unwrap();
    let described = described();

    let expressions = expressions(&dashboard);
    let asked = words(&expressions, "baton_");

    assert!(asked.len() > 20, "{asked:?}");
    for metric in asked {
        let whole = PARTS.iter().find_map(|part| metric.strip_suffix(part));
        let names = [Some(metric), whole].into_iter().flatten();
        let is_described = names
            .map(|name| format!("\"{name}\""))
            .any(|name| described.contains(&name));
        assert!(is_described, "{metric} is no metric of Baton's");
    }
}

#[test]
fn each_state_that_the_dashboard_asks_for_is_one_that_is_measured() {
    let dashboard = read("deploy/grafana/baton.json");
    let measured = read("crates/engine/src/routines/gauges.rs");

    let states: BTreeSet<_> = dashboard
        .split("state=~\\\"")
        .skip(1)
        .filter_map(|rest| rest.split('\\').next())
        .flat_map(|states| states.split('|'))
        .collect();

    assert_eq!(states.len(), 6, "{states:?}");
    for state in states {
        assert!(measured.contains(&format!("\"{state}\"")), "{state}");
    }
}

#[test]
fn containers_and_kubernetes_run_the_user_that_the_image_has() {
    let image = read("deploy/Dockerfile");
    let deployment = read("deploy/kubernetes/baton.yaml");

    let user = image.lines().find_map(|line| line.strip_prefix("USER "));

    let (user, group) = user.unwrap().split_once(':').unwrap();
    assert!(deployment.contains(&format!("runAsUser: {user}\n")));
    assert!(deployment.contains(&format!("runAsGroup: {group}\n")));
    assert!(image.contains(&format!("--uid {user} ")));
}

#[test]
fn each_setting_of_the_containers_is_one_that_there_is() {
    let page = read("docs/operations/configuration.md");
    let files = ["deploy/Dockerfile", "deploy/compose.yaml"];
    let files: String = files.into_iter().map(read).collect();

    let mut settings = words(&files, "BATON_");
    // Of the compose file itself.
    assert!(settings.remove("BATON_DATABASE_PASSWORD"));

    assert!(settings.len() > 5, "{settings:?}");
    for setting in settings {
        assert!(page.contains(&format!("`{setting}`")), "{setting}");
    }
}

#[test]
fn what_containers_probe_is_what_a_server_answers() {
    let routes = read("crates/api/src/routes/health.rs");
    let files = ["deploy/kubernetes/baton.yaml", "deploy/compose/Caddyfile"];
    let files: String = files.into_iter().map(read).collect();

    let probed: BTreeSet<_> = files
        .split_whitespace()
        .filter(|word| word.starts_with('/') && word.ends_with('z'))
        .collect();

    assert_eq!(probed, BTreeSet::from(["/healthz", "/readyz"]));
    for path in probed {
        assert!(routes.contains(&format!("path = \"{path}\"")), "{path}");
    }
}

#[test]
fn each_metric_of_a_rule_is_one_that_is_described() {
    let rules = read("deploy/baton.rules.yml");
    let described = described();
    let expressions: String = rules
        .lines()
        .filter(|line| line.trim().starts_with("expr: "))
        .collect();

    let asked = words(&expressions, "baton_");

    assert!(asked.len() > 10, "{asked:?}");
    for metric in asked {
        let is_described = described.contains(&format!("\"{metric}\""));
        assert!(is_described, "{metric} is no metric of Baton's");
    }
}

#[test]
fn each_alert_is_tried_with_what_it_fires_at() {
    let rules = read("deploy/baton.rules.yml");
    let tried = read("deploy/baton.rules.test.yml");

    let alerts = alerts(&rules);
    let fired = tried
        .split("alertname: ")
        .skip(1)
        .filter(|test| test.contains("exp_labels"));
    let fired: BTreeSet<_> = fired.filter_map(|test| test.lines().next()).collect();

    assert_eq!(fired, alerts);
}

#[test]
fn the_unit_starts_the_server_with_settings_that_there_are() {
    let unit = read("deploy/baton.service");
    let command_line = read("crates/server/src/cli/serving.rs");
    let start = unit
        .lines()
        .find(|line| line.starts_with("ExecStart="))
        .unwrap();

    let flags: Vec<_> = start
        .split(' ')
        .filter_map(|word| word.strip_prefix("--"))
        .collect();

    assert!(!flags.is_empty());
    for flag in flags {
        let field = format!("pub {}:", flag.replace('-', "_"));
        assert!(command_line.contains(&field), "--{flag} is no setting");
    }
}
