//! Stories: what once went wrong, or is bound to one day, told by hand and kept for good.

mod clocks;
mod hints;
mod leases;
mod nodes;
mod operators;
mod schedules;

use std::time::Duration;

use baton_domain::{JobId, job::JobSpec};
use baton_engine::Caller;
use baton_ports::store::Enqueued;
use rand::{SeedableRng, rngs::StdRng};
use tokio::time::sleep;

use crate::{
    fleet::Uplink,
    invariants::violations,
    journal::{Asked, History, Said},
    link::Condition,
    nemesis,
    script::{Answer, Script},
    story,
    target::KIND,
    world::{Flaw, Hinting, Weather, World, flawless},
};

/// A world in which only happens what the story says.
struct Stage {
    world: World,
    dice: StdRng,
}

impl Stage {
    fn with_workers(workers: u32) -> Self {
        Self {
            world: World::new(&Weather::calm(workers), flawless, 1),
            dice: StdRng::seed_from_u64(1),
        }
    }

    /// With hints by whoever is said, if by anybody, and this mistake.
    fn flawed(workers: u32, hinting: Hinting, flaw: Flaw) -> Self {
        let weather = Weather {
            hinting,
            ..Weather::calm(workers)
        };
        Self {
            world: World::new(&weather, flaw, 1),
            dice: StdRng::seed_from_u64(1),
        }
    }

    /// With one node that has a worker, and no other.
    fn with_a_working_node() -> Self {
        let weather = Weather {
            node_slots: 4,
            ..Weather::calm(0)
        };
        Self {
            world: World::new(&weather, flawless, 1),
            dice: StdRng::seed_from_u64(1),
        }
    }

    /// The only node.
    fn node(&mut self) -> Uplink {
        self.world.fleet.some_node(&mut self.dice)
    }

    fn engine(&mut self) -> Caller {
        self.world.fleet.engine(&mut self.dice)
    }

    /// The only worker.
    fn worker(&mut self) -> Uplink {
        self.world.fleet.some_worker(&mut self.dice).unwrap()
    }

    /// Asks for jobs that follow these scripts.
    async fn post(&mut self, scripts: Vec<Script>) -> Vec<JobId> {
        let specs = scripts.iter().map(|script| JobSpec {
            kind: KIND.to_owned(),
            payload: script.payload(),
            ..JobSpec::default()
        });
        let specs: Vec<_> = specs.collect();
        let enqueued = self.engine().enqueue_all(specs.clone()).await.unwrap();
        let ids: Vec<_> = enqueued.iter().map(Enqueued::id).collect();
        let asked = specs.into_iter().zip(&ids).map(|(spec, id)| Asked {
            key: spec.key,
            payload: spec.payload,
            said: Said::Accepted(*id),
        });
        self.world.journal.asked.lock().extend(asked);
        ids
    }

    /// Asks for a job of its own, as a client does that has only one.
    async fn post_alone(&mut self, answers: &[Answer]) -> JobId {
        let spec = JobSpec {
            kind: KIND.to_owned(),
            payload: Script::of(1, answers).payload(),
            ..JobSpec::default()
        };
        let id = self.engine().enqueue(spec.clone()).await.unwrap().id();
        self.world.journal.asked.lock().push(Asked {
            key: spec.key,
            payload: spec.payload,
            said: Said::Accepted(id),
        });
        id
    }

    /// Asks for one job that gets these answers.
    async fn post_one(&mut self, answers: &[Answer]) -> JobId {
        self.post(vec![Script::of(1, answers)]).await[0]
    }

    /// Waits until the target has had so many calls.
    async fn until_called(&self, calls: usize) {
        while self.world.journal.calls.lock().len() < calls {
            sleep(Duration::from_millis(1)).await;
        }
    }

    fn disturb(&self, line: Uplink, condition: Condition, span: Duration) {
        nemesis::disturb(&self.world.fleet, line, "story", condition, span);
    }

    /// Plays on until all is over; every invariant holds.
    async fn end(self) -> History {
        let history = self.world.recover().await;
        let violations = violations(&history);
        assert!(
            violations.is_empty(),
            "{}",
            story::tell(0, &history, &violations)
        );
        history
    }
}
