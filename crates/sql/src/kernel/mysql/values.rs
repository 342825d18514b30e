//! Values as they are answered: all of them are texts, and their column says what they are.

use mysql_async::consts::ColumnType;

use crate::{row::Row, value::Value};

/// A row of an answer.
pub fn read_row(row: mysql_async::Row) -> Row {
    let columns = row.columns();
    let cells = row.unwrap_raw().into_iter().zip(columns.iter());
    Row(cells
        .map(|(cell, column)| match cell {
            Some(mysql_async::Value::Bytes(bytes)) => read(bytes, column.column_type()),
            _ => Value::Null,
        })
        .collect())
}

fn read(bytes: Vec<u8>, kind: ColumnType) -> Value {
    let Ok(text) = String::from_utf8(bytes) else {
        return Value::Blob;
    };
    let number = match kind {
        ColumnType::MYSQL_TYPE_TINY
        | ColumnType::MYSQL_TYPE_SHORT
        | ColumnType::MYSQL_TYPE_INT24
        | ColumnType::MYSQL_TYPE_LONG
        | ColumnType::MYSQL_TYPE_LONGLONG => text.parse().ok().map(Value::Int),
        // A sum of whole numbers is a decimal without places.
        ColumnType::MYSQL_TYPE_NEWDECIMAL if !text.contains('.') => {
            text.parse().ok().map(Value::Int)
        }
        ColumnType::MYSQL_TYPE_NEWDECIMAL
        | ColumnType::MYSQL_TYPE_FLOAT
        | ColumnType::MYSQL_TYPE_DOUBLE => text.parse().ok().map(Value::Float),
        _ => None,
    };
    number.unwrap_or(Value::Text(text))
}
