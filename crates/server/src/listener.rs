//! The HTTP listener: it accepts connections within limits, and ends those that are silent or stuck.
//!
//! The API and the admin pages answer behind it and have limits of their own. Here it is only about what
//! a connection costs before anybody has said what is wanted; see docs/decisions/a-listener-of-our-own.md.

mod exchange;
mod limits;
mod paced;
mod refusal;
mod socket;
mod tls;

use std::{convert::Infallible, io, net::IpAddr, pin::pin, sync::Arc, time::Duration};

use axum::{
    Router,
    body::Body,
    http::{HeaderValue, Request, Response, StatusCode, header::CONNECTION},
};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    task::JoinHandle,
    time::{sleep, timeout},
};
use tokio_util::{either::Either, sync::CancellationToken, task::TaskTracker};
use tower::ServiceExt;

use crate::{config::Listen, exit::Failure};
use baton_api::{
    ClientAddress, ConnectionNumber, OpenConnection, OpenConnections, OverTls, PeerAddress,
};
use exchange::{Exchanges, ResponseBody};
use limits::{ConnectionPermit, Connections};
use paced::PacedStream;
use refusal::Refusals;
use socket::Stream;

pub use limits::ConnectionLimits;
pub use socket::Socket;
pub use tls::Tls;

/// How long open connections may take to end, once everything else has.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);
/// The longest head of a request, in bytes.
const MAX_HEAD: usize = 32 * 1024;
/// How long a connection may wait for its next request.
const IDLE_TIMEOUT: Duration = Duration::from_secs(75);
/// How long nothing is accepted after the system could not open one more file.
const ACCEPT_PAUSE: Duration = Duration::from_secs(1);

/// A listener that accepts connections.
pub struct Listener {
    address: Listen,
    speaks_tls: bool,
    task: JoinHandle<io::Result<()>>,
}

impl Listener {
    /// Accepts connections on the socket, until `stop`. Those that it keeps in `open` can be cut.
    pub fn start(
        socket: Socket,
        router: Router,
        limits: ConnectionLimits,
        tls: Option<Tls>,
        open: Option<OpenConnections>,
        stop: &CancellationToken,
    ) -> Result<Self, Failure> {
        let address = socket
            .address()
            .map_err(|error| Failure::new(format!("the socket has no address: {error}")))?;
        let speaks_tls = tls.is_some();
        let acceptor = Acceptor {
            router,
            tls,
            connections: Connections::new(limits),
            refusals: Refusals::new(limits),
            open,
            stop: stop.clone(),
            tasks: TaskTracker::new(),
        };
        Ok(Self {
            address,
            speaks_tls,
            task: tokio::spawn(acceptor.run(socket)),
        })
    }

    /// Where it is reached.
    pub fn url(&self) -> String {
        self.address.url(self.speaks_tls)
    }

    /// Waits for the connections to end, once `stop` was said.
    pub async fn finish(self) {
        if timeout(SHUTDOWN_TIMEOUT, self.task).await.is_err() {
            tracing::info!("some connections did not end by themselves and were closed");
        }
    }

    /// Waits until the listener ends by itself, which it should not.
    pub async fn ended(&mut self) -> Failure {
        let why = match (&mut self.task).await {
            Ok(Ok(())) => "it ended".to_owned(),
            Ok(Err(error)) => error.to_string(),
            Err(error) => error.to_string(),
        };
        Failure::new(format!("the server does not listen any more: {why}"))
    }
}

struct Acceptor {
    router: Router,
    tls: Option<Tls>,
    connections: Arc<Connections>,
    refusals: Refusals,
    open: Option<OpenConnections>,
    stop: CancellationToken,
    tasks: TaskTracker,
}

impl Acceptor {
    async fn run(self, socket: Socket) -> io::Result<()> {
        loop {
            let accepted = tokio::select! {
                biased;
                () = self.stop.cancelled() => break,
                accepted = socket.accept() => accepted,
            };
            match accepted {
                Ok((stream, from)) => self.accept(stream, from),
                Err(error) if is_of_one_client(&error) => {}
                Err(error) => {
                    tracing::error!(%error, "no connection can be taken; it is tried again");
                    sleep(ACCEPT_PAUSE).await;
                }
            }
        }
        drop(socket);
        self.tasks.close();
        self.tasks.wait().await;
        Ok(())
    }

    fn accept(&self, stream: Stream, from: IpAddr) {
        match self.connections.admit(from) {
            Ok(permit) => {
                let (router, stop) = (self.router.clone(), self.stop.clone());
                let open = self.open.as_ref().map(OpenConnections::add);
                let tls = self.tls.clone();
                let from = Peer {
                    address: from,
                    is_over_tls: tls.is_some(),
                    number: open.as_ref().map(|open| open.number),
                };
                let served = open_connection(stream, from, tls, router, stop, permit);
                self.tasks.spawn(until_cut(open, served));
            }
            // Who beyond the limits is to be told over TLS would cost a handshake.
            Err(_) if self.tls.is_some() => Refusals::count(),
            Err(limit) => self.refusals.say(stream, limit),
        }
    }
}

/// Serves a connection until it ends, or is cut.
async fn until_cut(open: Option<OpenConnection>, served: impl Future<Output = ()>) {
    match &open {
        Some(open) => {
            open.cut.run_until_cancelled(served).await;
        }
        None => served.await,
    }
}

/// Shakes hands where TLS is spoken, then answers. From the first byte on it counts as a connection.
async fn open_connection(
    stream: Stream,
    from: Peer,
    tls: Option<Tls>,
    router: Router,
    stop: CancellationToken,
    _permit: ConnectionPermit,
) {
    let Either::Left(tcp) = stream else {
        return serve_connection(stream, from, router, stop).await;
    };
    // Answers and events are small and whole; to hold them back gains nothing.
    let _ = tcp.set_nodelay(true);
    let Some(tls) = tls else {
        return serve_connection(tcp, from, router, stop).await;
    };
    let agreed = stop.run_until_cancelled(tls.shake_hands(tcp)).await;
    if let Some(stream) = agreed.flatten() {
        serve_connection(stream, from, router, stop).await;
    }
}

/// Who is at the other end of a connection, as the API is told with each request.
#[derive(Clone, Copy)]
struct Peer {
    address: IpAddr,
    is_over_tls: bool,
    /// Which connection it is, where connections can be cut.
    number: Option<ConnectionNumber>,
}

impl Peer {
    fn mark<B>(self, request: &mut Request<B>) {
        let extensions = request.extensions_mut();
        extensions.insert(PeerAddress(self.address));
        extensions.insert(ClientAddress::of(self.address));
        if self.is_over_tls {
            extensions.insert(OverTls);
        }
        if let Some(number) = self.number {
            extensions.insert(number);
        }
    }
}

/// Answers one request after the other, until either side has had enough.
async fn serve_connection(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    from: Peer,
    router: Router,
    stop: CancellationToken,
) {
    let exchanges = Exchanges::default();
    let io = TokioIo::new(PacedStream::new(stream, exchanges.clone()));
    let service = service_fn(move |mut request: Request<Incoming>| {
        let responding = exchanges.respond();
        from.mark(&mut request);
        let is_borne = length_of_head(&request) <= MAX_HEAD;
        let answer = is_borne.then(|| router.clone().oneshot(request.map(Body::new)));
        async move {
            let answer = match answer {
                Some(answer) => answer.await?,
                None => head_too_long(),
            };
            Ok::<_, Infallible>(answer.map(|body| ResponseBody::new(body, responding)))
        }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(IDLE_TIMEOUT)
        .max_buf_size(MAX_HEAD);
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
