//! The state of a connection: which side is awaited, the client with a request or the server with its response.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll},
};

use axum::{
    Error,
    body::{Body, Bytes, HttpBody},
};
use hyper::body::{Frame, SizeHint};

/// The requests and responses of one connection, counted; even while a request is awaited.
#[derive(Debug, Clone, Default)]
pub struct Exchanges(Arc<AtomicU64>);

impl Exchanges {
    /// A head has come: a response is under way until what this gives back is dropped.
    pub fn respond(&self) -> Responding {
        self.0.fetch_add(1, Ordering::Relaxed);
        Responding(self.clone())
    }

    /// The number of the request that is awaited; `None` while a response is under way.
    pub fn awaited(&self) -> Option<u64> {
        let count = self.0.load(Ordering::Relaxed);
        count.is_multiple_of(2).then_some(count)
    }
}

/// A response is under way until this is dropped.
#[derive(Debug)]
pub struct Responding(Exchanges);

impl Drop for Responding {
    fn drop(&mut self) {
        self.0.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// The body of a response, which is under way until this is dropped.
pub struct ResponseBody {
    body: Body,
    _responding: Responding,
}

impl ResponseBody {
    pub fn new(body: Body, responding: Responding) -> Self {
        Self {
            body,
            _responding: responding,
        }
    }
}

impl HttpBody for ResponseBody {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
