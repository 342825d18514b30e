//! The settings that hold, and where each comes from.

use serde_json::json;

use crate::{
    config::{Config, Loaded},
    output::Output,
};

pub fn show(loaded: &Loaded, output: &Output) {
    let settings = flatten(&loaded.config);
    let origin = |name: &str| {
        let origin = loaded.origins.get(name);
        origin.map_or_else(|| "default".to_owned(), ToString::to_string)
    };
    if output.is_json() {
        for (name, value) in settings {
            let from = origin(&name);
            output.json(&json!({"setting": name, "value": value, "from": from}));
        }
        return;
    }
    output.line("");
    let rows = settings.into_iter().map(|(name, value)| {
        let from = origin(&name);
        vec![name, value.to_string(), from]
    });
    output.table(&["setting", "value", "from"], rows.collect());
}

/// Every setting as `section.setting`, secrets hidden.
fn flatten(config: &Config) -> Vec<(String, toml::Value)> {
    let sections = toml::Table::try_from(config).unwrap_or_default();
    let mut settings = Vec::new();
    for (section, values) in sections {
        if let toml::Value::Table(values) = values {
            for (name, value) in values {
                settings.push((format!("{section}.{name}"), value));
            }
        }
    }
    settings
}
