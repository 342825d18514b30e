//! Activity: who did what to what, the newest first.

use std::collections::BTreeSet;

use askama::Template;
use axum::{extract::Query, response::Response};
use baton_domain::{
    Timestamp,
    access::{Permission, Principal},
    audit::{AuditAction, AuditEntry, AuditFilter},
    page::{Page, PageRequest},
};
use serde::Deserialize;
use serde_json::Value;

use super::search::encode;
use crate::{
    Console,
    errors::PageError,
    names::{Names, page_of},
    newest_entry::{Place, place_of},
    overview_cache::{OverviewSnapshot, with_timeout},
    root::Root,
    shell::Shell,
    view::{Markup, ago, moment},
};

/// How many entries a page shows.
const ROWS: u32 = 50;

/// What is looked for.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct ActivityQuery {
    by: String,
    action: String,
    object: String,
    /// Not before, and before, as the field of a browser writes moments: in UTC.
    since: String,
    until: String,
    after: String,
}

impl ActivityQuery {
    async fn filter(&self, console: &Console) -> Result<AuditFilter, PageError> {
        let action = given(&self.action).map(|text| text.parse().map_err(refused));
        Ok(AuditFilter {
            principal: match given(&self.by) {
                Some(text) => Some(principal(&text, console).await?),
                None => None,
            },
            action: action.transpose()?,
            object: given(&self.object),
            since: time(&self.since)?,
            until: time(&self.until)?,
        })
    }

    fn page(&self) -> PageRequest {
        PageRequest {
            limit: ROWS,
            after: Some(self.after.clone()).filter(|after| !after.is_empty()),
        }
    }

    fn next(&self, root: &Root, next: &str) -> String {
        let fields = self.fields().into_iter().chain([("after", next)]);
        root.href(&format!("/activity?{}", query(fields)))
    }

    fn fields(&self) -> [(&'static str, &str); 5] {
        [
            ("by", &self.by),
            ("action", &self.action),
            ("object", &self.object),
            ("since", &self.since),
            ("until", &self.until),
        ]
    }
}

fn given(text: &str) -> Option<String> {
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn refused(detail: String) -> PageError {
    PageError::refused(detail, tr!("Leave the field empty to see everything."))
}

/// Whoever has this id, or is called so.
async fn principal(text: &str, console: &Console) -> Result<Principal, PageError> {
    let error = match text.parse() {
        Ok(principal) => return Ok(principal),
        Err(error) => error,
    };
    let called = console.overviews.principals_called(text).await;
    match called.as_slice() {
        [one] => Ok(one.clone()),
        [] => Err(refused(tr!(
            "{text} names nobody: {error}.",
            text = format!("{text:?}"),
            error = error
        ))),
        several => {
            let ids: Vec<_> = several.iter().map(ToString::to_string).collect();
            Err(PageError::refused(
                tr!(
                    "{n} keys are called {text}: {ids}.",
                    n = ids.len(),
                    text = format!("{text:?}"),
                    ids = ids.join(", ")
                ),
                tr!("Give the id of one of them."),
            ))
        }
    }
}

/// A moment, or one without a zone: that is one in UTC.
fn time(text: &str) -> Result<Option<Timestamp>, PageError> {
    let Some(text) = given(text) else {
        return Ok(None);
    };
    let readings = ["", "Z", ":00Z"].map(|rest| format!("{text}{rest}").parse());
    let moment = readings.into_iter().find_map(Result::ok);
    let refusal = || {
        let text = format!("{text:?}");
        refused(tr!("{text} is no moment.", text = text))
    };
    moment.map(Some).ok_or_else(refusal)
}

/// The part of an address that says what is looked for, of what is given.
fn query<'a>(fields: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let fields = fields.into_iter().filter(|(_, text)| !text.is_empty());
    let fields = fields.map(|(name, text)| format!("{name}={}", encode(text)));
    fields.collect::<Vec<_>>().join("&")
}

/// Where the API gives away all that is found, a line each: to keys, for it knows no sessions.
fn export(filter: &AuditFilter) -> String {
    let moment = |at: Option<Timestamp>| at.map(|at| at.to_string());
    let fields = [
        (
            "principal",
            filter.principal.as_ref().map(Principal::to_string),
        ),
        ("action", filter.action.map(|action| action.to_string())),
        ("object", filter.object.clone()),
        ("since", moment(filter.since)),
        ("until", moment(filter.until)),
    ];
    let given = fields
        .iter()
        .filter_map(|(name, text)| Some((*name, text.as_deref()?)));
    format!("/v1/audit/export?{}", query(given))
}

/// A moment as the field of a browser has it.
fn field(at: Option<Timestamp>) -> String {
    let text = at.map(|at| at.to_string()).unwrap_or_default();
    text.chars().take("2026-01-31T18:00".len()).collect()
}

/// Shows the audit log.
pub async fn show(console: Console, shell: Shell, Query(wanted): Query<ActivityQuery>) -> Response {
    let found = async {
        let filter = wanted.filter(&console).await?;
        let found = with_timeout(console.engine.audit_entries(&filter, &wanted.page())).await?;
        let objects = found.items.iter().map(|entry| entry.object.as_str());
        let names = console.overviews.names_of(objects).await;
        let newest = console.newest_entry.look().await?;
        Ok((filter, found, names, newest))
    };
    match found.await {
        Ok((filter, found, names, newest)) => {
            let newest = newest.max(found.items.first().map(place_of));
            let page = page(&shell, &wanted, &filter, found, &names);
            shell.page(&ActivityPage { newest, ..page })
        }
        Err(trouble) => shell.trouble(&trouble),
    }
}

fn page<'a>(
    shell: &'a Shell,
    wanted: &'a ActivityQuery,
    filter: &AuditFilter,
    found: Page<AuditEntry>,
    names: &Names,
) -> ActivityPage<'a> {
    ActivityPage {
        newest: None,
        next: found.next.map(|next| wanted.next(&shell.root, &next)),
        rows: found
            .items
            .into_iter()
            .map(|entry| Row::new(entry, names, &shell.glance, &shell.root))
            .collect(),
        export: export(filter),
        since: field(filter.since),
        until: field(filter.until),
        wanted,
        shell,
    }
}

