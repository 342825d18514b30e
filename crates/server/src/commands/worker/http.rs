//! Each job posted to a service beside the worker; how it answers is read as the kind `http` reads it.

use std::{fmt::Write as _, sync::Arc, time::Duration};

use async_trait::async_trait;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use baton_domain::job::{Class, FieldError, Verdict};
use baton_ports::{Call, Handler, store::JobArgs};
use baton_providers::{HttpConfig, HttpHandler};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep_until};

use super::{Tools, http_control::HttpControls, said::Conversation};
use crate::exit::Failure;

/// The longest cursor that a header carries; any is at the control address.
const LONGEST_HEADER: usize = 4 * 1024;
/// What a call may take: its time-out counts from the last checkpoint, which the call knows nothing of.
const WITHOUT_END: Duration = Duration::from_hours(30 * 24);

/// The service: where it is, and how it is spoken to.
pub struct Service {
    url: String,
    calls: HttpHandler,
    controls: HttpControls,
    tools: Arc<Tools>,
}

impl Service {
    /// At this address, which is the user's own, and may be anywhere.
    pub fn new(url: &str, tools: &Arc<Tools>) -> Result<Self, Failure> {
        let config = HttpConfig {
            allow_private_targets: true,
            ..HttpConfig::default()
        };
        let calls = HttpHandler::new(config, Arc::clone(&tools.clock));
        let calls =
            calls.map_err(|error| Failure::new(format!("no calls can be made: {error}")))?;
        let controls = HttpControls::start();
        let controls = controls
            .map_err(|error| Failure::new(format!("no service can be listened to: {error}")))?;
        Ok(Self {
            url: url.to_owned(),
            calls,
            controls,
            tools: Arc::clone(tools),
        })
    }
}

/// Posts the jobs of a kind to the service.
pub struct PostHandler {
    kind: &'static str,
    service: Arc<Service>,
}

impl PostHandler {
    /// For this kind.
    pub const fn new(kind: &'static str, service: Arc<Service>) -> Self {
        Self { kind, service }
    }

    /// Which job it is, and under which key, such a call says by itself.
    fn request(&self, call: &Call) -> Value {
        let headers = json!({"Content-Type": "application/json"});
        json!({"url": self.service.url, "method": "POST", "headers": headers, "body": call.args.payload})
    }

    /// How the service speaks to the worker, and where the job left off.
    async fn told(call: &Call, control: &str) -> HeaderMap {
        let stood = call.checkpoints.stands().await.ok().flatten();
        let cursor = stood.and_then(|stood| stood.cursor);
        let cursor = cursor.map(|text| in_a_header(&text));
        let cursor = cursor.filter(|text| text.len() <= LONGEST_HEADER);
        let told = [
            ("baton-control", Some(control.to_owned())),
            ("baton-cursor", cursor),
        ];
        let told = told.into_iter().filter_map(|(name, text)| {
            let value = HeaderValue::from_str(&text?).ok()?;
            Some((HeaderName::from_static(name), value))
        });
        told.collect()
    }
}

#[async_trait]
impl Handler for PostHandler {
    fn kind(&self) -> &'static str {
        self.kind
    }

    fn check(&self, _payload: &str) -> Result<(), Vec<FieldError>> {
        Ok(())
    }

    async fn run(&self, call: Call) -> Verdict {
        let service = &self.service;
        let conversation = Conversation::about(&call, service.tools.stopping.clone());
        let control = service.controls.open(Arc::clone(&conversation));
        let told = Self::told(&call, control.url()).await;
        let args = JobArgs {
            payload: self.request(&call).to_string(),
            ..(*call.args).clone()
        };
        let call = Call {
            args: Arc::new(args),
            timeout: WITHOUT_END,
            ..call
        };
        let verdict = tokio::select! {
            biased;
            verdict = service.calls.run_telling(&call, told) => verdict,
            () = call.cancel.cancelled() => Verdict::Canceled,
            () = timed_out(&conversation) => Verdict::failed(
                Class::Unknown,
                "timeout",
                "the service did not answer in time; it may have done its work",
            ),
            () = service.tools.grace_over.cancelled() => Verdict::failed(
                Class::Unknown,
                "shutdown",
                "the worker stopped before the service answered; it may have done its work",
            ),
        };
        // What it said on the way goes before how it answered.
        conversation
            .said()
            .map_or(verdict, super::said::Said::verdict)
    }
}

/// Waits until the job's time is over, which each checkpoint puts off.
async fn timed_out(conversation: &Conversation) {
    while Instant::now() < conversation.deadline() {
        sleep_until(conversation.deadline()).await;
    }
}

/// JSON as a header can carry it: one line of ASCII, that means the same.
fn in_a_header(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter {
            // Only between its parts: within a string such a letter is written otherwise.
            '\n' | '\r' | '\t' => text.push(' '),
            ' '..='~' => text.push(letter),
            letter => {
                let mut units = [0; 2];
                for unit in letter.encode_utf16(&mut units) {
                    let _ = write!(text, "\\u{unit:04x}");
                }
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_in_a_header_is_one_line_of_ascii_and_means_the_same() {
        let cursor = "{\n\t\"after\": \"가😀\",\r\n \"n\": 1.0}";

        let header = in_a_header(cursor);

        assert!(
            header.chars().all(|letter| (' '..='~').contains(&letter)),
            "{header}"
        );
        let before: Value = serde_json::from_str(cursor).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&header).unwrap(), before);
    }
}
