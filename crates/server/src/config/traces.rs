//! The settings of traces: a collector that is sent spans, in the words of OpenTelemetry where the environment has them.

use std::{collections::BTreeMap, str::FromStr};

use baton_providers::CollectorConfig;
use serde::{Deserialize, Serialize};

use super::values::Hidden;
use crate::exit::Failure;

const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
const HEADERS: &str = "OTEL_EXPORTER_OTLP_HEADERS";
const SERVICE_NAME: &str = "OTEL_SERVICE_NAME";
const RATIO: &str = "OTEL_TRACES_SAMPLER_ARG";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Traces {
    pub endpoint: String,
    pub service_name: String,
    pub headers: BTreeMap<String, Hidden>,
    pub ratio: f64,
}

impl Default for Traces {
    fn default() -> Self {
        Self {
            endpoint: String::new(),
            service_name: "baton".to_owned(),
            headers: BTreeMap::new(),
            ratio: 1.0,
        }
    }
}

impl Traces {
    /// Whether spans are made at all.
    pub const fn is_on(&self) -> bool {
        !self.endpoint.is_empty()
    }

    /// The collector, for a process of this name.
    pub fn collector(&self, instance: String) -> CollectorConfig {
        let headers = self.headers.iter();
        let headers = headers.map(|(name, value)| (name.clone(), value.reveal().to_owned()));
        CollectorConfig {
            endpoint: self.endpoint.clone(),
            headers: headers.collect(),
            service_name: self.service_name.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            instance,
        }
    }

    /// Refuses what cannot be.
    pub fn check(&self) -> Result<(), Failure> {
        if !(0.0..=1.0).contains(&self.ratio) {
            return Err(Failure::usage("traces.ratio is a share, from 0 to 1").then(
                "1 tells every trace that begins here, 0.01 each hundredth, 0 those of callers alone.",
            ));
        }
        if !self.is_on() {
            return Ok(());
        }
        self.collector(String::new()).check().map_err(|error| {
            Failure::usage(error.to_string())
                .then("How to send traces stands in docs/operations/traces.md.")
        })
    }

    /// Lays what the environment says over it; which setting each variable has set.
    pub fn lay_over(
        &mut self,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Vec<(&'static str, &'static str)>, Failure> {
        // OpenTelemetry takes an empty variable for one that is not there.
        let said = |name| variable(name).filter(|value| !value.trim().is_empty());
        let is =
            |name, word| said(name).is_some_and(|value| value.trim().eq_ignore_ascii_case(word));
        if is("OTEL_SDK_DISABLED", "true") || is("OTEL_TRACES_EXPORTER", "none") {
            return Ok(Vec::new());
        }
        let mut set = Vec::new();
        if let Some(endpoint) = said(ENDPOINT) {
            self.endpoint = endpoint.trim().to_owned();
            set.push(("traces.endpoint", ENDPOINT));
        }
        if let Some(name) = said(SERVICE_NAME) {
            self.service_name = name;
            set.push(("traces.service_name", SERVICE_NAME));
        }
        // Other samplers have words of their own for it.
        let is_ratio =
            said("OTEL_TRACES_SAMPLER").is_none_or(|name| name.trim().ends_with("traceidratio"));
        if let Some(ratio) = said(RATIO).filter(|_| is_ratio) {
            self.ratio = f64::from_str(ratio.trim()).map_err(|_| unreadable(RATIO, "a number"))?;
            set.push(("traces.ratio", RATIO));
        }
        if let Some(headers) = said(HEADERS) {
            let expected = "pairs such as name=value,name=value";
            self.headers = pairs(&headers).ok_or_else(|| unreadable(HEADERS, expected))?;
            set.push(("traces.headers", HEADERS));
        }
        Ok(set)
    }
}

/// The value may be a token, so it is not repeated.
fn unreadable(variable: &str, expected: &str) -> Failure {
    Failure::usage(format!("{variable} cannot be read"))
        .then(format!("It is to be {expected}, as OpenTelemetry has it."))
}

fn pairs(text: &str) -> Option<BTreeMap<String, Hidden>> {
    let pairs = text.split(',').filter(|pair| !pair.trim().is_empty());
    let read = |pair: &str| {
        let (name, value) = pair.split_once('=')?;
        let value = plain(value.trim())?;
        Some((name.trim().to_owned(), Hidden::new(value)))
    };
    pairs.map(read).collect()
}

/// A value without the percent signs that stand for other letters.
fn plain(value: &str) -> Option<String> {
    let mut parts = value.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend_from_slice(rest.as_bytes());
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn over(variables: &[(&str, &str)]) -> Result<Traces, Failure> {
        let variables: BTreeMap<_, _> = variables.iter().copied().collect();
        let mut traces = Traces {
            endpoint: "http://of-the-file:4318".to_owned(),
            ..Traces::default()
        };
        traces.lay_over(|name| variables.get(name).map(ToString::to_string))?;
        traces.check()?;
        Ok(traces)
    }

    #[test]
    fn the_variables_of_opentelemetry_go_before_the_file() {
        let traces = over(&[
            (ENDPOINT, "http://tempo:4318"),
            (SERVICE_NAME, "shop-jobs"),
            (RATIO, "0.25"),
            (HEADERS, "authorization=Bearer%20t%C3%BC, x-scope-orgid=7"),
        ])
        .unwrap();

        let headers = traces.headers.iter();
        let headers: Vec<_> = headers
            .map(|(name, value)| (&**name, value.reveal()))
            .collect();
        assert_eq!(traces.endpoint, "http://tempo:4318");
        assert_eq!((&*traces.service_name, traces.ratio), ("shop-jobs", 0.25));
        assert_eq!(
            headers,
            [("authorization", "Bearer tü"), ("x-scope-orgid", "7")]
        );
    }

    #[test]
    fn an_empty_variable_says_nothing() {
        let traces = over(&[(ENDPOINT, ""), (RATIO, " "), (HEADERS, "")]).unwrap();

        assert_eq!(traces.endpoint, "http://of-the-file:4318");
        assert_eq!(traces.ratio, 1.0);
    }

    #[test]
    fn what_cannot_be_read_is_refused_without_its_value() {
        let wrong = [
            (RATIO, "canary"),
            (RATIO, "1.5"),
            (HEADERS, "canary"),
            (HEADERS, "a=%zzcanary"),
            (ENDPOINT, "grpc://tempo:4317"),
        ];

        for (name, value) in wrong {
            let refused = over(&[(name, value)]).unwrap_err();
            let told = refused.what();
            assert!(!told.contains("canary"), "{name}: {told}");
        }
    }
}
