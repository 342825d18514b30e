//! A fire, as a list shows it: when, and what came of it.

use baton_domain::{
    Timestamp,
    schedule::{Calendar, Fire, Outcome},
};

use crate::{
    root::Root,
    view::{Markup, ago, count, moment, on_the_wall, short},
};

/// A fire, as a list shows it.
pub struct FireRow {
    /// Its key on the page.
    pub key: String,
    /// Its time on the clock of the schedule's zone.
    pub local: String,
    /// The same for everybody.
    pub at: Markup,
    /// How long ago.
    pub age: Markup,
    /// Whether a person asked for it.
    pub by_hand: bool,
    /// What it made, and the page of that.
    pub made: Option<(String, String)>,
    /// Why nothing was made.
    pub missed: Option<String>,
}

impl FireRow {
    /// A fire of a schedule with this calendar.
    pub fn new(fire: &Fire, calendar: &Calendar, root: &Root, now: Timestamp) -> Self {
        let (made, by_hand, missed) = match &fire.outcome {
            Outcome::Made { made, by_hand } => (Some(link(made, root)), *by_hand, None),
            Outcome::Missed { run, reason } => {
                let missed = match run.count {
                    1 => tr!("1 time missed: {reason}", reason = reason),
                    many => tr!(
                        "{n} times missed: {reason}",
                        n = count(many.into()),
                        reason = reason
                    ),
                };
                (None, false, Some(missed))
            }
        };
        Self {
            key: fire.at.to_string(),
            local: on_the_wall(calendar, fire.at),
            at: moment(fire.at),
            age: ago(fire.at, now),
            by_hand,
            made,
            missed,
        }
    }
}

/// What was made tells by its prefix in which room it stands.
fn link(made: &str, root: &Root) -> (String, String) {
    let room = match made.starts_with("cmp_") {
        true => "campaigns",
        false => "jobs",
    };
    (short(made), root.href(&format!("/{room}/{made}")))
}
