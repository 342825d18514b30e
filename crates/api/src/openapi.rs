//! The description of the API: what the code says, and what is true of every call.

use baton_domain::access::Requirement;
use baton_protocol::{Problem, health::NotReady};
use utoipa::{
    OpenApi, ToSchema,
    openapi::{
        self, Content, Ref, RefOr, Response,
        path::{Operation, ParameterIn},
        security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme},
    },
};

use crate::routes::REQUIREMENTS;

/// What stands at the head of the description.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Baton",
        description = "Durable jobs and notifications: at least once, on time, and under an operator's hand.\n\nJSON in snake_case; ids carry a prefix; times are RFC 3339 in UTC; spans of time are texts such as `30s`. Unknown fields of a request are refused; ignore unknown fields of an answer. Lists answer `items` and `next`; give `next` as `after` to go on. Every error is a problem (RFC 9457), and `type` is where its page is served. A request can say in the header `Baton-Reason` why it is made (500 characters at most, UTF-8, percent-encoded where it is not plain): the audit log keeps it.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    tags(
        (name = "jobs", description = "Durable requests to run a kind of work once to completion."),
        (name = "dead letters", description = "Failed jobs, grouped by cause."),
        (name = "operations", description = "What is done to many jobs at once, with progress."),
        (name = "queues", description = "Named lines of jobs that can be paused and limited."),
        (name = "recipients", description = "Who is reached, under your own ids, and which of them an audience means."),
        (name = "campaigns", description = "A message to an audience, as one thing that can be watched, stopped and resumed."),
        (name = "inbox", description = "What recipients were told, and what of that they have read."),
        (name = "notifications", description = "What one or a few recipients are told at once."),
        (name = "schedules", description = "What is made again and again, by a cron line in a time zone."),
        (name = "events", description = "Facts about every change, densely numbered."),
        (name = "workers", description = "Who runs jobs."),
        (name = "nodes", description = "The processes of the installation."),
        (name = "access", description = "API keys and users: who may do what."),
        (name = "audit", description = "Who did what to what."),
        (name = "health", description = "How the server is."),
    ),
    components(schemas(Problem, NotReady)),
)]
pub struct Description;

/// Adds to every call the problems that any such call can meet.
pub fn complete(mut api: openapi::OpenApi) -> openapi::OpenApi {
    for (path, item) in &mut api.paths.paths {
        let operations = [
            &mut item.get,
            &mut item.put,
            &mut item.post,
            &mut item.patch,
            &mut item.delete,
        ];
        let methods = ["GET", "PUT", "POST", "PATCH", "DELETE"];
        let operations = operations.into_iter().zip(methods);
        for (operation, method) in
            operations.filter_map(|(one, method)| Some((one.as_mut()?, method)))
        {
            add_requirement(method, path, operation);
            add_common_problems(path, operation);
        }
    }
    let key = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some(
            "An API key: `bat_<id>_<secret>_<checksum>`. A server started with `--dev` asks for none.",
        ));
    let schemes = api.components.get_or_insert_default();
    schemes.add_security_scheme(KEY, SecurityScheme::Http(key.build()));
    api
}

/// What the way to say who one is is called.
const KEY: &str = "api_key";

/// Says which permissions a call requires, as the gate will have it.
fn add_requirement(method: &str, path: &str, operation: &mut Operation) {
    let mut rows = REQUIREMENTS.iter();
    let row = rows.find(|(m, p, _)| *m == method && *p == path);
    let Some((_, _, Requirement::OneOf(permissions))) = row else {
        return;
    };
    let words: Vec<_> = permissions.iter().map(|one| format!("`{one}`")).collect();
    let needs = words.join(" or ");
    operation.security = Some(vec![SecurityRequirement::new(KEY, NO_SCOPES)]);
    let answers = [
        (
            401,
            "`unauthenticated`: there is no API key, or it is worth nothing.".to_owned(),
        ),
        (
            403,
            format!(
                "`permission-denied`: it needs the permission {needs}. `forbidden`: a page of another site, or a foreign host name."
            ),
        ),
    ];
    for (status, description) in answers {
        let responses = &mut operation.responses.responses;
        responses
            .entry(status.to_string())
            .or_insert_with(|| problem(&description));
    }
}

const NO_SCOPES: [&str; 0] = [];

fn add_common_problems(path: &str, operation: &mut Operation) {
    let has_body = operation.request_body.is_some();
    let has_query = has_parameter(operation, &ParameterIn::Query);
    let has_path = has_parameter(operation, &ParameterIn::Path);
    let is_job = path.starts_with("/v1/jobs/{id}");
    let is_operation = path.starts_with("/v1/operations/{id}");
    let is_recipient = path.starts_with("/v1/recipients/{id}");
    let is_campaign = path.starts_with("/v1/campaigns/{id}");
    let is_schedule = path.starts_with("/v1/schedules/{id}");
    let is_key = path.starts_with("/v1/keys/{id}");
    let is_worker = path.starts_with("/v1/workers/{id}");
    let is_user = path.starts_with("/v1/users/{name}");
    let applies = [
        (
            400,
            has_body || has_query || has_path,
            "`malformed`, or `bad-cursor` for a list: it cannot be read.",
        ),
        (
            403,
            true,
            "`forbidden`: a page of another site, or a foreign host name.",
        ),
        (404, is_job, "`job-not-found`"),
        (404, is_operation, "`operation-not-found`"),
        (404, is_recipient, "`recipient-not-found`"),
        (404, is_campaign, "`campaign-not-found`"),
        (404, is_schedule, "`schedule-not-found`"),
        (404, is_key, "`key-not-found`"),
        (404, is_user, "`user-not-found`"),
        (404, is_worker, "`worker-not-found`"),
        (409, is_worker, "`worker-left`: it has said goodbye."),
        (413, has_body, "`too-large`"),
        (
            415,
            has_body,
            "`unsupported-media-type`: the body is not of a type that this call takes.",
        ),
        (
            422,
            has_body || has_query,
            "`invalid`: `errors` names the fields.",
        ),
        (500, true, "`internal`: a mistake of Baton's own."),
        (
            503,
            true,
            "`unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`.",
        ),
    ];
    for (status, _, description) in applies.into_iter().filter(|(_, applies, _)| *applies) {
        operation
            .responses
            .responses
            .entry(status.to_string())
            .or_insert_with(|| problem(description));
    }
}

fn has_parameter(operation: &Operation, place: &ParameterIn) -> bool {
    operation.parameters.iter().flatten().any(
        |parameter| matches!(parameter, RefOr::T(parameter) if parameter.parameter_in == *place),
    )
}

fn problem(description: &str) -> RefOr<Response> {
    let schema = Ref::from_schema_name(Problem::name());
    Response::builder()
        .description(description)
        .content(
            baton_protocol::problem::MEDIA_TYPE,
            Content::new(Some(schema)),
        )
        .build()
        .into()
}
