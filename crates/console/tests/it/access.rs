//! Access: signing in, the first user, and the rooms that say who may do what.

use std::time::Duration;

use axum::{
    Extension, Router,
    body::Body,
    http::{Request, header},
};
use baton_domain::{
    AuditId,
    access::{Actor, Browser, KeyToken, Permissions, Principal, Role},
    audit::{AuditAction, AuditEntry},
    job::State,
};
use baton_engine::NewUser;
use baton_ports::store::AuditLog;
use tower::ServiceExt;

use crate::fixture::{Answer, Fixture, NOW, own_post};

pub const PASSWORD: &str = "correct horse battery";

pub async fn user(fixture: &Fixture, name: &str, role: Role) {
    let new = NewUser {
        name: name.to_owned(),
        role,
        password: PASSWORD.to_owned(),
    };
    fixture.engine.add_user(new).await.unwrap();
}

/// The same rooms as somebody with this role sees them, past the gate.
pub fn seen_by(fixture: Fixture, role: Role) -> Fixture {
    let who = Principal::User(baton_domain::UserId::new(fixture.engine.now()));
    let actor = Actor::unbounded(who, "kim", role.permissions());
    as_actor(fixture, actor)
}

pub fn as_actor(fixture: Fixture, actor: Actor) -> Fixture {
    let console = fixture.console();
    Fixture {
        browser: Router::new()
            .nest("/admin", console)
            .layer(Extension(actor))
            .layer(Extension(Browser::default())),
        ..fixture
    }
}

pub async fn sign_in(fixture: &Fixture, name: &str, password: &str) -> Answer {
    let form = format!(
        "name={name}&password={}&next=%2Fjobs",
        password.replace(' ', "+")
    );
    fixture.press("/admin/sign-in", &form).await
}

