//! All that is known of a run, in a file.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufReader, BufWriter},
    path::Path,
};

use baton_lab::checker::History;
use serde::{Deserialize, Serialize};

use crate::Failure;

use super::{scenario::Scenario, tally::Count};

/// All that is known of a run.
#[derive(Debug, Serialize, Deserialize)]
pub struct Recording {
    pub seed: u64,
    /// How long there were faults.
    pub faults_s: f64,
    /// How long after the last one everything had come to rest.
    pub rest_s: f64,
    /// How often each scenario was played.
    pub plays: BTreeMap<Scenario, u64>,
    pub counts: BTreeMap<Count, u64>,
    /// By how much each goal was missed.
    pub missed: BTreeMap<Count, u64>,
    /// What was not played because a server was given.
    #[serde(default)]
    pub left_out: Vec<Scenario>,
    pub history: History,
}

impl Recording {
    pub fn write(&self, path: &Path) -> Result<(), Failure> {
        let cannot = |error: &dyn std::fmt::Display| {
            Failure::new(format!("{} cannot be written: {error}", path.display()))
        };
        let file = File::create(path).map_err(|error| cannot(&error))?;
        let written = serde_json::to_writer(BufWriter::new(file), self);
        written.map_err(|error| cannot(&error))
    }

    pub fn read(path: &Path) -> Result<Self, Failure> {
        let file = File::open(path).map_err(|error| {
            Failure::usage(format!("{} cannot be read: {error}", path.display()))
        })?;
        serde_json::from_reader(BufReader::new(file)).map_err(|error| {
            Failure::usage(format!(
                "{} is no history of baton faults: {error}",
                path.display()
            ))
        })
    }
}
