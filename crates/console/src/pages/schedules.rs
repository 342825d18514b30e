//! The list of schedules: what is made again and again, when next, and what came of the last time.

use askama::Template;
use axum::{extract::Query, response::Response};
use baton_domain::{
    Timestamp,
    page::Page,
    schedule::{Fire, Schedule, Template as What},
};

use super::{
    Panel,
    after::{After, next_page},
    fire::FireRow,
};
use crate::{
    Console,
    errors::PageError,
    overview_cache::with_timeout,
    root::Root,
    shell::Shell,
    view::{Markup, ago, moment, on_the_wall, schedule_badge},
};

/// How many schedules a page shows. The last fire of each is a look of its own.
const ROWS: u32 = 25;
/// How many of its next times a schedule shows in the list.
const NEXT: usize = 3;

/// A page of schedules, and the last fire of each.
pub struct ScheduleList {
    page: Page<Schedule>,
    fires: Vec<Option<Fire>>,
}

/// Shows the list.
pub async fn show(console: Console, shell: Shell, Query(after): Query<After>) -> Response {
    match load(&console, &after).await {
        Ok(seen) => shell.page(&Schedules {
            live: after.query(),
            list: list(&seen, &shell.root, shell.now),
            shell: &shell,
        }),
        Err(trouble) => shell.trouble(&trouble),
    }
}

/// Looks the schedules up.
pub async fn load(console: &Console, after: &After) -> Result<ScheduleList, PageError> {
    let request = after.page(ROWS);
    let both = async {
        let page = console.engine.schedules(&request).await?;
        let ids: Vec<_> = page.items.iter().map(|schedule| schedule.id).collect();
        let fires = console.engine.last_fires(&ids).await?;
        Ok(ScheduleList { page, fires })
    };
    with_timeout(both).await
}

/// The panels, for the live feed.
pub fn panels(seen: &ScheduleList, root: &Root, now: Timestamp) -> Vec<Panel> {
    vec![("schedules", list(seen, root, now))]
}

/// What a schedule makes, in a few words.
pub fn makes(what: &What) -> String {
    match what {
        What::Job(job) => tr!("a job of kind {kind}", kind = job.kind),
        What::Campaign(campaign) => match campaign["name"].as_str() {
            Some(name) => tr!("the campaign {name}", name = name),
            None => tr!("a campaign").to_owned(),
        },
    }
}

fn list(seen: &ScheduleList, root: &Root, now: Timestamp) -> Markup {
    let rows = seen.page.items.iter().zip(&seen.fires);
    Markup::of(&List {
        rows: rows
            .map(|(schedule, fire)| Row::new(schedule, fire.as_ref(), root, now))
            .collect(),
        next: next_page(root, "/schedules", seen.page.next.as_ref()),
    })
}

#[derive(Template)]
#[template(path = "rooms/schedules.html")]
struct Schedules<'a> {
    shell: &'a Shell,
    live: String,
    list: Markup,
}

#[derive(Template)]
#[template(path = "panels/schedules.html")]
struct List {
    rows: Vec<Row>,
    next: Option<String>,
}

struct Row {
    id: String,
    href: String,
    name: String,
    badge: Markup,
    makes: String,
    words: String,
    cron: String,
    zone: String,
    is_utc: bool,
    next: Vec<Next>,
    last: Option<FireRow>,
}

/// A time that is to come, on the clock of the zone and on everybody's.
struct Next {
    local: String,
    at: Markup,
    age: Markup,
}

impl Row {
    fn new(schedule: &Schedule, last: Option<&Fire>, root: &Root, now: Timestamp) -> Self {
        let (plan, calendar) = (&schedule.plan, &schedule.plan.calendar);
        let times = std::iter::successors(schedule.next_at, |last| calendar.after(*last));
        let next = times.take(NEXT).map(|at| Next {
            local: on_the_wall(calendar, at),
            at: moment(at),
            age: ago(at, now),
        });
        Self {
            id: schedule.id.to_string(),
            href: root.href(&format!("/schedules/{}", schedule.id)),
            name: plan.name.clone(),
            badge: schedule_badge(schedule),
            makes: makes(&plan.template),
            words: calendar.cron().in_words(),
            cron: calendar.cron().as_str().to_owned(),
            zone: calendar.time_zone().to_owned(),
            is_utc: calendar.time_zone() == "UTC",
            next: next.collect(),
            last: last.map(|fire| FireRow::new(fire, calendar, root, now)),
        }
    }
}
