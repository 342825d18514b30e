//! Whatever is answered is what the description says: the types of the clients are made from it.

use std::sync::{LazyLock, OnceLock};

use axum::http::{Method, header::CONTENT_TYPE};
use jsonschema::{Draft, Validator};
use serde_json::{Value, json};

use crate::fixture::Reply;

static ANSWERS: LazyLock<Vec<Answer>> = LazyLock::new(described);

/// An answer of the description.
struct Answer {
    method: String,
    path: String,
    status: String,
    schema: Value,
    validator: OnceLock<Validator>,
}

/// Fails if an answer is none that the description has for such a request. What it does not tell of, and problems, are let pass.
#[track_caller]
pub fn assert_described(method: &Method, path: &str, reply: &Reply) {
    let is_json = reply
        .headers
        .get(CONTENT_TYPE)
        .is_some_and(|kind| kind == "application/json");
    if !is_json || !reply.status.is_success() {
        return;
    }
    let is_it = |answer: &&Answer| {
        let is_one = answer.method == method.as_str().to_lowercase() && matches(&answer.path, path);
        is_one && answer.status == reply.status.as_str()
    };
    let Some(answer) = ANSWERS.iter().find(is_it) else {
        return;
    };
    let given = reply.json();
    let wrong: Vec<_> = answer
        .validator()
        .iter_errors(&given)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(
        wrong.is_empty(),
        "{method} {path} answers what is not described: {wrong:#?}\n{given:#}"
    );
}

/// Whether a path is one of these; fixed words go before what stands for any.
fn matches(template: &str, path: &str) -> bool {
    let segments = |text: &str| -> Vec<String> { text.split('/').map(str::to_owned).collect() };
    let (template, path) = (segments(template), segments(path));
    let is_any = |word: &str| word.starts_with('{');
    template.len() == path.len()
        && template
            .iter()
            .zip(&path)
            .all(|(wanted, given)| wanted == given || is_any(wanted))
}

impl Answer {
    fn validator(&self) -> &Validator {
        self.validator.get_or_init(|| {
            let options = jsonschema::options().with_draft(Draft::Draft202012);
            options.build(&self.schema).unwrap()
        })
    }
}

fn described() -> Vec<Answer> {
    let description: Value = serde_json::from_str(include_str!("../../openapi.json")).unwrap();
    let mut answers = Vec::new();
    for (path, methods) in description["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            for (status, response) in operation["responses"].as_object().unwrap() {
                let schema = response.pointer("/content/application~1json/schema");
                answers.extend(schema.map(|schema| Answer {
                    method: method.clone(),
                    path: path.clone(),
                    status: status.clone(),
                    schema: json!({"allOf": [schema], "components": description["components"]}),
                    validator: OnceLock::new(),
                }));
            }
        }
    }
    // `/v1/jobs/batch` is no job by the name of `batch`.
    answers.sort_by_key(|answer| answer.path.contains('{'));
    answers
}
