//! Marks: what an audience can ask for, as words that an index keeps with the numbers that have them.

use baton_domain::{
    globe::{Cell, Point},
    recipient::Profile,
};

/// Every mark of a recipient.
pub fn marks_of(profile: &Profile) -> Vec<String> {
    let platform = platform_mark(&profile.platform);
    let topics = profile.topics.iter().map(|topic| topic_mark(topic));
    let cells = profile.location.into_iter().flat_map(Point::cells);
    [platform]
        .into_iter()
        .chain(topics)
        .chain(cells.map(cell_mark))
        .collect()
}

pub fn platform_mark(platform: &str) -> String {
    format!("p {platform}")
}

pub fn topic_mark(topic: &str) -> String {
    format!("t {topic}")
}

pub fn cell_mark(cell: Cell) -> String {
    let Cell {
        level,
        band,
        column,
    } = cell;
    format!("c{level} {band} {column}")
}
