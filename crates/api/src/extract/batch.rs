//! Batches: long bodies. They share a bounded memory while they come in, and a bounded number of them is
//! worked at; whoever sends slowly holds no more than what has come.

use std::sync::Arc;

use axum::{
    body::Body,
    extract::{FromRequest, Request},
};
use baton_protocol::{Problem, ProblemKind};
use http_body_util::BodyExt;
use serde::de::DeserializeOwned;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{Duration, timeout},
};

use super::json::{broken_off, check_length, is_json, not_json, parse, too_large};
use crate::{Doors, problem::Refusal};

/// The longest body of a batch.
const LONGEST: usize = 32 * 1024 * 1024;
/// Memory is shared out in pieces of this size.
const PIECE: usize = 64 * 1024;
/// How long a batch waits for others to be done with.
const PATIENCE: Duration = Duration::from_secs(2);

/// How many pieces so many of the longest batches have.
pub const fn pieces_of(batches: usize) -> usize {
    batches * LONGEST.div_ceil(PIECE)
}

/// A long body, and the right to work at it.
pub struct BatchJson<T>(pub T, pub OwnedSemaphorePermit);

impl<T: DeserializeOwned> FromRequest<Doors> for BatchJson<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, Doors(api): &Doors) -> Result<Self, Refusal> {
        if !is_json(&request) {
            return Err(not_json().into());
        }
        check_length(&request, LONGEST)?;
        let mut incoming = Incoming::new(api.shared.coming_in.clone());
        incoming.read(request.into_body()).await?;
        let permit = permit(&api.shared.batches, 1).await?;
        Ok(Self(parse(&incoming.bytes)?, permit))
    }
}

/// What has come of a body, and the memory it may take.
struct Incoming {
    bytes: Vec<u8>,
    memory: Arc<Semaphore>,
    held: Vec<OwnedSemaphorePermit>,
}

impl Incoming {
    fn new(memory: Arc<Semaphore>) -> Self {
        Self {
            bytes: Vec::new(),
            memory,
            held: Vec::new(),
        }
    }

    async fn read(&mut self, mut body: Body) -> Result<(), Refusal> {
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|_| broken_off())?;
            let Ok(data) = frame.into_data() else {
                continue;
            };
            let length = self.bytes.len() + data.len();
            if length > LONGEST {
                return Err(too_large(LONGEST).into());
            }
            self.hold(length).await?;
            self.bytes.extend_from_slice(&data);
        }
        Ok(())
    }

    /// Makes sure of the memory for so many bytes.
    async fn hold(&mut self, length: usize) -> Result<(), Refusal> {
        let held: usize = self
            .held
            .iter()
            .map(OwnedSemaphorePermit::num_permits)
            .sum();
        let more = length.div_ceil(PIECE).saturating_sub(held);
        if more > 0 {
            self.held.push(permit(&self.memory, more).await?);
        }
        Ok(())
    }
}

async fn permit(of: &Arc<Semaphore>, many: usize) -> Result<OwnedSemaphorePermit, Refusal> {
    let many = u32::try_from(many).map_err(|_| too_many())?;
    match timeout(PATIENCE, of.clone().acquire_many_owned(many)).await {
        Ok(Ok(permit)) => Ok(permit),
        _ => Err(too_many().into()),
    }
}

fn too_many() -> Problem {
    ProblemKind::Overloaded
        .because("As many batches are being read as the server bears; try again in a moment.")
}
