//! The settings that hold, and where each comes from.

use baton_console::{Setting, SettingValue};
use serde_json::json;
use toml::Value;

use crate::{
    config::{Config, Loaded, Origin},
    output::Output,
};

/// What stands where a secret is.
const HIDDEN: &str = "(hidden)";

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
fn flatten(config: &Config) -> Vec<(String, Value)> {
    let sections = toml::Table::try_from(config).unwrap_or_default();
    let mut settings = Vec::new();
    for (section, values) in sections {
        if let Value::Table(values) = values {
            for (name, value) in values {
                settings.push((format!("{section}.{name}"), value));
            }
        }
    }
    settings
}

/// Every setting for the console, down to those of each destination and provider.
pub fn told(loaded: &Loaded) -> Vec<Setting> {
    let mut told = Vec::new();
    for (name, value) in flatten(&loaded.config) {
        let origin = origin(loaded.origins.get(&name));
        tell(&name, &value, &origin, &mut told);
    }
    told
}

fn tell(name: &str, value: &Value, origin: &baton_console::Origin, told: &mut Vec<Setting>) {
    match value {
        Value::Table(inner) if !inner.is_empty() => {
            for (key, value) in inner {
                tell(&format!("{name}.{key}"), value, origin, told);
            }
        }
        value => told.push(Setting {
            name: name.to_owned(),
            value: shown(value),
            origin: origin.clone(),
        }),
    }
}

fn shown(value: &Value) -> SettingValue {
    let is_secret = |value: &Value| value.as_str() == Some(HIDDEN);
    match value {
        value if is_secret(value) => SettingValue::Secret,
        Value::Array(items) if items.iter().any(is_secret) => SettingValue::Secret,
        Value::Array(items) => {
            let words: Vec<_> = items.iter().map(text).collect();
            SettingValue::Shown(words.join(", "))
        }
        Value::Table(_) => SettingValue::Shown(String::new()),
        value => SettingValue::Shown(text(value)),
    }
}

fn text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

fn origin(origin: Option<&Origin>) -> baton_console::Origin {
    match origin {
        None => baton_console::Origin::Default,
        Some(Origin::File(path)) => baton_console::Origin::File(path.display().to_string()),
        Some(Origin::Environment(name)) => baton_console::Origin::Environment(name.clone()),
        Some(Origin::Flag(flag)) => baton_console::Origin::CommandLine(flag.clone()),
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, path::PathBuf};

    use super::*;

    const FILE: &str = r#"
[database]
url = "postgres://baton:canary@db/jobs"
password = "canary"
[worker]
slots = 7
[providers.push]
kind = "http"
url = "https://me:canary@push.example/canary?t=canary"
headers = { Authorization = "Bearer canary" }
secret = "whsec_Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5"
[destinations.shop]
url = "https://shop.example/hook"
secret = ["whsec_Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5", "whsec_Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5"]
"#;

    fn loaded() -> Loaded {
        let file = Origin::File(PathBuf::from("baton.toml"));
        let named = ["database.url", "database.password", "providers.push"];
        let mut origins = BTreeMap::from(named.map(|name| (name.to_owned(), file.clone())));
        let flag = Origin::Flag("--slots".to_owned());
        origins.insert("worker.slots".to_owned(), flag);
        Loaded {
            config: FILE.parse().unwrap(),
            origins,
            warnings: Vec::new(),
        }
    }

    fn of<'a>(told: &'a [Setting], name: &str) -> &'a Setting {
        told.iter()
            .find(|setting| setting.name == name)
            .unwrap_or_else(|| panic!("no {name} in {told:?}"))
    }

    #[test]
    fn each_setting_says_who_said_so() {
        let told = told(&loaded());

        let slots = of(&told, "worker.slots");
        let lease = of(&told, "worker.lease");
        let kind = of(&told, "providers.push.kind");
        assert_eq!(slots.value, SettingValue::Shown("7".to_owned()));
        assert_eq!(slots.origin.to_string(), "command line --slots");
        assert_eq!(lease.value, SettingValue::Shown("30s".to_owned()));
        assert_eq!(lease.origin.to_string(), "default");
        assert_eq!(kind.origin.to_string(), "file baton.toml");
    }

    #[test]
    fn of_a_secret_is_told_that_there_is_one_and_nothing_of_it() {
        let told = told(&loaded());

        for name in [
            "database.password",
            "providers.push.headers.Authorization",
            "providers.push.secret",
            "destinations.shop.secret",
        ] {
            assert_eq!(of(&told, name).value, SettingValue::Secret, "{name}");
        }
        let all = format!("{told:?}");
        assert!(!all.contains("canary") && !all.contains("Y2Fu"), "{all}");
    }
}
