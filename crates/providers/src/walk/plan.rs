//! What a payload of kind `baton.walk` asks for: where the pages are, and what becomes of each row.

use std::sync::Arc;

use baton_domain::{
    entries::Entries,
    job::{FieldError, JobSpec},
};
use http::{HeaderMap, HeaderValue, header::ACCEPT};
use serde_json::value::RawValue;

use super::{
    KIND,
    next::{self, Next},
    pointer::{self, Pointer},
    row::{JsonTemplate, TextTemplate},
};
use crate::{
    HttpHandler,
    http::{Address, Target, headers},
    payload::Fields,
};

/// A walk that was asked for.
#[derive(Debug)]
pub struct Plan {
    pub start: Start,
    pub headers: HeaderMap,
    /// Where the rows of a page are.
    pub items: Pointer,
    pub next: Next,
    /// Where a page says how many rows there are in all.
    pub total: Option<Pointer>,
    pub job: JobOfRow,
}

/// Where a walk begins.
#[derive(Debug)]
pub enum Start {
    At {
        address: Arc<Address>,
        destination: Option<String>,
    },
    /// Below a destination of this name, which is not configured here.
    Missing(String),
}

/// What becomes of a row.
#[derive(Debug)]
pub struct JobOfRow {
    /// What is the same for each.
    pub spec: JobSpec,
    payload: JsonTemplate,
    key: Option<TextTemplate>,
}

impl Plan {
    /// Reads a payload, or says everything that is wrong with it.
    pub fn read(payload: &str, http: &HttpHandler) -> Result<Self, Vec<FieldError>> {
        let mut fields = Fields::read(payload)?;
        let start = http.target(&mut fields).map(Start::from);
        let mut headers = headers::read(&mut fields);
        headers
            .entry(ACCEPT)
            .or_insert(HeaderValue::from_static("application/json"));
        let items = read_pointer(&mut fields, "items");
        let total = read_pointer(&mut fields, "total");
        let next = read_next(&mut fields);
        let job = JobOfRow::take(&mut fields);
        let plan = (|| {
            Some(Self {
                start: start?,
                headers,
                items: items?.or_else(|| Pointer::read("").ok())?,
                next: next?,
                total: total?,
                job: job?,
            })
        })();
        fields.finish(
            "url or destination and path, headers, items, next, total and job",
            plan,
        )
    }
}

impl From<Target> for Start {
    fn from(target: Target) -> Self {
        let (address, destination) = match target {
            Target::Url(address) => (address, None),
            Target::Below(name, address) => (address, Some(name)),
            Target::Missing(name) => return Self::Missing(name),
        };
        Self::At {
            address,
            destination,
        }
    }
}

/// A pointer, if one is given; nothing at all if it is none.
#[expect(clippy::option_option, reason = "not given is not the same as wrong")]
fn read_pointer(fields: &mut Fields<'_>, name: &str) -> Option<Option<Pointer>> {
    let Some(raw) = fields.take_raw(name) else {
        return Some(None);
    };
    let text = serde_json::from_str::<Option<String>>(raw.get());
    let read = text.map_err(|_| pointer::RULE);
    match read.and_then(|text| text.as_deref().map(Pointer::read).transpose()) {
        Ok(pointer) => Some(pointer),
        Err(rule) => {
            fields.refuse(name, rule);
            None
        }
    }
}

fn read_next(fields: &mut Fields<'_>) -> Option<Next> {
    let read = match fields.take_raw("next") {
        Some(raw) => Next::read(raw).map_err(str::to_owned),
        None => Err(format!("is missing: it {}", next::RULE)),
    };
    read.map_err(|why| fields.refuse("next", why)).ok()
}

impl JobOfRow {
    fn take(fields: &mut Fields<'_>) -> Option<Self> {
        let read = match fields.take_raw("job") {
            Some(raw) => Self::read(raw),
            None => Err((
                "job",
                "is missing: say what becomes of each row, such as {\"kind\": \"resize\", \"key\": \"resize-{{/id}}\"}"
                    .to_owned(),
            )),
        };
        read.map_err(|(field, why)| fields.refuse(field, why)).ok()
    }

    /// Reads one, or says which field is wrong, and how.
    fn read(raw: &RawValue) -> Result<Self, (&'static str, String)> {
        let mut spec: JobSpec = serde_json::from_str(raw.get()).map_err(|error| {
            let error = error.to_string();
            let what = error.split(" at line ").next().unwrap_or_default();
            ("job", format!("is no job: {what}"))
        })?;
        if spec.kind == KIND {
            let why = format!("cannot be {KIND}: a walk makes no walks");
            return Err(("job.kind", why));
        }
        let payload = match member(raw, "payload") {
            Some(payload) => JsonTemplate::read(payload),
            None => JsonTemplate::row(),
        };
        spec.payload = "null".to_owned();
        let key = spec.key.take();
        let key = key.as_deref().map(TextTemplate::read).transpose();
        let key = key.map_err(|why| ("job.key", why))?;
        if key.as_ref().is_some_and(TextTemplate::is_fixed) {
            let why = "is the same for every row, so that they would all be one job; put a value of the row into it, such as \"resize-{{/id}}\"";
            return Err(("job.key", why.to_owned()));
        }
        Ok(Self {
            payload: payload.map_err(|why| ("job.payload", why))?,
            key,
            spec,
        })
    }

    /// The job of a row, or what the row lacks.
    pub fn of(&self, row: &RawValue) -> Result<JobSpec, String> {
        let key = self.key.as_ref().map(|key| key.fill(row)).transpose()?;
        Ok(JobSpec {
            payload: self.payload.fill(row)?,
            key,
            ..self.spec.clone()
        })
    }
}

fn member<'a>(object: &'a RawValue, name: &str) -> Option<&'a RawValue> {
    let members = serde_json::from_str::<Entries<'_>>(object.get()).ok()?.0;
    let mut named = members.into_iter();
    named.find(|(member, _)| member == name).map(|(_, raw)| raw)
}
