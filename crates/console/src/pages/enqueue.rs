//! Asking for one job by hand: a form, and then the page of the job.

mod typed;

use askama::Template;
use axum::{
    Form,
    http::{HeaderMap, StatusCode},
    response::Response,
};
use baton_domain::{JobId, job::FieldError};
use baton_engine::{Accepted, Error};

use crate::{
    Console,
    receipt::{Receipt, answer},
    shell::Shell,
    view::short,
};
use typed::EnqueueForm;

/// Shows the form.
pub async fn show(console: Console, shell: Shell) -> Response {
    // Pressed twice, it makes one job.
    let form = format!("console:{}", JobId::new(console.engine.now()));
    let typed = EnqueueForm {
        form,
        ..EnqueueForm::default()
    };
    shell.page(&FormPage::new(&console, &shell, &typed, &[]).await)
}

/// Takes what was typed, and leads to the job; or shows it again with what is to be mended.
pub async fn take(
    console: Console,
    shell: Shell,
    headers: HeaderMap,
    Form(typed): Form<EnqueueForm>,
) -> Response {
    match accept(&console, &typed).await {
        Ok(accepted) => {
            console.overviews.spend().await;
            let (id, message) = told(&accepted);
            answer(
                &shell,
                &headers,
                &format!("/jobs/{id}"),
                Ok(Receipt::new(message)),
            )
        }
        Err(Error::Invalid(errors)) => {
            let form = FormPage::new(&console, &shell, &typed, &errors).await;
            shell.page_as(StatusCode::BAD_REQUEST, &form)
        }
        Err(error) => shell.trouble(&error.into()),
    }
}

async fn accept(console: &Console, typed: &EnqueueForm) -> Result<Accepted, Error> {
    let spec = typed.spec().map_err(Error::Invalid)?;
    console.engine.accept(spec).await
}

fn told(accepted: &Accepted) -> (JobId, String) {
    match accepted {
        Accepted::New(job) => (job.id, tr!("Created {job}.", job = short(job.id))),
        Accepted::Known(job) => (job.id, known(job.id)),
        Accepted::Forgotten(_, left) => (left.job, known(left.job)),
    }
}

fn known(id: JobId) -> String {
    tr!(
        "Nothing was created: the same was asked for before, as {job}.",
        job = short(id)
    )
}

#[derive(Template)]
#[template(path = "rooms/enqueue.html")]
struct FormPage<'a> {
    shell: &'a Shell,
    typed: &'a EnqueueForm,
    kinds: Vec<String>,
    queues: Vec<String>,
    errors: &'a [FieldError],
}

impl<'a> FormPage<'a> {
    async fn new(
        console: &Console,
        shell: &'a Shell,
        typed: &'a EnqueueForm,
        errors: &'a [FieldError],
    ) -> Self {
        // They are only offered: the form stands without.
        let kinds = console.engine.kinds().await.unwrap_or_default();
        let queues = shell.glance.queues().iter();
        Self {
            shell,
            typed,
            kinds: kinds.into_iter().map(|kind| kind.kind).collect(),
            queues: queues.map(|queue| queue.name.clone()).collect(),
            errors,
        }
    }

    /// What is wrong with a field of the form.
    fn wrong(&self, field: &str) -> Option<&str> {
        let mut errors = self.errors.iter();
        let error = errors.find(|error| self.field(error) == field);
        error.map(|error| &*error.message)
    }

    /// The field of the form that an error is about.
    fn field(&self, error: &FieldError) -> &'static str {
        typed::field_of(&error.field)
    }
}
