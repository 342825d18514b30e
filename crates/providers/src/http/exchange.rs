//! One request out, one answer in, within the time there is.

use std::time::Duration;

use baton_ports::Call;
use reqwest::{Client, Request, Response};
use tokio::time::{Instant, timeout_at};

use super::{
    answer::Answer,
    departure::{Departure, Left},
};

/// How much of an answer's body is read; a longer one costs its connection.
const MOST_READ: usize = 64 * 1024;

/// How long the rest of an answer is waited for once its status is known. The status is the verdict,
/// so a slow body must not hold a slot.
const BODY_PATIENCE: Duration = Duration::from_secs(5);

/// Why there is no answer.
pub enum NoAnswer {
    /// It was withdrawn before it was sent, as the job is to stop.
    Canceled,
    /// The time was over.
    TimedOut(Left),
    /// The connection could not be made, or broke.
    Broken(reqwest::Error, Left),
}

/// Sends a request and waits for its answer.
///
/// A cancel withdraws a request that was not sent yet; one that was is waited for up to the time-out,
/// as its outcome is worth more than the seconds.
pub async fn exchange(
    client: &Client,
    request: Request,
    departure: &Departure,
    call: &Call,
) -> Result<Answer, NoAnswer> {
    let deadline = Instant::now() + call.timeout;
    let mut sending = std::pin::pin!(timeout_at(deadline, client.execute(request)));
    let sent = tokio::select! {
        biased;
        () = call.cancel.cancelled() => match departure.withdraw() {
            Left::Not => return Err(NoAnswer::Canceled),
            Left::Perhaps => sending.await,
        },
        sent = &mut sending => sent,
    };
    match sent {
        Ok(Ok(response)) => Ok(read(response, deadline).await),
        Ok(Err(error)) => Err(NoAnswer::Broken(error, departure.withdraw())),
        Err(_) => Err(NoAnswer::TimedOut(departure.withdraw())),
    }
}

/// Reads what is needed of an answer. A body that ends early, late or never only shortens the excerpt.
async fn read(mut response: Response, deadline: Instant) -> Answer {
    let mut answer = Answer::new(response.status(), response.headers());
    let patience = deadline.min(Instant::now() + BODY_PATIENCE);
    let mut seen = 0;
    while seen < MOST_READ {
        match timeout_at(patience, response.chunk()).await {
            Ok(Ok(Some(chunk))) => {
                seen += chunk.len();
                answer.keep(&chunk);
            }
            Ok(Ok(None) | Err(_)) | Err(_) => break,
        }
    }
    answer
}
