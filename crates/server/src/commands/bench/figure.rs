//! One figure: what was measured, and how it compares.

use std::{fmt, time::Duration};

use serde::Serialize;
use serde_with::skip_serializing_none;

use super::load::per_second;

#[skip_serializing_none]
#[derive(Debug, Clone, Serialize)]
pub struct Figure {
    pub measurement: &'static str,
    /// What was done, in the words of the peers' drivers.
    pub workload: String,
    pub n: u64,
    pub concurrency: u32,
    pub seconds: Option<f64>,
    pub per_second: Option<f64>,
    #[serde(flatten)]
    pub latency: Option<Latency>,
    #[serde(flatten)]
    pub amount: Option<Amount>,
    pub ratio: Option<Ratio>,
    pub notes: String,
}

/// How long something took, over many times.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Latency {
    pub p50_ms: f64,
    pub p99_ms: f64,
    pub max_ms: f64,
}

/// How much of something there was.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Amount {
    pub value: f64,
    pub unit: &'static str,
}

/// A figure in parts of another one.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Ratio {
    /// What of.
    pub to: &'static str,
    pub value: f64,
}

impl Figure {
    fn new(workload: impl Into<String>, n: u64, concurrency: u32) -> Self {
        Self {
            measurement: "",
            workload: workload.into(),
            n,
            concurrency,
            seconds: None,
            per_second: None,
            latency: None,
            amount: None,
            ratio: None,
            notes: String::new(),
        }
    }

    /// So many in so long.
    pub fn rate(workload: impl Into<String>, n: u64, concurrency: u32, took: Duration) -> Self {
        let figure = Self::new(workload, n, concurrency);
        Self {
            seconds: Some(rounded(took.as_secs_f64(), 3)),
            per_second: Some(rounded(per_second(n, took), 1)),
            ..figure
        }
    }

    /// How long each took.
    pub fn latency(workload: impl Into<String>, concurrency: u32, samples: Vec<Duration>) -> Self {
        let figure = Self::new(workload, samples.len() as u64, concurrency);
        Self {
            latency: Latency::of(samples),
            ..figure
        }
    }

    /// How much there was.
    pub fn amount(workload: impl Into<String>, n: u64, value: f64, unit: &'static str) -> Self {
        Self::new(workload, n, 1).using(value, unit)
    }

    /// The same with how much of something it used.
    pub fn using(self, value: f64, unit: &'static str) -> Self {
        let value = rounded(value, 1);
        Self {
            amount: Some(Amount { value, unit }),
            ..self
        }
    }

    /// The same, found by this measurement.
    pub fn of(self, measurement: &'static str) -> Self {
        Self {
            measurement,
            ..self
        }
    }

    /// The same with how long each took.
    pub fn taking(self, samples: Vec<Duration>) -> Self {
        Self {
            latency: Latency::of(samples),
            ..self
        }
    }

    /// The same beside another figure.
    pub fn against(self, to: &'static str, value: f64) -> Self {
        let value = rounded(value, 3);
        Self {
            ratio: Some(Ratio { to, value }),
            ..self
        }
    }

    /// The same with how it was measured.
    pub fn note(self, notes: impl Into<String>) -> Self {
        Self {
            notes: notes.into(),
            ..self
        }
    }
}

impl Latency {
    /// Half took no longer, 99 of 100 took no longer, none took longer.
    pub fn of(mut samples: Vec<Duration>) -> Option<Self> {
        samples.sort_unstable();
        let at = |hundredths: usize| {
            let last = samples.len().checked_sub(1)?;
            let sample = samples[last.min(samples.len() * hundredths / 100)];
            Some(rounded(sample.as_secs_f64() * 1e3, 3))
        };
        Some(Self {
            p50_ms: at(50)?,
            p99_ms: at(99)?,
            max_ms: at(100)?,
        })
    }
}

impl fmt::Display for Figure {
    /// The figure alone, for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let amount = self
            .amount
            .map(|amount| format!("{} {}", amount.value, amount.unit));
        let rate = self.per_second.map(|rate| format!("{rate:.0}/s"));
        let latency = self.latency.filter(|_| self.per_second.is_none());
        let latency = latency.map(|latency| format!("{:.2} ms", latency.p50_ms));
        let figures: Vec<_> = [amount, rate, latency].into_iter().flatten().collect();
        f.write_str(&figures.join(", "))
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2} x {}", self.value, self.to)
    }
}

fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    (value * scale).round() / scale
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_taken_from_the_sorted_samples() {
        let samples: Vec<_> = (1..=200).rev().map(Duration::from_millis).collect();

        let latency = Latency::of(samples).unwrap();

        assert_eq!(latency.p50_ms, 101.0);
        assert_eq!(latency.p99_ms, 199.0);
        assert_eq!(latency.max_ms, 200.0);
        assert!(Latency::of(Vec::new()).is_none());
    }
}
