//! Events, a line each.

use baton_domain::{Timestamp, event::Event, job::State};
use serde_json::Value;

use crate::{
    names::{Names, page_of},
    root::Root,
    view::{Markup, ago, badge, count},
};

/// How much of the particulars of an event fits its line, in characters.
const WIDTH: usize = 120;

/// An event on one line.
pub struct EventLine {
    /// Its number, as a name of the row.
    pub seq: i64,
    /// Its number, for people.
    pub number: String,
    /// When.
    pub at: Markup,
    /// What happened.
    pub kind: String,
    /// The state it led to.
    pub badge: Option<Markup>,
    /// To whom.
    pub subject: String,
    /// The same in little space.
    pub short: String,
    /// Where that is shown.
    pub href: Option<String>,
    /// The particulars.
    pub what: String,
}

impl EventLine {
    /// The line of an event.
    pub fn new(event: Event, names: &Names, root: &Root, now: Timestamp) -> Self {
        let href = page_of(&event.subject).map(|path| root.href(&path));
        let to = text(&event.data, "to").and_then(|to| to.parse::<State>().ok());
        Self {
            seq: event.id.seq,
            number: count(event.id.seq.max(0).unsigned_abs()),
            at: ago(event.at, now),
            badge: to.map(badge),
            short: names.of(&event.subject),
            what: particulars(&event.data),
            kind: event.kind,
            subject: event.subject,
            href,
        }
    }
}

/// A text among the particulars.
pub fn text<'a>(data: &'a Value, name: &str) -> Option<&'a str> {
    data.get(name).and_then(Value::as_str)
}

/// A number among the particulars.
pub fn number(data: &Value, name: &str) -> Option<u32> {
    let number = data.get(name).and_then(Value::as_u64)?;
    u32::try_from(number).ok()
}

/// What the badge and the subject do not say already.
fn particulars(data: &Value) -> String {
    let Value::Object(fields) = data else {
        return String::new();
    };
    let told = fields
        .iter()
        .filter(|(name, value)| !matches!(name.as_str(), "to" | "worker") && !value.is_null())
        .map(|(name, value)| match value {
            Value::String(text) => format!("{name} {text}"),
            value => format!("{name} {value}"),
        });
    let line = told.collect::<Vec<_>>().join(" · ");
    match line.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