/// What a page of the log watches for.
pub struct NewEntriesQuery {
    wanted: ActivityQuery,
    /// What is looked for, once that is read.
    filter: Option<AuditFilter>,
    /// Where the newest entry stands that the page has seen.
    seen: Option<Place>,
}

impl NewEntriesQuery {
    /// What a page says that it looks for, and has seen.
    pub fn of(wanted: &ActivityQuery, seen: &str) -> Self {
        let (at, id) = seen.split_once('.').unwrap_or_default();
        let at = at.parse().ok().map(Timestamp::from_micros);
        Self {
            wanted: wanted.clone(),
            filter: None,
            seen: at.zip(id.parse().ok()),
        }
    }

    /// How many entries that are looked for were written since: `12`, `50+`.
    pub async fn fresh(&mut self, console: &Console) -> Result<Option<String>, PageError> {
        if !console.engine.may(Permission::AuditRead) {
            return Ok(None);
        }
        let Some(newest) = console.newest_entry.look().await? else {
            return Ok(None);
        };
        let seen = *self.seen.get_or_insert(newest);
        if newest <= seen {
            return Ok(None);
        }
        let filter = match &self.filter {
            Some(filter) => filter,
            None => self.filter.insert(self.wanted.filter(console).await?),
        };
        let since_then = AuditFilter {
            since: filter.since.max(Some(seen.0)),
            ..filter.clone()
        };
        let page = PageRequest::first(ROWS);
        let found = with_timeout(console.engine.audit_entries(&since_then, &page)).await?;
        let fresh = found.items.iter().filter(|entry| place_of(entry) > seen);
        Ok(match fresh.count() {
            0 => {
                self.seen = Some(newest);
                None
            }
            all if all >= ROWS as usize => Some(format!("{all}+")),
            some => Some(some.to_string()),
        })
    }
}

