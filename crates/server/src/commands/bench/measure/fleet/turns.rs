//! Both ways, one after the other, again and again: what each took, and how they compare.

use std::time::Duration;

use crate::commands::bench::{figure::Figure, session::Session};

use super::{
    Way,
    crowd::{Turn, WORKERS},
};

/// What both ways took.
#[derive(Default)]
pub struct Turns {
    database: Vec<Turn>,
    redis: Vec<Turn>,
}

/// Both ways so many times. Each is first every other time: a machine that slows down meanwhile favours neither.
pub fn in_turn(rounds: usize) -> impl Iterator<Item = (usize, Way)> {
    (0..rounds).flat_map(|round| {
        let ways = match round % 2 {
            0 => [Way::Database, Way::Redis],
            _ => [Way::Redis, Way::Database],
        };
        ways.map(|way| (round, way))
    })
}

impl Turns {
    pub fn took(&mut self, way: Way, turn: Turn) {
        match way {
            Way::Database => self.database.push(turn),
            Way::Redis => self.redis.push(turn),
        }
    }

    /// Tells what the turns of each way took in the middle, the second way against the first.
    pub fn tell(&self, session: &mut Session<'_>, workload: &str, jobs: u32, what: &str) {
        let without = median(&self.database);
        for (way, turns) in [(Way::Database, &self.database), (Way::Redis, &self.redis)] {
            let took = median(turns);
            let name = format!("{workload}_{}", way.as_str());
            let note = format!("{what}, median of {} s", seconds(turns));
            let mut figure = Figure::rate(name, jobs.into(), WORKERS, took).note(note);
            if let Some(transactions) = turns.iter().find_map(|turn| turn.transactions) {
                let of_a_thousand = transactions / f64::from(jobs) * 1e3;
                figure = figure.using(of_a_thousand, "transactions per 1000 jobs");
            }
            if way == Way::Redis {
                let ratio = without.as_secs_f64() / took.as_secs_f64();
                figure = figure.against("the database alone", ratio);
            }
            session.found(figure);
        }
    }
}

fn median(turns: &[Turn]) -> Duration {
    let mut took: Vec<_> = turns.iter().map(|turn| turn.took).collect();
    took.sort();
    took[took.len() / 2]
}

fn seconds(turns: &[Turn]) -> String {
    let seconds = turns
        .iter()
        .map(|turn| format!("{:.2}", turn.took.as_secs_f64()));
    seconds.collect::<Vec<_>>().join(", ")
}
