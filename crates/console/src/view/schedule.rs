//! How schedules and the clocks of their zones are written.

use baton_domain::{
    Timestamp,
    schedule::{Calendar, Schedule},
};

use super::Markup;

/// Whether a schedule fires by itself, with its sign and a hue that jobs have too.
pub fn schedule_badge(schedule: &Schedule) -> Markup {
    let (word, hue, glyph) = match schedule.paused {
        false => (tr!("on"), "queued", "◷"),
        true => (tr!("paused"), "retry_wait", "‖"),
    };
    Markup(format!(
        "<span class=\"state\" data-state=\"{hue}\"><span class=\"glyph\" aria-hidden=\"true\">{glyph}</span>{word}</span>"
    ))
}

/// A moment on the clock of a schedule's zone: `2026-01-31 09:00:00 +09:00`.
pub fn on_the_wall(calendar: &Calendar, at: Timestamp) -> String {
    let local = calendar.local(at);
    match (
        local.get(..10),
        local.get(11..19),
        local.get(local.len() - 6..),
    ) {
        (Some(day), Some(time), Some(offset)) => format!("{day} {time} {offset}"),
        _ => local,
    }
}

#[cfg(test)]
mod tests {
    use baton_domain::schedule::Cron;

    use super::*;

    #[test]
    fn a_moment_is_written_as_the_clock_of_the_zone_shows_it() {
        let calendar = |zone| Calendar::new(Cron::parse("0 9 * * *").unwrap(), zone).unwrap();
        let at = "2026-01-31T00:00:00Z".parse().unwrap();

        assert_eq!(
            on_the_wall(&calendar("Asia/Seoul"), at),
            "2026-01-31 09:00:00 +09:00"
        );
        assert_eq!(
            on_the_wall(&calendar("UTC"), at),
            "2026-01-31 00:00:00 +00:00"
        );
    }
}
