//! Reading a payload field by field, so that every mistake in it is named at once.

use baton_domain::{
    entries::Entries,
    job::{Class, FieldError, Verdict},
};
use serde::Deserialize;
use serde_json::value::RawValue;

/// The fields of a payload that were not taken yet, and what was wrong with those that were.
pub struct Fields<'a> {
    rest: Entries<'a>,
    errors: Vec<FieldError>,
}

impl<'a> Fields<'a> {
    /// Reads the outermost object; what is in its fields is read when they are taken.
    pub fn read(payload: &'a str) -> Result<Self, Vec<FieldError>> {
        let rest: Entries<'a> = serde_json::from_str(payload)
            .map_err(|_| vec![FieldError::new("payload", "must be a JSON object")])?;
        let mut fields = Self {
            rest,
            errors: Vec::new(),
        };
        fields.refuse_doubles();
        Ok(fields)
    }

    fn refuse_doubles(&mut self) {
        let entries = &self.rest.0;
        for (at, (name, _)) in entries.iter().enumerate() {
            if entries[..at].iter().any(|(earlier, _)| earlier == name) {
                self.errors.push(FieldError::new(
                    &format!("payload.{name}"),
                    "is given twice",
                ));
            }
        }
    }

    /// Takes a field as it is written; `null` is a value here.
    pub fn take_raw(&mut self, name: &str) -> Option<&'a RawValue> {
        let at = self.rest.0.iter().position(|(field, _)| field == name)?;
        Some(self.rest.0.swap_remove(at).1)
    }

    /// Takes a field; `null` is the same as nothing, and a wrong type is an error that says `rule`.
    pub fn take<T: Deserialize<'a>>(&mut self, name: &str, rule: &str) -> Option<T> {
        let raw = self.take_raw(name)?;
        if let Ok(value) = serde_json::from_str::<Option<T>>(raw.get()) {
            value
        } else {
            self.refuse(name, rule);
            None
        }
    }

    /// Notes what is wrong with a field, given as a path below `payload`.
    pub fn refuse(&mut self, name: &str, message: impl Into<String>) {
        self.errors
            .push(FieldError::new(&format!("payload.{name}"), message));
    }

    /// Ends the reading: `known` are the fields there are, `value` is what was made of them.
    pub fn finish<T>(mut self, known: &str, value: Option<T>) -> Result<T, Vec<FieldError>> {
        for (name, _) in std::mem::take(&mut self.rest.0) {
            self.refuse(
                &name,
                format!("is not a field of this kind; it has {known}"),
            );
        }
        match value {
            Some(value) if self.errors.is_empty() => Ok(value),
            _ => Err(self.errors),
        }
    }
}

/// The verdict on a payload that cannot be run: it was accepted by a server with other rules.
pub fn refusal(errors: &[FieldError]) -> Verdict {
    let errors: Vec<String> = errors
        .iter()
        .map(|error| format!("{} {}", error.field, error.message))
        .collect();
    Verdict::failed(
        Class::Permanent,
        "bad_payload",
        format!("the payload cannot be run: {}", errors.join("; ")),
    )
}
