//! Reading rows: cells in the order of the columns, each named for the error it may become.

use std::str::FromStr;

use baton_domain::Timestamp;
use baton_ports::store::{Error, Result};
use uuid::Uuid;

use crate::value::Value;

/// The rows of a script.
pub type Rows = Vec<Row>;

/// One row.
#[derive(Debug, Clone, PartialEq)]
pub struct Row(pub Vec<Value>);

impl Row {
    /// Starts to read the cells from the left.
    pub fn cells(self, table: &'static str) -> Cells {
        Cells::of(table, self.0)
    }
}

/// The cells of a row that have not been read yet.
pub struct Cells {
    table: &'static str,
    cells: std::vec::IntoIter<Value>,
}

impl Cells {
    /// The values of a row, or of a list that stands in one.
    pub fn of(table: &'static str, values: Vec<Value>) -> Self {
        Self {
            table,
            cells: values.into_iter(),
        }
    }

    /// Whether all have been read.
    pub fn is_over(&self) -> bool {
        self.cells.len() == 0
    }

    /// Passes over one, if there is one.
    pub fn skip(&mut self) {
        self.cells.next();
    }

    fn next(&mut self, column: &'static str) -> Result<Value> {
        self.cells
            .next()
            .ok_or_else(|| self.corrupt(column, &"the row ends before it"))
    }

    /// What is wrong with a cell.
    pub fn corrupt(&self, column: &'static str, message: &dyn ToString) -> Error {
        Error::Corrupt {
            table: self.table,
            column,
            message: message.to_string(),
        }
    }

    /// An id.
    pub fn uuid(&mut self, column: &'static str) -> Result<Uuid> {
        let value = self.next(column)?;
        self.id(column, value)
    }

    /// An id that may be missing.
    pub fn maybe_uuid(&mut self, column: &'static str) -> Result<Option<Uuid>> {
        match self.next(column)? {
            Value::Null => Ok(None),
            value => self.id(column, value).map(Some),
        }
    }

    /// An id, or several, that may be missing.
    pub fn maybe_uuids(&mut self, column: &'static str) -> Result<Option<Vec<Uuid>>> {
        let ids = match self.next(column)? {
            Value::Null => return Ok(None),
            Value::List(ids) => ids.into_iter().map(|id| self.id(column, id)).collect(),
            one => self.id(column, one).map(|id| vec![id]),
        };
        ids.map(Some)
    }

    fn id(&self, column: &'static str, value: Value) -> Result<Uuid> {
        match value {
            Value::Null => Err(self.corrupt(column, &"it is empty")),
            Value::Uuid(id) => Ok(id),
            Value::Text(text) => text.parse().map_err(|error| self.corrupt(column, &error)),
            other => Err(self.corrupt(column, &format!("{other:?} is no id"))),
        }
    }

    /// A text.
    pub fn text(&mut self, column: &'static str) -> Result<String> {
        self.maybe_text(column)?
            .ok_or_else(|| self.corrupt(column, &"it is empty"))
    }

    /// A text that may be missing.
    pub fn maybe_text(&mut self, column: &'static str) -> Result<Option<String>> {
        match self.next(column)? {
            Value::Null => Ok(None),
            Value::Text(text) => Ok(Some(text)),
            other => Err(self.corrupt(column, &format!("{other:?} is no text"))),
        }
    }

    /// A word of a closed list.
    pub fn word<T: FromStr<Err: ToString>>(&mut self, column: &'static str) -> Result<T> {
        self.text(column)?
            .parse()
            .map_err(|error: T::Err| self.corrupt(column, &error.to_string()))
    }

    /// A word of a closed list that may be missing.
    pub fn maybe_word<T: FromStr<Err: ToString>>(
        &mut self,
        column: &'static str,
    ) -> Result<Option<T>> {
        let text = self.maybe_text(column)?;
        text.map(|text| text.parse())
            .transpose()
            .map_err(|error: T::Err| self.corrupt(column, &error.to_string()))
    }

    /// A whole number.
    pub fn int(&mut self, column: &'static str) -> Result<i64> {
        self.maybe_int(column)?
            .ok_or_else(|| self.corrupt(column, &"it is empty"))
    }

