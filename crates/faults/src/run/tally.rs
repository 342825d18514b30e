//! What has been done so far, what is to be done, and what is done next.

use std::{collections::BTreeMap, sync::OnceLock, time::Duration};

use parking_lot::Mutex;
use rand::{RngExt, rngs::StdRng};
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use crate::Failure;

use super::{
    options::Options,
    scenario::{Scenario, Victim},
    versions,
};

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Count {
    Kills,
    RemoteKills,
    RemoteFreezes,
    AnswerCuts,
    RedisKills,
    DatabaseKills,
    Failovers,
    SwitchOvers,
    Cuts,
    CommitCuts,
    ClockSteps,
    HintsTaken,
    VersionChanges,
    Jobs,
    BulkJobs,
    Campaigns,
}

use Count as C;

impl Count {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            C::Kills => "processes killed",
            C::RemoteKills => "kills of remote workers",
            C::RemoteFreezes => "freezes of remote workers",
            C::AnswerCuts => "answers to remote workers lost",
            C::RedisKills => "kills and wipes of Redis",
            C::DatabaseKills => "kills of the database",
            C::Failovers => "failovers of PostgreSQL",
            C::SwitchOvers => "switch-overs of PostgreSQL",
            C::Cuts => "connections cut",
            C::CommitCuts => "cuts around COMMIT",
            C::ClockSteps => "clock steps",
            C::HintsTaken => "answers of Redis that led to jobs",
            C::VersionChanges => "servers changed for another version",
            C::Jobs => "jobs accepted",
            C::BulkJobs => "of them in requests of hundreds",
            C::Campaigns => "campaigns brought to their end",
        }
    }
}

/// How much more often than by its weight that is drawn which a goal still asks for.
const URGENT: u32 = 8;

/// What has been done so far, and what is to be done.
pub struct Tally {
    goals: BTreeMap<Count, u64>,
    done: Mutex<BTreeMap<Count, u64>>,
    deck: Vec<Scenario>,
    began: OnceLock<Instant>,
    span: Duration,
}

impl Tally {
    /// A goal that nothing in the deck brings nearer is a mistake.
    pub fn new(args: &Options, deck: Vec<Scenario>) -> Result<Self, Failure> {
        let goals = [
            (C::Kills, args.kills),
            (C::RemoteKills, args.remote_kills),
            (C::RemoteFreezes, args.remote_freezes),
            (C::AnswerCuts, args.answer_cuts),
            (C::RedisKills, args.redis_kills),
            (C::DatabaseKills, args.database_kills),
            (C::Failovers, args.failovers),
            (C::SwitchOvers, args.switch_overs),
            (C::Cuts, args.cuts),
            (C::CommitCuts, args.commit_cuts),
            (C::ClockSteps, args.clock_steps),
            (C::VersionChanges, versions::goal(args)?),
            (C::Jobs, args.jobs),
        ];
        let goals: BTreeMap<_, _> = goals.into_iter().filter(|(_, goal)| *goal > 0).collect();
        let others = [C::Jobs, C::VersionChanges];
        for goal in goals.keys().filter(|goal| !others.contains(goal)) {
            if !deck.iter().any(|one| brings(*one).contains(goal)) {
                let goal = goal.as_str();
                return Err(Failure::usage(format!(
                    "the goal of {goal} cannot be reached: none of the scenarios to be played adds to it"
                )));
            }
        }
        Ok(Self {
            goals,
            done: Mutex::default(),
            deck,
            began: OnceLock::new(),
            span: args.span,
        })
    }

    /// Whether this is among what may be drawn.
    pub fn may_draw(&self, scenario: Scenario) -> bool {
        self.deck.contains(&scenario)
    }

    pub fn add(&self, count: Count, more: u64) {
        *self.done.lock().entry(count).or_default() += more;
    }

    /// For what is counted elsewhere.
    pub fn set(&self, count: Count, to: u64) {
        self.done.lock().insert(count, to);
    }

    pub fn done(&self, count: Count) -> u64 {
        self.done.lock().get(&count).copied().unwrap_or(0)
    }

    pub fn counts(&self) -> BTreeMap<Count, u64> {
        self.done.lock().clone()
    }

    /// Begins to count the time, when this is asked for first.
    pub fn elapsed(&self) -> Duration {
        self.began.get_or_init(Instant::now).elapsed()
    }

    /// What is still to be done: the count, and how many more.
    pub fn missing(&self) -> BTreeMap<Count, u64> {
        let goals = self.goals.iter();
        goals
            .map(|(count, goal)| (*count, goal.saturating_sub(self.done(*count))))
            .filter(|(_, missing)| *missing > 0)
            .collect()
    }

    pub fn is_reached(&self) -> bool {
        self.elapsed() >= self.span && self.missing().is_empty()
    }

    /// Whether a victim has been hurt as often as any goal asks for: the machine's time belongs to the others.
    pub fn is_done_with(&self, victim: Victim) -> bool {
        let of_victim = self.deck.iter().filter(|one| one.victim() == victim);
        let counts: Vec<_> = of_victim.flat_map(|one| brings(*one)).collect();
        let missing = self.missing();
        let has_goals = counts.iter().any(|count| self.goals.contains_key(count));
        has_goals && !counts.iter().any(|count| missing.contains_key(count))
    }

    /// How often this is to be counted, if that is a goal.
    pub fn goal(&self, count: Count) -> Option<u64> {
        self.goals.get(&count).copied()
    }

