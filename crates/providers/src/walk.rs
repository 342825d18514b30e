//! The kind `baton.walk`: walks an API page by page, and makes a job of each row.
//!
//! Each page is a checkpoint that carries the jobs of its rows, so that each row has its job exactly once, whatever dies; a
//! page of more rows than a checkpoint may carry is several.

mod attempt;
mod next;
mod place;
mod plan;
mod pointer;
mod row;

use std::sync::Arc;

use async_trait::async_trait;
use baton_domain::job::{FieldError, Verdict};
use baton_ports::{Call, ChildJob, Handler};

use self::{
    attempt::Walk,
    plan::{Plan, Start},
};
use crate::HttpHandler;

/// What the kind is called.
const KIND: &str = "baton.walk";

/// Does the work of kind `baton.walk`.
pub struct WalkHandler {
    http: Arc<HttpHandler>,
}

impl WalkHandler {
    /// A handler whose calls are made as those of the kind `http`, over the same connections.
    #[must_use]
    pub const fn new(http: Arc<HttpHandler>) -> Self {
        Self { http }
    }
}

#[async_trait]
impl Handler for WalkHandler {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn check(&self, payload: &str) -> Result<(), Vec<FieldError>> {
        match Plan::read(payload, &self.http)?.start {
            Start::Missing(name) => Err(vec![self.http.refusal(&name)]),
            Start::At { .. } => Ok(()),
        }
    }

    fn makes(&self, payload: &str) -> Option<ChildJob> {
        let plan = Plan::read(payload, &self.http).ok()?;
        Some(ChildJob {
            at: "payload.job",
            spec: plan.job.spec,
        })
    }

    async fn run(&self, call: Call) -> Verdict {
        let plan = match Plan::read(&call.args.payload, &self.http) {
            Ok(plan) => plan,
            Err(errors) => return crate::payload::refusal(&errors),
        };
        let (address, destination) = match &plan.start {
            Start::At {
                address,
                destination,
            } => (address, destination.as_deref()),
            Start::Missing(name) => return self.http.leave_to_others(name),
        };
        let walk = Walk {
            http: &self.http,
            call: &call,
            plan: &plan,
            first: address,
            destination,
        };
        match walk.go().await {
            Ok(verdict) | Err(verdict) => verdict,
        }
    }
}
