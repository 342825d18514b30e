//! A button that was pressed: what it sent along, and how it is answered.

use axum::{
    Form,
    extract::{FromRequest, FromRequestParts, Request, rejection::FormRejection},
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use serde::Deserialize;

use crate::{
    Console, ConsoleState,
    errors::PageError,
    reason,
    receipt::{Receipt, answer},
    shell::Shell,
};

/// A button that was pressed.
pub struct Button {
    /// Whose use cases it is for.
    pub console: Console,
    /// What it sent along.
    pub pressed: Pressed,
    shell: Shell,
    headers: HeaderMap,
}

/// What a button sends along.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Pressed {
    /// What was typed to show that it is meant.
    pub confirm: String,
    /// As what a job is resolved.
    pub r#as: String,
    /// How many may run at once; empty for as many as can.
    pub max_running: String,
    /// How many may start each second; empty for as many as can.
    pub rate: String,
    back: String,
    reason: String,
}

impl Pressed {
    /// Why, if anybody said so.
    pub fn reason(&self) -> Option<String> {
        reason::given(&self.reason)
    }
}

impl Button {
    /// Leads somewhere else than back.
    pub fn leads_to(&mut self, path: String) {
        self.pressed.back = path;
    }

    /// Answers with what was done, or why not.
    pub async fn answer(&self, outcome: Result<Receipt, PageError>) -> Response {
        self.console.overviews.spend().await;
        answer(&self.shell, &self.headers, &self.pressed.back, outcome)
    }
}

impl FromRequest<ConsoleState> for Button {
    type Rejection = Response;

    async fn from_request(
        request: Request,
        console: &ConsoleState,
    ) -> Result<Self, Self::Rejection> {
        let (mut parts, body) = request.into_parts();
        let Ok(shell) = Shell::from_request_parts(&mut parts, console).await;
        let own = console.for_one(&parts);
        let headers = parts.headers.clone();
        let form = Form::from_request(Request::from_parts(parts, body), console).await;
        let Form(pressed): Form<Pressed> = form.map_err(FormRejection::into_response)?;
        Ok(Self {
            console: own,
            pressed,
            shell,
            headers,
        })
    }
}
