//! One request out, one answer in, within the time there is.

use std::time::Duration;

use http::Method;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use super::{
    answer::{BodyLimit, HttpResponse},
    body::Framing,
    client::Client,
    connection::{Broken, Connection},
    connector::NoConnection,
    origins::OriginPermit,
    request::HttpRequest,
};

/// How much of an answer's body is read; a longer one costs its connection.
pub const MOST_READ: usize = 64 * 1024;

/// How long the rest of an answer is waited for once its status is known. The status is the verdict,
/// so a slow body must not hold a slot.
const BODY_TIMEOUT: Duration = Duration::from_secs(5);

/// Why there is no answer.
pub enum NoAnswer {
    /// Nothing was sent, as the job is to stop.
    Canceled,
    /// Nothing was sent, as enough calls to there are under way; when to come back.
    Full(Duration),
    /// Nothing was sent, as there is no connection.
    NotSent(NoConnection),
    /// Nothing was sent, as there was no connection in time.
    NotSentInTime,
    /// It was sent, perhaps in part, and not answered in time.
    TimedOut,
    /// It was sent, perhaps in part, and the connection broke.
    Broken(Broken),
}

/// How long an answer is waited for, and what ends that before.
pub struct Wait<'a> {
    pub timeout: Duration,
    pub cancel: &'a CancellationToken,
}

/// Sends a request and waits for its answer.
///
/// A cancel stops a request that was not sent yet; one that was is waited for up to the time-out, as
/// its outcome is worth more than the seconds.
pub async fn exchange(
    client: &Client,
    asked: &HttpRequest,
    request: &[u8],
    wait: &Wait<'_>,
) -> Result<HttpResponse, NoAnswer> {
    let deadline = Instant::now() + wait.timeout;
    if wait.cancel.is_cancelled() {
        return Err(NoAnswer::Canceled);
    }
    let _permit = enter(client, asked, wait).await?;
    let mut connection = match client.kept(&asked.address) {
        Some(kept) => kept,
        // Rare and large, so it has a place of its own.
        None => Box::pin(connect(client, asked, wait, deadline)).await?,
    };
    // From here on the request may have left.
    let (mut head, is_early) = match timeout_at(deadline, connection.send(request)).await {
        Ok(answered) => answered.map_err(NoAnswer::Broken)?,
        Err(_) => return Err(NoAnswer::TimedOut),
    };
    if asked.method == Method::HEAD {
        head.framing = Framing::Length(0);
    }
    let is_fit = head.keeps_open && !is_early;
    let answer = HttpResponse::begun(&mut head, asked.wanted);
    let (most, until) = match asked.wanted {
        BodyLimit::Excerpt(_) => (MOST_READ, deadline.min(Instant::now() + BODY_TIMEOUT)),
        BodyLimit::Whole(most) => (most + 1, deadline),
    };
    let (answer, is_whole) = read(&mut connection, answer, head.framing, most, until).await;
    if is_fit && is_whole {
        client.keep(&asked.address, connection);
    }
    Ok(answer)
}

async fn enter(
    client: &Client,
    asked: &HttpRequest,
    wait: &Wait<'_>,
) -> Result<OriginPermit, NoAnswer> {
    tokio::select! {
        biased;
        entered = client.enter(&asked.address) => entered.map_err(NoAnswer::Full),
        () = wait.cancel.cancelled() => Err(NoAnswer::Canceled),
    }
}

async fn connect(
    client: &Client,
    asked: &HttpRequest,
    wait: &Wait<'_>,
    deadline: Instant,
) -> Result<Connection, NoAnswer> {
    tokio::select! {
        biased;
        () = wait.cancel.cancelled() => Err(NoAnswer::Canceled),
        connected = timeout_at(deadline, client.connect(&asked.address)) => match connected {
            Ok(connected) => connected.map_err(NoAnswer::NotSent),
            Err(_) => Err(NoAnswer::NotSentInTime),
        },
    }
}

/// Reads what is needed of an answer, and says whether that was all of it. A body that ends early, late
/// or never only shortens the excerpt.
async fn read(
    connection: &mut Connection,
    mut answer: HttpResponse,
    mut framing: Framing,
    most: usize,
    until: Instant,
) -> (HttpResponse, bool) {
    let mut seen = 0;
    while seen < most {
        let keep = |piece: &[u8]| {
            seen += piece.len();
            answer.keep(piece);
        };
        match timeout_at(until, connection.read(&mut framing, keep)).await {
            Ok(Ok(true)) => {}
            Ok(Ok(false)) => {
                answer.end();
                return (answer, true);
            }
            Ok(Err(_)) | Err(_) => break,
        }
    }
    (answer, false)
}
