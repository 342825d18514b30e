//! The gate: who asks, and whether they may. Every route of the server lies behind it.
//!
//! What each call requires stands in one table for the API, in one for its doors for tests, and in one for the pages. A route that stands in neither is let
//! through to nobody. The API takes API keys alone, the pages sessions alone.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{MatchedPath, Request, State},
    http::{HeaderMap, HeaderValue, Method, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use baton_domain::access::{
    Actor, Browser, InboxToken, KeyToken, Permission, Principal, Requirement, Requirements, Secret,
};
use baton_engine::{Authenticated, Credential};
use baton_ports::store;
use baton_protocol::{FieldError, Problem, ProblemKind, reason};
use tokio::time::timeout;
use tower::ServiceExt;

use super::{Pages, RequestId, revoked};
use crate::{
    Access, ApiState, ClientAddress, OverTls, PeerAddress,
    problem::{Refusal, from_store},
    routes::{REQUIREMENTS, dev::DOORS},
};

/// What reading the metrics requires.
const METRICS: Requirement = Requirement::OneOf(&[Permission::Metrics]);
/// How long the store may take to say whose a key is that asks for them.
const TIMEOUT: Duration = Duration::from_secs(3);

/// What the gate works with.
#[derive(Clone)]
pub struct Gate {
    pub api: ApiState,
    pub pages: Arc<Pages>,
}

/// Which credentials a call takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Channel {
    /// API keys.
    Api,
    /// Sessions.
    Pages,
}

/// Lets through who may, with the actor in whose name it asks.
pub async fn gate(State(gate): State<Gate>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    if let Some(refused) = gate.refuse_method(&parts) {
        return refused;
    }
    let (channel, requirement) = gate.requirement(&parts);
    let (mut actor, credential) = match gate.who(channel, requirement, &parts).await {
        Ok(who) => who,
        Err(problem) => return Refusal(problem).into_response(),
    };
    let id = parts.extensions.get::<RequestId>();
    actor.request_id = id.map(|id| id.0.clone());
    actor.reason = match reason_of(&parts.headers) {
        Ok(reason) => reason,
        Err(problem) => return Refusal(problem).into_response(),
    };
    if let Some(refused) = gate.refuse(channel, requirement, &actor, &parts).await {
        return refused;
    }
    parts.extensions.insert(actor);
    if channel == Channel::Pages {
        let browser = browser_of(&parts);
        parts.extensions.insert(browser);
    }
    let response = next.run(Request::from_parts(parts, body)).await;
    gate.end_with_the_right(response, credential, requirement)
}

impl Gate {
    /// What a request requires. Where nothing is, nothing is required to hear so.
    fn requirement(&self, request: &Parts) -> (Channel, Requirement) {
        let Some(path) = request.extensions.get::<MatchedPath>() else {
            return (Channel::Api, Requirement::Public);
        };
        let path = path.as_str();
        for table in [REQUIREMENTS, DOORS] {
            if let Some(requirement) = find(table, &request.method, path) {
                return (Channel::Api, requirement);
            }
        }
        let found = find(self.pages.requirements, &request.method, path);
        let unknown = Requirement::OneOf(&[]);
        (Channel::Pages, found.unwrap_or(unknown))
    }

    /// The answer to a method that a path does not take.
    fn refuse_method(&self, request: &Parts) -> Option<Response> {
        let path = request.extensions.get::<MatchedPath>()?.as_str();
        let rows = REQUIREMENTS
            .iter()
            .chain(DOORS)
            .chain(self.pages.requirements);
        let mut methods: Vec<_> = rows.filter(|row| row.1 == path).map(|row| row.0).collect();
        if methods.is_empty() || find_method(&methods, &request.method) {
            return None;
        }
        if methods.contains(&"GET") {
            methods.push("HEAD");
        }
        let refusal = ProblemKind::MethodNotAllowed
            .because("The Allow header names the methods this address takes.");
        let mut response = Refusal::from(refusal).into_response();
        if let Ok(allow) = HeaderValue::from_str(&methods.join(",")) {
            response.headers_mut().insert(header::ALLOW, allow);
        }
        Some(response)
    }

    /// Who asks, as far as that matters.
    async fn who(
        &self,
        channel: Channel,
        requirement: Requirement,
        request: &Parts,
    ) -> Result<(Actor, Option<Credential>), Box<Problem>> {
        if let Some(anybody) = self.anybody().await? {
            return Ok((anybody, None));
        }
        let credential = match channel {
            Channel::Api if requirement == Requirement::Public => None,
            Channel::Api => bearer_of(&request.headers)?,
            Channel::Pages => browser_of(request).session.map(Credential::Session),
        };
        let Some(credential) = credential else {
            return Ok((Actor::nobody(), None));
        };
        if !is_unread(request) {
            return Err(Box::new(unauthenticated(READ_ALONG)));
        }
        if let Some(whose) = self.whose(&credential, requirement).await? {
            return Ok((whose.actor.clone(), Some(credential)));
        }
        self.note_worthless(&credential, request).await;
        match channel {
            Channel::Api => Err(Box::new(unauthenticated(WORTHLESS))),
            Channel::Pages => Ok((Actor::nobody(), None)),
        }
    }

