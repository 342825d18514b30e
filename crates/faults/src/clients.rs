//! Clients at work, and how they ask for what a server has to answer.

use std::time::Duration;

use baton_client::Client;
use rand::{RngExt, rngs::StdRng};
use tokio::{
    task::JoinSet,
    time::{Instant, sleep},
};
use tokio_util::sync::CancellationToken;

use crate::Failure;

/// How long a client waits before it asks again.
pub const PAUSE: Duration = Duration::from_millis(60);
/// How long a client goes on asking.
const RETRY_FOR: Duration = Duration::from_mins(1);

/// Clients at work until they are told to stop.
#[derive(Default)]
pub struct Clients {
    pub stop: CancellationToken,
    tasks: JoinSet<Result<(), Failure>>,
}

impl Clients {
    pub fn add(&mut self, work: impl Future<Output = Result<(), Failure>> + Send + 'static) {
        self.tasks.spawn(work);
    }

    /// Waits for what must not happen: a client that gives up.
    pub async fn failed(&mut self) -> Failure {
        loop {
            match self.tasks.join_next().await {
                Some(Ok(Ok(()))) => {}
                Some(Ok(Err(failure))) => return failure,
                Some(Err(error)) => return Failure::new(format!("a client has ended: {error}")),
                None => std::future::pending().await,
            }
        }
    }

    /// Tells them to stop, and waits until they have.
    pub async fn end(mut self) -> Result<(), Failure> {
        self.stop.cancel();
        while let Some(ended) = self.tasks.join_next().await {
            ended.map_err(|error| Failure::new(format!("a client has ended: {error}")))??;
        }
        Ok(())
    }
}

/// A client that asks at one endpoint and then at the next.
pub struct Asking<'d> {
    what: &'static str,
    endpoints: &'d [Client],
    next: usize,
    began: Option<Instant>,
}

impl<'d> Asking<'d> {
    /// Begins to ask for something that somebody has to answer: a server that `accepts a job`.
    pub fn begin(what: &'static str, endpoints: &'d [Client], chance: &mut StdRng) -> Self {
        Self {
            what,
            endpoints,
            next: chance.random_range(0..endpoints.len()),
            began: None,
        }
    }

    /// Where to ask next; nobody asks for ever.
    pub async fn endpoint(&mut self) -> Result<&'d Client, Failure> {
        match self.began {
            None => self.began = Some(Instant::now()),
            Some(began) if began.elapsed() > RETRY_FOR => {
                return Err(Failure::new(format!(
                    "a client asked for {RETRY_FOR:?} in vain: no server {} any more",
                    self.what
                )));
            }
            Some(_) => sleep(PAUSE).await,
        }
        let endpoint = &self.endpoints[self.next];
        self.next = (self.next + 1) % self.endpoints.len();
        Ok(endpoint)
    }
}
