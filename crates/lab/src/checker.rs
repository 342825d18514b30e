//! The checker: it judges a run and names each broken invariant.
//!
//! It compares what clients were told, what arrived, what the database says and what the feed told.
//!
//! It knows the public contract only. Its table of moves and its reading of scripts are its own, so
//! that a mistake of the product cannot excuse itself. It is tested against forged histories: each
//! forgery must be named with the right number, and clean histories must pass.
//!
//! | number | what holds |
//! |---|---|
//! | I1 | every accepted job exists once, with its key and what was asked; every accepted notification lies once in each inbox |
//! | I2 | no job, no call and no notification exists that nobody asked for |
//! | I3 | one key has one id in every answer |
//! | I4 | after the faults every job is terminal, waits for its time, or runs under a live lease |
//! | I5 | the end of a job agrees with what its target answered |
//! | I6 | a job canceled before any claim is never called |
//! | I7 | a call is repeated only if the one before asked for it or its outcome was not recorded |
//! | I8 | a kill repeats no more calls than its worker had in doubt, once it could know |
//! | I9 | one idempotency key per job and run; its attempts rise |
//! | I10 | a terminal job moves only when a person moves it |
//! | I11 | attempts are 1 to n, each with one result; the last one explains the state |
//! | I12 | no two attempts of a job overlap |
//! | I13 | tries, losses and calls stay within their limits |
//! | I14 | no call before its time |
//! | I15 | a campaign has one delivery for each member of its frozen audience; its books are the sum of them |
//! | I16 | from two seconds after the answer to a stop no call of the campaign starts, and nothing is written |
//! | I17 | one event per change, numbered densely; their replay is the final state |
//! | I18 | each subscriber saw them all in order, or was told to start over, once for each failover |
//! | I23 | nothing runs past its lease; nothing is left half recorded |
//! | I24 | every answer of the API is a documented one |
//! | I25 | the answers about a key fit one order of its requests; what was accepted is found |
//! | I27 | five seconds after another PostgreSQL became the primary, jobs are accepted and come to their ends |
//! | I31 | no lease of a living, reachable worker is lost |
//! | I32 | the cursor of a walk never falls |
//! | I33 | a walk comes to its end, and each of its items has exactly one child, which does as well |
//! | I34 | an attempt begins no earlier than the last checkpoint that was answered |
//! | I35 | nor later than the last that was asked for |
//! | I36 | no program lives a second longer than its remote worker that was killed |
//! | I37 | from two seconds after the answer to a drain nothing starts at its worker |
//!
//! What the store dates is by the store's clock, which the lab steps. It is compared with the lab's own time
//! only by way of `moments`, which knows the steps.
//!
//! To add an invariant: a check in the file of its subject, its row above, its forgeries in the tests.

mod accepted;
mod answers;
mod attempts;
mod calls;
mod campaigns;
mod expect;
mod feed;
mod history;
mod index;
mod leases;
mod moments;
mod notifications;
mod recovery;
mod repeats;
mod replay;
mod service;
mod settled;
mod standstill;
mod state;
mod subscribers;
mod summary;
mod timing;
mod walks;
mod wire;

pub use history::{
    AcceptedWalk, Act, ActAnswer, ActKind, CampaignReading, Campaigns, ClockStep, Command,
    CommandKind, Did, Drain, Fault, FaultKind, FeedItem, History, ITEM, InboxItem, Notifications,
    Notified, ObservedAttempt, Orphan, Posted, PostedCampaign, Recipient, Request, Rules,
    Subscriber, WALK, Walks,
};
pub use recovery::{Recovery, recovery};
pub use state::{CampaignState, Outcome, State};
pub use summary::{CampaignSummary, Duplicate, Summary, summary};
pub use wire::{At, Attempt, Campaign, Event, EventData, Job, Late, Progress};

use std::fmt;

use index::Index;

/// A broken invariant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    /// Its number: 7 for I7.
    pub invariant: u8,
    /// What was found, with the ids.
    pub what: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "I{}: {}", self.invariant, self.what)
    }
}

/// What was found so far.
#[derive(Debug, Default)]
struct Findings(Vec<Violation>);

impl Findings {
    fn add(&mut self, invariant: u8, what: String) {
        self.0.push(Violation { invariant, what });
    }
}

/// Judges a history: every broken invariant, in the order of their numbers.
#[must_use]
pub fn check(history: &History) -> Vec<Violation> {
    let index = Index::new(history);
    let mut findings = Findings::default();
    for judge in [
        accepted::check,
        answers::check,
        settled::check,
        calls::check,
        timing::check,
        attempts::check,
        leases::check,
        feed::check,
        replay::check,
        subscribers::check,
        service::check,
        campaigns::check,
        notifications::check,
        walks::check,
    ] {
        judge(&index, &mut findings);
    }
    let mut violations = findings.0;
    violations.sort();
    violations
}