    /// Whose a credential is. That the store does not answer is what the metrics have to tell: whoever could read them a
    /// while ago still can, and nothing else.
    async fn whose(
        &self,
        credential: &Credential,
        requirement: Requirement,
    ) -> Result<Option<Arc<Authenticated>>, Box<Problem>> {
        let engine = &self.api.engine;
        let asked = engine.authenticate(credential);
        if requirement != METRICS {
            return asked.await.map_err(|error| Box::new(from_store(&error)));
        }
        let silent =
            || store::Error::Unavailable("the database does not say whose a key is".to_owned());
        let answered = timeout(TIMEOUT, asked).await;
        answered.unwrap_or_else(|_| Err(silent())).or_else(|error| {
            let is_away = error.is_passing();
            let whose = is_away.then(|| engine.authenticated_lately(credential));
            let whose = whose.flatten();
            whose.map(Some).ok_or_else(|| Box::new(from_store(&error)))
        })
    }

    /// As whom everybody acts, where nobody is asked.
    async fn anybody(&self) -> Result<Option<Actor>, Box<Problem>> {
        match &self.api.shared.options.access {
            Access::Required => Ok(None),
            Access::Open(actor) => Ok(Some((**actor).clone())),
            Access::OpenUntilSetUp(actor) => {
                let is_over = self.api.engine.has_principals().await;
                let is_over = is_over.map_err(|error| Box::new(from_store(&error)))?;
                Ok((!is_over).then(|| (**actor).clone()))
            }
        }
    }

    /// The answer to who may not; nothing for who may.
    async fn refuse(
        &self,
        channel: Channel,
        requirement: Requirement,
        actor: &Actor,
        request: &Parts,
    ) -> Option<Response> {
        if meets(actor, requirement) {
            return None;
        }
        if actor.principal == Principal::Nobody {
            return Some(match channel {
                Channel::Api => Refusal::from(unauthenticated(NOTHING)).into_response(),
                Channel::Pages => self.ask(request),
            });
        }
        let caller = self.api.engine.caller(actor.clone());
        let what = called(request);
        caller.note_denial(what, "permission denied", None).await;
        Some(match channel {
            Channel::Api => Refusal::from(denied(requirement)).into_response(),
            Channel::Pages => self.deny(request, actor).await,
        })
    }

    /// The same answer, which ends when whoever gets it may not have it any more.
    fn end_with_the_right(
        &self,
        response: Response,
        credential: Option<Credential>,
        requirement: Requirement,
    ) -> Response {
        if requirement == Requirement::Public {
            return response;
        }
        let engine = self.api.engine.clone();
        match (credential, &self.api.shared.options.access) {
            (Some(credential), _) => {
                revoked::ends_when(response, revoked::revoked(engine, credential, requirement))
            }
            (None, Access::OpenUntilSetUp(_)) => {
                revoked::ends_when(response, revoked::set_up(engine))
            }
            (None, _) => response,
        }
    }

    /// Leads a person to where they sign in; a script hears that it must.
    fn ask(&self, request: &Parts) -> Response {
        let accepts = request.headers.get(header::ACCEPT);
        let wants_page = accepts
            .and_then(|accepts| accepts.to_str().ok())
            .is_some_and(|accepts| accepts.contains("text/html"));
        if request.method == Method::GET && wants_page {
            let path = request.uri.path_and_query();
            return (self.pages.ask)(path.map_or("/", |path| path.as_str()));
        }
        Refusal::from(unauthenticated(SIGN_IN)).into_response()
    }

    /// Shows a person what they may not.
    async fn deny(&self, request: &Parts, actor: &Actor) -> Response {
        let mut shown = Request::new(axum::body::Body::empty());
        *shown.uri_mut() = request.uri.clone();
        *shown.headers_mut() = request.headers.clone();
        shown.extensions_mut().insert(actor.clone());
        shown.extensions_mut().insert(browser_of(request));
        let Ok(response) = self.pages.denied.clone().oneshot(shown).await;
        response
    }

    async fn note_worthless(&self, credential: &Credential, request: &Parts) {
        let id = match credential {
            Credential::Key(token) => token.id,
            Credential::Inbox(token) => token.key,
            Credential::Session(_) => return,
        };
        let caller = self.api.engine.caller(Actor::nobody());
        let why = format!("the key {id}, or what it signed, is unknown, expired or revoked");
        caller.note_denial(called(request), &why, None).await;
    }
}

/// Whether an actor is what a call requires.
pub fn meets(actor: &Actor, requirement: Requirement) -> bool {
    match requirement {
        Requirement::Public => true,
        Requirement::SignedIn => actor.principal != Principal::Nobody,
        Requirement::OneOf(permissions) => permissions.iter().any(|one| actor.may(*one)),
    }
}

