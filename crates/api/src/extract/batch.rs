//! Batches: long bodies. They share a bounded memory while they come in, and a bounded number of them is
//! worked at; whoever sends slowly holds no more than what has come.

use std::sync::Arc;

use axum::{
    body::Body,
    extract::{FromRequest, FromRequestParts, Request},
};
use baton_engine::share::{Exhausted, Permit, Share};
use baton_protocol::{Problem, ProblemKind};
use http_body_util::BodyExt;
use serde::de::DeserializeOwned;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{Duration, timeout},
};

use super::json::{broken_off, check_encoding, check_length, is_json, not_json, parse, too_large};
use crate::{ApiState, ClientAddress, import::Pieces, problem::Refusal};

/// The longest body of a batch.
const LONGEST: usize = 32 * 1024 * 1024;
/// Memory is shared out in pieces of this size.
const PIECE: usize = 64 * 1024;
/// How long a batch waits for others to be done with.
const TIMEOUT: Duration = Duration::from_secs(2);
/// How long the rest of a refused batch is read and thrown away: who still sends would not hear the answer.
const LINGER: Duration = Duration::from_secs(5);

/// How many pieces so many of the longest batches have.
pub const fn pieces_of(batches: usize) -> usize {
    batches * LONGEST.div_ceil(PIECE)
}

/// A long body, and the right to work at it.
pub struct BatchJson<T>(pub T, pub OwnedSemaphorePermit);

impl<T: DeserializeOwned> FromRequest<ApiState> for BatchJson<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, api: &ApiState) -> Result<Self, Refusal> {
        if !is_json(&request) {
            return Err(not_json().into());
        }
        check_encoding(request.headers())?;
        check_length(&request, LONGEST)?;
        let (mut parts, body) = request.into_parts();
        let Ok(client) = ClientAddress::from_request_parts(&mut parts, &()).await;
        let mut incoming = Incoming::new(api.shared.coming_in.clone(), client);
        incoming.read(body).await?;
        let permit = permit_to_work(&api.shared.batches).await?;
        Ok(Self(parse(&incoming.bytes)?, permit))
    }
}

/// What has come of a body, and the memory it may take.
struct Incoming {
    bytes: Vec<u8>,
    memory: Arc<Share<ClientAddress>>,
    client: ClientAddress,
    held: Vec<Permit<ClientAddress>>,
    pieces: usize,
}

impl Incoming {
    fn new(memory: Arc<Share<ClientAddress>>, client: ClientAddress) -> Self {
        Self {
            bytes: Vec::new(),
            memory,
            client,
            held: Vec::new(),
            pieces: 0,
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
            if let Err(refusal) = self.hold(length).await {
                Pieces::of(body, LINGER).pass_over().await;
                return Err(refusal);
            }
            self.bytes.extend_from_slice(&data);
        }
        Ok(())
    }

    /// Makes sure of the memory for so many bytes.
    async fn hold(&mut self, length: usize) -> Result<(), Refusal> {
        let more = length.div_ceil(PIECE).saturating_sub(self.pieces);
        if more > 0 {
            let units = u32::try_from(more).map_err(|_| too_many())?;
            let held = self.memory.take(self.client, units, TIMEOUT).await;
            self.held.push(held.map_err(|exhausted| match exhausted {
                Exhausted::Client => too_many_of_client(),
                Exhausted::All => too_many(),
            })?);
            self.pieces += more;
        }
        Ok(())
    }
}

async fn permit_to_work(batches: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, Refusal> {
    match timeout(TIMEOUT, batches.clone().acquire_owned()).await {
        Ok(Ok(permit)) => Ok(permit),
        _ => Err(too_many().into()),
    }
}

fn too_many_of_client() -> Problem {
    ProblemKind::Overloaded.because(
        "Batches from this address hold as much memory as one address may have; send fewer at once, or smaller ones.",
    )
}

fn too_many() -> Problem {
    ProblemKind::Overloaded
        .because("As many batches are being read as the server bears; try again in a moment.")
}