    /// How much of it is done, from 0 to 1: as much as of what is furthest behind.
    pub fn share(&self) -> f64 {
        let time = self.elapsed().as_secs_f64() / self.span.as_secs_f64().max(0.001);
        let goals = self.goals.iter();
        goals
            .map(|(count, goal)| self.done(*count) as f64 / *goal as f64)
            .fold(time, f64::min)
            .min(1.0)
    }

    /// What to do next to a victim: by chance, and rather what a goal still asks for.
    pub fn draw(&self, victim: Victim, chance: &mut StdRng) -> Option<Scenario> {
        let missing = self.missing();
        let of_victim = self
            .deck
            .iter()
            .copied()
            .filter(|one| one.victim() == victim);
        let weighed: Vec<_> = of_victim
            .map(|one| {
                let helps = brings(one).iter().any(|count| missing.contains_key(count));
                (one, one.weight() * if helps { URGENT } else { 1 })
            })
            .collect();
        let total: u32 = weighed.iter().map(|(_, weight)| weight).sum();
        if total == 0 {
            return None;
        }
        let mut place = chance.random_range(0..total);
        let mut drawn = weighed.into_iter();
        let (one, _) = drawn.find(|(_, weight)| match place.checked_sub(*weight) {
            Some(rest) => {
                place = rest;
                false
            }
            None => true,
        })?;
        Some(one)
    }
}

/// What a scenario adds to.
const fn brings(scenario: Scenario) -> &'static [Count] {
    use Scenario as S;
    match scenario {
        S::KillApi
        | S::KillEngine
        | S::KillWorker
        | S::KillMany
        | S::KillStopping
        | S::KillCampaign => &[C::Kills],
        S::KillRemote => &[C::RemoteKills],
        S::PauseRemote => &[C::RemoteFreezes],
        S::CutAnswers => &[C::AnswerCuts],
        S::KillDatabase | S::StopDatabase => &[C::DatabaseKills],
        S::FailOver => &[C::Failovers],
        S::SwitchOver => &[C::SwitchOvers],
        S::CutDatabase | S::CutBytes | S::CutOff | S::CutRedis => &[C::Cuts],
        S::CutCommits => &[C::CommitCuts, C::Cuts],
        S::KillRedis | S::WipeRedis | S::OldRedis | S::FailOverRedis => &[C::RedisKills],
        S::StepClock => &[C::ClockSteps],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use rand::SeedableRng;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: Options,
    }

    fn tally(words: &[&str], deck: &[Scenario]) -> Result<Tally, Failure> {
        let options = Line::parse_from([&["faults"], words].concat()).options;
        Tally::new(&options, deck.to_vec())
    }

    fn draw(tally: &Tally, victim: Victim, times: usize) -> BTreeMap<Scenario, usize> {
        let mut chance = StdRng::seed_from_u64(1);
        let mut drawn = BTreeMap::new();
        for _ in 0..times {
            *drawn
                .entry(tally.draw(victim, &mut chance).unwrap())
                .or_default() += 1;
        }
        drawn
    }

    #[test]
    fn a_run_is_over_when_its_time_is_up_and_every_goal_is_reached() {
        let tally = tally(&["--for", "0s", "--kills", "2"], &[Scenario::KillApi]).unwrap();

        tally.add(Count::Kills, 1);
        let half_way = (tally.is_reached(), tally.missing());
        tally.add(Count::Kills, 1);

        assert_eq!(half_way, (false, [(Count::Kills, 1)].into()));
        assert!(tally.is_reached());
    }

    #[test]
    fn a_goal_that_nothing_brings_nearer_is_refused() {
        let refused = tally(&["--cuts", "1"], &[Scenario::KillApi]).err().unwrap();

        assert!(
            format!("{refused:?}").contains("connections cut"),
            "{refused:?}"
        );
    }

    #[test]
    fn every_scenario_of_a_victim_is_drawn_and_none_of_another() {
        let deck: Vec<_> = Scenario::each().collect();
        let tally = tally(&[], &deck).unwrap();

        for victim in [
            Victim::Servers,
            Victim::Remote,
            Victim::Campaigns,
            Victim::Database,
            Victim::Lines,
            Victim::Cluster,
            Victim::Sentinels,
            Victim::Redis,
            Victim::Clocks,
        ] {
            let drawn = draw(&tally, victim, 1_000).into_keys();

            let own = deck.iter().copied().filter(|one| one.victim() == victim);
            assert!(drawn.eq(own), "{victim:?}");
        }
    }

    #[test]
    fn what_a_goal_asks_for_is_drawn_more_often_until_it_is_reached() {
        let deck = [Scenario::CutBytes, Scenario::SlowDatabase];
        let tally = tally(&["--cuts", "1"], &deck).unwrap();

        let before = draw(&tally, Victim::Lines, 1_000);
        tally.add(Count::Cuts, 1);
        let after = draw(&tally, Victim::Lines, 1_000);

        assert!(before[&Scenario::CutBytes] > 800, "{before:?}");
        assert!(after[&Scenario::CutBytes] < 600, "{after:?}");
    }

    #[test]
    fn a_victim_is_done_with_when_every_goal_that_it_helps_is_reached() {
        let deck = [Scenario::KillApi, Scenario::KillRedis, Scenario::CutRedis];
        let tally = tally(&["--redis-kills", "1", "--cuts", "1"], &deck).unwrap();

        let before = tally.is_done_with(Victim::Redis);
        tally.add(Count::RedisKills, 1);
        let half_way = tally.is_done_with(Victim::Redis);
        tally.add(Count::Cuts, 1);

        assert!(!before && !half_way && tally.is_done_with(Victim::Redis));
        assert!(!tally.is_done_with(Victim::Servers), "it has no goal");
    }
}
