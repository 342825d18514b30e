//! The target: in memory, answers by script, writes every call down.

use std::{
    collections::HashMap,
    sync::{Arc, Weak},
    time::Duration,
};

use async_trait::async_trait;
use baton_domain::{
    Clock, JobId, WorkerId,
    job::{FieldError, Verdict},
};
use baton_ports::{Call, Handler};
use parking_lot::Mutex;
use tokio::time::sleep;

use crate::{
    clock::VirtualClock,
    fleet::Fleet,
    journal::{Called, Journal},
    link::Link,
    script::{Answer, Script, Word},
};

/// The kind of every job.
pub const KIND: &str = "scripted";

/// The target of every job.
pub struct Target {
    pub clock: Arc<VirtualClock>,
    pub journal: Arc<Journal>,
    /// How often each job has called.
    pub calls: Mutex<HashMap<JobId, usize>>,
}

impl Target {
    /// Writes a call down; says where, and what it will be answered by this script.
    pub fn arrive(&self, call: &Call, script: &Script, worker: WorkerId) -> (usize, Answer) {
        let mut counts = self.calls.lock();
        let count = counts.entry(call.args.id).or_default();
        let answer = script.answer(*count);
        *count += 1;
        let mut calls = self.journal.calls.lock();
        calls.push(Called {
            job: call.args.id,
            run: call.counters.run,
            attempt: call.counters.attempt,
            key: call.idempotency_key(),
            worker,
            started: self.clock.now(),
            answer,
            returned: None,
        });
        (calls.len() - 1, answer)
    }

    pub fn depart(&self, call: usize, answer: Answer) {
        let called = &mut self.journal.calls.lock()[call];
        called.answer = answer;
        called.returned = Some(self.clock.now());
    }
}

/// The target as one worker reaches it: a frozen worker neither calls nor hears.
pub struct Hand {
    pub target: Arc<Target>,
    pub link: Arc<Link>,
    pub worker: WorkerId,
    pub fleet: Weak<Fleet>,
}

impl Hand {
    /// Takes its worker with it; somebody starts another.
    async fn die(&self) -> Verdict {
        let (fleet, worker) = (self.fleet.clone(), self.worker);
        tokio::spawn(async move {
            if let Some(fleet) = fleet.upgrade() {
                fleet.kill_worker(worker);
                fleet.start_worker(2);
            }
        });
        std::future::pending().await
    }
}

#[async_trait]
impl Handler for Hand {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn check(&self, _payload: &str) -> Result<(), Vec<FieldError>> {
        Ok(())
    }

    async fn run(&self, call: Call) -> Verdict {
        self.link.moving().await;
        let script: Script = serde_json::from_str(&call.args.payload).unwrap();
        let (at, mut answer) = self.target.arrive(&call, &script, self.worker);
        let asked = async {
            match answer.heeds {
                true => call.cancel.cancelled().await,
                false => std::future::pending().await,
            }
        };
        let is_asked = tokio::select! {
            biased;
            () = asked => true,
            () = sleep(Duration::from_millis(answer.millis)) => false,
        };
        if is_asked {
            answer.word = Word::Stopped;
        }
        self.link.moving().await;
        if answer.word == Word::Poison {
            return self.die().await;
        }
        if answer.word != Word::Panic {
            self.target.depart(at, answer);
        }
        answer.verdict()
    }
}
