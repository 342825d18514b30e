//! The job that every peer runs: 200 bytes of JSON, and nothing to do.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Noop {
    i: usize,
    to: String,
    template: String,
    vars: Value,
    pad: String,
}

impl Noop {
    pub fn new(i: usize) -> Self {
        Self {
            i,
            to: "user@example.com".to_owned(),
            template: "welcome".to_owned(),
            vars: json!({"name": "Some Body", "n": 12345}),
            pad: "x".repeat(110),
        }
    }
}
