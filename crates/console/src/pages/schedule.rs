//! One schedule: when it fires next, what it has made, and the buttons that rule it.

use askama::Template;
use axum::{
    extract::{Path, Query},
    response::Response,
};
use baton_domain::{
    ScheduleId, Timestamp, duration,
    job::masked,
    page::Page,
    schedule::{Fire, Missed, Schedule, Template as What},
};

use super::{
    Panel,
    after::{After, next_page},
    fire::FireRow,
    schedule_id,
    schedules::makes,
};
use crate::{
    Console,
    errors::PageError,
    overview_cache::with_timeout,
    root::Root,
    shell::Shell,
    view::{Markup, ago, moment, on_the_wall, pretty, schedule_badge},
};

/// How many fires a page shows.
const FIRES: u32 = 25;
/// How many of its next times.
const NEXT: usize = 10;

/// A schedule, its next times, and a page of what it has made.
pub struct ScheduleDetails {
    schedule: Schedule,
    next: Vec<Timestamp>,
    fires: Page<Fire>,
}

/// Shows a schedule.
pub async fn show(
    console: Console,
    shell: Shell,
    Path(id): Path<String>,
    Query(after): Query<After>,
) -> Response {
    let seen = match schedule_id(&id) {
        Ok(id) => load(&console, id, &after).await,
        Err(trouble) => Err(trouble),
    };
    match seen {
        Ok(seen) => shell.page(&SchedulePage {
            id: seen.schedule.id.to_string(),
            live: format!("id={id}&{}", after.query()),
            name: seen.schedule.plan.name.clone(),
            panels: Panels::new(&seen, &shell.root, shell.now),
            shell: &shell,
        }),
        Err(trouble) => shell.trouble(&trouble),
    }
}

/// Looks a schedule up.
pub async fn load(
    console: &Console,
    id: ScheduleId,
    after: &After,
) -> Result<ScheduleDetails, PageError> {
    let page = after.page(FIRES);
    let all = async {
        let engine = &console.engine;
        let ((schedule, next), fires) =
            tokio::try_join!(engine.next_times(id, NEXT), engine.fires(id, &page))?;
        Ok(ScheduleDetails {
            schedule,
            next,
            fires,
        })
    };
    with_timeout(all).await
}

/// The panels, for the live feed.
pub fn panels(seen: &ScheduleDetails, root: &Root, now: Timestamp) -> Vec<Panel> {
    Panels::new(seen, root, now).all()
}

#[derive(Template)]
#[template(path = "rooms/schedule.html")]
struct SchedulePage<'a> {
    shell: &'a Shell,
    id: String,
    live: String,
    name: String,
    panels: Panels,
}

panels!(head, next, fires, fields);

impl Panels {
    fn new(seen: &ScheduleDetails, root: &Root, now: Timestamp) -> Self {
        Self {
            head: Markup::of(&Header::new(seen, root, now)),
            next: Markup::of(&NextTimes::new(seen, now)),
            fires: Markup::of(&Fires::new(seen, root, now)),
            fields: Markup::of(&Fields::new(&seen.schedule, now)),
        }
    }
}

#[derive(Template)]
#[template(path = "panels/schedule_head.html")]
struct Header {
    state: &'static str,
    badge: Markup,
    words: String,
    zone: String,
    makes: String,
    next: Option<Markup>,
    buttons: [(&'static str, &'static str, String); 2],
}

impl Header {
    fn new(seen: &ScheduleDetails, root: &Root, now: Timestamp) -> Self {
        let schedule = &seen.schedule;
        let plan = &schedule.plan;
        let button = |action, label| {
            let href = root.href(&format!("/schedules/{}/{action}", schedule.id));
            (action, label, href)
        };
        let (state, switch) = match schedule.paused {
            false => ("on", button("pause", tr!("Pause…"))),
            true => ("paused", button("resume", tr!("Resume…"))),
        };
        Self {
            state,
            badge: schedule_badge(schedule),
            words: plan.calendar.cron().in_words(),
            zone: plan.calendar.time_zone().to_owned(),
            makes: makes(&plan.template),
            next: schedule.next_at.map(|at| ago(at, now)),
            buttons: [button("fire", tr!("Fire now…")), switch],
        }
    }
}

#[derive(Template)]
#[template(path = "panels/schedule_next.html")]
struct NextTimes {
    is_paused: bool,
    lead: Option<String>,
    rows: Vec<NextRow>,
}

struct NextRow {
    local: String,
    at: Markup,
    age: Markup,
}

impl NextTimes {
    fn new(seen: &ScheduleDetails, now: Timestamp) -> Self {
        let plan = &seen.schedule.plan;
        let rows = seen.next.iter().map(|at| NextRow {
            local: on_the_wall(&plan.calendar, *at),
            at: moment(*at),
            age: ago(*at, now),
        });
        Self {
            is_paused: seen.schedule.paused,
            lead: (!plan.lead.is_zero()).then(|| duration::format(plan.lead)),
            rows: rows.collect(),
        }
    }
}

#[derive(Template)]
#[template(path = "panels/schedule_fires.html")]
struct Fires {
    rows: Vec<FireRow>,
    older: Option<String>,
}

impl Fires {
    fn new(seen: &ScheduleDetails, root: &Root, now: Timestamp) -> Self {
        let (id, calendar) = (seen.schedule.id, &seen.schedule.plan.calendar);
        let rows = seen.fires.items.iter();
        Self {
            rows: rows
                .map(|fire| FireRow::new(fire, calendar, root, now))
                .collect(),
            older: next_page(root, &format!("/schedules/{id}"), seen.fires.next.as_ref()),
        }
    }
}

#[derive(Template)]
#[template(path = "panels/schedule_fields.html")]
struct Fields {
    rows: Vec<(&'static str, String)>,
    created: Markup,
    what: &'static str,
    json: String,
}

impl Fields {
    fn new(schedule: &Schedule, now: Timestamp) -> Self {
        let plan = &schedule.plan;
        let missed = match plan.missed {
            Missed::Skip => tr!("they are gone").to_owned(),
            Missed::Latest => tr!("the last of them is made up for").to_owned(),
            Missed::All { most } => tr!("the last {n} of them are made up for", n = most),
        };
        let lead = match plan.lead.is_zero() {
            true => tr!("none: it fires at its time").to_owned(),
            false => tr!("it fires {span} ahead", span = duration::format(plan.lead)),
        };
        let (what, json) = match &plan.template {
            What::Job(job) => (tr!("Payload"), pretty(&masked(&job.kind, &job.payload))),
            What::Campaign(campaign) => (tr!("Campaign"), pretty(&campaign.to_string())),
        };
        let mut rows = vec![
            (key!("cron"), plan.calendar.cron().as_str().to_owned()),
            (key!("time zone"), plan.calendar.time_zone().to_owned()),
            (key!("lead"), lead),
            (key!("missed times"), missed),
        ];
        if let What::Job(job) = &plan.template {
            rows.push((key!("kind"), job.kind.clone()));
            rows.push((
                key!("queue"),
                job.queue.clone().unwrap_or_else(|| "default".to_owned()),
            ));
        }
        Self {
            rows,
            created: ago(schedule.created_at, now),
            what,
            json,
        }
    }
}
