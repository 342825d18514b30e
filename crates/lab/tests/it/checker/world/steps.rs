//! The store's clock is stepped, and what it dates from then on is by the stepped clock.

use baton_lab::checker::{At, ClockStep, History};

/// Dates anew what a store dated whose clock was right, as if it had been stepped so.
pub fn step_the_clock(history: &mut History, steps: &[ClockStep]) {
    let ahead_us = |at: &At| {
        let steps = steps.iter().rfind(|step| step.at_us <= at.0);
        steps.map_or(0, |step| step.ahead_us)
    };
    let step = |at: &mut At| at.0 += ahead_us(at);
    for job in &mut history.jobs {
        step(&mut job.created_at);
        job.updated_at.iter_mut().for_each(step);
        job.finished_at.iter_mut().for_each(step);
    }
    for attempt in &mut history.attempts {
        // What is planned is planned by the clock as it is then.
        if let (Some(ended), Some(next)) = (&attempt.ended_at, &mut attempt.next_run_at) {
            next.0 += ahead_us(ended);
        }
        attempt.started_at.iter_mut().for_each(step);
        attempt.ended_at.iter_mut().for_each(step);
        let late = attempt.late.iter_mut();
        late.filter_map(|late| late.at.as_mut()).for_each(step);
    }
    history.events.iter_mut().for_each(|one| step(&mut one.at));
    let subscribers = history.subscribers.iter_mut();
    for seen in subscribers.flat_map(|one| &mut one.seen) {
        if let baton_lab::checker::FeedItem::Event(event) = seen {
            step(&mut event.at);
        }
    }
    for campaign in &mut history.campaigns.ends {
        campaign.began_at.iter_mut().for_each(step);
        campaign.completed_at.iter_mut().for_each(step);
    }
    history.clock_steps = steps.to_vec();
}
