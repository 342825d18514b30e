//! The palette: finds whatever there is by its id, the beginning or the end of one, a key or a name.
//!
//! A page of its own without a script, a dialog with one. Every look is bounded, and shows nothing that
//! its room would not show to the same person.

mod looks;
mod sought;

use askama::Template;
use axum::{extract::Query, response::Response};
use serde::Deserialize;

use crate::{Console, shell::Shell};
use looks::{Looked, by_word, in_store};
use sought::Sought;

/// What is looked for.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PaletteQuery {
    q: String,
}

/// Shows what was found.
pub async fn show(console: Console, shell: Shell, Query(asked): Query<PaletteQuery>) -> Response {
    let sought = Sought::new(&asked.q);
    let mut looked = by_word(&sought, &shell);
    if sought.is_long_enough() {
        looked.and(in_store(&sought, &console.engine, &console.searches).await);
    }
    let Looked { found, trouble } = looked;
    let hits = found.into_iter().map(|hit| Row {
        sort: hit.sort,
        name: hit.name,
        more: hit.more,
        href: shell.root.href(&hit.path),
    });
    shell.page(&PalettePage {
        q: sought.text(),
        hits: hits.collect(),
        trouble,
        shell: &shell,
    })
}

#[derive(Template)]
#[template(path = "rooms/palette.html")]
struct PalettePage<'a> {
    shell: &'a Shell,
    q: &'a str,
    hits: Vec<Row>,
    /// Why some of it was not looked through.
    trouble: Option<String>,
}

struct Row {
    sort: &'static str,
    name: String,
    more: String,
    href: String,
}
