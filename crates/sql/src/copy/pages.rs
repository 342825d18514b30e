//! Reading a logical table page by page: bounded by rows and by bytes, in values that all dialects share.

use baton_ports::store::{Error, Result};
use serde_json::Value as Json;
use uuid::Uuid;

use super::{
    scripts::Part,
    tables::{Column, Kind},
};
use crate::{
    kernel::Kernel,
    row::Row,
    value::{Params, Value},
};

/// How many rows a page has at most.
pub const ROWS: usize = 1_000;
/// After how many bytes a page ends.
const BYTES: i64 = 4 << 20;

/// Some rows of a logical table.
#[derive(Debug)]
pub struct Page {
    /// Their values, in the order of the columns.
    pub rows: Vec<Vec<Value>>,
    /// The last key that was looked at: the next page begins behind it.
    pub ends: Vec<Value>,
}

/// Reads the page behind a key, or the first; `None` when there is none.
pub async fn read(kernel: &Kernel, part: &Part, after: Option<&[Value]>) -> Result<Option<Page>> {
    let begins = usize::from(after.is_some());
    let mut params: Params = part
        .key
        .iter()
        .zip(after.into_iter().flatten())
        .map(|(column, value)| (column.name, value.clone()))
        .collect();
    params.push((
        "limit",
        Value::from(i64::try_from(ROWS).unwrap_or(i64::MAX)),
    ));
    let keys = kernel.read(part.keys[begins], params.clone()).await?;
    let Some((count, ends)) = bound(part, keys)? else {
        return Ok(None);
    };
    params.pop();
    if part.is_range {
        params.push(("upto", ends[0].clone()));
    } else {
        params.push((
            "limit",
            Value::from(i64::try_from(count).unwrap_or(i64::MAX)),
        ));
    }
    let rows = kernel.read(part.rows[begins], params).await?;
    let rows = rows
        .into_iter()
        .map(|row| neutral(part.table.name, part.table.columns, row));
    Ok(Some(Page {
        rows: rows.collect::<Result<_>>()?,
        ends,
    }))
}

/// How many of these rows make a page, and the key of the last of them.
fn bound(part: &Part, keys: Vec<Row>) -> Result<Option<(usize, Vec<Value>)>> {
    let (mut bytes, mut count, mut ends) = (0, 0, None);
    for mut row in keys {
        let Some(Value::Int(size)) = row.0.pop() else {
            return Err(corrupt(part.table.name, "size", "is no number"));
        };
        bytes += size;
        if count > 0 && bytes > BYTES {
            break;
        }
        count += 1;
        ends = Some(row);
    }
    let ends = ends.map(|row| neutral(part.table.name, &part.key, row));
    Ok(ends.transpose()?.map(|ends| (count, ends)))
}

/// The values of a row as all dialects share them.
fn neutral(table: &'static str, columns: &[Column], row: Row) -> Result<Vec<Value>> {
    let cells = columns.iter().zip(row.0);
    cells
        .map(|(column, value)| {
            shared(column.kind, value)
                .ok_or_else(|| corrupt(table, column.name, "holds something else"))
        })
        .collect()
}

/// A value as all dialects share it; `None` where a column holds what it cannot.
fn shared(kind: Kind, value: Value) -> Option<Value> {
    match (kind, value) {
        (_, Value::Null) => Some(Value::Null),
        (Kind::Id, Value::Uuid(id)) => Some(Value::Uuid(id)),
        (Kind::Id, Value::Text(text)) => Uuid::parse_str(&text).ok().map(Value::Uuid),
        (Kind::Text, Value::Text(text)) => Some(Value::Text(text)),
        (Kind::Whole, Value::Int(number)) => Some(Value::Int(number)),
        (Kind::Flag, Value::Int(truth @ (0 | 1))) => Some(Value::Int(truth)),
        // There is one nought: SQLite keeps no sign of it.
        (Kind::Number, Value::Float(number)) => Some(Value::Float(number + 0.0)),
        (Kind::Ids | Kind::Wholes, Value::Text(text)) => {
            let list: Json = serde_json::from_str(&text).ok()?;
            Some(Value::Text(list.to_string()))
        }
        _ => None,
    }
}

fn corrupt(table: &'static str, column: &'static str, message: &str) -> Error {
    Error::Corrupt {
        table,
        column,
        message: message.to_owned(),
    }
}

/// A key as it is written down.
pub fn cursor(key: &[Value]) -> String {
    let parts = key.iter().map(|value| match value {
        Value::Int(number) => Json::from(*number),
        Value::Text(text) => Json::from(text.as_str()),
        Value::Uuid(id) => Json::from(id.to_string()),
        _ => Json::Null,
    });
    Json::from(parts.collect::<Vec<_>>()).to_string()
}

/// The key that was written down.
pub fn key(part: &Part, cursor: &str) -> Result<Vec<Value>> {
    let bad = || corrupt("relocated_pages", "cursor", "is no key");
    let parts: Vec<Json> = serde_json::from_str(cursor).map_err(|_| bad())?;
    let values = part.key.iter().zip(parts).map(|(column, part)| match part {
        Json::Number(number) => number.as_i64().map(Value::Int),
        Json::String(text) => shared(column.kind, Value::Text(text)),
        _ => None,
    });
    let key: Vec<_> = values.collect::<Option<_>>().ok_or_else(bad)?;
    if key.len() == part.key.len() {
        Ok(key)
    } else {
        Err(bad())
    }
}
