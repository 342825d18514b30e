//! Events: what has happened, the newest first, by type, object and queue.

use askama::Template;
use axum::{extract::Query, response::Response};
use baton_domain::event::Event;
use baton_ports::store::EventFilter;
use serde::Deserialize;

use super::{event::EventLine, search::encode};
use crate::{
    Console,
    errors::PageError,
    overview_cache::{OverviewSnapshot, with_timeout},
    shell::Shell,
    view::Markup,
};

/// How many events a page shows.
const ROWS: usize = 50;
/// How many are looked through at a time.
const WINDOW: u32 = 1_000;
/// How often, before the page says how far it has looked.
const WINDOWS: usize = 5;
/// How many newer ones are counted.
const COUNTED: u32 = 50;

/// What is looked for, and before which number.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct EventsQuery {
    r#type: String,
    subject: String,
    queue: String,
    before: String,
}

impl EventsQuery {
    fn filter(&self) -> EventFilter {
        // No text of the store holds a NUL, and some databases refuse to be asked for one.
        let given = |text: &str| {
            let text = text.trim().replace('\0', "");
            Some(text).filter(|text| !text.is_empty())
        };
        EventFilter {
            types: given(&self.r#type).into_iter().collect(),
            subject: given(&self.subject),
            queue: given(&self.queue),
        }
    }

    fn query(&self, before: &str) -> String {
        let [kind, subject, queue] =
            [&self.r#type, &self.subject, &self.queue].map(|text| encode(text.trim()));
        format!("type={kind}&subject={subject}&queue={queue}&before={before}")
    }

    fn path(&self, before: &str) -> String {
        format!("/events?{}", self.query(before))
    }
}

/// Shows the events.
pub async fn show(console: Console, shell: Shell, Query(wanted): Query<EventsQuery>) -> Response {
    match load(&console, &wanted).await {
        Ok(found) => {
            let root = &shell.root;
            let subjects = found.events.iter().map(|event| event.subject.as_str());
            let names = console.overviews.names_of(subjects).await;
            let events = found.events.into_iter();
            shell.page(&EventsPage {
                live: wanted.query(""),
                lines: Markup::of(&Lines {
                    lines: events
                        .map(|event| EventLine::new(event, &names, root, shell.now))
                        .collect(),
                }),
                newest: root.href(&wanted.path("")),
                older: found
                    .before
                    .map(|before| root.href(&wanted.path(&before.to_string()))),
                is_newest: wanted.before.is_empty(),
                seen: found.newest,
                wanted,
                shell: &shell,
            })
        }
        Err(trouble) => shell.trouble(&trouble),
    }
}

struct Found {
    /// The newest first.
    events: Vec<Event>,
    /// Before which number an older page begins, if there may be one.
    before: Option<i64>,
    /// The last number there was.
    newest: i64,
}

/// Looks backwards, a window at a time: the feed itself can be read forwards only.
async fn load(console: &Console, wanted: &EventsQuery) -> Result<Found, PageError> {
    let bounds = with_timeout(console.engine.event_bounds()).await?;
    let filter = wanted.filter();
    let mut before = match wanted.before.trim() {
        "" => bounds.last + 1,
        text => text.parse::<i64>().map_err(|_| {
            let detail = tr!(
                "{text} is not the number of an event.",
                text = format!("{text:?}")
            );
            PageError::refused(detail, tr!("Begin at the newest."))
        })?,
    };
    before = before.clamp(bounds.first, bounds.last + 1);
    let mut events = Vec::new();
    for _ in 0..WINDOWS {
        let from = (before - i64::from(WINDOW)).max(bounds.first);
        let mut window = window(console, &filter, from, before).await?;
        window.reverse();
        events.extend(window);
        before = from;
        if events.len() >= ROWS || from == bounds.first {
            break;
        }
    }
    if events.len() > ROWS {
        events.truncate(ROWS);
        before = events.last().map_or(before, |event| event.id.seq);
    }
    Ok(Found {
        before: (before > bounds.first).then_some(before),
        newest: bounds.last,
        events,
    })
}

/// What happened from one number up to another one, in order.
async fn window(
    console: &Console,
    filter: &EventFilter,
    from: i64,
    before: i64,
) -> Result<Vec<Event>, PageError> {
    let mut found = Vec::new();
    let mut after = from - 1;
    while after + 1 < before {
        let left = u32::try_from(before - 1 - after).unwrap_or(WINDOW);
        let (events, seen) =
            with_timeout(console.engine.events(after, left.min(WINDOW), filter)).await?;
        found.extend(events.into_iter().filter(|event| event.id.seq < before));
        if seen <= after {
            break;
        }
        after = seen;
    }
    Ok(found)
}

/// How many events that are looked for came after the newest one that the page has seen: `12`, `50+`.
pub async fn fresh(
    console: &Console,
    glance: &OverviewSnapshot,
    wanted: &EventsQuery,
    seen: &mut Option<i64>,
) -> Result<Option<String>, PageError> {
    let last = glance.installation.as_ref().map(|one| one.bounds.last);
    let Some(last) = last else { return Ok(None) };
    let seen = seen.get_or_insert(last);
    if last <= *seen {
        return Ok(None);
    }
    let filter = wanted.filter();
    let found = console.engine.events(*seen, COUNTED, &filter);
    let (events, looked) = with_timeout(found).await?;
    Ok(match events.len() {
        0 => {
            // A look goes so far and no further: the next one goes on behind it.
            *seen = looked;
            None
        }
        all if all >= COUNTED as usize => Some(format!("{all}+")),
        some => Some(some.to_string()),
    })
}

/// What a live page says it looks for.
pub fn watched(kind: &str, subject: &str, queue: &str) -> EventsQuery {
    EventsQuery {
        r#type: kind.to_owned(),
        subject: subject.to_owned(),
        queue: queue.to_owned(),
        before: String::new(),
    }
}

#[derive(Template)]
#[template(path = "rooms/events.html")]
struct EventsPage<'a> {
    shell: &'a Shell,
    wanted: EventsQuery,
    live: String,
    lines: Markup,
    newest: String,
    older: Option<String>,
    is_newest: bool,
    /// The newest event there was when the page was made.
    seen: i64,
}

#[derive(Template)]
#[template(path = "panels/events.html")]
struct Lines {
    lines: Vec<EventLine>,
}