#[tokio::test]
async fn whoever_signs_in_gets_a_session_and_goes_where_they_wanted_to() {
    let fixture = Fixture::new();
    user(&fixture, "kim", Role::Viewer).await;

    let answer = sign_in(&fixture, "Kim", PASSWORD).await;

    assert_eq!(answer.status, 303, "{answer:?}");
    assert_eq!(answer.header("location"), "./jobs");
    let cookie = answer.header("set-cookie");
    assert!(cookie.starts_with("baton_session="), "{cookie}");
    assert!(cookie.contains("HttpOnly; SameSite=Lax"), "{cookie}");
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_name_are_told_alike() {
    let fixture = Fixture::new();
    user(&fixture, "kim", Role::Viewer).await;

    let wrong = sign_in(&fixture, "kim", "wrong horse battery").await;
    let unknown = sign_in(&fixture, "lee", PASSWORD).await;

    for refused in [&wrong, &unknown] {
        assert_eq!(refused.status, 401);
        refused.has("The name or the password is wrong.");
        assert_eq!(refused.header("set-cookie"), "");
    }
    let told = |answer: &Answer, name: &str| answer.body.replace(name, "");
    assert_eq!(told(&wrong, "kim"), told(&unknown, "lee"));
}

#[tokio::test]
async fn after_many_wrong_passwords_nobody_looks_for_a_while_and_then_again() {
    let fixture = Fixture::new();
    user(&fixture, "kim", Role::Viewer).await;
    for _ in 0..6 {
        sign_in(&fixture, "kim", "wrong horse battery").await;
        fixture.clock.advance(std::time::Duration::from_secs(1));
    }

    let too_soon = sign_in(&fixture, "kim", PASSWORD).await;
    fixture.clock.advance(std::time::Duration::from_mins(5));
    let later = sign_in(&fixture, "kim", PASSWORD).await;

    assert_eq!(too_soon.status, 429);
    too_soon.has("There were too many wrong passwords");
    assert_eq!(later.status, 303, "never for ever");
}

#[tokio::test]
async fn the_way_back_after_signing_in_stays_inside() {
    let fixture = Fixture::new();
    user(&fixture, "kim", Role::Viewer).await;
    let form = "name=kim&password=correct+horse+battery&next=%2F%2Fevil.example";

    let answer = fixture.press("/admin/sign-in", form).await;

    assert_eq!(answer.header("location"), "../admin");
}

#[tokio::test]
async fn a_form_of_another_site_signs_nobody_in() {
    let fixture = Fixture::new();
    user(&fixture, "kim", Role::Viewer).await;
    let request = Request::post("/admin/sign-in")
        .header("sec-fetch-site", "cross-site")
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(Body::from("name=kim&password=correct+horse+battery"));

    let answer = fixture.ask(request.unwrap()).await;

    assert_eq!(answer.status, 403);
    assert_eq!(answer.header("set-cookie"), "");
}

#[tokio::test]
async fn whoever_has_the_set_up_token_adds_the_first_user_and_nobody_after() {
    let fixture = Fixture::new();
    let token = fixture
        .engine
        .offer_set_up()
        .await
        .unwrap()
        .unwrap()
        .reveal();
    fixture
        .get("/admin/sign-in")
        .await
        .has("There is no user yet.");
    let form = |token: &str, name: &str| {
        format!("token={token}&name={name}&password=correct+horse+battery")
    };

    let wrong = fixture
        .press("/admin/set-up", &form(&"0".repeat(64), "eve"))
        .await;
    let first = fixture.press("/admin/set-up", &form(&token, "kim")).await;
    let second = fixture.press("/admin/set-up", &form(&token, "eve")).await;

    assert_eq!(wrong.status, 403);
    assert_eq!(first.status, 200, "{first:?}");
    first.has("<h1>Sign in</h1>").has("value=\"kim\"");
    assert_eq!(second.status, 403);
    assert_eq!(sign_in(&fixture, "kim", PASSWORD).await.status, 303);
    assert_eq!(sign_in(&fixture, "eve", PASSWORD).await.status, 401);
}

#[tokio::test]
async fn a_short_password_sets_nobody_up_and_the_token_stays() {
    let fixture = Fixture::new();
    let token = fixture
        .engine
        .offer_set_up()
        .await
        .unwrap()
        .unwrap()
        .reveal();
    let form = |password: &str| format!("token={token}&name=kim&password={password}");

    let short = fixture.press("/admin/set-up", &form("short")).await;
    let long = fixture
        .press("/admin/set-up", &form("correct+horse+battery"))
        .await;

    assert_eq!(short.status, 400);
    short.has("12 to 256 letters");
    assert_eq!(long.status, 200, "{long:?}");
}

#[tokio::test]
async fn a_new_key_is_shown_once_and_can_be_revoked() {
    let fixture = seen_by(Fixture::new(), Role::Admin);
    let form = "name=billing&allow=jobs%3Acreate&kinds=&queues=low&days=90";

    let made = fixture.press("/admin/access/keys", form).await;
    let later = fixture.get("/admin/access").await;

    let token = made.body.split("data-token>").nth(1).expect("a token");
    let token = KeyToken::read(token.split('<').next().unwrap()).unwrap();
    later
        .has("billing")
        .has("queues: low")
        .lacks(&token.secret.reveal());
    let path = format!("/admin/access/keys/{}/revoke", token.id);
    fixture.press(&path, "").await.has("revoked");
}

#[tokio::test]
async fn nobody_but_an_admin_enters_the_room_that_says_who_may_do_what() {
    for role in [Role::Viewer, Role::Operator, Role::Sender] {
        let fixture = seen_by(Fixture::new(), role);

        let denied = fixture.get("/admin/access").await;
        let overview = fixture.get("/admin").await;

        assert_eq!(denied.status, 403, "{role}");
        overview.lacks("href=\"admin/access\"");
    }
}

#[tokio::test]
async fn the_log_shows_who_did_what_and_leads_to_it() {
    let fixture = Fixture::new();
    let id = fixture.job_in(State::Canceled).await;
    let fixture = seen_by(fixture, Role::Operator);

    let page = fixture.get("/admin/activity").await;
    let other = fixture.get("/admin/activity?action=queue.change").await;
    let unreadable = fixture.get("/admin/activity?action=nonsense").await;

    page.has("job.cancel")
        .has(&format!("jobs/{id}"))
        .has("anonymous");
    other.has("Nothing of that kind was done");
    assert_eq!(unreadable.status, 400);
}

#[tokio::test]
async fn the_overview_says_what_people_did_last_to_whoever_may_read_the_log() {
    let fixture = Fixture::new();
    let id = fixture.job_in(State::Canceled).await;

    let fixture = seen_by(fixture, Role::Operator);
    let operator = fixture.get("/admin").await;
    let fixture = seen_by(fixture, Role::Viewer);
    let viewer = fixture.get("/admin").await;

    operator
        .has("What people did last")
        .has("<code>job.cancel</code>")
        .has(&format!("title=\"{id}\""))
        .has("/activity\">All activity");
    viewer
        .has("data-panel=\"acts\"")
        .lacks("What people did last")
        .lacks("<code>job.cancel</code>");
}

#[tokio::test]
async fn what_people_did_last_is_seen_however_much_else_stands_in_the_log() {
    let fixture = Fixture::new();
    fixture.job_in(State::Canceled).await;
    fixture.clock.advance(Duration::from_mins(1));
    let refused: Vec<_> = (0..350).map(|_| refusal(&fixture)).collect();
    fixture.store.append_audit(&refused).await.unwrap();

    let first = fixture.get("/admin").await;
    fixture.clock.advance(Duration::from_mins(1));
    fixture.job_in(State::Canceled).await;
    let second = fixture.get("/admin").await;
    fixture.clock.set(NOW);
    fixture.job_in(State::Canceled).await;
    let after_the_clock_was_put_back = fixture.get("/admin").await;

    assert_eq!(first.body.matches("<code>job.cancel</code>").count(), 1);
    assert_eq!(second.body.matches("<code>job.cancel</code>").count(), 2);
    let third = after_the_clock_was_put_back
        .body
        .matches("<code>job.cancel</code>")
        .count();
    assert_eq!(third, 3);
}

fn refusal(fixture: &Fixture) -> AuditEntry {
    let at = fixture.engine.now();
    AuditEntry {
        id: AuditId::new(at),
        at,
        principal: Principal::Nobody,
        name: "nobody".to_owned(),
        action: AuditAction::Denied,
        object: "/v1/keys".to_owned(),
        before: None,
        after: None,
        reason: None,
        count: None,
        request_id: None,
    }
}

#[tokio::test]
async fn the_log_calls_users_and_keys_and_campaigns_by_their_names() {
    let fixture = Fixture::new();
    user(&fixture, "kim", Role::Viewer).await;
    let lee = Principal::User(baton_domain::UserId::new(fixture.engine.now()));
    let lee = Actor::unbounded(lee, "lee", Role::Admin.permissions());
    let fixture = as_actor(fixture, lee);
    let role = fixture.press("/admin/access/users/kim/role", "role=operator");
    role.await;
    let form = "name=billing&allow=jobs%3Acreate&kinds=&queues=low&days=90";
    fixture.press("/admin/access/keys", form).await;
    let campaign = crate::campaigns::in_inboxes(&fixture, "Daily quiz").await;

    let users = fixture.get("/admin/activity?action=user.change").await;
    let keys = fixture.get("/admin/activity?action=key.create").await;
    let campaigns = fixture.get("/admin/activity?action=campaign.create").await;

    users.has("title=\"usr_").has(">kim</span>");
    keys.has("title=\"key_").has(">billing</span>");
    campaigns.has(&format!("title=\"{campaign}\">Daily quiz</a>"));
}

#[tokio::test]
async fn the_log_is_searched_by_name_and_time_and_says_how_to_take_it_away() {
    let fixture = Fixture::new();
    user(&fixture, "kim", Role::Operator).await;
    let kim = fixture.engine.user_named("kim").await.unwrap().id;
    let who = Actor::unbounded(Principal::User(kim), "kim", Role::Operator.permissions());
    let job = fixture.enqueue(crate::fixture::spec()).await;
    let fixture = as_actor(fixture, who);
    let press = format!("/admin/jobs/{job}/cancel");
    fixture.press(&press, "").await;

    let by_name = fixture.get("/admin/activity?by=kim").await;
    let early = fixture.get("/admin/activity?until=2026-01-01T00:00").await;
    let late = fixture.get("/admin/activity?since=2026-01-01T00:00").await;
    let nobody = fixture.get("/admin/activity?by=lee").await;
    let never = fixture.get("/admin/activity?since=soon").await;

    by_name
        .has(&format!("jobs/{job}"))
        .lacks("<code>user.add</code>")
        .has(&format!("/v1/audit/export?principal={kim}"))
        .has("<option value=\"campaign.stop\">");
    early.has("Nothing of that kind was done");
    late.has(&format!("jobs/{job}"))
        .has("name=\"since\" value=\"2026-01-01T00:00\"");
    assert_eq!((nobody.status.as_u16(), never.status.as_u16()), (400, 400));
}

#[tokio::test]
async fn a_viewer_finds_the_recoveries_and_no_tab_that_would_be_refused() {
    let fixture = seen_by(Fixture::new(), Role::Viewer);

    let overview = fixture.get("/admin").await;
    let fleet = fixture.get("/admin/fleet").await;
    let recoveries = fixture.get("/admin/activity/recoveries").await;

    overview.has("href=\"admin/activity/recoveries\"");
    fleet.has("href=\"./activity/recoveries\"");
    recoveries.has("By the system").lacks("By people");
}

#[tokio::test]
async fn a_viewer_sees_no_payloads_and_presses_nothing() {
    const CANARY: &str = "canary-77aa";
    let fixture = Fixture::new();
    let spec = baton_domain::job::JobSpec {
        payload: format!("{{\"to\":\"{CANARY}\"}}"),
        key: Some(CANARY.to_owned()),
        ..crate::fixture::spec()
    };
    let id = fixture.enqueue(spec).await;
    let claimed = fixture.claim().await;
    let class = baton_domain::job::Class::Permanent;
    let verdict = baton_domain::job::Verdict::failed(class, "http_400", CANARY);
    fixture.settle(claimed, verdict).await;
    let fixture = seen_by(fixture, Role::Viewer);

    for path in ["", "/jobs", "/dead-letters", "/campaigns", "/schedules"] {
        fixture.get(&format!("/admin{path}")).await.lacks(CANARY);
    }
    let job = fixture.get(&format!("/admin/jobs/{id}")).await;
    let pressed = fixture.press(&format!("/admin/jobs/{id}/retry"), "").await;

    job.lacks(CANARY).has("data-may=\"jobs:read metrics\"");
    assert_eq!(pressed.status, 403, "{pressed:?}");
    assert_eq!(fixture.job(id).await.state, State::Failed);
}

#[tokio::test]
async fn a_page_past_the_gate_shows_nothing_to_nobody() {
    let fixture = Fixture::new();
    fixture.job_in(State::Failed).await;
    let nobody = Actor {
        permissions: Permissions::NONE,
        ..Actor::nobody()
    };
    let fixture = as_actor(fixture, nobody);

    for path in ["", "/jobs", "/dead-letters", "/activity", "/access"] {
        let page = fixture.get(&format!("/admin{path}")).await;

        page.lacks("no such template").lacks("simulate");
    }
    let request = own_post("/admin/sign-out").body(Body::empty()).unwrap();
    let left = fixture.browser.clone().oneshot(request).await.unwrap();
    assert_eq!(left.status(), 303);
}
