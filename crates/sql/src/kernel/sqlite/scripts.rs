//! Running scripts: values are bound, rows are read, and what SQLite refuses is told apart.

use std::collections::HashMap;

use baton_ports::store::{Error, Result};
use rusqlite::{Connection, types::ValueRef};
use uuid::Uuid;

use crate::{
    row::{Row, Rows},
    statement::Statement,
    value::{Params, Value, named},
};

/// Runs a script on one snapshot.
pub fn in_snapshot(reader: &Connection, statements: &[Statement], params: &Params) -> Result<Rows> {
    run(reader, "BEGIN DEFERRED")?;
    let rows = run_script(reader, statements, params);
    run(reader, "COMMIT")?;
    rows
}

/// Runs the statements in order; with a list among its values, one runs once for each element.
pub fn run_script(
    connection: &Connection,
    statements: &[Statement],
    params: &Params,
) -> Result<Rows> {
    let mut rows = Rows::new();
    let mut told = ScriptValues::new();
    for statement in statements {
        let values: Vec<_> = statement
            .params
            .iter()
            .map(|name| told.get(*name).unwrap_or_else(|| named(params, name)))
            .collect();
        let count = values.iter().find_map(|value| value.len());
        if count == Some(0) {
            continue;
        }
        let mut prepared = connection.prepare_cached(statement.sql).map_err(refused)?;
        for (place, value) in values.iter().enumerate() {
            bind_one(&mut prepared, place, value)?;
        }
        if let Some(count) = count {
            run_for_each(&mut prepared, &values, count)?;
        } else if prepared.column_count() == 0 {
            prepared.raw_execute().map_err(refused)?;
        } else {
            rows = read_rows(&mut prepared)?;
            tell(&mut told, statement.sql, &prepared, &rows);
        }
    }
    Ok(rows)
}

/// Runs a statement once for each element of its lists; what is the same for all stays bound.
fn run_for_each(
    prepared: &mut rusqlite::Statement<'_>,
    values: &[&Value],
    count: usize,
) -> Result<()> {
    for i in 0..count {
        for (place, value) in values.iter().enumerate() {
            if value.len().is_some() {
                bind_one(prepared, place, value.at(i))?;
            }
        }
        prepared.raw_execute().map_err(refused)?;
    }
    Ok(())
}

/// What a script has told itself by `SELECT ... AS told_name`: a column of the rows it selected, as a
/// list. A later statement that names it runs once for each of them, and not at all if there are none.
type ScriptValues = HashMap<String, Value>;

fn tell(told: &mut ScriptValues, sql: &str, prepared: &rusqlite::Statement<'_>, rows: &Rows) {
    if !sql.contains(" AS told_") {
        return;
    }
    let names = prepared.column_names().enumerate();
    for (i, name) in names.filter(|(_, name)| name.starts_with("told_")) {
        let cells = rows.iter().map(|row| row.0[i].clone());
        told.insert(name.to_owned(), Value::List(cells.collect()));
    }
}

/// Binds a value. An id is text in SQLite; it is written on the stack, for there are thousands of them.
fn bind_one(prepared: &mut rusqlite::Statement<'_>, place: usize, value: &Value) -> Result<()> {
    let place = place + 1;
    match value {
        // A list is bound element by element: see `run_for_each`.
        Value::Null | Value::List(_) | Value::Blob => {
            prepared.raw_bind_parameter(place, rusqlite::types::Null)
        }
        Value::Int(number) => prepared.raw_bind_parameter(place, number),
        Value::Float(number) => prepared.raw_bind_parameter(place, number),
        Value::Text(text) => prepared.raw_bind_parameter(place, text.as_str()),
        Value::Uuid(id) => {
            let mut text = Uuid::encode_buffer();
            prepared.raw_bind_parameter(place, &*id.hyphenated().encode_lower(&mut text))
        }
    }
    .map_err(refused)
}

fn read_rows(prepared: &mut rusqlite::Statement<'_>) -> Result<Rows> {
    let columns = prepared.column_count();
    let mut cursor = prepared.raw_query();
    let mut rows = Rows::new();
    while let Some(row) = cursor.next().map_err(refused)? {
        let mut cells = Vec::with_capacity(columns);
        for i in 0..columns {
            cells.push(read_cell(row.get_ref(i).map_err(refused)?));
        }
        rows.push(Row(cells));
    }
    Ok(rows)
}

fn read_cell(cell: ValueRef<'_>) -> Value {
    match cell {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Int(number),
        ValueRef::Real(number) => Value::Float(number),
        ValueRef::Text(text) => Value::Text(match str::from_utf8(text) {
            Ok(text) => text.to_owned(),
            Err(_) => String::from_utf8_lossy(text).into_owned(),
        }),
        ValueRef::Blob(_) => Value::Blob,
    }
}

/// Runs a statement that answers nothing.
pub fn run(connection: &Connection, sql: &str) -> Result<()> {
    connection
        .prepare_cached(sql)
        .and_then(|mut statement| statement.execute([]))
        .map(drop)
        .map_err(refused)
}

/// What SQLite says of JSON in a row that a statement cannot take apart.
const MALFORMED: &str = "malformed JSON";

/// Tells a passing trouble from a mistake of ours.
#[expect(clippy::needless_pass_by_value, reason = "it ends chains of map_err")]
pub fn refused(error: rusqlite::Error) -> Error {
    use rusqlite::ErrorCode as Code;
    let passing = [
        Code::DatabaseBusy,
        Code::DatabaseLocked,
        Code::DiskFull,
        Code::SystemIoFailure,
        Code::CannotOpen,
        Code::ReadOnly,
        Code::PermissionDenied,
    ];
    match error.sqlite_error_code() {
        Some(code) if passing.contains(&code) => Error::Unavailable(error.to_string()),
        _ if error.to_string().contains(MALFORMED) => Error::Corrupt {
            table: "rows",
            column: "JSON",
            message: MALFORMED.to_owned(),
        },
        _ => Error::Refused(error.to_string()),
    }
}
