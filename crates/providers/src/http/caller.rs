//! Makes calls: one client, what calls are signed with, and the time.

use std::{sync::Arc, time::Duration};

use baton_domain::{
    Clock, Timestamp,
    job::{Verdict, is_sensitive},
};
use baton_ports::{Call, Span, SpanKind};
use http::HeaderMap;
use tokio_util::sync::CancellationToken;

use crate::signature::{Secret, sign};

use super::{
    HttpConfig, StartError,
    answer::HttpResponse,
    client::Client,
    exchange::{self, Wait},
    failure,
    outgoing::{self, Signed},
    request::HttpRequest,
};

/// A word of a header that is shorter is no credential by itself, such as `Bearer`.
const SHORTEST: usize = 8;

/// Makes calls, each once.
pub struct Caller {
    client: Client,
    secrets: Vec<Secret>,
    clock: Arc<dyn Clock>,
}

impl Caller {
    /// A caller with a client, and so a pool of connections, of its own.
    pub fn new(
        config: HttpConfig,
        secrets: Vec<Secret>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, StartError> {
        crate::init_crypto();
        Ok(Self {
            client: Client::new(config)?,
            secrets,
            clock,
        })
    }

    /// The answer to a call, or the verdict on one that brought none.
    pub async fn call(&self, call: &Call, asked: &HttpRequest) -> Result<HttpResponse, Verdict> {
        let signed = self.sign(call, asked);
        let span = begin_span(call, asked);
        let of_span = span.trace();
        let trace = of_span.as_ref().or(call.args.options.trace.as_ref());
        let request = outgoing::write(call, asked, signed.as_ref(), trace);
        let wait = Wait {
            timeout: call.timeout,
            cancel: &call.cancel,
        };
        let answered = exchange::exchange(&self.client, asked, &request, &wait).await;
        let answered = answered
            .map(|answer| answer.without(&credentials(&asked.headers)))
            .map_err(|no_answer| {
                failure::verdict(&no_answer, asked.address.origin(), call.timeout)
            });
        end_span(span, &answered);
        answered
    }

    /// The answer to a request that no job asks for, or why there is none.
    pub async fn ask(
        &self,
        asked: &HttpRequest,
        timeout: Duration,
    ) -> Result<HttpResponse, String> {
        let request = outgoing::write_plain(asked);
        let wait = Wait {
            timeout,
            cancel: &CancellationToken::new(),
        };
        let answered = exchange::exchange(&self.client, asked, &request, &wait).await;
        answered.map_err(|no_answer| {
            let verdict = failure::verdict(&no_answer, asked.address.origin(), timeout);
            match verdict {
                Verdict::Failed { failure, .. } => failure.message,
                _ => "nothing was sent".to_owned(),
            }
        })
    }

    /// The present moment.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    fn sign(&self, call: &Call, asked: &HttpRequest) -> Option<Signed> {
        if self.secrets.is_empty() {
            return None;
        }
        // Dots part what is signed, so the id has none.
        let id = asked.key(call).replace('.', "_");
        let seconds = self.clock.now().as_micros().div_euclid(1_000_000);
        let body = asked.body.as_deref().unwrap_or_default();
        let signature = sign(&self.secrets, &id, seconds, body);
        Some(Signed {
            id,
            seconds,
            signature,
        })
    }
}

/// The span of a call; it says nothing of where the call goes.
fn begin_span(call: &Call, asked: &HttpRequest) -> Span {
    let method = asked.method.as_str();
    let mut span = call.span.child(SpanKind::Client, || method.to_owned());
    span.tell("http.request.method", || method);
    span
}

fn end_span(mut span: Span, answered: &Result<HttpResponse, Verdict>) {
    match answered {
        Ok(answer) => {
            let status = answer.status();
            span.tell("http.response.status_code", || u32::from(status));
            if status >= 400 {
                span.fail(&status.to_string());
            }
        }
        Err(Verdict::Failed { failure, .. }) => span.fail(&failure.code),
        Err(_) => {}
    }
}

/// What a receiver may repeat in its answer, though it is nobody else's to read.
fn credentials(headers: &HeaderMap) -> Vec<&[u8]> {
    let sensitive = headers
        .iter()
        .filter(|(name, _)| is_sensitive(name.as_str()));
    sensitive
        .flat_map(|(_, value)| value.as_bytes().split(|byte| b" ;,".contains(byte)))
        .filter(|word| word.len() >= SHORTEST)
        .collect()
}
