//! What a command says: data on stdout, talk on stderr.

use std::{
    fmt::Display,
    io::{IsTerminal, Write, stderr, stdout},
};

use baton_domain::{
    Timestamp,
    visible::{is_deceptive, visible},
};
use comfy_table::{Cell, Color, ContentArrangement, Table, presets};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use crate::{cli::Globals, exit::Failure};

/// How much of a long text a table shows to people.
const LONGEST_EXCERPT: usize = 90;

/// Where a command's words go, and how they look there.
#[derive(Debug, Clone, Copy)]
pub struct Output {
    is_json: bool,
    is_quiet: bool,
    has_color: bool,
    /// Whether a person reads stdout.
    is_terminal: bool,
    /// Whether a person reads stderr.
    is_watched: bool,
}

impl Output {
    pub fn new(globals: &Globals) -> Self {
        let forbidden = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self {
            is_json: globals.json,
            is_quiet: globals.quiet,
            has_color: !globals.no_color && !forbidden,
            is_terminal: stdout().is_terminal(),
            is_watched: stderr().is_terminal(),
        }
    }

    pub const fn is_json(&self) -> bool {
        self.is_json
    }

    /// Whether a progress bar would be seen.
    pub const fn shows_progress(&self) -> bool {
        self.is_watched && !self.is_quiet
    }

    /// One line of data.
    pub fn line(&self, text: impl Display) {
        write_out(&visible(&format!("{text}\n")));
    }

    /// One value as a line of JSON.
    pub fn json(&self, value: &impl Serialize) {
        match serde_json::to_string(value) {
            // Programs get it to the letter; for people, only what would not be seen is written out.
            Ok(text) if self.is_terminal => write_out(&format!("{}\n", seen(&text))),
            Ok(text) => write_out(&format!("{text}\n")),
            Err(error) => self.say(format!("a value cannot be written as JSON: {error}")),
        }
    }

    /// Values of one sort: each as a line of JSON, or as a row of one table.
    pub fn list<T: Serialize>(&self, items: &[T], head: &[&str], row: impl Fn(&T) -> Vec<String>) {
        match self.is_json {
            true => items.iter().for_each(|item| self.json(item)),
            false => self.table(head, items.iter().map(row).collect()),
        }
    }

    /// The same, or a word to people that there are none.
    pub fn list_or_say<T: Serialize>(
        &self,
        none: &str,
        items: &[T],
        head: &[&str],
        row: impl Fn(&T) -> Vec<String>,
    ) {
        match items {
            [] if !self.is_json => self.say(none),
            items => self.list(items, head, row),
        }
    }

    /// What is known of one thing, a line for each.
    pub fn fields<'a>(&self, fields: impl IntoIterator<Item = (&'a str, String)>) {
        for (name, value) in fields {
            if !value.is_empty() {
                self.line(format!("{name:<10} {}", clean(&value)));
            }
        }
    }

    /// A table: aligned for people, parted by tabs and without its head for programs.
    pub fn table(&self, head: &[&str], rows: Vec<Vec<String>>) {
        if !self.is_terminal {
            for row in rows {
                self.line(row.join("\t"));
            }
            return;
        }
        let mut table = Table::new();
        table
            .load_style(presets::NOTHING)
            // An id that is broken into two lines cannot be copied; the terminal wraps what is too long.
            .set_content_arrangement(ContentArrangement::Disabled)
            .set_header(head.iter().map(|text| Cell::new(text.to_uppercase())));
        for row in rows {
            table.add_row(row.into_iter().map(|text| self.cell(text)));
        }
        self.line(table.trim_fmt());
    }

    /// A moment in a table: to the second for people, exact for programs.
    pub fn moment(&self, at: Timestamp) -> String {
        let exact = at.to_string();
        match exact.split_once('.') {
            Some((brief, _)) if self.is_terminal => format!("{brief}Z"),
            _ => exact,
        }
    }

    /// A text in the last column of a table: not too long for people, whole for programs.
    pub fn excerpt(&self, text: &str) -> String {
        let text = clean(text);
        if !self.is_terminal || text.chars().count() <= LONGEST_EXCERPT {
            return text;
        }
        text.chars().take(LONGEST_EXCERPT).chain(['…']).collect()
    }

    fn cell(&self, text: String) -> Cell {
        let color = match text.as_str() {
            "succeeded" | "live" => Color::Green,
            "failed" | "silent" => Color::Red,
            "running" => Color::Cyan,
            "retry_wait" | "uncertain" | "paused" | "draining" => Color::Yellow,
            "canceled" | "skipped" | "left" => Color::DarkGrey,
            _ => return Cell::new(text),
        };
        let cell = Cell::new(text);
        if self.has_color { cell.fg(color) } else { cell }
    }

    /// Something worth knowing that is not data.
    pub fn say(&self, text: impl Display) {
        if !self.is_quiet {
            // Nobody is left to be told that stderr is closed.
            let _ = writeln!(stderr(), "{}", visible(&text.to_string()));
        }
    }

    pub fn failure(&self, failure: &Failure) {
        let text = if self.is_json {
            failure.json().to_string()
        } else {
            visible(&failure.text()).into_owned()
        };
        let _ = writeln!(stderr(), "{text}");
    }

    /// A progress bar on a terminal, and nothing elsewhere.
    pub fn bar(&self, total: u64, label: &str) -> ProgressBar {
        let target = if self.shows_progress() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(total), target);
        let template = if self.has_color {
            "{prefix} {bar:24.cyan/dim} {pos}/{len} {wide_msg}"
        } else {
            "{prefix} {bar:24} {pos}/{len} {wide_msg}"
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("█▉▊▋▌▍▎▏░"));
        }
        bar.set_prefix(label.to_owned());
        bar
    }
}

fn write_out(text: &str) {
    let mut out = stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    if written.is_err() {
        // The reader has gone (`baton jobs list | head`): there is nobody to go on for.
        std::process::exit(0);
    }
}

/// JSON of the same meaning in which everything is seen.
fn seen(json: &str) -> String {
    let mut told = String::with_capacity(json.len());
    for c in json.chars() {
        if is_deceptive(c) {
            let mut units = [0; 2];
            let units = c.encode_utf16(&mut units).iter();
            told.extend(units.map(|unit| format!("\\u{unit:04x}")));
        } else {
            told.push(c);
        }
    }
    told
}

/// A text from elsewhere, made harmless: control characters would drive the reader's
/// terminal, and those of direction would turn what is read.
pub fn clean(text: &str) -> String {
    text.chars()
        .flat_map(|c| {
            let is_harmless = !c.is_control() && !is_deceptive(c);
            let plain = is_harmless.then_some(c);
            let escaped = (!is_harmless).then(|| c.escape_default());
            plain.into_iter().chain(escaped.into_iter().flatten())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_for_people_hides_nothing_and_means_the_same() {
        let json = serde_json::to_string("a\u{202e}b\u{e0041}").unwrap();

        let told = seen(&json);

        assert_eq!(told, r#""a\u202eb\udb40\udc41""#);
        let read: String = serde_json::from_str(&told).unwrap();
        assert_eq!(read, "a\u{202e}b\u{e0041}");
    }

    #[test]
    fn control_characters_are_shown_and_not_obeyed() {
        assert_eq!(clean("a\u{1b}[31mb\nc — é"), "a\\u{1b}[31mb\\nc — é");
        assert_eq!(clean("a\u{202e}b\u{200b}"), "a\\u{202e}b\\u{200b}");
    }
}
