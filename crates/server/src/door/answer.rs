//! Whose turn it is on a connection: the client's to ask, or ours to answer.

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

/// Counts the turns of a connection. It begins with the client's.
#[derive(Debug, Clone, Default)]
pub struct Turns(Arc<AtomicU64>);

impl Turns {
    /// A head has come: from now on it is our turn, until what this gives back is dropped.
    pub fn begin(&self) -> Turn {
        self.0.fetch_add(1, Ordering::Relaxed);
        Turn(self.clone())
    }

    /// The client's turn it is, by number; `None` while it is ours.
    pub fn of_client(&self) -> Option<u64> {
        let turn = self.0.load(Ordering::Relaxed);
        turn.is_multiple_of(2).then_some(turn)
    }
}

/// Our turn, until this is dropped.
#[derive(Debug)]
pub struct Turn(Turns);

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// The body of an answer, with whose end our turn ends.
pub struct Answer {
    body: Body,
    _turn: Turn,
}

impl Answer {
    pub fn new(body: Body, turn: Turn) -> Self {
        Self { body, _turn: turn }
    }
}

impl HttpBody for Answer {
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
