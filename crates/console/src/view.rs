//! How things are written: numbers, times, states, ids. Pages hold no format of their own.

mod campaign;
mod id;
mod json;
mod map;
mod number;
mod schedule;
mod selection;
mod sentence;
mod state;
mod time;
mod words;

pub use campaign::{campaign_badge, campaign_word};
pub use id::short;
pub use json::pretty;
pub use map::map;
pub use number::{at_least, count, jobs, rate};
pub use schedule::{on_the_wall, schedule_badge};
pub use selection::selection;
pub use sentence::sentence;
pub use state::{badge, glyph, state_word};
pub use time::{ago, moment, span};
pub use words::{
    action_word, limit_words, node_word, outcome_word, presence_word, routine_word, stage_word,
};

use std::fmt;

use askama::filters::HtmlSafe;
use baton_domain::visible::visible;

/// Text that is HTML already. Whoever makes one has escaped what came from outside.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Markup(String);

impl fmt::Display for Markup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl HtmlSafe for Markup {}

impl Markup {
    /// Renders a template, with what is not seen written out; one that cannot be rendered leaves its place empty and is logged.
    pub fn of(template: &impl askama::Template) -> Self {
        match template.render() {
            // Here, so that no field can be forgotten.
            Ok(html) => Self(visible(&html).into_owned()),
            Err(error) => {
                tracing::error!(%error, "a fragment of a page could not be rendered");
                Self::default()
            }
        }
    }

    /// The HTML.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Makes text harmless inside an element or a quoted attribute.
fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c => safe.push(c),
        }
    }
    safe
}
