//! What each call requires of whoever makes it. A test sees that each route has a line.

use baton_domain::access::{
    Permission as P,
    Requirement::{self, OneOf, Public},
    Requirements,
};

const READ: Requirement = OneOf(&[P::JobsRead]);
const CREATE: Requirement = OneOf(&[P::JobsCreate]);
const OPERATE: Requirement = OneOf(&[P::Operate]);
const SEND: Requirement = OneOf(&[P::CampaignsSend]);
const COMMAND: Requirement = OneOf(&[P::CampaignsSend, P::Operate]);
const SCHEDULE: Requirement = OneOf(&[P::SchedulesWrite]);
const STOP: Requirement = OneOf(&[P::SchedulesWrite, P::Operate]);
const SEE_PEOPLE: Requirement = OneOf(&[P::RecipientsRead]);
const WRITE_PEOPLE: Requirement = OneOf(&[P::RecipientsWrite]);
const INBOX: Requirement = OneOf(&[P::Inbox]);
const WORK: Requirement = OneOf(&[P::Worker]);
const ADMIN: Requirement = OneOf(&[P::KeysAdmin]);

/// What each call of the API requires.
pub const REQUIREMENTS: Requirements = &[
    ("GET", "/healthz", Public),
    ("GET", "/readyz", Public),
    ("GET", "/metrics", OneOf(&[P::Metrics])),
    ("GET", "/openapi.json", Public),
    ("GET", "/docs", Public),
    ("GET", "/docs/style.css", Public),
    ("GET", "/docs/problems", Public),
    ("GET", "/docs/problems/{kind}", Public),
    ("POST", "/v1/jobs", CREATE),
    ("GET", "/v1/jobs", READ),
    ("POST", "/v1/jobs/batch", CREATE),
    ("GET", "/v1/jobs/{id}", READ),
    ("GET", "/v1/jobs/{id}/attempts", READ),
    ("GET", "/v1/attempts", READ),
    ("GET", "/v1/jobs/{id}/events", READ),
    ("GET", "/v1/jobs/{id}/explain", READ),
    ("POST", "/v1/jobs/{id}/cancel", OPERATE),
    ("POST", "/v1/jobs/{id}/retry", OPERATE),
    ("POST", "/v1/jobs/{id}/run-now", OPERATE),
    ("POST", "/v1/jobs/{id}/resolve", OPERATE),
    ("GET", "/v1/dead-letters", READ),
    ("POST", "/v1/dead-letters/retry", OPERATE),
    ("POST", "/v1/dead-letters/discard", OPERATE),
    ("GET", "/v1/operations", READ),
    ("GET", "/v1/operations/{id}", READ),
    ("GET", "/v1/queues", READ),
    ("PATCH", "/v1/queues/{name}", OPERATE),
    ("GET", "/v1/recipients", SEE_PEOPLE),
    ("POST", "/v1/recipients/import", WRITE_PEOPLE),
    ("PUT", "/v1/recipients/{id}", WRITE_PEOPLE),
    ("GET", "/v1/recipients/{id}", SEE_PEOPLE),
    (
        "DELETE",
        "/v1/recipients/{id}",
        OneOf(&[P::RecipientsWrite, P::RecipientsErase]),
    ),
    ("GET", "/v1/recipients/{id}/inbox", INBOX),
    ("GET", "/v1/recipients/{id}/inbox/unread", INBOX),
    ("POST", "/v1/recipients/{id}/inbox/{item}/read", INBOX),
    ("POST", "/v1/recipients/{id}/inbox/read-all", INBOX),
    ("GET", "/v1/recipients/{id}/inbox/stream", INBOX),
    ("POST", "/v1/recipients/{id}/inbox/token", INBOX),
    ("POST", "/v1/notifications", CREATE),
    ("POST", "/v1/audiences/preview", SEE_PEOPLE),
    ("POST", "/v1/campaigns", SEND),
    ("GET", "/v1/campaigns", READ),
    ("POST", "/v1/campaigns/preview", SEND),
    (
        "GET",
        "/v1/campaigns/{id}",
        OneOf(&[P::JobsRead, P::CampaignsSend]),
    ),
    ("PATCH", "/v1/campaigns/{id}", COMMAND),
    ("GET", "/v1/campaigns/{id}/progress", READ),
    ("GET", "/v1/campaigns/{id}/deliveries", READ),
    ("GET", "/v1/campaigns/{id}/failures", READ),
    ("POST", "/v1/campaigns/{id}/stop", COMMAND),
    ("POST", "/v1/campaigns/{id}/resume", COMMAND),
    ("POST", "/v1/campaigns/{id}/cancel", COMMAND),
    ("POST", "/v1/campaigns/{id}/retry-failed", COMMAND),
    ("GET", "/v1/campaigns/{id}/rest", READ),
    ("POST", "/v1/campaigns/{id}/send-to-rest", SEND),
    ("POST", "/v1/schedules", SCHEDULE),
    ("GET", "/v1/schedules", READ),
    ("GET", "/v1/schedules/{id}", READ),
    ("PATCH", "/v1/schedules/{id}", SCHEDULE),
    ("DELETE", "/v1/schedules/{id}", SCHEDULE),
    ("POST", "/v1/schedules/{id}/pause", STOP),
    ("POST", "/v1/schedules/{id}/resume", STOP),
    ("POST", "/v1/schedules/{id}/fire", STOP),
    ("GET", "/v1/schedules/{id}/next", READ),
    ("GET", "/v1/schedules/{id}/fires", READ),
    ("GET", "/v1/events", READ),
    ("GET", "/v1/events/stream", READ),
    ("GET", "/v1/workers", READ),
    ("GET", "/v1/kinds", READ),
    ("PUT", "/v1/workers/{id}", WORK),
    ("DELETE", "/v1/workers/{id}", WORK),
    ("PATCH", "/v1/workers/{id}", OPERATE),
    ("POST", "/v1/workers/{id}/claim", WORK),
    ("POST", "/v1/workers/{id}/beat", WORK),
    ("POST", "/v1/workers/{id}/results", WORK),
    ("POST", "/v1/workers/{id}/checkpoints", WORK),
    ("POST", "/v1/workers/{id}/release", WORK),
    ("GET", "/v1/keys", ADMIN),
    ("POST", "/v1/keys", ADMIN),
    ("POST", "/v1/keys/{id}/revoke", ADMIN),
    ("POST", "/v1/keys/{id}/rotate", ADMIN),
    ("GET", "/v1/users", ADMIN),
    ("POST", "/v1/users", ADMIN),
    ("PATCH", "/v1/users/{name}", ADMIN),
    ("POST", "/v1/users/{name}/sign-out", ADMIN),
    ("GET", "/v1/audit", OneOf(&[P::AuditRead])),
    ("GET", "/v1/audit/export", OneOf(&[P::AuditRead])),
];
