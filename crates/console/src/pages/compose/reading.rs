//! Reading what was typed into the form. Whether it makes sense says the engine.

use std::{fmt::Display, str::FromStr, time::Duration};

use baton_domain::{campaign::CampaignSpec, duration, job::FieldError, message::MessageSpec};

use super::draft::{Draft, given};
use crate::pages::picked::{self, Wrong};

/// What cannot be read, field by field.
#[derive(Default)]
pub struct Errors(Vec<FieldError>);

impl Errors {
    /// Adds what is wrong with a field.
    pub fn add(&mut self, field: &str, why: impl Into<String>) {
        self.0.push(FieldError::new(field, why));
    }

    /// Refuses what stands in a field of a choice that was not made.
    pub fn refuse_unchosen(&mut self, field: &str, text: &str, label: &str) {
        if given(text).is_some() {
            let message = tr!(
                "is filled but not chosen: choose \"{label}\", or empty it",
                label = label
            );
            self.add(field, message);
        }
    }

    /// What stands in a field that can be empty.
    fn read<T, E: Display>(
        &mut self,
        field: &str,
        text: &str,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        let read = read(&given(text)?);
        read.map_err(|why| self.add(field, why.to_string())).ok()
    }

    fn span(&mut self, field: &str, text: &str) -> Option<Duration> {
        self.read(field, text, duration::parse)
    }

    fn number<T: FromStr>(&mut self, field: &str, text: &str) -> Option<T> {
        self.read(field, text, |text| {
            text.parse::<T>()
                .map_err(|_| tr!("must be a number, such as 50; or leave it empty"))
        })
    }
}

impl Draft {
    /// Reads what was typed.
    pub fn spec(&self) -> Result<CampaignSpec, Vec<FieldError>> {
        let mut errors = Errors::default();
        let mut spec = CampaignSpec {
            name: self.name.trim().to_owned(),
            category: self.category.trim().to_owned(),
            action: self.action.clone(),
            audience: self.audience(&mut errors),
            message: MessageSpec {
                title: written(&self.title).unwrap_or_default(),
                body: written(&self.body).unwrap_or_default(),
                data: written(&self.data),
                translations: self.translations.read(&mut errors),
            },
            provider: given(&self.provider),
            channel: given(&self.channel),
            topic: given(&self.topic),
            rate: errors.number("rate", &self.rate),
            lane: given(&self.lane),
            lead: errors.span("lead", &self.lead),
            chunk: errors.number("chunk", &self.chunk),
            expires_after: errors.span("expires_after", &self.expires_after),
            delivery: errors.read("delivery", &self.delivery, str::parse),
            max_attempts: errors.number("max_attempts", &self.max_attempts),
            timeout: errors.span("timeout", &self.timeout),
            backoff: errors.read("backoff", &self.backoff, |text| serde_json::from_str(text)),
            key: given(&self.key),
            ..CampaignSpec::default()
        };
        self.moment(&mut spec, &mut errors);
        match errors.0 {
            none if none.is_empty() => Ok(spec),
            errors => Err(errors),
        }
    }

    fn moment(&self, spec: &mut CampaignSpec, errors: &mut Errors) {
        self.check_unchosen(errors);
        match &*self.when {
            "at" => match picked::moment(&self.send_at, &self.send_at_zone) {
                Ok(at) => spec.send_at = Some(at),
                Err(Wrong::Time(why)) => errors.add("send_at", why),
                Err(Wrong::Zone(why)) => errors.add("send_at_zone", why),
            },
            "local" => {
                spec.send_at_local = Some(self.send_at_local.trim().to_owned());
                spec.time_zone = given(&self.time_zone);
            }
            _ => {}
        }
    }

    /// A moment that was typed and not chosen would be lost, and the campaign go at another. A zone alone is no moment:
    /// the page fills in its own.
    fn check_unchosen(&self, errors: &mut Errors) {
        let at = tr!("At this moment");
        let local = tr!("When each recipient's clock shows");
        for (field, text, when, label) in [
            ("send_at", &self.send_at, "at", at),
            ("send_at_local", &self.send_at_local, "local", local),
            ("time_zone", &self.time_zone, "local", local),
        ] {
            if self.when != when {
                errors.refuse_unchosen(field, text, label);
            }
        }
    }
}

/// A text to the byte, if it says anything. A form sends line breaks as mails have them.
pub fn written(text: &str) -> Option<String> {
    let says_something = !text.trim().is_empty();
    says_something.then(|| text.replace("\r\n", "\n"))
}
