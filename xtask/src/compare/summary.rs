//! What the raw lines say: medians, spreads, and how Baton stands at the gates.

mod gates;
mod lines;
mod tables;
mod verdict;

use self::lines::Lines;

/// The whole summary, as markdown.
pub fn of(text: &str) -> String {
    let lines = Lines::read(text);
    [
        "# Comparison\n".to_owned(),
        tables::machine(&lines),
        tables::warnings(&lines),
        tables::gates(&lines),
        tables::medians(&lines),
    ]
    .join("\n")
}
