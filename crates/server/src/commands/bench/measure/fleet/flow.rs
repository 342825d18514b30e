//! Jobs that join the line while workers run: small batches of many clients, large ones of a few.

use std::time::Duration;

use baton_lab::servers::Redis;
use futures::future::try_join_all;
use tokio::time::Instant;

use crate::{commands::bench::session::Session, exit::Failure};

use super::{
    Source,
    crowd::Crowd,
    turns::{Pair, Turns, in_turn},
};

/// How many turns each way has.
const TIMES: u32 = 16;

/// How jobs come in one turn.
struct Flow {
    jobs: u32,
    batch: u32,
    clients: u32,
}

const FLOWS: [Flow; 2] = [
    Flow {
        jobs: 16_000,
        batch: 20,
        clients: 8,
    },
    Flow {
        jobs: 80_000,
        batch: 1_000,
        clients: 4,
    },
];

pub async fn run(session: &mut Session<'_>, redis: &Redis) -> Result<(), Failure> {
    let pair = Pair::gather(session, redis).await?;
    for flow in FLOWS {
        let mut turns = Turns::default();
        for way in in_turn(TIMES) {
            let turn = flow.through(session, pair.of(way), way).await?;
            turns.took(way, turn);
        }
        let workload = format!("fleet_flow_{}", flow.batch);
        let what = format!("{} clients bring batches of {}", flow.clients, flow.batch);
        turns.tell(session, &workload, flow.jobs, &what);
    }
    pair.leave(session).await
}

impl Flow {
    async fn through(
        &self,
        session: &Session<'_>,
        crowd: &Crowd,
        way: Source,
    ) -> Result<Duration, Failure> {
        let bar = session.bar(self.jobs, way.as_str());
        crowd.settle().await?;
        let before = crowd.succeeded().await?;
        let begun = Instant::now();
        let share = self.jobs / self.clients;
        let clients = (0..self.clients).map(|_| crowd.accept_by(self.batch, share, 0));
        let brought = async { try_join_all(clients).await.map(drop) };
        tokio::try_join!(brought, crowd.drain(before, self.jobs, &bar))?;
        let took = begun.elapsed();
        bar.finish_and_clear();
        Ok(took)
    }
}