/// Whether whoever has this credential still meets what a call requires.
pub fn still_meets(whose: Option<Arc<Authenticated>>, requirement: Requirement) -> bool {
    whose.is_some_and(|whose| meets(&whose.actor, requirement))
}

fn find(table: Requirements, method: &Method, path: &str) -> Option<Requirement> {
    let method = if method == Method::HEAD {
        &Method::GET
    } else {
        method
    };
    let mut rows = table.iter();
    let row = rows.find(|(m, p, _)| *m == method.as_str() && *p == path)?;
    Some(row.2)
}

fn find_method(methods: &[&str], method: &Method) -> bool {
    let method = if method == Method::HEAD {
        "GET"
    } else {
        method.as_str()
    };
    methods.contains(&method)
}

/// Whether nobody can have read along: it came over TLS, or from this machine. Without a listener it came from nowhere.
fn is_unread(request: &Parts) -> bool {
    let peer = request.extensions.get::<PeerAddress>();
    request.extensions.get::<OverTls>().is_some()
        || peer.is_none_or(|peer| peer.0.to_canonical().is_loopback())
}

fn bearer_of(headers: &HeaderMap) -> Result<Option<Credential>, Box<Problem>> {
    let mut given = headers.get_all(header::AUTHORIZATION).iter();
    let Some(first) = given.next() else {
        return Ok(None);
    };
    let bearer = first.to_str().ok().and_then(|text| {
        let (scheme, token) = text.split_once(' ')?;
        scheme
            .eq_ignore_ascii_case("bearer")
            .then_some(token.trim())
    });
    let (Some(token), None) = (bearer, given.next()) else {
        return Err(Box::new(unauthenticated(NO_BEARER)));
    };
    let read = match InboxToken::is_meant(token) {
        true => InboxToken::read(token)
            .map(Credential::Inbox)
            .map_err(|error| format!("This is no inbox token: {error}.")),
        false => KeyToken::read(token)
            .map(Credential::Key)
            .map_err(|error| format!("This is no API key: {error}.")),
    };
    read.map(Some)
        .map_err(|why| Box::new(unauthenticated(&why)))
}

/// Why somebody asks, if they say so.
fn reason_of(headers: &HeaderMap) -> Result<Option<String>, Box<Problem>> {
    let Some(header) = headers.get(reason::REASON) else {
        return Ok(None);
    };
    reason::of_header(header.as_bytes()).map_err(|why| {
        let wrong = FieldError::new("Baton-Reason", why);
        Box::new(Problem::invalid(vec![wrong]))
    })
}

/// What pages are told of the browser.
fn browser_of(request: &Parts) -> Browser {
    let mut browser = Browser {
        is_over_tls: request.extensions.get::<OverTls>().is_some(),
        session: None,
        address: request.extensions.get().map(ClientAddress::address),
    };
    browser.session = session_of(request, browser.cookie());
    browser
}

fn session_of(request: &Parts, name: &str) -> Option<Secret> {
    let lines = request.headers.get_all(header::COOKIE).iter();
    let mut cookies = lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='))
        .filter(|(given, _)| *given == name);
    let (_, value) = cookies.next()?;
    Secret::read(value).ok()
}

/// What the audit log calls a request: its method and its route, not whom its path names.
fn called(request: &Parts) -> String {
    let path = request.extensions.get::<MatchedPath>();
    let path = path.map_or("?", MatchedPath::as_str);
    format!("{} {path}", request.method)
}

const NOTHING: &str = "The request carries no API key. Send one: `Authorization: Bearer bat_...`.";
const WORTHLESS: &str = "The API key or the token is unknown, expired or revoked.";
const NO_BEARER: &str = "The Authorization header must say `Bearer bat_...`, once.";
const READ_ALONG: &str = "Keys and sessions are taken over TLS alone: others can have read this one on its way. Revoke it, \
                          and call over https. If a proxy speaks TLS in front, it must say X-Forwarded-Proto: https.";
const SIGN_IN: &str = "Nobody is signed in, any more or at all. Load the page again to sign in.";

fn unauthenticated(detail: &str) -> Problem {
    ProblemKind::Unauthenticated.because(detail)
}

fn denied(requirement: Requirement) -> Problem {
    let words: Vec<_> = match requirement {
        Requirement::OneOf(permissions) => permissions.iter().map(|one| one.as_str()).collect(),
        Requirement::Public | Requirement::SignedIn => Vec::new(),
    };
    ProblemKind::PermissionDenied.because(format!(
        "This needs the permission {}, which this key does not have.",
        words.join(" or ")
    ))
}

/// Says in the answer how to say who one is.
pub async fn say_how(mut response: Response) -> Response {
    if response.status() == axum::http::StatusCode::UNAUTHORIZED {
        let how = HeaderValue::from_static("Bearer realm=\"baton\"");
        response.headers_mut().insert(header::WWW_AUTHENTICATE, how);
    }
    response
}
