//! Writing a page, with the note that it is written, in one transaction.

use std::collections::BTreeMap;

use baton_ports::store::{Error, Result};
use uuid::Uuid;

use super::{
    pages::{Page, ROWS, cursor},
    scripts::{Part, Scripts},
    seal::{self, Seal, State},
    tables::{Layout, SETTLEMENTS, SUCCESSES, Table},
};
use crate::{
    kernel::{ConnectionPool, Kernel, Unit},
    open::OpenError,
    row,
    statement::{self as sql, Script},
    value::{Params, Value, params},
};

/// Writes the page of this number, if this copy still fills the database: another run of it may have come to the end while this one slept.
pub async fn write(
    kernel: &Kernel,
    seal: &Seal,
    part: &Part,
    number: u32,
    page: Page,
) -> Result<(), OpenError> {
    let noted = params! {
        part: part.name, page: number, cursor: cursor(&page.ends), n: i64::try_from(page.rows.len()).unwrap_or(i64::MAX),
    };
    let arriving = params! { relocation_id: seal.id };
    let mut scripts = vec![(&sql::copy::ARRIVING, arriving), (&sql::copy::PAGE, noted)];
    let inserts = Scripts::of(kernel.dialect());
    match part.table.layout {
        Layout::Rows | Layout::Ready => scripts.extend(insert(inserts, part.table, page.rows)),
        Layout::Successes => {
            let (settlements, successes) = folded(number, page.rows)?;
            scripts.extend(insert(inserts, &SETTLEMENTS, settlements));
            scripts.extend(insert(inserts, &SUCCESSES, successes));
        }
    }
    let unit = Unit {
        scripts,
        keep: Some(Box::new(is_arriving)),
    };
    match kernel.transact(ConnectionPool::Front, unit).await {
        Ok(rows) if is_arriving(&rows) => Ok(()),
        Ok(_) => Err(seal::superseded()),
        // What is refused may be refused because it is there already.
        Err(error) => match seal::find(kernel).await? {
            Some(found) if found.id == seal.id && found.state == State::Arriving => {
                Err(error.into())
            }
            _ => Err(seal::superseded()),
        },
    }
}

/// What the first script of a unit found.
pub fn is_arriving(rows: &[row::Rows]) -> bool {
    rows.first().is_some_and(|rows| !rows.is_empty())
}

fn insert(
    scripts: &'static Scripts,
    table: &Table,
    rows: Vec<Vec<Value>>,
) -> Option<(&'static Script, Params)> {
    if rows.is_empty() {
        return None;
    }
    let mut lists: Vec<_> = table
        .columns
        .iter()
        .map(|_| Vec::with_capacity(rows.len()))
        .collect();
    for row in rows {
        for (list, value) in lists.iter_mut().zip(row) {
            list.push(value);
        }
    }
    let params = table.columns.iter().zip(lists);
    let params = params.map(|(column, list)| (column.name, Value::List(list)));
    Some((scripts.insert(table), params.collect()))
}

/// What successes of one batch have in common.
#[derive(Default)]
struct Settlement {
    leases: Vec<(Uuid, i64)>,
    id: i64,
}

impl Settlement {
    /// The place of a lease and the moment of its claim, from 1.
    fn place(&mut self, lease: (Uuid, i64)) -> i64 {
        let known = self.leases.iter().position(|one| *one == lease);
        let place = known.unwrap_or_else(|| {
            self.leases.push(lease);
            self.leases.len() - 1
        });
        i64::try_from(place).unwrap_or(i64::MAX) + 1
    }
}

/// Rows of a table.
type Rows = Vec<Vec<Value>>;

/// Successes as rows of `settlements` and `successes`. Those that one worker settled at one time have one settlement, within a page.
fn folded(page: u32, rows: Rows) -> Result<(Rows, Rows)> {
    let before = i64::from(page) * i64::try_from(ROWS).unwrap_or(i64::MAX);
    let mut settlements: BTreeMap<(Uuid, i64), Settlement> = BTreeMap::new();
    let mut successes = Vec::with_capacity(rows.len());
    for row in rows {
        // In the order of the columns of the logical table.
        let Ok(
            [
                job,
                Value::Uuid(worker),
                Value::Uuid(lease),
                Value::Int(claimed),
                queued,
                started,
                Value::Int(ended),
                result,
            ],
        ) = <[Value; 8]>::try_from(row)
        else {
            return Err(Error::Corrupt {
                table: "successes",
                column: "lease",
                message: "names no lease of its settlement".to_owned(),
            });
        };
        let next = before + i64::try_from(settlements.len()).unwrap_or(i64::MAX);
        let settlement = settlements
            .entry((worker, ended))
            .or_insert_with(|| Settlement {
                id: next,
                ..Settlement::default()
            });
        let place = settlement.place((lease, claimed));
        successes.push(vec![
            job,
            Value::Int(settlement.id),
            Value::Int(place),
            queued,
            started,
            result,
        ]);
    }
    let settlements = settlements
        .into_iter()
        .map(|((worker, ended), settlement)| {
            let (leases, claimed): (Vec<_>, Vec<_>) = settlement.leases.into_iter().unzip();
            vec![
                Value::Int(settlement.id),
                Value::Uuid(worker),
                Value::Text(
                    serde_json::json!(leases.iter().map(Uuid::to_string).collect::<Vec<_>>())
                        .to_string(),
                ),
                Value::Text(serde_json::json!(claimed).to_string()),
                Value::Int(ended),
            ]
        });
    Ok((settlements.collect(), successes))
}
