//! A job as a form has it: texts as they were typed, and how they are read.

use std::{
    fmt::Display,
    hash::{DefaultHasher, Hash, Hasher},
    str::FromStr,
};

use baton_domain::{
    Timestamp, duration,
    job::{FieldError, JobSpec},
};
use serde::{Deserialize, de::IgnoredAny};

use crate::pages::picked::{self, Wrong};

/// The fields of the form, longer names before those that they begin with.
const FIELDS: [&str; 11] = [
    "kind",
    "payload",
    "key",
    "queue",
    "run_at",
    "zone",
    "delay",
    "priority",
    "max_attempts",
    "timeout",
    "tags",
];

/// A job as it was typed.
#[derive(Debug, Clone, Hash, Deserialize)]
#[serde(default)]
pub struct EnqueueForm {
    /// The name that chooses the handler.
    pub kind: String,
    /// Its arguments, as JSON.
    pub payload: String,
    /// Under which it is made once, if whoever typed it says so.
    pub key: String,
    /// The queue it stands in.
    pub queue: String,
    /// The time on a clock before which it does not run.
    pub run_at: String,
    /// Whose clock that is.
    pub zone: String,
    /// Or how long it waits.
    pub delay: String,
    /// Smaller is sooner.
    pub priority: String,
    /// How many tries it has.
    pub max_attempts: String,
    /// How long one try may take.
    pub timeout: String,
    /// Words to find it by.
    pub tags: String,
    /// Why it is asked for, for the audit log.
    pub reason: String,
    /// Which form it was typed into.
    pub form: String,
}

impl Default for EnqueueForm {
    fn default() -> Self {
        let empty = String::new;
        Self {
            kind: empty(),
            payload: "{}".to_owned(),
            key: empty(),
            queue: empty(),
            run_at: empty(),
            zone: empty(),
            delay: empty(),
            priority: empty(),
            max_attempts: empty(),
            timeout: empty(),
            tags: empty(),
            reason: empty(),
            form: empty(),
        }
    }
}

impl EnqueueForm {
    /// Reads what was typed; whether it makes sense says the engine.
    pub fn spec(&self) -> Result<JobSpec, Vec<FieldError>> {
        let mut errors = Vec::new();
        let spec = JobSpec {
            kind: self.kind.trim().to_owned(),
            payload: self.payload(&mut errors),
            key: given(&self.key).or_else(|| self.own_key()),
            queue: given(&self.queue),
            priority: number(&mut errors, "priority", &self.priority),
            run_at: self.moment(&mut errors),
            delay: read(&mut errors, "delay", &self.delay, duration::parse),
            max_attempts: number(&mut errors, "max_attempts", &self.max_attempts),
            timeout: read(&mut errors, "timeout", &self.timeout, duration::parse),
            tags: self.tags(),
            ..JobSpec::default()
        };
        match errors.is_empty() {
            true => Ok(spec),
            false => Err(errors),
        }
    }

    fn payload(&self, errors: &mut Vec<FieldError>) -> String {
        let text = self.payload.trim();
        if let Err(why) = serde_json::from_str::<IgnoredAny>(text) {
            let message = tr!("is no JSON: {error}", error = why);
            errors.push(FieldError::new("payload", message));
        }
        text.to_owned()
    }

    /// A form sent twice as it was is one job, for whatever reason; what was changed in between is another.
    fn own_key(&self) -> Option<String> {
        let form = given(&self.form)?;
        let mut hasher = DefaultHasher::new();
        let job = Self {
            reason: String::new(),
            ..self.clone()
        };
        job.hash(&mut hasher);
        Some(format!("{form}:{:016x}", hasher.finish()))
    }

    fn moment(&self, errors: &mut Vec<FieldError>) -> Option<Timestamp> {
        let time = given(&self.run_at)?;
        let wrong = match picked::moment(&time, &self.zone) {
            Ok(moment) => return Some(moment),
            Err(Wrong::Time(why)) => FieldError::new("run_at", why),
            Err(Wrong::Zone(why)) => FieldError::new("zone", why),
        };
        errors.push(wrong);
        None
    }

    fn tags(&self) -> Vec<String> {
        let words = self.tags.split([' ', ',']);
        let words = words.filter(|word| !word.is_empty());
        words.map(str::to_owned).collect()
    }
}

/// The field of the form that an error of a job is about.
pub fn field_of(path: &str) -> &'static str {
    let mut fields = FIELDS.into_iter();
    fields
        .find(|field| path.starts_with(field))
        .unwrap_or("kind")
}

fn number<T: FromStr>(errors: &mut Vec<FieldError>, field: &str, text: &str) -> Option<T> {
    read(errors, field, text, |text| {
        let number = text.parse::<T>();
        number.map_err(|_| tr!("must be a whole number, such as 5; or leave it empty"))
    })
}

/// What stands in a field that can be empty.
fn read<T, E: Display>(
    errors: &mut Vec<FieldError>,
    field: &str,
    text: &str,
    read: impl FnOnce(&str) -> Result<T, E>,
) -> Option<T> {
    let read = read(&given(text)?);
    let wrong = |why: E| errors.push(FieldError::new(field, why.to_string()));
    read.map_err(wrong).ok()
}

fn given(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
