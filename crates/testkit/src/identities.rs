//! A provider of sign-ins that answers as a test asks: well, or in one of the ways that must not be believed.
//!
//! It speaks OpenID Connect on loopback, asks nobody for a password, and signs with a key of its own. To add a way to be wrong: a variant
//! of [`Twist`], and what it changes in `answers` or `tokens`.

mod answers;
mod tokens;

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinHandle};
use url::Url;

use self::tokens::Key;

/// What the provider knows its one application by.
pub const CLIENT: &str = "baton";
/// What that proves itself with. It has letters that have to be written another way in a header.
pub const SECRET: &str = "s3cret: +&/%";

/// How the provider is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Twist {
    /// It is not.
    #[default]
    None,
    /// The browser comes back with another state.
    WrongState,
    /// The browser comes back in the name of another provider.
    WrongIssuerOfAnswer,
    /// The token belongs to another sign-in.
    WrongNonce,
    /// The token is for another application.
    WrongAudience,
    /// The token is for several, and was given to another.
    OtherParty,
    /// The token is of another issuer.
    WrongIssuer,
    /// The token was good until two minutes ago.
    Expired,
    /// The token is good in two minutes.
    NotYet,
    /// The token says nothing of when it ends.
    Endless,
    /// The token ends at a text.
    EndsAtText,
    /// The token is not signed, and says so.
    NoSignature,
    /// The token is signed with what everybody knows: the public key, as if it were a secret.
    PublicKeyAsSecret,
    /// The signature is of something else.
    Forged,
    /// The token is signed by a key that is published nowhere.
    UnknownKey,
    /// The metadata names another issuer.
    WrongMetadata,
    /// The answer to a code never comes to its end.
    SlowTokens,
    /// The answer to a code is longer than anybody wants.
    HugeTokens,
    /// The answer to a code is a redirect.
    RedirectedTokens,
    /// The token names nobody.
    Nobody,
    /// The user cancels.
    Canceled,
    /// What decides the role is told by the second answer alone.
    ClaimsElsewhere,
    /// The second answer is about somebody else.
    ClaimsOfAnother,
}

/// A provider of sign-ins; it ends when it is dropped.
pub struct Identities {
    state: Arc<State>,
    server: JoinHandle<()>,
}

struct State {
    address: SocketAddr,
    changing: Mutex<Changing>,
}

struct Changing {
    twist: Twist,
    key: Key,
    /// What is said of whoever signs in.
    claims: Value,
    /// The codes that were given and not taken, and what each was asked with.
    codes: HashMap<String, HashMap<String, String>>,
    /// The second answer for each token that was given.
    access: HashMap<String, Value>,
    /// How often each path was asked for.
    asked: HashMap<String, u32>,
    drawn: u32,
}

impl Identities {
    /// Starts one that knows Kim, an admin.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let state = Arc::new(State {
            address: listener.local_addr().expect("its address"),
            changing: Mutex::new(Changing {
                twist: Twist::None,
                key: Key::draw("key-1"),
                claims: json!({
                    "sub": "kim-7", "preferred_username": "Kim.Lee", "email": "kim@example.org", "groups": ["admins"],
                }),
                codes: HashMap::new(),
                access: HashMap::new(),
                asked: HashMap::new(),
                drawn: 0,
            }),
        });
        let server = tokio::spawn(serve(listener, Arc::clone(&state)));
        Self { state, server }
    }

    /// What it calls itself.
    #[must_use]
    pub fn issuer(&self) -> String {
        self.state.issuer()
    }

    /// Lets it be wrong from now on.
    pub fn twist(&self, twist: Twist) {
        self.state.changing().twist = twist;
    }

    /// Lets it know somebody else from now on: a JSON object of claims.
    pub fn know(&self, claims: Value) {
        self.state.changing().claims = claims;
    }

    /// Lets it sign with a new key from now on; the old one is published no more.
    pub fn rotate(&self) {
        let mut changing = self.state.changing();
        let id = format!("key-of-{}", changing.draw());
        changing.key = Key::draw(&id);
    }

    /// How often a path was asked for so far.
    #[must_use]
    pub fn asked(&self, path: &str) -> u32 {
        let changing = self.state.changing();
        changing.asked.get(path).copied().unwrap_or_default()
    }

    /// What a browser does that is sent to this address and whose user agrees at once: where it is sent back to.
    #[must_use]
    pub fn visit(&self, address: &str) -> Url {
        let address = Url::parse(address).expect("an address");
        answers::authorize(&self.state, &address)
    }
}

impl Drop for Identities {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl State {
    fn issuer(&self) -> String {
        format!("http://{}/realms/ours", self.address)
    }

    fn changing(&self) -> std::sync::MutexGuard<'_, Changing> {
        // A test that has failed is told what it failed of.
        self.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Changing {
    /// Another word for each call.
    fn draw(&mut self) -> String {
        self.drawn += 1;
        format!("word-{}", self.drawn)
    }
}

async fn serve(listener: TcpListener, state: Arc<State>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        let state = Arc::clone(&state);
        tokio::spawn(async move {
            let answer = service_fn(|request| answers::answer(Arc::clone(&state), request));
            // Whoever hangs up has heard enough.
            let _ = http1::Builder::new()
                .serve_connection(TokioIo::new(stream), answer)
                .await;
        });
    }
}
