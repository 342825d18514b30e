//! Each job posted to a service beside the worker; how it answers is read as the kind `http` reads it.

use std::sync::Arc;

use async_trait::async_trait;
use baton_domain::job::{FieldError, Verdict};
use baton_ports::{Call, Handler, store::JobArgs};
use baton_providers::{HttpConfig, HttpHandler, StartError};
use serde_json::{Value, json};

use super::Tools;

/// Posts the jobs of a kind to one address.
pub struct PostHandler {
    kind: &'static str,
    url: String,
    calls: Arc<HttpHandler>,
}

/// What makes the calls. The address is the user's own, and may be anywhere.
pub fn caller(tools: &Tools) -> Result<HttpHandler, StartError> {
    let config = HttpConfig {
        allow_private_targets: true,
        ..HttpConfig::default()
    };
    HttpHandler::new(config, Arc::clone(&tools.clock))
}

impl PostHandler {
    /// To this address.
    pub const fn new(kind: &'static str, url: String, calls: Arc<HttpHandler>) -> Self {
        Self { kind, url, calls }
    }

    /// Which job it is, and under which key, such a call says by itself.
    fn request(&self, call: &Call) -> Value {
        let headers = json!({"Content-Type": "application/json"});
        json!({"url": self.url, "method": "POST", "headers": headers, "body": call.args.payload})
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
        let args = JobArgs {
            payload: self.request(&call).to_string(),
            ..(*call.args).clone()
        };
        let call = Call {
            args: Arc::new(args),
            ..call
        };
        self.calls.run(call).await
    }
}
