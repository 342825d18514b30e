//! A small world that keeps every promise, and writes the history it would leave behind.

mod campaigns;
mod feed;
mod notifications;
mod races;
mod scenes;
mod steps;

pub use steps::step_the_clock;

pub use races::{
    date_a_claim_before_its_job, forget_a_claim, forget_the_claim_of_a_canceled_job,
    hold_a_call_back,
};

use baton_lab::{
    checker::{
        At, Attempt, Fault, FaultKind, History, Job, Late, Outcome, Posted, Request, Rules, State,
    },
    target::{Answer, Arrival, Reply, Script},
};
use rand::{Rng, RngExt, SeedableRng, rngs::StdRng};
use serde_json::json;

const START: i64 = 1_780_000_000_000_000;
const MS: i64 = 1_000;
const SECOND: i64 = 1_000 * MS;
const LEASE: i64 = 30 * SECOND;
const TIMEOUT: i64 = 10 * SECOND;

/// A history without faults.
pub fn calm(seed: u64) -> History {
    World::new(seed, false).live()
}

/// A history in which another PostgreSQL became the primary before all else, for which a subscriber was told to start
/// over.
pub fn failed_over(seed: u64) -> History {
    let mut history = calm(seed);
    history.faults.push(feed::failover(START));
    let told = feed::told_to_start_over(&history.events);
    history.subscribers.push(told);
    history
}

/// A history with kills, pauses and cut lines, each of which excuses what it caused.
pub fn stormy(seed: u64) -> History {
    World::new(seed, true).live()
}

/// What befalls an attempt.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mishap {
    None,
    Kill,
    Cut,
    /// The worker is paused past its lease, and its success is adopted when it wakes.
    Adopted,
}

struct World {
    history: History,
    chance: StdRng,
    is_stormy: bool,
    workers: u32,
    moves: Vec<(i64, String, Option<State>, State)>,
}

/// One job on its way.
struct Life {
    id: String,
    key: Option<String>,
    path: String,
    at: i64,
    state: State,
    reason: Option<&'static str>,
    run: u32,
    attempt: u32,
    tries: u32,
    losses: u32,
    arrivals: u32,
    max_attempts: u32,
    at_most_once: bool,
    created_at: i64,
    run_at: i64,
}

impl World {
    fn new(seed: u64, is_stormy: bool) -> Self {
        Self {
            history: History::default(),
            chance: StdRng::seed_from_u64(seed),
            is_stormy,
            workers: 0,
            moves: Vec::new(),
        }
    }

    fn live(mut self) -> History {
        for number in 0..70 {
            let path = self.path(number);
            let mut life = self.post(number, &path, 0, false);
            self.run_to_its_end(&mut life);
            self.keep(&life);
        }
        self.cancel_in_time();
        self.redrive();
        self.run_now();
        self.resolve();
        self.wait();
        self.refuse();
        self.campaign();
        self.notifications();
        self.close()
    }

    fn path(&mut self, number: i64) -> String {
        let n = self.chance.random_range(1..=2);
        match number % 10 {
            0 => "/bad".to_owned(),
            1 => "/gone".to_owned(),
            2 => format!("/flaky/{}", self.chance.random_range(0..=5)),
            3 => format!("/reset/{n}"),
            4 => format!("/throttle/{n}"),
            5 => format!("/slow/{}", n * 20),
            6 => "/hang/1".to_owned(),
            7 => "/status/500".to_owned(),
            _ => "/ok".to_owned(),
        }
    }

