//! The door: connections are let in within bounds, and none may be silent or stuck for ever.
//!
//! Behind it the API and the admin pages answer; what they bear is theirs to bound. Here it is only
//! about what a connection costs before anybody has said what is wanted.

mod answer;
mod line;
mod places;
mod refusal;

use std::{convert::Infallible, io, net::SocketAddr, pin::pin, sync::Arc, time::Duration};

use axum::{
    Router,
    body::Body,
    http::{HeaderValue, Request, Response, StatusCode, header::CONNECTION},
};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    task::JoinHandle,
    time::{sleep, timeout},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::ServiceExt;

use crate::exit::Failure;
use answer::{Answer, Turns};
use line::Line;
use places::{Place, Places};
use refusal::Refusals;

pub use places::Bounds;

/// How long open connections may take to end, once everything else has.
const LAST_ANSWERS: Duration = Duration::from_secs(5);
/// The longest head of a request, in bytes.
const HEAD: usize = 32 * 1024;
/// How long a connection may wait for its next request.
const IDLE: Duration = Duration::from_secs(75);
/// How long nobody is let in after the system had no room for one more.
const NO_ROOM: Duration = Duration::from_secs(1);

/// An open door.
pub struct Door {
    pub address: SocketAddr,
    task: JoinHandle<io::Result<()>>,
}

impl Door {
    /// Lets in whoever comes, until `stop`.
    pub fn open(
        listener: TcpListener,
        router: Router,
        bounds: Bounds,
        stop: &CancellationToken,
    ) -> Result<Self, Failure> {
        let address = listener
            .local_addr()
            .map_err(|error| Failure::new(format!("the socket has no address: {error}")))?;
        let porter = Porter {
            router,
            places: Places::new(bounds),
            refusals: Refusals::new(bounds),
            stop: stop.clone(),
            connections: TaskTracker::new(),
        };
        Ok(Self {
            address,
            task: tokio::spawn(porter.serve(listener)),
        })
    }

    /// Waits for the connections to end, once `stop` was said.
    pub async fn close(self) {
        if timeout(LAST_ANSWERS, self.task).await.is_err() {
            tracing::info!("some connections did not end by themselves and were closed");
        }
    }

    /// Waits until the door closes by itself, which it should not.
    pub async fn closed(&mut self) -> Failure {
        let why = match (&mut self.task).await {
            Ok(Ok(())) => "it ended".to_owned(),
            Ok(Err(error)) => error.to_string(),
            Err(error) => error.to_string(),
        };
        Failure::new(format!("the server does not listen any more: {why}"))
    }
}

struct Porter {
    router: Router,
    places: Arc<Places>,
    refusals: Refusals,
    stop: CancellationToken,
    connections: TaskTracker,
}

impl Porter {
    async fn serve(self, listener: TcpListener) -> io::Result<()> {
        loop {
            let accepted = tokio::select! {
                biased;
                () = self.stop.cancelled() => break,
                accepted = listener.accept() => accepted,
            };
            match accepted {
                Ok((stream, from)) => self.let_in(stream, from),
                Err(error) if is_of_one_client(&error) => {}
                Err(error) => {
                    tracing::error!(%error, "no connection can be taken; it is tried again");
                    sleep(NO_ROOM).await;
                }
            }
        }
        drop(listener);
        self.connections.close();
        self.connections.wait().await;
        Ok(())
    }

    fn let_in(&self, stream: TcpStream, from: SocketAddr) {
        match self.places.take(from.ip()) {
            Ok(place) => {
                let connection = converse(stream, self.router.clone(), self.stop.clone(), place);
                self.connections.spawn(connection);
            }
            Err(full) => self.refusals.say(stream, full),
        }
    }
}

/// Answers one request after the other, until either side has had enough.
async fn converse(stream: TcpStream, router: Router, stop: CancellationToken, _place: Place) {
    // Answers and events are small and whole; to hold them back gains nothing.
    let _ = stream.set_nodelay(true);
    let turns = Turns::default();
    let io = TokioIo::new(Line::new(stream, turns.clone()));
    let service = service_fn(move |request: Request<Incoming>| {
        let turn = turns.begin();
        let is_borne = length_of_head(&request) <= HEAD;
        let answer = is_borne.then(|| router.clone().oneshot(request.map(Body::new)));
        async move {
            let answer = match answer {
                Some(answer) => answer.await?,
                None => head_too_long(),
            };
            Ok::<_, Infallible>(answer.map(|body| Answer::new(body, turn)))
        }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(IDLE)
        .max_buf_size(HEAD);
    let mut connection = pin!(http.serve_connection(io, service));
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::trace!(%error, "a connection broke off");
    }
}

/// How long a head is, about: what it says, without what lies between. The reader of heads bounds its memory and
/// not their length, which can be nearly twice as much.
fn length_of_head(request: &Request<Incoming>) -> usize {
    let headers = request.headers().iter();
    let headers = headers.map(|(name, value)| name.as_str().len() + value.len() + 4);
    let target = request.uri().path_and_query();
    headers.sum::<usize>() + target.map_or(0, |target| target.as_str().len())
}

fn head_too_long() -> Response<Body> {
    let mut answer = Response::new(Body::empty());
    *answer.status_mut() = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
    let close = HeaderValue::from_static("close");
    answer.headers_mut().insert(CONNECTION, close);
    answer
}

/// The client has gone before it was let in; the next one is none the worse for it.
fn is_of_one_client(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    [ConnectionAborted, ConnectionRefused, ConnectionReset].contains(&error.kind())
}
