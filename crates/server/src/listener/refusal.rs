//! What a connection is answered that gets no further: why, and what to do or when to come back.

use std::{io, sync::Arc, time::Duration};

use baton_protocol::{Problem, ProblemKind};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    sync::Semaphore,
    time::timeout,
};

use super::{
    limits::{ConnectionLimits, Limit},
    socket::Stream,
};

/// How many can be told at once; who comes beyond them is sent away without a word.
const AT_ONCE: usize = 64;
/// How long it may take to tell one.
const TIMEOUT: Duration = Duration::from_secs(2);
/// What of a request is read before the connection is closed, so that the answer arrives.
const MOST_READ: u64 = 64 * 1024;

/// Answers connections beyond the limits.
pub struct Refusals {
    limits: ConnectionLimits,
    at_once: Arc<Semaphore>,
}

impl Refusals {
    pub fn new(limits: ConnectionLimits) -> Self {
        Self {
            limits,
            at_once: Arc::new(Semaphore::new(AT_ONCE)),
        }
    }

    /// Counts one that is sent away, told or not.
    pub fn count() {
        metrics::counter!("baton_connections_refused_total").increment(1);
    }

    pub fn say(&self, stream: Stream, limit: Limit) {
        Self::count();
        let Ok(permit) = self.at_once.clone().try_acquire_owned() else {
            return;
        };
        let problem = problem(limit, self.limits);
        tokio::spawn(async move {
            let _permit = permit;
            // Whoever cannot be told in time will see for himself.
            let _ = timeout(TIMEOUT, tell(stream, &problem)).await;
        });
    }
}

/// Answers whatever is asked with this, and ends the connection.
pub async fn tell(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    problem: &Problem,
) -> io::Result<()> {
    stream.write_all(answer(problem).as_bytes()).await?;
    stream.shutdown().await?;
    let mut rest = stream.take(MOST_READ);
    tokio::io::copy(&mut rest, &mut tokio::io::sink()).await?;
    Ok(())
}

fn problem(limit: Limit, limits: ConnectionLimits) -> Problem {
    ProblemKind::Overloaded.because(match limit {
        Limit::All => format!(
            "As many connections are open as the server bears, {} (server.connections).",
            limits.all
        ),
        Limit::Address => format!(
            "As many connections from this address are open as it may have, {} (server.connections_per_address). \
             Close some, or use each for several requests.",
            limits.each_address
        ),
    })
}

fn answer(problem: &Problem) -> String {
    let body = serde_json::to_string(problem).unwrap_or_default();
    let length = body.len();
    let (status, later) = match problem.status {
        503 => ("503 Service Unavailable", "retry-after: 1\r\n"),
        _ => ("400 Bad Request", ""),
    };
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/problem+json\r\n{later}cache-control: no-store\r\n\
         connection: close\r\ncontent-length: {length}\r\n\r\n{body}"
    )
}