    /// Posts a job; now and then the answer is lost and the post repeated, or there is no key.
    fn post(&mut self, number: i64, path: &str, delay: i64, at_most_once: bool) -> Life {
        let id = format!("job_{number:04}");
        let start = START + number * 3 * MS;
        let has_key = number % 7 != 3;
        let key = has_key.then(|| format!("order-{number}"));
        let run_at = start + 1_500 + delay;
        let request = |start_us: i64, answer: Posted| Request {
            start_us,
            end_us: start_us + 2 * MS,
            key: key.clone(),
            path: Some(path.to_owned()),
            max_attempts: 4,
            run_at_us: (delay > 0).then_some(run_at),
            timeout_us: TIMEOUT,
            at_most_once,
            answer,
        };
        if has_key && self.chance.random_ratio(1, 5) {
            self.history.requests.push(request(start, Posted::Unknown));
            let known = Posted::Ok {
                id: id.clone(),
                created: false,
            };
            self.history.requests.push(request(start + 9 * MS, known));
        } else {
            let new = Posted::Ok {
                id: id.clone(),
                created: true,
            };
            self.history.requests.push(request(start, new));
        }
        let mut life = Life {
            id,
            key,
            path: path.to_owned(),
            at: start + 1_500,
            state: State::Pending,
            reason: None,
            run: 1,
            attempt: 0,
            tries: 0,
            losses: 0,
            arrivals: 0,
            max_attempts: 4,
            at_most_once,
            created_at: start + 1_500,
            run_at,
        };
        let begins = if delay > 0 {
            State::Pending
        } else {
            State::Queued
        };
        self.moves.push((life.at, life.id.clone(), None, begins));
        life.state = begins;
        life
    }

    fn moves(&mut self, life: &mut Life, to: State) {
        self.moves
            .push((life.at, life.id.clone(), Some(life.state), to));
        life.state = to;
    }

    fn run_to_its_end(&mut self, life: &mut Life) {
        while !life.state.is_terminal() {
            if life.state != State::Queued {
                life.at = life.at.max(life.run_at);
                self.moves(life, State::Queued);
            }
            let mishap = self.mishap();
            self.attempt(life, mishap);
        }
    }

    fn mishap(&mut self) -> Mishap {
        if !self.is_stormy {
            return Mishap::None;
        }
        match self.chance.random_range(0..12) {
            0 => Mishap::Kill,
            1 => Mishap::Cut,
            2 => Mishap::Adopted,
            _ => Mishap::None,
        }
    }

    fn attempt(&mut self, life: &mut Life, mishap: Mishap) {
        life.at += 500 + i64::from(self.chance.next_u32() % 500);
        self.moves(life, State::Running);
        life.attempt += 1;
        life.tries += 1;
        life.arrivals += 1;
        self.workers += 1;
        let worker = format!("wrk_{}", self.workers);
        let started = life.at;
        let reply = Script::parse(&life.path).unwrap().answer(life.arrivals);
        let ended = self.arrive(life, started + 200, reply);
        let mut attempt = Attempt {
            id: format!("atm_{}_{}", life.id, life.attempt),
            job_id: life.id.clone(),
            attempt: life.attempt,
            run: life.run,
            outcome: None,
            state: None,
            worker: Some(worker.clone()),
            started_at: Some(At(started)),
            ended_at: None,
            next_run_at: None,
            late: None,
        };
        let is_success = matches!(reply, Reply::Status { code: 200..300, .. });
        match mishap {
            Mishap::Kill | Mishap::Cut if life.losses < 2 && !life.at_most_once => {
                self.lose(life, &mut attempt, mishap, started + 250);
            }
            Mishap::Adopted if is_success => self.adopt(life, &mut attempt, started + 250),
            _ => self.settle(life, &mut attempt, reply, ended + MS),
        }
        self.history.attempts.push(attempt);
    }

    /// Writes the arrival down and says when its answer had been read, or was given up.
    fn arrive(&mut self, life: &Life, at_us: i64, reply: Reply) -> i64 {
        let (answer, retry_after_s, takes, answered) = match reply {
            Reply::Status {
                code,
                after,
                retry_after,
            } => {
                let takes = i64::try_from(after.as_micros()).unwrap() + 150;
                (Answer::Status(code), retry_after, takes, true)
            }
            Reply::Reset => (Answer::Reset, None, 20, false),
            Reply::Hang => (Answer::Hang, None, TIMEOUT, false),
        };
        self.history.arrivals.push(Arrival {
            at_us,
            key: format!("{}.{}", life.id, life.run),
            job_id: life.id.clone(),
            attempt: life.attempt,
            path: life.path.clone(),
            answer,
            retry_after_s,
            ended_us: Some(at_us + takes),
            answered,
        });
        at_us + takes
    }

