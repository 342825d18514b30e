//! The line of a remote worker: the API of a node in memory, and what goes wrong on the way to it.

use std::{
    collections::BTreeSet,
    fmt,
    sync::{Arc, Weak},
    time::Duration,
};

use axum::body::{Body, to_bytes};
use baton_client::{Error, Result, Transport};
use baton_domain::{Clock, Timestamp, WorkerId};
use futures::{FutureExt, future::BoxFuture};
use http::{Method, StatusCode};
use parking_lot::Mutex;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use reqwest::{Request, Response};
use tokio::time::sleep;
use tower::ServiceExt;

use crate::{
    fleet::{Door, Fleet},
    link::{Condition, Link},
};

/// More than any body has.
const ALL: usize = 64 << 20;

/// Calls that a worker makes a few times in its life: they are lost oftener than others, so that some are.
const SELDOM: [&str; 3] = ["register", "release", "goodbye"];

/// How often calls are lost: each for itself, by its name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Losses {
    /// Before it arrives.
    pub before: f64,
    /// While it is answered: the server sees that the line is gone.
    pub amid: f64,
    /// Once it is done: the answer is lost.
    pub after: f64,
    /// Only claims are lost.
    pub only_claims: bool,
}

impl Losses {
    pub const NONE: Self = Self {
        before: 0.0,
        amid: 0.0,
        after: 0.0,
        only_claims: false,
    };
}

/// A call that was answered.
#[derive(Debug, Clone)]
pub struct Answered {
    pub worker: WorkerId,
    pub call: String,
    pub arrived: Timestamp,
    pub answered: Timestamp,
    pub was_closed: bool,
    pub status: StatusCode,
    pub body: String,
}

/// A call on its way to a node; a mistake is made of it and what the node does with it.
pub struct Carried {
    pub call: String,
    pub method: Method,
    pub path: String,
    pub body: Vec<u8>,
}

/// How a node answers a call; some make a mistake of it.
pub type Answering = fn(Door, Carried) -> BoxFuture<'static, (StatusCode, Vec<u8>)>;

/// The line of one worker to the node at one place.
pub struct Wire {
    pub fleet: Weak<Fleet>,
    pub place: usize,
    pub worker: WorkerId,
    pub link: Arc<Link>,
    pub losses: Arc<Mutex<Losses>>,
    pub dice: Mutex<StdRng>,
    pub answering: Answering,
    pub answered: Arc<Mutex<Vec<Answered>>>,
    pub lost: Arc<Mutex<BTreeSet<Lost>>>,
}

/// A call that was lost, and when: before anything was done, or once it was.
pub type Lost = (String, &'static str);

impl fmt::Debug for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Wire to {}", self.place)
    }
}

impl Wire {
    pub fn dice(seed: u64) -> Mutex<StdRng> {
        Mutex::new(StdRng::seed_from_u64(seed))
    }

    async fn travel(&self) {
        self.link.moving().await;
        let slow = self.link.is(Condition::Slow);
        let most = if slow { 3_000 } else { 20 };
        let millis = self.dice.lock().random_range(0..most);
        sleep(Duration::from_millis(millis)).await;
        self.link.moving().await;
    }

    fn lost(unsent: bool) -> Error {
        Error::Unreachable {
            url: "http://localhost/".to_owned(),
            cause: "the line was cut".to_owned(),
            unsent,
        }
    }

    /// Takes a call there and its answer back.
    async fn take(&self, carried: Carried) -> Result<Response> {
        self.travel().await;
        let fleet = self.fleet.upgrade().ok_or_else(|| Self::lost(true))?;
        let door = fleet.door(self.place);
        let fate = self.fate(&carried.call);
        if fate == Fate::Before {
            self.lost.lock().insert((carried.call.clone(), "before"));
        }
        if self.link.is(Condition::Cut) || fate == Fate::Before {
            return Err(Self::lost(self.dice.lock().random_bool(0.5)));
        }
        let arrived = fleet.clock.now();
        let (was_closed, call) = (door.is_closed(), carried.call.clone());
        let answering = (self.answering)(door.clone(), carried);
        let (status, body) = tokio::select! {
            answer = answering => answer,
            () = gone(&door.link) => return Err(Self::lost(false)),
            () = self.cut_amid(fate) => return Err(Self::lost(false)),
        };
        let answered = fleet.clock.now();
        if fate == Fate::After {
            self.lost.lock().insert((call, "after"));
            return Err(Self::lost(false));
        }
        self.travel().await;
        if self.link.is(Condition::Cut) {
            return Err(Self::lost(false));
        }
        self.answered.lock().push(Answered {
            worker: self.worker,
            call,
            arrived,
            answered,
            was_closed,
            status,
            body: String::from_utf8_lossy(&body).into_owned(),
        });
        let kind = match status.is_success() {
            true => "application/json",
            false => "application/problem+json",
        };
        let response = http::Response::builder()
            .status(status)
            .header("content-type", kind)
            .body(body)
            .unwrap();
        Ok(response.into())
    }

    fn fate(&self, call: &str) -> Fate {
        let losses = *self.losses.lock();
        let mut dice = self.dice.lock();
        let drawn: f64 = dice.random();
        let millis = dice.random_range(0..4_000);
        if losses.only_claims && call != "claim" {
            return Fate::Well;
        }
        let [before, after, amid] = [losses.before, losses.after, losses.amid].map(|share| {
            let is_seldom = SELDOM.contains(&call);
            if is_seldom { share * 6.0 } else { share }
        });
        match drawn {
            d if d < before => Fate::Before,
            d if d < before + after => Fate::After,
            d if d < before + after + amid => Fate::Amid(millis),
            _ => Fate::Well,
        }
    }

    async fn cut_amid(&self, fate: Fate) {
        match fate {
            Fate::Amid(millis) => sleep(Duration::from_millis(millis)).await,
            _ => std::future::pending().await,
        }
    }
}

/// What becomes of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Well,
    Before,
    Amid(u64),
    After,
}

/// Waits until a node is no more.
async fn gone(link: &Link) {
    while !link.is(Condition::Dead) {
        sleep(Duration::from_millis(100)).await;
    }
}

impl Transport for Wire {
    fn carry(&self, request: Request) -> BoxFuture<'_, Result<Response>> {
        let path = request.url().path().to_owned();
        let last = path.rsplit('/').next().unwrap_or_default();
        let call = match *request.method() {
            Method::PUT => "register",
            Method::DELETE => "goodbye",
            _ => last,
        };
        let carried = Carried {
            call: call.to_owned(),
            method: request.method().clone(),
            body: request
                .body()
                .and_then(|body| body.as_bytes())
                .map(<[u8]>::to_vec)
                .unwrap_or_default(),
            path,
        };
        self.take(carried).boxed()
    }
}

/// Answers as the node does.
pub fn truly(door: Door, carried: Carried) -> BoxFuture<'static, (StatusCode, Vec<u8>)> {
    async move {
        let request = http::Request::builder()
            .method(carried.method)
            .uri(carried.path)
            .header("host", "localhost")
            .header("content-type", "application/json")
            .body(Body::from(carried.body))
            .unwrap();
        let response = door.api.oneshot(request).await.unwrap();
        let status = response.status();
        let body = to_bytes(response.into_body(), ALL).await.unwrap();
        (status, body.to_vec())
    }
    .boxed()
}
