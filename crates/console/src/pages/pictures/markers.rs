//! Markers: what happened while the jobs of a picture ran, as lines in it and as a list below it.

use baton_domain::rollup::Marker;

use super::{HEIGHT, Rect, WIDTH, window::Window};
use crate::{
    language::text,
    names::{Names, page_of},
    root::Root,
    view::{Markup, count, moment},
};

/// How wide the line of a marker is, in the units of a picture.
const LINE: f64 = 1.5;
/// How many are listed at the most; all are drawn.
pub const LISTED: usize = 12;

/// A marker, as a line of the list.
pub struct MarkerLine {
    pub at: Markup,
    /// What sort of thing it is: `join`, `stop`, `resume`, `recovery`.
    pub class: &'static str,
    pub told: String,
    pub subject: Option<String>,
    pub href: Option<String>,
}

impl MarkerLine {
    pub fn new(marker: &Marker, names: &Names, root: &Root) -> Self {
        // Of several only one is known by name.
        let subject = marker.subject.as_deref().filter(|_| marker.n == 1);
        let is_queue = marker.kind.starts_with("queue.");
        let path = subject.and_then(|subject| match is_queue {
            true => Some(format!("/queues/{subject}")),
            false => page_of(subject),
        });
        let subject = subject.map(|subject| match is_queue {
            true => subject.to_owned(),
            false => names.of(subject),
        });
        Self {
            at: moment(marker.start),
            class: class(&marker.kind),
            told: told(marker),
            subject: marker.version.clone().or(subject),
            href: path.map(|path| root.href(&path)),
        }
    }
}

/// The lines of markers in a picture of so many bars.
pub fn lines(markers: &[Marker], window: &Window, first: i64) -> Vec<Rect> {
    let bar = WIDTH / f64::from(window.bars);
    let line = |marker: &Marker| {
        let place = window.number(marker.start) - first;
        Rect {
            class: line_class(&marker.kind),
            x: format!("{:.1}", (place as f64 + 0.5) * bar - LINE / 2.0),
            y: "0.0".to_owned(),
            width: format!("{LINE:.1}"),
            height: format!("{HEIGHT:.1}"),
            title: tr!("{at}: {told}", at = marker.start, told = told(marker)),
        }
    };
    let inside = markers
        .iter()
        .filter(|marker| window.number(marker.start) >= first);
    inside.map(line).collect()
}

fn class(kind: &str) -> &'static str {
    match kind {
        "worker.joined" => "join",
        "campaign.stopped" | "campaign.canceled" | "queue.paused" => "stop",
        "campaign.resumed" | "queue.resumed" => "resume",
        _ => "recovery",
    }
}

fn line_class(kind: &str) -> &'static str {
    match class(kind) {
        "join" => "marker join",
        "stop" => "marker stop",
        "resume" => "marker resume",
        _ => "marker recovery",
    }
}

/// What happened, and how often.
fn told(marker: &Marker) -> String {
    let what = match marker.kind.as_str() {
        "worker.joined" => key!("Nodes that joined"),
        "campaign.stopped" => key!("Campaigns stopped"),
        "campaign.canceled" => key!("Campaigns canceled"),
        "campaign.resumed" => key!("Campaigns resumed"),
        "queue.paused" => key!("Queues paused"),
        "queue.resumed" => key!("Queues resumed"),
        "leader.changed" => key!("Changes of the leader"),
        "hints.away" => key!("Redis lost"),
        "hints.back" => key!("Redis back"),
        "hints.lost" => key!("Hints lost"),
        "hints.rebuilt" => key!("Hints rebuilt"),
        "schedule.missed" => key!("Schedules that missed times"),
        Marker::LOST => key!("Attempts lost with their worker"),
        _ => return format!("{}: {}", marker.kind, count(marker.n)),
    };
    format!("{}: {}", text(what), count(marker.n))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::pictures::{tests::NOW, window::WINDOWS};

    fn marker(kind: &str, n: u64) -> Marker {
        Marker {
            start: NOW,
            kind: kind.to_owned(),
            n,
            subject: Some("mail".to_owned()),
            version: None,
        }
    }

    #[test]
    fn a_marker_is_a_line_over_its_bar() {
        let window = &WINDOWS[0];
        let last = window.number(NOW);

        let lines = lines(&[marker("queue.paused", 2)], window, last - 14);

        assert_eq!(lines[0].class, "marker stop");
        assert_eq!(lines[0].x, format!("{:.1}", 14.5 * 40.0 - 0.75));
        assert!(
            lines[0].title.ends_with("Queues paused: 2"),
            "{}",
            lines[0].title
        );
    }

    #[test]
    fn a_single_thing_is_named_and_several_are_counted() {
        let root = Root::seen_from("/admin", "/");
        let line = |n| MarkerLine::new(&marker("queue.paused", n), &Names::default(), &root);

        assert_eq!(line(1).subject.as_deref(), Some("mail"));
        assert!(line(1).href.unwrap().ends_with("queues/mail"));
        assert_eq!((line(2).subject, line(2).href), (None, None));
        assert_eq!(line(2).told, "Queues paused: 2");
    }
}
