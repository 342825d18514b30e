//! What is asked before something is done to a schedule.

use axum::{extract::Path, response::Response};
use baton_domain::{
    Timestamp,
    schedule::{Schedule, Template},
};

use super::{super::schedule_id, Confirm};
use crate::{
    Console, errors::PageError, overview_cache::with_timeout, shell::Shell, view::on_the_wall,
};

/// A button of a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScheduleButton {
    /// It fires no more.
    Pause,
    /// It goes on.
    Resume,
    /// It fires now, out of turn.
    Fire,
}

impl ScheduleButton {
    /// Reads from an address what is wanted.
    pub fn read(word: &str) -> Result<Self, PageError> {
        match word {
            "pause" => Ok(Self::Pause),
            "resume" => Ok(Self::Resume),
            "fire" => Ok(Self::Fire),
            _ => Err(PageError::refused(
                tr!(
                    "Nothing called {word} can be done to a schedule.",
                    word = format!("{word:?}")
                ),
                tr!("It can be paused, resumed or fired."),
            )),
        }
    }
}

/// Asks before a schedule is paused, resumed or fired.
pub async fn command(
    console: Console,
    shell: Shell,
    Path((id, press)): Path<(String, String)>,
) -> Response {
    let found = async {
        let (id, press) = (schedule_id(&id)?, ScheduleButton::read(&press)?);
        Ok((press, with_timeout(console.engine.schedule(id)).await?))
    };
    match found.await {
        Ok((press, schedule)) => shell.page(&about(&shell, press, &schedule)),
        Err(trouble) => shell.trouble(&trouble),
    }
}

fn about<'a>(shell: &'a Shell, press: ScheduleButton, schedule: &Schedule) -> Confirm<'a> {
    let name = &schedule.plan.name;
    let (action, title, button, effects) = match press {
        ScheduleButton::Pause => (
            "pause",
            tr!("Pause {name}", name = name),
            tr!("Pause the schedule"),
            if_paused(schedule),
        ),
        ScheduleButton::Resume => (
            "resume",
            tr!("Resume {name}", name = name),
            tr!("Resume the schedule"),
            if_resumed(schedule, shell.now),
        ),
        ScheduleButton::Fire => (
            "fire",
            tr!("Fire {name}", name = name),
            tr!("Fire now"),
            if_fired(schedule),
        ),
    };
    let back = format!("/schedules/{}", schedule.id);
    Confirm {
        shell,
        title,
        effects,
        post: shell.root.href(&format!("{back}/{action}")),
        away: shell.root.href(&back),
        back,
        typed: None,
        leads_on: false,
        action,
        button: button.to_owned(),
        is_grave: false,
    }
}

fn if_paused(schedule: &Schedule) -> Vec<String> {
    vec![
        tr!(
            "It does not fire at {time}, nor later.",
            time = time(schedule, schedule.next_at)
        ),
        tr!("What it has made goes on.").to_owned(),
        tr!("What is due until it is resumed is not made up for.").to_owned(),
    ]
}

fn if_resumed(schedule: &Schedule, now: Timestamp) -> Vec<String> {
    let next = schedule
        .next_at
        .or_else(|| schedule.plan.calendar.after(now));
    vec![
        tr!("Its next time is {time}.", time = time(schedule, next)),
        tr!("What was due while it was paused is not made up for.").to_owned(),
    ]
}

fn if_fired(schedule: &Schedule) -> Vec<String> {
    let stays = match schedule.paused {
        false => tr!(
            "Its next time stays: {time}.",
            time = time(schedule, schedule.next_at)
        ),
        true => tr!("It stays paused.").to_owned(),
    };
    vec![
        match &schedule.plan.template {
            Template::Job(job) => {
                let queue = job.queue.as_deref().unwrap_or("default");
                tr!(
                    "One job of kind {kind} is made for queue {queue}, to run now.",
                    kind = job.kind,
                    queue = queue
                )
            }
            Template::Campaign(_) => {
                tr!("One campaign is made, and sends to its whole audience now.").to_owned()
            }
        },
        stays,
    ]
}

fn time(schedule: &Schedule, at: Option<Timestamp>) -> String {
    let calendar = &schedule.plan.calendar;
    match at {
        Some(at) => format!("{} ({})", on_the_wall(calendar, at), calendar.time_zone()),
        None => tr!("any time").to_owned(),
    }
}
