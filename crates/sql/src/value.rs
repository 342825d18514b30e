//! What can be bound to a statement, and what a row can hold.
//!
//! Times are whole microseconds in all dialects: one spelling, so that no comparison can mix two.

use baton_domain::Timestamp;
use uuid::Uuid;

/// What can be bound to a statement, and what a row can hold.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Nothing.
    Null,
    /// A whole number, a time or a truth.
    Int(i64),
    /// A broken number.
    Float(f64),
    /// Text, JSON text included.
    Text(String),
    /// An id.
    Uuid(Uuid),
    /// A column of a batch: an array on PostgreSQL; on SQLite the statement is run for each of them.
    List(Vec<Value>),
    /// Bytes in SQLite, which no column keeps: what was there is damaged.
    Blob,
}

impl Value {
    /// How many there are of a list; `None` of anything else.
    pub(crate) const fn len(&self) -> Option<usize> {
        match self {
            Self::List(values) => Some(values.len()),
            _ => None,
        }
    }

    /// One of a list; anything else is the same for all.
    #[must_use]
    pub fn at(&self, i: usize) -> &Self {
        match self {
            Self::List(values) => values.get(i).unwrap_or(&Self::Null),
            value => value,
        }
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Int(number.into())
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Self::Int(truth.into())
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Float(number)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Uuid> for Value {
    fn from(id: Uuid) -> Self {
        Self::Uuid(id)
    }
}

impl From<Timestamp> for Value {
    fn from(at: Timestamp) -> Self {
        Self::Int(at.as_micros())
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl<T: Into<Self>> From<Vec<T>> for Value {
    fn from(values: Vec<T>) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }
}

/// The values of a script's parameters, by name.
pub type Params = Vec<(&'static str, Value)>;

/// Writes parameters as they are called: `params! { id: id.uuid(), now: now }`.
macro_rules! params {
    ($($name:ident: $value:expr),* $(,)?) => {
        vec![$((stringify!($name), $crate::value::Value::from($value))),*]
    };
}
pub(crate) use params;

/// A column of a batch: one value of each of its members.
pub fn column<T, V: Into<Value>>(batch: &[T], value: impl Fn(&T) -> V) -> Value {
    Value::List(batch.iter().map(|one| value(one).into()).collect())
}

/// Looks a parameter up. A script that names one nobody gives is a mistake of ours.
pub fn named<'a>(params: &'a Params, name: &str) -> &'a Value {
    let found = params.iter().find(|(known, _)| *known == name);
    &found
        .unwrap_or_else(|| panic!("nobody gives the parameter :{name}"))
        .1
}
