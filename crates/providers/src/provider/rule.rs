//! The verdict map of a provider: data, read from the top, and the first rule that fits decides.

use std::{fmt, str::FromStr, time::Duration};

use baton_domain::{duration, job::Class};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with::skip_serializing_none;

/// What an answer of a provider means.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Which statuses it is about; all of them if none is given.
    pub status: Option<Statuses>,
    /// Which field of the JSON body it looks at, as a path: `error.code`, `results.0.error`.
    pub field: Option<String>,
    /// What has to be in that field; if nothing is given, it has to be there.
    pub equals: Option<Value>,
    /// What it means.
    pub verdict: Word,
    /// How long to wait at least, for `retry` and `throttled`.
    #[serde(default, with = "duration::option")]
    pub after: Option<Duration>,
}

/// What an answer can mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Word {
    /// It was taken.
    Accepted,
    /// It may work later.
    Retry,
    /// The provider asks for patience; not a try.
    Throttled,
    /// The address is dead.
    Gone,
    /// The recipient does not want it.
    Refused,
    /// It will never work as asked.
    Permanent,
    /// Our own fault: credentials, template, money; not a try.
    Misconfigured,
    /// It may have been taken or not.
    Unknown,
}

impl Word {
    /// The class of failure it stands for; `None` is acceptance.
    #[must_use]
    pub const fn class(self) -> Option<Class> {
        Some(match self {
            Self::Accepted => return None,
            Self::Retry => Class::Retry,
            Self::Throttled => Class::Throttled,
            Self::Gone => Class::Gone,
            Self::Refused => Class::Refused,
            Self::Permanent => Class::Permanent,
            Self::Misconfigured => Class::Misconfigured,
            Self::Unknown => Class::Unknown,
        })
    }
}

impl Rule {
    /// What is wrong with it: the setting and a sentence.
    pub fn fault(&self) -> Option<(&'static str, &'static str)> {
        if self.status.is_none() && self.field.is_none() {
            return Some((
                "status",
                "is missing: give a status, a field, or both, or the rule fits everything",
            ));
        }
        if self.equals.is_some() && self.field.is_none() {
            return Some((
                "equals",
                "needs a field to look at, such as field = \"error.code\"",
            ));
        }
        if self.field.as_deref().is_some_and(str::is_empty) {
            return Some(("field", "must name a field, such as \"error.code\""));
        }
        None
    }

    /// Whether it is about this answer.
    #[must_use]
    pub fn fits(&self, status: u16, body: Option<&Value>) -> bool {
        let has_status = self.status.is_none_or(|statuses| statuses.hold(status));
        has_status
            && self
                .field
                .as_deref()
                .is_none_or(|path| self.has_field(path, body))
    }

    fn has_field(&self, path: &str, body: Option<&Value>) -> bool {
        let Some(body) = body else { return false };
        let found = path.split('.').try_fold(body, |value, name| match value {
            Value::Array(values) => values.get(name.parse::<usize>().ok()?),
            value => value.get(name),
        });
        let Some(found) = found else { return false };
        self.equals.as_ref().is_none_or(|wanted| wanted == found)
    }
}

/// Some statuses: `404`, `"4xx"`, `"500-503"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "NumberOrText", into = "String")]
pub struct Statuses {
    from: u16,
    to: u16,
}

/// Statuses as they are written.
#[derive(Deserialize)]
#[serde(untagged)]
enum NumberOrText {
    Number(u16),
    Text(String),
}

impl Statuses {
    const fn hold(self, status: u16) -> bool {
        self.from <= status && status <= self.to
    }
}

impl TryFrom<NumberOrText> for Statuses {
    type Error = String;

    fn try_from(written: NumberOrText) -> Result<Self, String> {
        match written {
            NumberOrText::Number(status) => status.to_string().parse(),
            NumberOrText::Text(text) => text.parse(),
        }
    }
}

impl FromStr for Statuses {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("{text:?} is no status; write one such as 404, \"4xx\" or \"500-503\"");
        let number = |text: &str| {
            let status = text.trim().parse::<u16>().ok();
            status
                .filter(|status| (100..=999).contains(status))
                .ok_or_else(wrong)
        };
        let (from, to) = if let Some(hundreds) = text.strip_suffix("xx") {
            let from = number(&format!("{hundreds}00"))?;
            (from, from + 99)
        } else if let Some((from, to)) = text.split_once('-') {
            (number(from)?, number(to)?)
        } else {
            (number(text)?, number(text)?)
        };
        if from > to {
            return Err(wrong());
        }
        Ok(Self { from, to })
    }
}

impl fmt::Display for Statuses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.from == self.to {
            return write!(f, "{}", self.from);
        }
        write!(f, "{}-{}", self.from, self.to)
    }
}

impl From<Statuses> for String {
    fn from(statuses: Statuses) -> Self {
        statuses.to_string()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn rule(json: Value) -> Rule {
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn statuses_are_written_one_by_one_by_the_hundred_or_from_to() {
        for (text, fits, misses) in [("404", 404, 403), ("4xx", 499, 500), ("500-503", 503, 504)] {
            let statuses: Statuses = text.parse().unwrap();

            assert!(statuses.hold(fits) && !statuses.hold(misses), "{text}");
        }
        for text in ["", "xx", "4x", "99", "503-500", "4xxx", "-", "1000"] {
            assert!(text.parse::<Statuses>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_rule_looks_at_the_status_and_at_a_field() {
        let rule = rule(
            json!({"status": 404, "field": "error.code", "equals": "GONE", "verdict": "gone"}),
        );
        let gone = json!({"error": {"code": "GONE"}});

        assert!(rule.fits(404, Some(&gone)));
        assert!(!rule.fits(400, Some(&gone)));
        assert!(!rule.fits(404, Some(&json!({"error": {"code": "OTHER"}}))));
        assert!(!rule.fits(404, Some(&json!({"error": "GONE"}))));
        assert!(!rule.fits(404, None));
    }

    #[test]
    fn a_field_can_lie_in_a_list_and_hold_a_number_or_only_be_there() {
        let number = rule(json!({"field": "results.0.code", "equals": 3018, "verdict": "refused"}));
        let there = rule(json!({"field": "error", "verdict": "permanent"}));

        assert!(number.fits(200, Some(&json!({"results": [{"code": 3018}]}))));
        assert!(!number.fits(200, Some(&json!({"results": []}))));
        assert!(there.fits(200, Some(&json!({"error": null}))));
        assert!(!there.fits(200, Some(&json!({}))));
    }

    #[test]
    fn a_rule_that_fits_everything_or_compares_nothing_is_refused() {
        let fault = |json| rule(json).fault().map(|(setting, _)| setting);

        assert_eq!(fault(json!({"verdict": "gone"})), Some("status"));
        assert_eq!(
            fault(json!({"status": 404, "equals": 1, "verdict": "gone"})),
            Some("equals")
        );
        assert_eq!(
            fault(json!({"field": "", "verdict": "gone"})),
            Some("field")
        );
        assert_eq!(
            fault(json!({"status": "4xx", "verdict": "gone", "after": "5s"})),
            None
        );
    }
}
