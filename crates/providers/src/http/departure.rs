//! Whether a request is still here or may have left, decided once and for good.
//!
//! A connection takes a request by asking its body whether there is more of it, before it writes the
//! first byte; that question is the moment of departure. Whoever gives up on a request tries to
//! withdraw it: one of the two comes first, so "nothing was sent" is known and never guessed.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
    },
    task::{Context, Poll},
};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use reqwest::Method;

const HERE: u8 = 0;
const DEPARTED: u8 = 1;
const WITHDRAWN: u8 = 2;

/// Where a request that nobody waits for any longer was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// It was never sent, and never will be.
    Not,
    /// It may have been sent, at least in part.
    Perhaps,
}

/// The one word about a request that its sender and its connection share.
#[derive(Debug, Clone, Default)]
pub struct Departure(Arc<AtomicU8>);

impl Departure {
    /// Keeps the request from leaving, unless it may have left already.
    pub fn withdraw(&self) -> Left {
        match self.settle(WITHDRAWN) {
            WITHDRAWN => Left::Not,
            _ => Left::Perhaps,
        }
    }

    /// Lets the request leave, unless it was withdrawn.
    fn depart(&self) -> bool {
        self.settle(DEPARTED) == DEPARTED
    }

    fn settle(&self, wanted: u8) -> u8 {
        self.0
            .compare_exchange(HERE, wanted, Ordering::SeqCst, Ordering::SeqCst)
            .map_or_else(|earlier| earlier, |_| wanted)
    }
}

/// The body of a request, in one piece, that marks its departure.
///
/// It cannot be copied, so nothing between here and the connection can send it a second time.
#[derive(Debug)]
pub struct WatchedBody {
    rest: Option<Bytes>,
    departure: Departure,
}

impl WatchedBody {
    /// A body for a method; methods that are expected to have one say so even of an empty one.
    pub fn new(body: Option<Bytes>, method: &Method, departure: Departure) -> Self {
        let expected = [Method::POST, Method::PUT, Method::PATCH].contains(method);
        Self {
            rest: body.or(expected.then(Bytes::new)),
            departure,
        }
    }
}

/// A request that was withdrawn while a connection took it.
#[derive(Debug, thiserror::Error)]
#[error("the request was withdrawn before it was sent")]
pub struct Withdrawn;

impl Body for WatchedBody {
    type Data = Bytes;
    type Error = Withdrawn;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Withdrawn>>> {
        if !self.departure.depart() {
            return Poll::Ready(Some(Err(Withdrawn)));
        }
        Poll::Ready(self.rest.take().map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        // A withdrawn body promises a byte that never comes: the connection asks for it before it
        // flushes the head, is refused, and closes with nothing written.
        self.departure.depart() && self.rest.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        let length = self.rest.as_ref().map_or(0, Bytes::len);
        SizeHint::with_exact((length as u64).max(u64::from(self.is_withdrawn())))
    }
}

impl WatchedBody {
    fn is_withdrawn(&self) -> bool {
        self.departure.0.load(Ordering::SeqCst) == WITHDRAWN
    }
}

#[cfg(test)]
mod tests {
    use reqwest::Url;
    use tokio::{io::AsyncReadExt, net::TcpListener};

    use super::*;
    use crate::http::{HttpConfig, client};

    fn frame(body: &mut WatchedBody) -> Option<Result<Bytes, Withdrawn>> {
        let mut context = Context::from_waker(std::task::Waker::noop());
        match Pin::new(body).poll_frame(&mut context) {
            Poll::Ready(frame) => frame.map(|frame| frame.map(|frame| frame.into_data().unwrap())),
            Poll::Pending => panic!("a body in one piece is always ready"),
        }
    }

    #[test]
    fn a_request_that_left_cannot_be_withdrawn() {
        let departure = Departure::default();
        let mut body = WatchedBody::new(Some("{}".into()), &Method::POST, departure.clone());

        assert!(!body.is_end_stream());

        assert_eq!(departure.withdraw(), Left::Perhaps);
        assert_eq!(frame(&mut body).unwrap().unwrap(), "{}");
        assert!(body.is_end_stream());
    }

    #[test]
    fn a_withdrawn_request_gives_no_byte_away_even_if_it_has_no_body() {
        for method in [Method::GET, Method::POST] {
            let departure = Departure::default();
            let mut body = WatchedBody::new(None, &method, departure.clone());

            assert_eq!(departure.withdraw(), Left::Not);

            assert!(!body.is_end_stream());
            assert_eq!(body.size_hint().exact(), Some(1));
            assert!(frame(&mut body).unwrap().is_err());
            assert_eq!(departure.withdraw(), Left::Not);
        }
    }

    #[tokio::test]
    async fn a_connection_that_takes_a_withdrawn_request_writes_nothing() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url: Url = format!("http://{}/", listener.local_addr().unwrap())
            .parse()
            .unwrap();
        let client = client::build(&HttpConfig::default(), Arc::default()).unwrap();

        for method in [Method::GET, Method::HEAD, Method::POST, Method::DELETE] {
            let departure = Departure::default();
            assert_eq!(departure.withdraw(), Left::Not);
            let mut request = reqwest::Request::new(method.clone(), url.clone());
            let body = WatchedBody::new(None, &method, departure);
            *request.body_mut() = Some(reqwest::Body::wrap(body));

            let (sent, accepted) = tokio::join!(client.execute(request), listener.accept());

            let mut written = Vec::new();
            accepted.unwrap().0.read_to_end(&mut written).await.unwrap();
            assert!(sent.is_err());
            assert_eq!(written, b"", "{method}");
        }
    }
}
