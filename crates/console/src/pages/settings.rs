//! Settings: what holds in this process and who said so, and what it finds when it looks at itself.

use askama::Template;
use axum::response::Response;
use baton_domain::access::Permission;

use crate::{
    Console,
    about::{Finding, Mark, Origin, Setting, SettingValue},
    errors::PageError,
    shell::Shell,
};

/// Shows the settings and the findings.
pub async fn show(console: Console, shell: Shell) -> Response {
    // No use case of the engine lies behind this page, so it asks by itself.
    if !console.engine.may(Permission::Operate) {
        return shell.trouble(&PageError::denied(&shell.actor.name));
    }
    let about = &console.about;
    let findings = match &about.examiner {
        Some(examiner) => examiner.examine().await,
        None => Vec::new(),
    };
    shell.page(&SettingsPage {
        database: shell.glance.health.store,
        findings: findings.into_iter().map(FindingRow::new).collect(),
        sections: sections(&about.settings),
        shell: &shell,
    })
}

#[derive(Template)]
#[template(path = "rooms/settings.html")]
struct SettingsPage<'a> {
    shell: &'a Shell,
    database: &'static str,
    findings: Vec<FindingRow>,
    sections: Vec<Section<'a>>,
}

struct FindingRow {
    mark: &'static str,
    glyph: &'static str,
    subject: String,
    message: String,
}

impl FindingRow {
    fn new(finding: Finding) -> Self {
        let (mark, glyph) = match finding.mark {
            Mark::Good => (key!("good"), "✓"),
            Mark::Odd => (key!("odd"), "▲"),
            Mark::Bad => (key!("bad"), "✕"),
        };
        Self {
            mark,
            glyph,
            subject: finding.subject,
            message: finding.message,
        }
    }
}

/// The settings of one heading of the file.
struct Section<'a> {
    name: &'a str,
    rows: Vec<SettingRow<'a>>,
}

struct SettingRow<'a> {
    /// The whole name.
    id: &'a str,
    /// The name below the section.
    name: &'a str,
    /// `None` for a secret.
    value: Option<&'a str>,
    origin: String,
    is_default: bool,
}

fn origin(origin: &Origin) -> String {
    match origin {
        Origin::Default => tr!("default").to_owned(),
        Origin::File(path) => tr!("file {path}", path = path),
        Origin::Environment(name) => tr!("environment {name}", name = name),
        Origin::CommandLine(flag) => tr!("command line {flag}", flag = flag),
    }
}

fn sections(settings: &[Setting]) -> Vec<Section<'_>> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    for setting in settings {
        let (section, name) = setting.name.split_once('.').unwrap_or(("", &setting.name));
        let row = SettingRow {
            id: &setting.name,
            name,
            value: match &setting.value {
                SettingValue::Shown(text) => Some(text),
                SettingValue::Secret => None,
            },
            origin: origin(&setting.origin),
            is_default: setting.origin == Origin::Default,
        };
        match sections.last_mut().filter(|last| last.name == section) {
            Some(last) => last.rows.push(row),
            None => sections.push(Section {
                name: section,
                rows: vec![row],
            }),
        }
    }
    sections
}