    /// A whole number that may be missing.
    pub fn maybe_int(&mut self, column: &'static str) -> Result<Option<i64>> {
        match self.next(column)? {
            Value::Null => Ok(None),
            Value::Int(number) => Ok(Some(number)),
            other => Err(self.corrupt(column, &format!("{other:?} is no whole number"))),
        }
    }

    /// A count.
    pub fn count<T: TryFrom<i64>>(&mut self, column: &'static str) -> Result<T> {
        let number = self.int(column)?;
        T::try_from(number).map_err(|_| self.corrupt(column, &format!("{number} is no count")))
    }

    /// A count that may be missing.
    pub fn maybe_count<T: TryFrom<i64>>(&mut self, column: &'static str) -> Result<Option<T>> {
        let Some(number) = self.maybe_int(column)? else {
            return Ok(None);
        };
        T::try_from(number)
            .map(Some)
            .map_err(|_| self.corrupt(column, &format!("{number} is no count")))
    }

    /// A number that may be broken, or missing.
    pub fn maybe_float(&mut self, column: &'static str) -> Result<Option<f64>> {
        match self.next(column)? {
            Value::Null => Ok(None),
            Value::Float(number) => Ok(Some(number)),
            #[expect(
                clippy::cast_precision_loss,
                reason = "SQLite gives a whole float back as a whole number"
            )]
            Value::Int(number) => Ok(Some(number as f64)),
            other => Err(self.corrupt(column, &format!("{other:?} is no number"))),
        }
    }

    /// A truth.
    pub fn truth(&mut self, column: &'static str) -> Result<bool> {
        Ok(self.int(column)? != 0)
    }

    /// A list that only some statements bring; nothing where the row ends before it.
    pub fn maybe_list(&mut self, column: &'static str) -> Result<Option<Vec<Value>>> {
        match self.cells.next() {
            None | Some(Value::Null) => Ok(None),
            Some(Value::List(values)) => Ok(Some(values)),
            Some(other) => Err(self.corrupt(column, &format!("{other:?} is no list"))),
        }
    }

    /// A moment.
    pub fn time(&mut self, column: &'static str) -> Result<Timestamp> {
        Ok(Timestamp::from_micros(self.int(column)?))
    }

    /// A moment that may be missing.
    pub fn maybe_time(&mut self, column: &'static str) -> Result<Option<Timestamp>> {
        Ok(self.maybe_int(column)?.map(Timestamp::from_micros))
    }

    /// What is kept as JSON text, or not at all when it is the default.
    pub fn json_or_default<T: serde::de::DeserializeOwned + Default>(
        &mut self,
        column: &'static str,
    ) -> Result<T> {
        let text = self.text(column)?;
        if text.is_empty() {
            return Ok(T::default());
        }
        serde_json::from_str(&text).map_err(|error| self.corrupt(column, &error))
    }

    /// Bytes that are kept as hexadecimal digits.
    pub fn bytes<const N: usize>(&mut self, column: &'static str) -> Result<[u8; N]> {
        let text = self.text(column)?;
        let pairs = (0..N).map(|i| text.get(2 * i..2 * i + 2));
        let bytes = pairs.map(|pair| u8::from_str_radix(pair?, 16).ok());
        let bytes: Option<Vec<u8>> = bytes.collect();
        let bytes = bytes.filter(|_| text.len() == 2 * N);
        bytes
            .and_then(|bytes| bytes.try_into().ok())
            .ok_or_else(|| self.corrupt(column, &format!("they are not {N} bytes")))
    }

    /// What is kept as JSON text, or missing.
    pub fn maybe_json<T: serde::de::DeserializeOwned>(
        &mut self,
        column: &'static str,
    ) -> Result<Option<T>> {
        let text = self.maybe_text(column)?;
        text.map(|text| serde_json::from_str(&text).map_err(|error| self.corrupt(column, &error)))
            .transpose()
    }

    /// What is kept as JSON text.
    pub fn json<T: serde::de::DeserializeOwned>(&mut self, column: &'static str) -> Result<T> {
        let text = self.text(column)?;
        serde_json::from_str(&text).map_err(|error| self.corrupt(column, &error))
    }
}
