//! Jobs that join the line while workers run: small batches of many clients, large ones of a few.

use baton_lab::servers::Redis;
use futures::future::try_join_all;
use tokio::time::Instant;

use crate::{commands::bench::session::Session, exit::Failure};

use super::{
    Way,
    crowd::{Crowd, Turn},
    turns::{Turns, in_turn},
};

/// How often each way is measured.
const ROUNDS: usize = 5;

/// How jobs come.
struct Flow {
    jobs: u32,
    batch: u32,
    clients: u32,
}

const FLOWS: [Flow; 2] = [
    Flow {
        jobs: 40_000,
        batch: 20,
        clients: 8,
    },
    Flow {
        jobs: 200_000,
        batch: 1_000,
        clients: 4,
    },
];

pub async fn run(session: &mut Session<'_>, redis: &Redis) -> Result<(), Failure> {
    for flow in FLOWS {
        let mut turns = Turns::default();
        for (_, way) in in_turn(ROUNDS) {
            turns.took(way, flow.through(session, redis, way).await?);
        }
        let workload = format!("fleet_flow_{}", flow.batch);
        let what = format!("{} clients bring batches of {}", flow.clients, flow.batch);
        turns.tell(session, &workload, flow.jobs, &what);
    }
    Ok(())
}

impl Flow {
    /// Once through a fleet that has seen its queue before.
    async fn through(
        &self,
        session: &Session<'_>,
        redis: &Redis,
        way: Way,
    ) -> Result<Turn, Failure> {
        let crowd = Crowd::gather(session, way, redis).await?;
        let bar = session.bar(self.jobs, way.as_str());
        crowd.accept(1, 0).await?;
        crowd.drain(1, &bar).await?;
        crowd.settle().await?;
        let begun = Instant::now();
        let share = self.jobs / self.clients;
        let clients = (0..self.clients).map(|_| crowd.accept_by(self.batch, share, 0));
        let brought = async { try_join_all(clients).await.map(drop) };
        tokio::try_join!(brought, crowd.drain(u64::from(self.jobs) + 1, &bar))?;
        let took = begun.elapsed();
        bar.finish_and_clear();
        crowd.leave(session).await?;
        Ok(Turn {
            took,
            transactions: None,
        })
    }
}
