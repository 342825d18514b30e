//! A page of facts: what they tell of the person.

use std::fmt::Display;

use baton_domain::erasure::{Person, WORD};
use baton_ports::store::Result;
use serde_json::Value as Json;

use super::Page;
use crate::{
    row::{Cells, Row, Rows},
    statement::Script,
    value::{column, params},
};

pub fn page(rows: Rows, person: &Person, script: &'static Script) -> Page {
    let (mut page, mut changed) = (Page::default(), Vec::new());
    for row in rows {
        let Some(fact) = Fact::read(row, &mut page) else {
            continue;
        };
        page.last = Some(fact.place.to_string());
        changed.extend(fact.without(person, &mut page));
    }
    page.write(&changed, script, || {
        params! {
            places: column(&changed, |fact| fact.place),
            datas: column(&changed, |fact| fact.data.clone()),
            items: column(&changed, |fact| fact.items.clone()),
        }
    });
    page
}

/// A fact, without what everybody may know of it.
struct Fact {
    place: i64,
    kind: String,
    data: Option<String>,
    items: Option<String>,
    /// Which of its subjects are deliveries to the person.
    theirs: Vec<usize>,
}

impl Fact {
    fn read(row: Row, page: &mut Page) -> Option<Self> {
        let mut cells = row.cells("facts");
        let place = page.readable("a row without a name", cells.int("place"))?;
        Some(Self {
            place,
            kind: page
                .text(place, cells.maybe_text("type"))
                .unwrap_or_default(),
            data: page.text(place, cells.maybe_text("data")),
            items: page.text(place, cells.maybe_text("items")),
            theirs: page.readable(place, places(&mut cells)).unwrap_or_default(),
        })
    }

    /// The fact without the person; `None` if they are not in it.
    fn without(self, person: &Person, page: &mut Page) -> Option<Self> {
        let place = |column| ("facts", &self.place as &dyn Display, column);
        let redact = |data: &mut Json| person.redact(data);
        let data = self.data.as_deref();
        let data = data.and_then(|data| page.without(place("data"), data, person, redact));
        let items = self.items.as_deref();
        let items = items.and_then(|items| {
            let is_broken = serde_json::from_str::<Json>(items).is_err();
            let left = page.without(place("items"), items, person, |items| {
                self.hush(items) | person.redact(items)
            });
            // Which of it was said of them, nobody can say.
            let is_all_theirs = is_broken && !self.theirs.is_empty() && items != WORD;
            if is_all_theirs {
                Some(WORD.to_owned())
            } else {
                left
            }
        });
        (data.is_some() || items.is_some()).then(|| Self {
            data: data.or(self.data),
            items: items.or(self.items),
            ..self
        })
    }

    /// Takes the words of others out of what is told of the person's deliveries.
    fn hush(&self, items: &mut Json) -> bool {
        let hushed = self.theirs.iter();
        let hushed = hushed.map(|place| hush(&self.kind, items.get_mut(*place)));
        hushed.fold(false, |any, one| any | one)
    }
}

fn places(cells: &mut Cells) -> Result<Vec<usize>> {
    let places = cells.maybe_text("subjects")?;
    Ok(places.map_or_else(Vec::new, |places| {
        serde_json::from_str(&places).unwrap_or_default()
    }))
}

fn hush(kind: &str, item: Option<&mut Json>) -> bool {
    let Some(item) = item.and_then(Json::as_object_mut) else {
        return false;
    };
    let message = item.get_mut("message").filter(|message| **message != WORD);
    let message = message.map(|message| *message = WORD.into());
    let is_wish = ["job.canceled", "job.cancel_asked"].contains(&kind);
    let reason = if is_wish { item.remove("reason") } else { None };
    message.is_some() || reason.is_some()
}
