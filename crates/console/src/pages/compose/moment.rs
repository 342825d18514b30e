//! When a campaign that is not created yet would go, for people.

use baton_domain::{Timestamp, campaign::SendAt};

use super::draft::{Draft, given};

/// The zone whose clocks show a time last.
const LAST_ZONE: &str = "Etc/GMT+12";

/// When a campaign would go.
pub struct Moment {
    /// As a sentence without its full stop.
    pub words: String,
    /// Whether that has passed, for some at least.
    pub has_passed: bool,
}

impl Moment {
    /// When what was typed would go, if it were created now.
    pub fn of(draft: &Draft, send_at: &SendAt, now: Timestamp) -> Self {
        let has_passed = send_at.earliest().is_some_and(|at| at <= now);
        let words = match send_at {
            SendAt::Now => tr!("At once").to_owned(),
            SendAt::At(_) if has_passed => tr!("At once: that moment has passed").to_owned(),
            SendAt::At(_) => tr!("At {moment}", moment = picked(draft)),
            SendAt::Local { .. } => local(draft, send_at, now, has_passed),
        };
        Self { words, has_passed }
    }
}

/// The time as it was picked, and the zone unless it says that itself.
fn picked(draft: &Draft) -> String {
    let time = draft.send_at.trim();
    if time.parse::<Timestamp>().is_ok() {
        return time.to_owned();
    }
    let zone = given(&draft.send_at_zone).unwrap_or_else(|| "UTC".to_owned());
    format!("{} {zone}", time.replacen('T', " ", 1))
}

fn local(draft: &Draft, send_at: &SendAt, now: Timestamp, has_passed: bool) -> String {
    if send_at
        .for_zone(Some(LAST_ZONE))
        .is_some_and(|at| at <= now)
    {
        return tr!("At once: that time has passed on every clock").to_owned();
    }
    let zone = given(&draft.time_zone).unwrap_or_else(|| "UTC".to_owned());
    let time = draft.send_at_local.trim();
    match has_passed {
        true => tr!(
            "When each clock shows {time}, at once wherever it has passed; {zone} for who has no zone",
            time = time,
            zone = zone
        ),
        false => tr!(
            "When each clock shows {time}; {zone} for who has no zone",
            time = time,
            zone = zone
        ),
    }
}