#[derive(Template)]
#[template(path = "rooms/activity.html")]
struct ActivityPage<'a> {
    shell: &'a Shell,
    wanted: &'a ActivityQuery,
    since: String,
    until: String,
    export: String,
    /// Where the newest entry stood when the page was made.
    newest: Option<Place>,
    rows: Vec<Row>,
    next: Option<String>,
}

impl ActivityPage<'_> {
    /// Which tab it is.
    const fn is_audit(&self) -> bool {
        true
    }

    /// What it watches for.
    fn watched(&self) -> String {
        let seen = self
            .newest
            .map(|(at, id)| format!("{}.{id}", at.as_micros()));
        let fields = self.wanted.fields().into_iter();
        query(fields.chain([("seen", seen.as_deref().unwrap_or_default())]))
    }

    /// The same list from its newest entry on.
    fn begin(&self) -> String {
        let found = query(self.wanted.fields());
        self.shell.root.href(&format!("/activity?{found}"))
    }

    /// Every word that names an action.
    const fn actions(&self) -> [AuditAction; AuditAction::ALL.len()] {
        AuditAction::ALL
    }
}

struct Row {
    id: String,
    at: Markup,
    ago: Markup,
    name: String,
    principal: String,
    action: &'static str,
    object: String,
    /// What that is called.
    shown: Option<String>,
    href: Option<String>,
    change: Option<String>,
    reason: Option<String>,
    count: Option<u64>,
    request_id: Option<String>,
    is_denial: bool,
}

impl Row {
    fn new(entry: AuditEntry, names: &Names, glance: &OverviewSnapshot, root: &Root) -> Self {
        let change = changed(entry.before.as_ref(), entry.after.as_ref());
        Self {
            id: entry.id.to_string(),
            at: moment(entry.at),
            ago: ago(entry.at, glance.at),
            name: entry.name,
            principal: entry.principal.to_string(),
            action: entry.action.as_str(),
            href: page_of(&entry.object).map(|path| root.href(&path)),
            shown: called(&entry.object, names, glance),
            object: entry.object,
            change: Some(change).filter(|change| !change.is_empty()),
            reason: entry.reason,
            count: entry.count,
            request_id: entry.request_id,
            is_denial: entry.action == AuditAction::Denied,
        }
    }
}

/// What something is called, if it has a name: a worker by what it calls itself.
fn called(object: &str, names: &Names, glance: &OverviewSnapshot) -> Option<String> {
    match object.parse() {
        Ok(worker) => Some(glance.name_of(worker)),
        Err(_) => names.known(object).map(str::to_owned),
    }
}

/// What became another, field by field, without what says nothing: `state queued → canceled`.
fn changed(before: Option<&Value>, after: Option<&Value>) -> String {
    let told = |value: Option<&Value>| match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(items)) => {
            let items = items.iter().map(|item| {
                item.as_str()
                    .map_or_else(|| item.to_string(), str::to_owned)
            });
            items.collect::<Vec<_>>().join(", ")
        }
        Some(other) => other.to_string(),
    };
    let fields = |value: Option<&Value>| {
        value
            .and_then(Value::as_object)
            .cloned()
            .unwrap_or_default()
    };
    let (before, after) = (fields(before), fields(after));
    let names: BTreeSet<_> = before.keys().chain(after.keys()).collect();
    let lines = names.into_iter().filter_map(|name| {
        let (was, is) = (told(before.get(name)), told(after.get(name)));
        match (was.is_empty(), is.is_empty()) {
            (true, true) => None,
            (true, false) => Some(format!("{name} {is}")),
            _ if was == is => None,
            (false, true) => Some(tr!("{name} was {before}", name = name, before = was)),
            (false, false) => Some(format!("{name} {was} → {is}")),
        }
    });
    lines.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_change_is_told_field_by_field_without_what_says_nothing() {
        let before = json!({"state": "queued", "name": "a", "rate": 5});
        let after = json!({"state": "canceled", "name": "a", "kinds": [], "allow": ["x", "y"], "end": null});

        let told = changed(Some(&before), Some(&after));

        assert_eq!(told, "allow x, y; rate was 5; state queued → canceled");
        assert_eq!(changed(None, None), "");
    }
}
