//! Values on their way: as PostgreSQL binds them, and as it answers.

use bytes::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};

use crate::{
    row::{Row, Rows},
    value::Value,
};

/// The rows of an answer.
pub fn read_rows(found: &[tokio_postgres::Row]) -> Result<Rows, tokio_postgres::Error> {
    found.iter().map(read_row).collect()
}

fn read_row(row: &tokio_postgres::Row) -> Result<Row, tokio_postgres::Error> {
    let cell = |(i, column): (usize, &tokio_postgres::Column)| {
        Ok(match *column.type_() {
            Type::BOOL => row.try_get::<_, Option<bool>>(i)?.into(),
            Type::INT2 => row.try_get::<_, Option<i16>>(i)?.map(i64::from).into(),
            Type::INT4 => row.try_get::<_, Option<i32>>(i)?.map(i64::from).into(),
            Type::INT8 => row.try_get::<_, Option<i64>>(i)?.into(),
            Type::FLOAT8 => row.try_get::<_, Option<f64>>(i)?.into(),
            Type::UUID => row.try_get::<_, Option<uuid::Uuid>>(i)?.into(),
            Type::UUID_ARRAY => row.try_get::<_, Option<Vec<uuid::Uuid>>>(i)?.into(),
            Type::TEXT_ARRAY => row.try_get::<_, Option<Vec<String>>>(i)?.into(),
            _ => row.try_get::<_, Option<String>>(i)?.into(),
        })
    };
    Ok(Row(row
        .columns()
        .iter()
        .enumerate()
        .map(cell)
        .collect::<Result<_, _>>()?))
}

/// A value as PostgreSQL binds it: what it is there, the statement says.
#[derive(Debug)]
pub struct Bound<'a>(pub &'a Value);

impl ToSql for Bound<'_> {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match (self.0, ty) {
            (Value::Null | Value::Blob, _) => Ok(IsNull::Yes),
            (Value::Int(number), &Type::INT2) => i16::try_from(*number)?.to_sql(ty, out),
            (Value::Int(number), &Type::INT4) => i32::try_from(*number)?.to_sql(ty, out),
            (Value::Int(number), &Type::BOOL) => (*number != 0).to_sql(ty, out),
            (Value::Int(number), _) => number.to_sql(ty, out),
            (Value::Float(number), _) => number.to_sql(ty, out),
            (Value::Text(text), &Type::JSONB) => {
                // The version of the binary form.
                out.extend_from_slice(&[1]);
                text.to_sql(&Type::TEXT, out)
            }
            (Value::Text(text), _) => text.to_sql(&Type::TEXT, out),
            (Value::Uuid(id), &Type::TEXT) => id.to_string().to_sql(ty, out),
            (Value::Uuid(id), _) => id.to_sql(ty, out),
            (Value::List(values), _) => {
                values.iter().map(Bound).collect::<Vec<_>>().to_sql(ty, out)
            }
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}
