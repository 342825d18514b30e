//! What campaigns did, in a few numbers.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::{campaigns::stops, index::Index, state::State};

/// What campaigns did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CampaignSummary {
    /// How many there were.
    pub campaigns: usize,
    /// Their deliveries by their states.
    pub states: BTreeMap<State, usize>,
    /// How many calls their deliveries made.
    pub calls: usize,
    /// How often one was stopped or canceled, and it is known until when.
    pub stops: usize,
    /// How long after the answer to a stop a call started, at the most; `None` if none did.
    pub last_call_us: Option<i64>,
    /// How often somebody looked at the books of one.
    pub looks: usize,
}

impl CampaignSummary {
    pub(super) fn of(index: &Index<'_>) -> Self {
        let known = &index.history.campaigns;
        let mut summary = Self {
            campaigns: known.ends.len(),
            looks: known.looks.len(),
            ..Self::default()
        };
        let mut arrivals = BTreeMap::<&str, Vec<i64>>::new();
        for job in &index.history.jobs {
            let Some(campaign) = &job.campaign_id else {
                continue;
            };
            *summary.states.entry(job.state).or_default() += 1;
            let calls = index.arrivals(&job.id);
            summary.calls += calls.len();
            let moments = calls.iter().map(|one| one.at_us);
            arrivals.entry(campaign).or_default().extend(moments);
        }
        for campaign in &known.ends {
            let arrivals = arrivals.get(&*campaign.id).map_or(&[][..], Vec::as_slice);
            summary.count_stops(&stops::stops(index, &campaign.id), arrivals);
        }
        summary
    }

    fn count_stops(&mut self, stops: &[stops::Stop], arrivals: &[i64]) {
        self.stops += stops.len();
        for stop in stops {
            let meanwhile = arrivals
                .iter()
                .filter(|at| (stop.answered_us..stop.until_us).contains(*at));
            let last = meanwhile.map(|at| at - stop.answered_us).max();
            self.last_call_us = self.last_call_us.max(last);
        }
    }
}
