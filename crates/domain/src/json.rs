//! A JSON value that is passed on to the letter.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::SchemaType},
};

/// Any JSON value, kept as the text it came as: numbers keep all their digits, objects their order.
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Json(Box<RawValue>);

impl Json {
    /// The object without members.
    #[must_use]
    pub fn empty_object() -> Self {
        Self::from_text("{}")
    }

    /// Takes JSON text as it is; a text that is no JSON becomes a JSON string that holds it.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        match serde_json::from_str(text) {
            Ok(value) => Self(value),
            Err(_) => Self(to_raw_value(text).unwrap_or_default()),
        }
    }

    /// The JSON text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.get()
    }

    /// The JSON text, given away.
    #[must_use]
    pub fn into_text(self) -> String {
        Box::<str>::from(self.0).into_string()
    }
}

impl Default for Json {
    fn default() -> Self {
        Self::empty_object()
    }
}

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<&serde_json::Value> for Json {
    fn from(value: &serde_json::Value) -> Self {
        Self::from_text(&value.to_string())
    }
}

impl From<Json> for String {
    fn from(json: Json) -> Self {
        json.into_text()
    }
}

impl PartialSchema for Json {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(SchemaType::AnyValue)
            .description(Some("Any JSON value, kept to the letter."))
            .into()
    }
}

impl ToSchema for Json {}

/// The payload of whoever gives none.
pub(crate) fn nothing() -> String {
    "{}".to_owned()
}

/// A text that is JSON, written into JSON as what it is and read back to the letter; for `#[serde(with = "text")]`.
pub mod text {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, ser};
    use serde_json::value::RawValue;

    /// Writes the text as the JSON that it is.
    pub fn serialize<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
        let value = serde_json::from_str::<&RawValue>(text);
        value.map_err(ser::Error::custom)?.serialize(serializer)
    }

    /// Reads any JSON as its text.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
        let value = Box::<RawValue>::deserialize(deserializer)?;
        Ok(Box::<str>::from(value).into_string())
    }

    /// The same for a text that may be missing.
    pub mod option {
        use super::{Deserialize, Deserializer, RawValue, Serializer};

        /// Writes the text as the JSON that it is, or null.
        pub fn serialize<S: Serializer>(
            text: &Option<String>,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            match text {
                Some(text) => super::serialize(text, serializer),
                None => serializer.serialize_none(),
            }
        }

        /// Reads any JSON but null as its text.
        pub fn deserialize<'de, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<Option<String>, D::Error> {
            let value = Option::<Box<RawValue>>::deserialize(deserializer)?;
            Ok(value.map(|value| Box::<str>::from(value).into_string()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_kept_to_the_letter() {
        let text = r#"{"b":123456789012345678901234567890,"a":1.10,"b":[ 1 ]}"#;

        let read: Json = serde_json::from_str(text).unwrap();

        assert_eq!(serde_json::to_string(&read).unwrap(), text);
        assert_eq!(read.into_text(), text);
    }

    #[test]
    fn a_text_that_is_no_json_becomes_a_string() {
        assert_eq!(Json::from_text("oh \"no").as_str(), r#""oh \"no""#);
    }
}
