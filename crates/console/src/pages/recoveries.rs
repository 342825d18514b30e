//! Recoveries: what the system did by itself, the newest first, what one transaction did to many in one line.

use askama::Template;
use axum::{extract::Query, response::Response};
use baton_domain::{Timestamp, event::Event};

use super::{
    after::After,
    event::{number, text},
};
use crate::{
    Console,
    errors::PageError,
    names::{Names, page_of},
    overview_cache::with_timeout,
    root::Root,
    shell::Shell,
    view::{Markup, ago, count, moment},
};

/// How many transactions a page tells of.
const ROWS: u32 = 50;

/// Shows what the system did by itself.
pub async fn show(console: Console, shell: Shell, Query(after): Query<After>) -> Response {
    let found = async {
        let before = before(&after)?;
        let (events, next) = with_timeout(console.engine.recoveries(before, ROWS)).await?;
        let subjects = events.iter().map(|event| event.subject.as_str());
        let names = console.overviews.names_of(subjects).await;
        Ok((rows(&events, &names, &shell.root, shell.now), next))
    };
    match found.await {
        Ok((rows, next)) => shell.page(&RecoveriesPage {
            rows,
            next: next.map(|next| {
                shell
                    .root
                    .href(&format!("/activity/recoveries?after={next}"))
            }),
            is_newest: after.after.is_empty(),
            shell: &shell,
        }),
        Err(trouble) => shell.trouble(&trouble),
    }
}

fn before(after: &After) -> Result<i64, PageError> {
    let page = after.page(ROWS);
    let read = |text: String| {
        text.parse::<i64>().map_err(|_| {
            let detail = tr!(
                "{text} is not the number of an event.",
                text = format!("{text:?}")
            );
            PageError::refused(detail, tr!("Begin at the newest."))
        })
    };
    Ok(page.after.map(read).transpose()?.unwrap_or(i64::MAX))
}

#[derive(Template)]
#[template(path = "rooms/recoveries.html")]
struct RecoveriesPage<'a> {
    shell: &'a Shell,
    rows: Vec<Row>,
    next: Option<String>,
    is_newest: bool,
}

impl RecoveriesPage<'_> {
    /// Which tab it is.
    const fn is_audit(&self) -> bool {
        false
    }
}

struct Row {
    seq: i64,
    at: Markup,
    ago: Markup,
    what: &'static str,
    many: Option<String>,
    subject: String,
    /// The same in little space.
    short: String,
    href: Option<String>,
    effect: String,
}

/// One row for events of one moment that tell the same, of many jobs.
fn rows(events: &[Event], names: &Names, root: &Root, now: Timestamp) -> Vec<Row> {
    let is_same = |a: &Event, b: &Event| {
        (a.at, &a.kind, told(a)) == (b.at, &b.kind, told(b)) && a.kind.starts_with("job.")
    };
    let groups = events.chunk_by(is_same);
    groups
        .map(|group| Row::new(group, names, root, now))
        .collect()
}

impl Row {
    fn new(group: &[Event], names: &Names, root: &Root, now: Timestamp) -> Self {
        let event = &group[0];
        let (what, effect) = told(event);
        Self {
            seq: event.id.seq,
            at: moment(event.at),
            ago: ago(event.at, now),
            what,
            many: (group.len() > 1).then(|| count(group.len() as u64)),
            short: names.of(&event.subject),
            href: page_of(&event.subject).map(|path| root.href(&path)),
            subject: event.subject.clone(),
            effect,
        }
    }
}

/// What happened, and what became of it.
fn told(event: &Event) -> (&'static str, String) {
    let data = &event.data;
    match event.kind.as_str() {
        "leader.changed" => (
            tr!("leader changed"),
            tr!("The routines of another node act for all.").to_owned(),
        ),
        "hints.away" => (
            tr!("Redis lost"),
            match text(data, "reason") {
                Some(why) => tr!(
                    "Jobs are found in the database meanwhile ({why}).",
                    why = why
                ),
                None => tr!("Jobs are found in the database meanwhile.").to_owned(),
            },
        ),
        "hints.back" => (
            tr!("Redis back"),
            tr!("Hints lead workers to jobs again.").to_owned(),
        ),
        "hints.lost" => (
            tr!("hints lost"),
            tr!("They are made anew from the database.").to_owned(),
        ),
        "hints.rebuilt" => (tr!("hints rebuilt"), rebuilt(number(data, "jobs"))),
        "schedule.missed" => (tr!("schedule coalesced"), missed(number(data, "missed"))),
        "campaign.stopped" => (
            tr!("campaign stopped itself"),
            text(data, "why").unwrap_or_default().to_owned(),
        ),
        "job.succeeded" => (
            tr!("late result adopted"),
            tr!("Its lease was lost, and nobody had claimed the job since.").to_owned(),
        ),
        "job.failed" => (
            tr!("lease expired"),
            tr!("Lost with its worker too often: it is a dead letter.").to_owned(),
        ),
        "job.uncertain" => (
            tr!("lease expired"),
            tr!("It may have been called: a person decides.").to_owned(),
        ),
        _ => (
            tr!("lease expired"),
            tr!("Its worker went silent; its next attempt stands in line.").to_owned(),
        ),
    }
}

fn rebuilt(jobs: Option<u32>) -> String {
    match jobs {
        Some(n) => tr!(
            "{jobs} hinted at again.",
            jobs = crate::view::jobs(n.into())
        ),
        None => tr!("Jobs hinted at again.").to_owned(),
    }
}

fn missed(times: Option<u32>) -> String {
    match times {
        Some(1) => {
            tr!("One time had passed unfired, and its policy said what became of it.").to_owned()
        }
        Some(n) => tr!(
            "{n} times had passed unfired, and its policy said what became of them.",
            n = count(n.into())
        ),
        None => {
            tr!("Times had passed unfired, and its policy said what became of them.").to_owned()
        }
    }
}
