//! Buttons that rule a schedule.

use axum::{extract::Path, response::Response};
use baton_domain::{
    ScheduleId,
    schedule::{Fire, Outcome, Schedule},
};

use super::Button;
use crate::{
    Console,
    errors::PageError,
    pages::{confirm::schedule::ScheduleButton, schedule_id},
    receipt::Receipt,
    view::on_the_wall,
};

/// Pauses a schedule, resumes it, or has it fire now.
pub async fn command(Path((id, press)): Path<(String, String)>, button: Button) -> Response {
    let done = async {
        let (id, press) = (schedule_id(&id)?, ScheduleButton::read(&press)?);
        act(&button.console, id, press).await
    };
    button.answer(done.await).await
}

async fn act(
    console: &Console,
    id: ScheduleId,
    press: ScheduleButton,
) -> Result<Receipt, PageError> {
    let engine = &console.engine;
    match press {
        ScheduleButton::Pause => Ok(paused(&engine.pause_schedule(id).await?)),
        ScheduleButton::Resume => Ok(resumed(&engine.resume_schedule(id).await?)),
        ScheduleButton::Fire => {
            let schedule = engine.schedule(id).await?;
            Ok(fired(&schedule, &engine.fire_schedule(id).await?))
        }
    }
}

fn paused(schedule: &Schedule) -> Receipt {
    let name = &schedule.plan.name;
    Receipt {
        message: tr!(
            "Paused {name}: it fires no more until it is resumed.",
            name = name
        ),
        undo: Some(format!("/schedules/{}/resume", schedule.id)),
    }
}

fn resumed(schedule: &Schedule) -> Receipt {
    let (name, calendar) = (&schedule.plan.name, &schedule.plan.calendar);
    let next = schedule.next_at.map(|at| on_the_wall(calendar, at));
    let next = next.unwrap_or_else(|| tr!("never: it has no time left").to_owned());
    Receipt::new(tr!(
        "Resumed {name}; its next time is {next}.",
        name = name,
        next = next
    ))
}

fn fired(schedule: &Schedule, fire: &Fire) -> Receipt {
    let name = &schedule.plan.name;
    Receipt::new(match &fire.outcome {
        Outcome::Made { made, .. } => {
            tr!("Fired {name}: it made {made}.", name = name, made = made)
        }
        Outcome::Missed { reason, .. } => tr!(
            "Fired {name}, but nothing was made: {reason}.",
            name = name,
            reason = reason
        ),
    })
}