    fn settle(&mut self, life: &mut Life, attempt: &mut Attempt, reply: Reply, at: i64) {
        life.at = at;
        let (outcome, to) = match reply {
            Reply::Status { code: 429, .. } => {
                life.tries -= 1;
                life.run_at = at + SECOND;
                (Outcome::Throttled, State::Pending)
            }
            Reply::Status { code: 410, .. } => fail(life, "gone"),
            Reply::Status { code: 200..300, .. } => (Outcome::Succeeded, State::Succeeded),
            Reply::Status { code, .. } if code < 500 => fail(life, "permanent"),
            Reply::Reset | Reply::Hang if life.at_most_once => {
                (Outcome::Uncertain, State::Uncertain)
            }
            _ if life.tries >= life.max_attempts => fail(life, "exhausted"),
            _ => {
                life.run_at = at + i64::from(life.tries) * 100 * MS;
                (Outcome::Failed, State::RetryWait)
            }
        };
        self.moves(life, to);
        attempt.outcome = Some(outcome);
        attempt.state = Some(to);
        attempt.ended_at = Some(At(at));
        attempt.next_run_at = (!to.is_terminal()).then_some(At(life.run_at));
    }

    fn lose(&mut self, life: &mut Life, attempt: &mut Attempt, mishap: Mishap, at: i64) {
        let (kind, until_us) = match mishap {
            Mishap::Cut => (FaultKind::Cut, at + LEASE),
            _ => (FaultKind::Kill, at),
        };
        self.history.faults.push(Fault {
            name: String::new(),
            kind,
            worker: attempt.worker.clone(),
            from_us: at,
            until_us,
        });
        life.tries -= 1;
        life.losses += 1;
        life.at += LEASE + SECOND;
        life.run_at = life.at;
        self.moves(life, State::RetryWait);
        attempt.outcome = Some(Outcome::Lost);
        attempt.state = Some(State::RetryWait);
        attempt.ended_at = Some(At(life.at));
        attempt.next_run_at = Some(At(life.at));
    }

    fn adopt(&mut self, life: &mut Life, attempt: &mut Attempt, at: i64) {
        self.lose(life, attempt, Mishap::Kill, at);
        let fault = self.history.faults.last_mut().unwrap();
        fault.kind = FaultKind::Pause;
        fault.until_us = life.at + 5 * MS;
        life.at += 6 * MS;
        self.moves(life, State::Succeeded);
        attempt.late = Some(Late {
            outcome: Outcome::Succeeded,
            at: Some(At(life.at)),
            adopted: true,
        });
    }

    fn keep(&mut self, life: &Life) {
        let is_terminal = life.state.is_terminal();
        self.history.jobs.push(Job {
            id: life.id.clone(),
            key: life.key.clone(),
            kind: "http".to_owned(),
            queue: "default".to_owned(),
            state: life.state,
            reason: life.reason.map(str::to_owned),
            attempt: life.attempt,
            tries: life.tries,
            max_attempts: life.max_attempts,
            losses: life.losses,
            run_at: At(life.run_at),
            created_at: At(life.created_at),
            updated_at: Some(At(life.at)),
            finished_at: is_terminal.then_some(At(life.at)),
            leased_until: None,
            campaign_id: None,
            recipient_id: None,
            payload: json!({"url": format!("http://127.0.0.1:9999{}", life.path)}),
        });
    }

    fn close(mut self) -> History {
        self.moves.sort_by_key(|(at, ..)| *at);
        let ended_us = self.moves.last().unwrap().0 + SECOND;
        self.look();
        let events: Vec<_> = (1..).zip(self.moves).map(feed::event).collect();
        self.history.subscribers = feed::subscribers(&events);
        self.history.events = events;
        self.history.arrivals.sort_by_key(|one| one.at_us);
        self.history.rules = Rules {
            ended_us,
            lease_us: LEASE,
            heal_us: 5 * SECOND,
            ..Rules::default()
        };
        self.history
    }
}

fn fail(life: &mut Life, reason: &'static str) -> (Outcome, State) {
    life.reason = Some(reason);
    (Outcome::Failed, State::Failed)
}
