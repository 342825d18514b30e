//! Rules of the calls: what a node answers, and when it has done it.

use std::{collections::HashMap, time::Duration};

use baton_domain::{LeaseId, Timestamp};
use baton_protocol::remote::News;

use super::Violation;
use crate::far::{scribe::Deed, world::Record};

/// How long the calls take that a beat makes of the store, where nothing is wrong.
const SOON: Duration = Duration::from_secs(1);

pub fn judge(record: &Record, found: &mut Vec<Violation>) {
    a_node_that_stops_takes_what_is_told(record, found);
    if record.weather.is_gentle {
        a_beat_renews_as_it_arrives(record, found);
    }
}

fn a_node_that_stops_takes_what_is_told(record: &Record, found: &mut Vec<Violation>) {
    let told = ["beat", "results", "checkpoints", "release", "goodbye"];
    for one in record.answered.iter().filter(|one| one.was_closed) {
        if told.contains(&one.call.as_str()) && one.body.contains("draining\"") && one.status == 503
        {
            found.push(Violation {
                rule: "a_node_that_stops_takes_what_is_told",
                job: None,
                what: format!("{} of {} was answered {}", one.call, one.worker, one.body),
            });
        }
    }
}

fn a_beat_renews_as_it_arrives(record: &Record, found: &mut Vec<Violation>) {
    let mut renewals = HashMap::<LeaseId, Vec<Timestamp>>::new();
    for (at, deed) in &record.deeds {
        if let Deed::Renewed { leases } = deed {
            for lease in leases {
                renewals.entry(*lease).or_default().push(*at);
            }
        }
    }
    let beats = record.answered.iter();
    for beat in beats.filter(|one| one.call == "beat" && one.status.is_success()) {
        let news: News = serde_json::from_str(&beat.body).unwrap();
        for lease in news.held {
            let renewed = renewals.get(&lease).into_iter().flatten();
            let mut soon = renewed.filter(|at| **at >= beat.arrived && **at <= beat.arrived + SOON);
            if soon.next().is_none() {
                found.push(Violation {
                    rule: "a_beat_renews_as_it_arrives",
                    job: None,
                    what: format!(
                        "{lease} was not renewed by the beat of {} at {}, answered at {}",
                        beat.worker, beat.arrived, beat.answered
                    ),
                });
            }
        }
    }
}
