//! What is deployed beside the program: alerts that can be followed, about metrics that there are.

use std::{collections::BTreeSet, fs, path::Path};

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
    let alerts: BTreeSet<_> = rules
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- alert: "))
        .collect();

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

#[test]
fn each_metric_of_a_rule_is_one_that_is_described() {
    let rules = read("deploy/baton.rules.yml");
    let described = [
        "crates/server/src/telemetry.rs",
        "crates/worker/src/telemetry.rs",
    ];
    let described: String = described.into_iter().map(read).collect();
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
